package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/run"
	"kibitz/run/compat/cutechess"
)

// ccFiles are the files that the options name. Games stand in
// -pgnout in the order of their numbers.
type ccFiles struct {
	w        *ccWatch
	pgn, epd *os.File
	errput   map[int]*os.File // by engine
	wait     map[int][]byte
	next     int
	err      error
}

func newCCFiles(w *ccWatch) *ccFiles {
	return &ccFiles{w: w, errput: map[int]*os.File{}, wait: map[int][]byte{}}
}

// open opens the files, which are appended to.
func (f *ccFiles) open() error {
	o := f.w.o
	open := func(flag, name string, fresh bool, dst **os.File) error {
		if name == "" {
			return nil
		}
		how := os.O_APPEND
		if fresh {
			how = os.O_TRUNC
		}
		file, err := os.OpenFile(name, how|os.O_CREATE|os.O_WRONLY, 0o644)
		if *dst = file; err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		return nil
	}
	err := open("-pgnout", o.pgn, o.freshPGN, &f.pgn)
	if err == nil {
		err = open("-epdout", o.epd, o.freshEPD, &f.epd)
	}
	for i := range o.engines {
		if e := &o.engines[i]; err == nil && e.stderr != "" {
			var file *os.File
			err = open("stderr", e.stderr, false, &file)
			f.errput[i] = file
		}
	}
	return err
}

// close writes what waits and closes the files.
func (f *ccFiles) close() {
	for i := f.next; len(f.wait) > 0; i++ {
		f.flush(i)
	}
	for _, file := range []*os.File{f.pgn, f.epd} {
		if file != nil {
			f.note(file.Close())
		}
	}
	for _, file := range f.errput {
		f.note(file.Close())
	}
}

func (f *ccFiles) note(err error) { f.err = errors.Join(f.err, err) }

func (f *ccFiles) flush(i int) {
	if b := f.wait[i]; f.pgn != nil {
		_, err := f.pgn.Write(b)
		f.note(err)
	}
	delete(f.wait, i)
}

// add takes a game that is over.
func (f *ccFiles) add(p *run.Game, end cutechess.End, lines []trafficLine) {
	for _, l := range lines {
		e := [2]int{p.Pairing.First, p.Pairing.Second}[l.seat]
		if file := f.errput[e]; l.mark == '!' && file != nil {
			_, err := fmt.Fprintln(file, l.text)
			f.note(err)
		}
	}
	if f.epd != nil {
		_, err := fmt.Fprintln(f.epd, strings.ReplaceAll(p.Outcome.Final, "\n", " "))
		f.note(err)
	}
	f.wait[p.Pairing.Index] = f.game(p, end)
	for f.wait[f.next] != nil {
		f.flush(f.next)
		f.next++
	}
}

// game is a game in PGN with the tags of cutechess-cli.
func (f *ccFiles) game(p *run.Game, end cutechess.End) []byte {
	o, w := f.w.o, f.w
	var b bytes.Buffer
	tag := func(key, value string) {
		if value == "" {
			value = "?"
		}
		fmt.Fprintf(&b, "[%s \"%s\"]\n", key, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(value))
	}
	tag("Event", o.event)
	tag("Site", o.site)
	tag("Date", p.Began.Local().Format("2006.01.02"))
	tag("Round", fmt.Sprint(p.Pairing.Round))
	tag("White", w.names[p.Pairing.First])
	tag("Black", w.names[p.Pairing.Second])
	tag("Result", end.Token)
	start := ""
	if i := p.Pairing.Opening; i >= 0 {
		start = w.openings[i].Start
	}
	if !o.minimal {
		f.moreTags(tag, p, end, start)
	} else if start != "" {
		tag("FEN", start)
		tag("SetUp", "1")
		tag("Variant", o.variant)
	}
	f.moves(&b, p, end)
	return b.Bytes()
}

