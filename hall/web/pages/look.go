package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Look is how a reader wants pages to look and to behave.
type Look struct {
	// Language is one of the catalogues, empty for the browser's.
	Language string
	// Theme is "light", "dark", or empty for the browser's.
	Theme string
	// Board and Pieces are styles of boards, empty for those of the game.
	Board, Pieces string
	// Size is how large boards are beside what else is on a page, in percent; empty for as large as the usual bound lets them be.
	Size string
	// Volume is that of sounds, empty for the usual one.
	Volume string
	// Moves is how a move is made: "press" by one press always, "confirm" confirmed always, empty by the size of the board.
	Moves string
	// Targets is whether it is shown where one may go: "always", "never", empty for a beginner's games.
	Targets                                        string
	NoPremove, NoSounds, Numbers, NoCoords, Chains bool
	// NoKeys makes no letter a key of boards.
	NoKeys bool
	// NoTimes hides the times that moves took.
	NoTimes bool
	// Muted are the accounts whose lines of chat are not shown: their numbers, with dots between them.
	Muted string
	// Learning has the reader's turns against engines judged, where nobody is deceived by that.
	Learning bool
}

// themes are the ways to be light or dark, beside the browser's own.
func themes() []string { return []string{"light", "dark"} }

// sizes are how large boards may be, in percent of the space that there is.
func sizes() []string {
	return []string{"50", "55", "60", "65", "70", "75", "80", "85", "90", "95", "100"}
}

// volumes are how loud sounds may be beside the usual, in percent of the loudest, with their words.
func volumes() map[string]string { return map[string]string{"20": "quieter", "100": "louder"} }

// ways are how a move may be made, beside by the size of the board.
func ways() []string { return []string{"press", "confirm"} }

// targets are whether it is shown where one may go, beside in a beginner's games.
func targets() []string { return []string{"always", "never"} }

// boards are the styles of boards, beside the one of the game.
func boards() []string { return []string{"wood", "felt", "chequer", "table", "paper", "slate"} }

// sets are the sets of pieces, beside the usual one.
func sets() []string { return []string{"flat", "marked", "latin"} }

// ParseLook reads what String wrote, or a form. What is not known is left out.
func ParseLook(text string) Look {
	v, err := url.ParseQuery(text)
	if err != nil {
		return Look{}
	}
	return LookOf(v)
}

// LookOf reads a form.
func LookOf(v url.Values) Look {
	one := func(key string, of []string) string {
		if slices.Contains(of, v.Get(key)) {
			return v.Get(key)
		}
		return ""
	}
	volume := v.Get("volume")
	if volumes()[volume] == "" {
		volume = ""
	}
	moves := one("moves", ways())
	if moves == "" && v.Get("confirm") == "1" { // as it was kept before there was a choice of three
		moves = "confirm"
	}
	lang := v.Get("lang")
	if len(lang) > 12 {
		lang = ""
	}
	muted := v.Get("muted")
	if len(muted) > mostMuted || strings.Trim(muted, "0123456789.") != "" {
		muted = ""
	}
	return Look{
		Muted:    muted,
		Language: lang, Theme: one("theme", themes()), Board: one("board", boards()), Pieces: one("pieces", sets()), Size: one("size", sizes()),
		Volume: volume, Moves: moves, Targets: one("targets", targets()),
		NoPremove: v.Has("nopremove"), NoKeys: v.Has("nokeys"), NoSounds: v.Has("nosounds"), Numbers: v.Has("numbers"),
		NoCoords: v.Has("nocoords"), Chains: v.Has("chains"), NoTimes: v.Has("notimes"), Learning: v.Has("learning"),
	}
}

// mostMuted is how long the list of the muted may be.
const mostMuted = 500

// Mutes tells whether the lines of an account are not shown.
func (l Look) Mutes(user int64) bool {
	return slices.Contains(strings.Split(l.Muted, "."), strconv.FormatInt(user, 10))
}

// Mute returns the look with an account muted, or not; the one that was muted first is forgotten if
// there are too many.
func (l Look) Mute(user int64, on bool) Look {
	id := strconv.FormatInt(user, 10)
	list := slices.DeleteFunc(strings.Split(l.Muted, "."), func(x string) bool { return x == id || x == "" })
	if on {
		list = append(list, id)
	}
	for len(strings.Join(list, ".")) > mostMuted {
		list = list[1:]
	}
	l.Muted = strings.Join(list, ".")
	return l
}

// String writes it for a cookie.
func (l Look) String() string {
	v := url.Values{}
	for key, x := range map[string]string{
		"lang": l.Language, "theme": l.Theme, "board": l.Board, "pieces": l.Pieces, "size": l.Size, "volume": l.Volume, "moves": l.Moves,
		"targets": l.Targets, "muted": l.Muted,
	} {
		if x != "" {
			v.Set(key, x)
		}
	}
	for key, on := range map[string]bool{
		"nopremove": l.NoPremove, "nokeys": l.NoKeys, "nosounds": l.NoSounds, "numbers": l.Numbers,
		"nocoords": l.NoCoords, "chains": l.Chains, "notimes": l.NoTimes, "learning": l.Learning,
	} {
		if on {
			v.Set(key, "1")
		}
	}
	return v.Encode()
}
