package gogui

import (
	"cmp"
	"fmt"
	"slices"

	"kibitz/internal/plain"
	"kibitz/protocol/gtp"
	"kibitz/run/compat"
	"kibitz/run/engines"
)

// program is a program of gogui-twogtp.
type program struct {
	role          string // Black, White, Referee or Observer
	command       Command
	name, version string
	// label is the name, with the version or a number behind it where another program has
	// the same name.
	label string
}

// introduce asks each program for its name and version.
func (w *watch) introduce() error {
	for _, x := range []program{
		{role: "Black", command: w.o.Black},
		{role: "White", command: w.o.White},
		{role: "Referee", command: w.o.Referee},
		{role: "Observer", command: w.o.Observer},
	} {
		if x.command == "" {
			continue
		}
		if err := w.ask(&x); err != nil {
			return err
		}
		w.programs = append(w.programs, x)
	}
	for i := range w.programs {
		x := &w.programs[i]
		x.label = x.name
		same := func(y program) bool { return y.role != x.role && y.role != "Observer" && y.name == x.name }
		if slices.ContainsFunc(w.programs, same) {
			if x.label += ":" + x.version; x.version == "" || len(x.version) > 40 {
				x.label = fmt.Sprintf("%s[%d]", x.name, i+1)
			}
		}
	}
	w.names = []string{w.programs[0].label, w.programs[1].label}
	if w.names[0] == w.names[1] {
		w.names[0], w.names[1] = w.names[0]+" (black)", w.names[1]+" (white)"
	}
	spec, err := engines.New(nil, engineWords(w.names[0], w.o.Black, w.o.Time))
	if err == nil {
		w.control = spec.Control
	}
	return err
}

// ask starts a program, asks for its name and version and ends it.
func (w *watch) ask(x *program) error {
	h, done, err := w.drive(x)
	if err != nil {
		return err
	}
	defer done()
	ask := func(command, usual string) (string, error) {
		text, ok, err := h.Ask(w.Context, command)
		if err != nil {
			return "", compat.Fail("%s: %v", x.role, err)
		}
		if !ok {
			text = ""
		}
		return cmp.Or(plain.Printable(text), usual), nil
	}
	if x.name, err = ask("name", x.role); err == nil {
		x.version, err = ask("version", "")
	}
	return err
}

// drive returns what drives a program; done ends it.
func (w *watch) drive(x *program) (h *gtp.Host, done func(), err error) {
	e, err := engines.New(nil, engineWords(x.role, x.command, Time{}))
	if err != nil {
		return nil, nil, err
	}
	release, err := w.Launcher.Ready(w.Context, e)
	if err != nil {
		return nil, nil, err
	}
	p, err := w.Launcher.Player(e, w.rules, 0, nil)
	if err != nil {
		release()
		return nil, nil, err
	}
	return p.(*gtp.Host), func() {
		if err := p.Close(); err != nil {
			w.Warned(x.role + ": " + plain.OneLine(err))
		}
		release()
	}, nil
}
