package boardtxt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/record"
)

// Keys under which Game.Tags hold what a file says beyond the fields of
// record.Game.
const (
	// TagForm is "client" or "room" for those forms.
	TagForm = "form"
	// TagType is the server's word for why the game ended, with its numbers.
	TagType = "type"
	// TagTime is the limit as written, in the unit of the file.
	TagTime = "time"
	// TagStamps are the times of the plies as written, separated by blanks.
	TagStamps = "stamps"
)

// Words of TagForm.
const (
	formClient = "client"
	formRoom   = "room"
)

const spec = "darkchess"

// Read reads the record of one game. name is the name of its file, which may tell
// why the game ended; it may be empty. rules is dark chess with its limits where they
// are known, else empty. Errors are *record.Error.
func Read(name string, data []byte, rules game.Spec) (*record.Game, error) {
	f, err := Parse(data)
	if err != nil {
		return nil, err
	}
	return f.Record(name, rules), nil
}

// Record returns what the file says as a record of a game. name and rules are as in Read.
func (f *File) Record(name string, rules game.Spec) *record.Game {
	g := &record.Game{Spec: cmp.Or(rules, spec), Names: f.Names, Date: readDate(f.Date), Line: 1, Warnings: slices.Clone(f.Warnings)}
	next := f.start()
	g.Start = f.Start.text(next)
	if s := f.seconds(); s != "" {
		g.Clocks = [2]string{s, s}
	}
	if f.Form != Server {
		g.Tags = append(g.Tags, record.Tag{Key: TagForm, Value: map[Form]string{Client: formClient, Room: formRoom}[f.Form]})
	}
	g.Tags = append(g.Tags, record.Tag{Key: TagTime, Value: strconv.FormatInt(f.Time, 10)})
	f.steps(g)
	if len(f.Stamps) > 0 {
		texts := make([]string, len(f.Stamps))
		for i, ms := range f.Stamps {
			texts[i] = strconv.FormatInt(ms, 10)
		}
		g.Tags = append(g.Tags, record.Tag{Key: TagStamps, Value: strings.Join(texts, " ")})
	}
	f.result(g, name)
	return g
}

// start returns the colour on turn before the first ply. With everything face down
// that a complete set has, nobody has a colour yet, whatever the file says: it tells
// what came to light. With less it does too, unless the first ply contradicts it.
func (f *File) start() game.Colour {
	up, _ := f.Start.up()
	if up != [Kinds]int{} {
		return f.First
	}
	if f.Start.Alive != FullSet && len(f.Plies) > 0 && len(f.Plies[0]) == 2 && colourOf(int(f.Plies[0][1].Arg)) != f.First {
		return f.First
	}
	return game.NoColour
}

// milliseconds above this many are no seconds: nobody plays for ten days.
const mostSeconds = 100_000

// seconds is the time limit as a clock, empty if there is none.
func (f *File) seconds() string {
	switch {
	case f.Time <= 0:
		return ""
	case f.Time < mostSeconds:
		return strconv.FormatInt(f.Time, 10)
	}
	return strconv.FormatFloat(float64(f.Time)/1000, 'f', -1, 64)
}

// steps fills the decisions with the time that each took, from one time to the next.
func (f *File) steps(g *record.Game) {
	extra := len(f.Stamps) - len(f.Plies) // 1 if the first time is that of the beginning
	if extra != 0 && extra != 1 && len(f.Stamps) > 0 {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%d times for %d plies: they are not used", len(f.Stamps), len(f.Plies)))
	}
	for i, ply := range f.Plies {
		s := record.Step{By: game.Seat(i % 2), Move: ply[0]}
		if k := i + extra; (extra == 0 || extra == 1) && k > 0 {
			used := f.Stamps[k] - f.Stamps[k-1]
			if used >= 0 && used < math.MaxInt64/int64(time.Millisecond) {
				s.Used, s.Timed = time.Duration(used)*time.Millisecond, true
			}
		}
		g.Steps = append(g.Steps, s)
		if len(ply) > 1 {
			g.Steps = append(g.Steps, record.Step{By: game.Dealer, Move: ply[1]})
		}
	}
}

