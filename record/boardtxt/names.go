package boardtxt

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/record"
)

// Forms of the first line. Clients wrote minutes without a zero and hours of the
// day after midnight as 0; their months were one too late.
var dateForms = []string{
	"3:4pm Jan 2, 2006", "3:4pm January 2, 2006", "3:4pm Jan 2 2006",
	"15:4pm Jan 2, 2006", "15:4pm January 2, 2006", "15:4pm Jan 2 2006",
}

// Forms of dates of records.
var recordForms = []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", time.RFC3339, "2006-01-02"}

// readDate returns the date of the first line as records have it, or as it is if it
// cannot be read.
func readDate(text string) string {
	plain := strings.Join(strings.Fields(text), " ")
	for _, form := range dateForms {
		if at, err := time.Parse(form, plain); err == nil {
			return at.Format("2006-01-02 15:04")
		}
	}
	return text
}

// parseDate reads a date of a record.
func parseDate(text string) (time.Time, bool) {
	for _, form := range recordForms {
		if at, err := time.Parse(form, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// WriteDate writes a date of a record as the first line has it: 1:04am Jan 16, 2017.
func WriteDate(text string) string {
	if at, ok := parseDate(text); ok {
		return at.Format("3:04pm Jan 2, 2006")
	}
	return text
}

// Names of files: "a0 VS a5 (2017_01_16_01_05_30)-LongCatch_Draws.txt" of servers,
// where Win and Lose are the first player's, and "101 Draw
// PositionRepetitionDraw(3-4).txt", "1 alice_wins NoMove.txt" of rooms. Blanks may
// have become underscores, and signs that were in the way too; " (2)" behind a name
// told it from another.
var (
	serverName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^.*\(\d{4}(?:_\d{1,2}){5}\)-([A-Za-z]+)_(Win|Lose|Draws)(?: \(\d+\))?$`)
	})
	roomName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:.*__)?\d+[ _](?:.*[ _](wins|Draw)|Draw)[ _]([A-Za-z]+)(?:[(_](\d+)-(\d+)[)_])?(?: \(\d+\))?$`)
	})
)

// readName returns what the name of a file tells of the result.
func readName(name string) outcome {
	o := outcome{winner: game.Nobody}
	name = strings.ReplaceAll(name, `\`, "/")
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	if m := serverName().FindStringSubmatch(name); m != nil {
		if _, is := Reason(m[1]); !is {
			return o
		}
		o.word, o.known = m[1], true
		switch m[2] {
		case "Win":
			o.winner = game.First
		case "Lose":
			o.winner = game.Second
		default:
			o.draw = true
		}
		return o
	}
	if m := roomName().FindStringSubmatch(name); m != nil {
		if _, is := Reason(m[2]); is {
			o.word = m[2]
			if m[3] != "" {
				o.word += "," + m[3] + "," + m[4]
			}
			o.known, o.draw = m[1] != "wins", m[1] != "wins"
		}
	}
	return o
}

// FileName returns the name that the servers gave to the record of a game:
// "a0 VS a5 (2017_01_16_01_05_30)-LongCatch_Draws.txt", with the time at which it
// ended, as far as the record tells one.
func FileName(g *record.Game) string {
	f, err := FromRecord(g, Server)
	if err != nil {
		return ""
	}
	result := "Abort"
	if f.over {
		who := map[game.Seat]string{game.First: "Win", game.Second: "Lose", game.Nobody: "Draws"}[f.winner]
		result = f.typeWord(g, Server) + "_" + who
	}
	names := [2]string{part(f.Names[0], 0), part(f.Names[1], 1)}
	when := ended(g, f)
	return fmt.Sprintf("%s VS %s (%s)-%s.txt", names[0], names[1], when.Format("2006_01_02_15_04_05"), result)
}

// ended returns when a game ended: in the time zone of its date if it tells both
// date and times.
func ended(g *record.Game, f *File) time.Time {
	date, dated := parseDate(g.Date)
	_, told := g.Tag(TagStamps)
	if told && len(f.Stamps) > 0 {
		const quarter = 15 * time.Minute
		last := time.UnixMilli(f.Stamps[len(f.Stamps)-1]).UTC()
		if !dated {
			return last
		}
		begun := time.UnixMilli(f.Stamps[0])
		if zone := date.Sub(begun).Round(quarter); zone.Abs() <= 15*time.Hour {
			return last.Add(zone)
		}
	}
	for i := range g.Steps {
		date = date.Add(g.Steps[i].Used)
	}
	return date
}

// RoomFileName returns the name that the server of 2021/22 gave to the record of
// game number n of a room: "1 alice_wins NoMove.txt",
// "101 Draw PositionRepetitionDraw(3-4).txt".
func RoomFileName(g *record.Game, n int) string {
	f, err := FromRecord(g, Room)
	if err != nil {
		return ""
	}
	word := "Abort"
	who := "Draw"
	if f.over {
		if w := f.winner; w.IsPlayer() {
			who = part(f.Names[w], int(w)) + "_wins"
		}
		word = f.typeWord(g, Room)
		if name, numbers, ok := strings.Cut(word, ","); ok {
			word = name + "(" + strings.ReplaceAll(numbers, ",", "-") + ")"
		}
	}
	return strconv.Itoa(n) + " " + who + " " + word + ".txt"
}

// maxPart is the most bytes of a name in the name of a file: those end at 255.
const maxPart = 80

// part makes the name of a player fit for the name of a file.
func part(name string, seat int) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, CleanName(name))
	for len(name) > maxPart {
		r := []rune(name)
		name = string(r[:len(r)-1])
	}
	if name = strings.Trim(name, ". "); name == "" {
		return nobody(seat)
	}
	return name
}
