package compat

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/opening"
	"kibitz/opening/files"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/run/result"
)

// Env is what the programs need of the world.
type Env struct {
	Context        context.Context
	Stdout, Stderr io.Writer
	Now            func() time.Time
	// Version is that of Kibitz; Processor is that of the machine, to be put behind its name.
	Version, Processor string
	Launcher           *engines.Launcher
	Openings           files.Files
	// Play plays a match. begin is called before its files are made. The error is of what
	// went wrong with the run itself, an *engines.Failure where nothing is wrong with the
	// settings; lost games are none.
	Play func(s run.Settings, begin func(*Start) (*run.Compat, error)) error
}

// Start is a match before its files are made.
type Start struct {
	Rules rules.Rules
	// Openings are those of the settings; others can be put in their place.
	Openings []opening.Opening
	// Count is to be told of every game by the schedule.
	Count Counter
}

// Warned tells of what is odd, as cutechess-cli does.
func (e *Env) Warned(text string) { fmt.Fprintf(e.Stderr, "Warning: %s\n", text) }

// Say prints a line.
func (e *Env) Say(format string, args ...any) { fmt.Fprintf(e.Stdout, format+"\n", args...) }

// Asked answers a command line that asks for the version or for help.
func (e *Env) Asked(program string, args []string, table []Option) bool {
	for _, x := range args {
		switch strings.Replace(x, "--", "-", 1) {
		case "-v", "-version":
			e.Say("%s as kibitz compat takes its options\nkibitz %s", program, e.Version)
			return true
		case "-help":
			e.Say("Options are those of %s; docs/compat.md says what becomes of each.", program)
			for _, o := range table {
				e.Say("  %-18s %s", o.Name, o.Fate)
			}
			return true
		}
	}
	return false
}

// Fail is an error of what could not be done, though nothing is wrong with the options.
func Fail(format string, args ...any) error {
	return &engines.Failure{Msg: fmt.Sprintf(format, args...)}
}

// Failed makes an error one of what could not be done.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return Fail("%v", err)
}

// Silent are the events of a run of which a program says nothing.
type Silent struct{}

// Began says nothing.
func (Silent) Began(*run.Game) {}

// Ordered says nothing.
func (Silent) Ordered(string) {}

// Ended says nothing.
func (Silent) Ended(*result.Summary) {}

// Engines are the engines of a game by seat.
func Engines(g *run.Game) [2]int { return [2]int{g.Pairing.First, g.Pairing.Second} }

// Versus is "(A vs B)", of the engines of a game by their names.
func Versus(g *run.Game, names []string) string {
	return fmt.Sprintf("(%s vs %s)", names[g.Pairing.First], names[g.Pairing.Second])
}

// Answer is what an engine sent that is illegal, empty if nobody knows.
func Answer(g *run.Game) string {
	for _, e := range g.Outcome.Evidence {
		if text, ok := strings.CutPrefix(e, "answer: "); ok {
			return plain.Printable(text)
		}
	}
	return ""
}

// Command are the first words of an engine: its command line.
func Command(list ...string) engines.Words {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = engines.Quote(s)
	}
	return engines.Words{{Key: "cmd", Value: strings.Join(quoted, " ")}}
}

// With appends words, each a key and a value, unless the value is empty or 0.
func With(w engines.Words, pairs ...any) engines.Words {
	for i := 0; i < len(pairs); i += 2 {
		if text := fmt.Sprint(pairs[i+1]); text != "" && text != "0" {
			w = w.With(fmt.Sprint(pairs[i]), text)
		}
	}
	return w
}

// WithOptions appends "name=value" texts as options of an engine.
func WithOptions(w engines.Words, list []string) engines.Words {
	for _, x := range list {
		key, value, _ := strings.Cut(x, "=")
		w = w.With("option."+key, value)
	}
	return w
}

// Result is one of three texts: of a win of the first seat, of the second, or of nobody.
func Result(winner game.Seat, first, second, nobody string) string {
	switch winner {
	case game.First:
		return first
	case game.Second:
		return second
	}
	return nobody
}

// Seconds writes milliseconds as seconds.
func Seconds(ms int64) string { return fmt.Sprint(float64(ms) / 1000) }