// result reads the result from its line and, where that leaves something open, from
// the name of the file.
func (f *File) result(g *record.Game, name string) {
	if g.ReadRuling(f.Ruling) {
		return
	}
	o, err := readResult(f.Result, f.Names)
	if f.Resigned && !o.known {
		o = outcome{word: "Resign", winner: game.Seat(len(f.Plies) % 2).Other(), known: true}
	}
	named := readName(name)
	if !o.known {
		o.known, o.winner, o.draw = named.known, named.winner, named.draw
		if err != nil && !o.known {
			g.Warnings = append(g.Warnings, err.Error())
		}
	}
	o.word = cmp.Or(o.word, named.word)
	if !o.known {
		return
	}
	if o.word != "" {
		g.Tags = append(g.Tags, record.Tag{Key: TagType, Value: o.word})
	}
	why, _ := Reason(o.word)
	why = f.settleReason(g, why, o)
	r := game.Drawn(why, "")
	switch {
	case o.winner.IsPlayer():
		r = game.Win(o.winner, why, "")
	case !o.draw:
		r = game.Result{Reason: cmp.Or(why, game.ByAbort)}
	}
	g.Result = &r
}

// settleReason completes the reason by the board: which of the two ends without
// pieces or moves it was, and with which limits a draw was given.
func (f *File) settleReason(g *record.Game, why game.Reason, o outcome) game.Reason {
	quiet, last := f.tail()
	switch why {
	case captureAll:
		loser := f.Colour()
		if o.winner == game.First {
			loser = other(loser)
		}
		if last.left(loser) > 0 {
			return noMove
		}
	case noEatFlip:
		claim(g, "noeat", quiet, usualNoEat, serverNoEat)
	case longCatch:
		if f := strings.Split(o.word, ","); len(f) > 1 {
			if n, err := strconv.Atoi(f[1]); err == nil {
				claim(g, "repetition", n, usualRepetition, usualRepetition)
			}
		}
	}
	return why
}

// Limits for draws: those of the rules where nobody says another, and that of the servers
// and courses whose records these are, all of whose draws without flip and capture came
// at 60 plies.
const (
	usualNoEat, serverNoEat = 180, 60
	usualRepetition         = 3
)

// claim deals with a draw whose limit only the record itself shows. A limit of the known
// events is taken, and told if it is not the usual one. Any other is no limit, however
// well it fits: a record that was cut shows one too.
func claim(g *record.Game, option string, n, usual, event int) {
	switch {
	case g.Spec != spec || n == usual || n < 1:
	case n == event:
		g.Spec = game.Spec(fmt.Sprintf("%s:%s=%d", spec, option, n))
		g.Warnings = append(g.Warnings, fmt.Sprintf("by its draw the game was played with %s=%d, as on servers of dark chess; usual is %d",
			option, n, usual))
	default:
		g.Warnings = append(g.Warnings, fmt.Sprintf("its draw would take %s=%d, which is no limit of a known event; if it was that of this "+
			"one, say so: --game %s:%[1]s=%[2]d", option, n, spec))
	}
}

// Colour is what the player who moves first plays with: what the first ply brought
// to light, or what First says.
func (f *File) Colour() game.Colour {
	if f.start() == game.NoColour && len(f.Plies) > 0 && len(f.Plies[0]) == 2 {
		return colourOf(int(f.Plies[0][1].Arg))
	}
	return f.First
}

func other(c game.Colour) game.Colour {
	switch c {
	case game.Red:
		return game.Black
	case game.Black:
		return game.Red
	}
	return game.NoColour
}

// FromRecord returns the file of a game in the form. The first player of a file
// moves first: where a position has the second seat on turn, names and result
// change places. Attempts, what was dealt without a flip and everything that the
// text has no words for are left out.
func FromRecord(g *record.Game, form Form) (*File, error) {
	if g.Spec.ID() != spec {
		return nil, fmt.Errorf("board.txt holds games of dark chess, not of %s", g.Spec)
	}
	b, next, seat, err := ReadPosition(g.Start)
	if err != nil {
		return nil, err
	}
	f := &File{Form: form, Start: b, First: next, Names: g.Names, Date: WriteDate(g.Date)}
	if err := f.plies(g.Steps); err != nil {
		return nil, err
	}
	f.First = f.Colour()
	f.winner, f.Ruling = game.Nobody, g.Ruling()
	if r := g.Result; r != nil {
		f.winner, f.over = r.Winner(), r.Draw() || r.Winner().IsPlayer()
	}
	if seat == game.Second {
		f.Names[0], f.Names[1] = f.Names[1], f.Names[0]
		if f.winner.IsPlayer() {
			f.winner = f.winner.Other()
			r := *g.Result
			slices.Reverse(r.Points[:])
			f.Ruling = (&record.Game{Tags: g.Tags, Result: &r}).Ruling()
		}
	}
	f.Time = limit(g)
	f.Stamps = f.times(g)
	if f.over {
		f.Result = f.resultLine(f.typeWord(g, form))
	}
	return f, nil
}

