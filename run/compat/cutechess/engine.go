package cutechess

import (
	"fmt"
	"strings"

	"kibitz/catalog"
	"kibitz/internal/plain"
	"kibitz/run/compat"
	"kibitz/run/engines"
)

// Engine is an engine of cutechess-cli.
type Engine struct {
	Name, Cmd, Dir, Proto string
	Args, Options         []string // Options are "name=value"
	Stderr                string
	Restart               string // auto, on or off, empty if not given
	TC                    Control
	Margin, Depth         int // the margin in milliseconds
	Nodes                 int64
	Scale                 float64
	Ponder, WhitePOV      bool
}

// EngineKeys are the keys of an engine.
func EngineKeys(e *Engine) []compat.Option {
	return []compat.Option{
		compat.Take("conf=", "an engine of engines.json, here or in the folder of cutechess's settings", compat.One(e.configure)),
		compat.Take("name=", "else the name of the executable", compat.Text(&e.Name)),
		compat.Take("cmd=", "executable", compat.Text(&e.Cmd)),
		compat.Take("dir=", "working folder, else that of the executable; a relative `cmd=` counts from here first", compat.Text(&e.Dir)),
		compat.Take("arg=", "an argument of the engine; repeatable", compat.All(&e.Args)),
		compat.Refuse("initstr=", "lines before the protocol begins are not sent; put the engine behind a script that sends them"),
		compat.Take("stderr=", "what the engine writes there, appended to the file", compat.Text(&e.Stderr)),
		compat.Take("restart=", "`auto` `on` `off`", compat.OneOf(&e.Restart, "auto", "on", "off")),
		compat.Ignore("trust", "results are the referee's; no claim of an engine is taken"),
		compat.Take("proto=", "a protocol of Kibitz for the game; `uci` and `xboard` are refused", compat.Text(&e.Proto)),
		compat.Take("tc=", "`MOVES/TIME+INCREMENT`, `hgTIME`, `inf`", compat.One(e.TC.Read)),
		compat.Take("st=", "seconds for each move", func(p *compat.Args) error {
			err := compat.Times(&e.TC.OnMove, 1000)(p)
			if err == nil && e.TC.OnMove == 0 {
				err = p.Must(p.Words[0], "must be more than 0")
			}
			return err
		}),
		compat.Take("timemargin=", "milliseconds of grace, 0 if not given", compat.Whole(&e.Margin, 0)),
		compat.Refuse("book=", "Polyglot books are for chess; use -openings"),
		compat.Ignore("bookdepth=", "it belongs to book="),
		compat.Take("whitepov", "refused together with -draw and -resign, without meaning otherwise", compat.Given(&e.WhitePOV)),
		compat.Take("ponder", "refused where the protocol has no word for it", compat.Given(&e.Ponder)),
		compat.Take("depth=", "", compat.Whole(&e.Depth, 1)),
		compat.Take("nodes=", "", compat.Count(&e.Nodes)),
		compat.Take("tscale=", "times the minute that an engine has to start", compat.Amount(&e.Scale)),
		compat.Ignore("debug", "it belongs to UCI"),
		compat.Take("option.", "as the protocol hands on options", compat.Named(&e.Options)),
	}
}

// check refuses an engine that cannot play.
func (e *Engine) check(o *Options) error {
	switch {
	case !e.TC.given():
		return fmt.Errorf("-engine: tc= or st= is missing")
	case e.TC.PerControl > 0 && e.TC.OnMove > 0:
		return fmt.Errorf("-engine: tc= and st= exclude each other")
	case e.Cmd == "":
		return fmt.Errorf("-engine: cmd= is missing")
	case e.WhitePOV && (o.Run.Draw.Count > 0 || o.Run.Resign.Count > 0):
		return fmt.Errorf("whitepov: Kibitz takes an engine's score as its own; leave -draw and -resign away")
	}
	id, _, _ := strings.Cut(o.Run.Game, ":")
	var known []string
	for _, p := range catalog.ProtocolsOf(id) {
		if e.Proto == p.ID || e.Proto == "" {
			return nil
		}
		known = append(known, p.ID)
	}
	return fmt.Errorf("proto=%s: Kibitz plays %s over %s", e.Proto, id, strings.Join(known, " and "))
}

// Title is the name of the engine.
func (e *Engine) Title() string {
	if e.Name != "" {
		return plain.Printable(e.Name)
	}
	return (&engines.Spec{Cmd: []string{e.Cmd}}).DefaultName()
}

// words are the engine as a run takes it.
func (e *Engine) words(name string) engines.Words {
	words := compat.Command(append([]string{e.program()}, e.Args...)...).With("name", name)
	restart := map[string]string{"auto": "auto", "on": "game", "off": "never"}[e.Restart]
	words = compat.With(words, "dir", e.Dir, "proto", e.Proto, "restart", restart, "depth", e.Depth, "nodes", e.Nodes)
	if e.Ponder {
		words = words.With("ponder", "1")
	}
	words = append(words, e.TC.word()).With("margin", compat.Seconds(int64(e.Margin)))
	return compat.WithOptions(words, e.Options)
}