// moreTags are those that stand in verbose games only, in the order of their names.
func (f *ccFiles) moreTags(tag func(key, value string), p *run.Game, end cutechess.End, start string) {
	const stamp = "2006-01-02T15:04:05.000 MST"
	now := f.w.a.now()
	white, black := &f.w.o.engines[p.Pairing.First].tc, &f.w.o.engines[p.Pairing.Second].tc
	if *white != *black {
		tag("BlackTimeControl", black.String())
	}
	if start != "" {
		tag("FEN", start)
	}
	tag("GameDuration", time.Time{}.Add(now.Sub(p.Began)).Format("15:04:05"))
	tag("GameEndTime", now.Local().Format(stamp))
	tag("GameStartTime", p.Began.Local().Format(stamp))
	plies := 0
	for i := range p.Outcome.Steps {
		if p.Outcome.Steps[i].By.IsPlayer() {
			plies++
		}
	}
	tag("PlyCount", fmt.Sprint(plies))
	if start != "" {
		tag("SetUp", "1")
	}
	if word := map[cutechess.Kind]string{
		cutechess.OnTime: "time forfeit", cutechess.Illegal: "illegal move", cutechess.Disconnected: "abandoned",
		cutechess.Stalled: "stalled connection", cutechess.DrawAdjudicated: "adjudication",
	}[end.Kind]; word != "" {
		tag("Termination", word)
	} else if p.Outcome.Result.Reason == game.ByAdjudication {
		tag("Termination", "adjudication")
	}
	if *white == *black {
		tag("TimeControl", white.String())
	}
	tag("Variant", f.w.o.variant)
	if *white != *black {
		tag("WhiteTimeControl", white.String())
	}
}

// moves writes the moves in lines of less than 80 characters.
func (f *ccFiles) moves(b *bytes.Buffer, p *run.Game, end cutechess.End) {
	width := 0
	put := func(word string) {
		if width == 0 || width+len(word) >= 80 {
			b.WriteString("\n" + word)
			width = len(word)
			return
		}
		b.WriteString(" " + word)
		width += len(word) + 1
	}
	number := 0
	steps := p.Outcome.Steps
	for i := range steps {
		s := &steps[i]
		word := f.w.rules.FormatMove(s.Move)
		switch {
		case s.By == game.First && (i == 0 || steps[i-1].By != game.First):
			number++
			word = fmt.Sprintf("%d. %s", number, word)
		case s.By == game.Second && i == 0:
			number++
			word = fmt.Sprintf("%d... %s", number, word)
		}
		if note := f.comment(p, i, end); note != "" {
			word += " {" + note + "}"
		}
		put(word)
	}
	if width+len(end.Token) >= 80 {
		b.WriteString("\n" + end.Token + "\n\n")
		return
	}
	b.WriteString(" " + end.Token + "\n\n")
}

// comment is what stands after a move: evaluation, depth and time, and how the game
// ended after the last one.
func (f *ccFiles) comment(p *run.Game, i int, end cutechess.End) string {
	steps := p.Outcome.Steps
	s := &steps[i]
	text := ""
	switch {
	case f.w.o.minimal:
		return ""
	case s.Opening:
		text = "book"
	case s.By.IsPlayer() && !s.Forced:
		if s.Info.Eval.Known() && s.Info.Depth > 0 {
			text = fmt.Sprintf("%+.2f/%d ", s.Info.Eval.Mid(), s.Info.Depth)
		}
		text += ccSeconds(s.Used)
	}
	if i == len(steps)-1 {
		if text != "" {
			text += ", "
		}
		text += end.Reason
	}
	return text
}

// ccSeconds prints a time with the digits that it deserves.
func ccSeconds(d time.Duration) string {
	ms := d.Milliseconds()
	digits := 0
	switch {
	case ms == 0:
		return "0s"
	case ms < 100:
		digits = 3
	case ms < 1000:
		digits = 2
	case ms < 10000:
		digits = 1
	}
	return fmt.Sprintf("%.*fs", digits, float64(ms)/1000)
}