func (f *File) plies(steps []record.Step) error {
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		switch {
		case s.Refused || s.Move.Op == game.Resign:
		case s.Move.Op == game.Shift:
			f.Plies = append(f.Plies, []game.Move{s.Move})
		case s.Move.Op == game.Flip && i+1 < len(steps) && steps[i+1].Move.Op == game.Deal:
			f.Plies = append(f.Plies, []game.Move{s.Move, steps[i+1].Move})
			i++
		case s.Move.Op == game.Flip && i == len(steps)-1: // broken off before it was dealt
		default:
			return fmt.Errorf("decision %d, %s, is no ply of dark chess", i+1, s.Move)
		}
	}
	return nil
}

// typeWord is the server's word for the end: the one that was read if it still
// fits.
func (f *File) typeWord(g *record.Game, form Form) string {
	if g.Result == nil {
		return ""
	}
	was, have := g.Tag(TagType)
	if why, is := Reason(was); have && is && (why == g.Result.Reason || why == captureAll && g.Result.Reason == noMove) && formOf(g) == form {
		return was
	}
	word := Type(g.Result.Reason, form)
	if g.Result.Reason == longCatch && form == Room {
		n := 3
		if v, ok := g.Spec.Option("repetition"); ok {
			if k, err := strconv.Atoi(v); err == nil && k > 0 {
				n = k
			}
		}
		word += fmt.Sprintf(",%d,%d", n, f.cycle(n))
	}
	return word
}

// formOf is the form that a record was read in.
func formOf(g *record.Game) Form {
	switch v, _ := g.Tag(TagForm); v {
	case formClient:
		return Client
	case formRoom:
		return Room
	}
	return Server
}

// limit is the number of the line "time": the one that was read, or the main time
// of the first seat in seconds.
func limit(g *record.Game) int64 {
	if v, ok := g.Tag(TagTime); ok {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil && n >= 0 && n <= 1<<53 {
			return n
		}
	}
	text, _, _ := strings.Cut(g.Clocks[0], " ")
	text, _, _ = strings.Cut(text, "+")
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || !(s >= 0 && s < 1e9) {
		return 0
	}
	return int64(s)
}

// times are the stamps that were read, if they are as many as the plies want, or
// those that date and times of the decisions give.
func (f *File) times(g *record.Game) []int64 {
	if v, ok := g.Tag(TagStamps); ok {
		texts := strings.Fields(v)
		if n := len(texts) - len(f.Plies); n == 0 || n == 1 {
			list := make([]int64, len(texts))
			for i := range texts {
				var err error
				if list[i], err = strconv.ParseInt(texts[i], 10, 64); err != nil {
					list = nil
					break
				}
			}
			if list != nil {
				return list
			}
		}
	}
	at, ok := parseDate(g.Date)
	if !ok || !slices.ContainsFunc(g.Steps, func(s record.Step) bool { return s.Timed }) {
		return nil
	}
	var list []int64
	if f.Form == Room {
		list = append(list, at.UnixMilli())
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		at = at.Add(s.Used)
		if s.Move.Op == game.Shift && !s.Refused || s.Move.Op == game.Flip && i+1 < len(g.Steps) {
			list = append(list, at.UnixMilli())
		}
	}
	return list
}

// Append writes the record of one game in the form in which it was read, Server for
// others.
func Append(dst []byte, g *record.Game) ([]byte, error) { return appendForm(dst, g, formOf(g)) }

// AppendRoom writes the record in the form Room, which tells why a game ended.
func AppendRoom(dst []byte, g *record.Game) ([]byte, error) { return appendForm(dst, g, Room) }

func appendForm(dst []byte, g *record.Game, form Form) ([]byte, error) {
	f, err := FromRecord(g, form)
	if err != nil {
		return dst, err
	}
	eol := "\n"
	if form == Server {
		eol = "\r\n"
	}
	return f.Append(dst, eol), nil
}
