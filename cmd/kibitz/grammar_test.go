package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"kibitz/cmd/kibitz/full"
	"kibitz/internal/profile"
)

// TestProfile profiles a command, wherever the flag stands, and says why another folder
// cannot be had.
func TestProfile(t *testing.T) {
	for _, args := range [][]string{{"--profile", "DIR", "perft", "othello", "4"}, {"perft", "othello", "4", "--profile=DIR"}} {
		dir := filepath.Join(t.TempDir(), "new", "folder")
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "DIR", dir)
		}
		if out := commandOutput(t, args...); !strings.Contains(out, "244") {
			t.Errorf("%q prints %q", args, out)
		}
		for _, name := range []string{profile.Processor, profile.Memory, profile.Trace} {
			if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Size() == 0 {
				t.Errorf("%q: %s: %v, %v", args, name, st, err)
			}
		}
	}
	var out, errs bytes.Buffer
	a := newApp()
	a.stdout, a.stderr = &out, &errs
	status := executeFull(a, []string{"version", "--profile", "grammar_test.go"})
	if status != 2 || out.Len() > 0 || !strings.Contains(errs.String(), "--profile: ") {
		t.Errorf("into a file: status %d, %q, %q", status, out.String(), errs.String())
	}
}

// TestGrammar holds the part of the command line that is read for some arguments to all of
// it: help says the same, and no other command is looked at.
func TestGrammar(t *testing.T) {
	help := func(l any, args []string) (text string, nodes int) {
		var out bytes.Buffer
		k, err := kong.New(l, kong.Name("kibitz"), kong.Writers(&out, &out), kong.Exit(func(int) { panic("told") }),
			kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if r := recover(); r != "told" {
				panic(r)
			}
			text = out.String()
			_ = kong.Visit(k.Model.Node, func(_ kong.Visitable, next kong.Next) error {
				nodes++
				return next(nil)
			})
		}()
		_, err = k.Parse(args)
		t.Fatalf("%q: %v", args, err)
		return "", 0
	}
	for _, more := range []any{&fullCommands{}, &full.Commands{}} {
		whole := &commands{Plugins: kong.Plugins{more}}
		k, err := kong.New(whole)
		if err != nil {
			t.Fatal(err)
		}
		words := [][]string{{"--help"}, {"-h"}}
		for _, n := range k.Model.Leaves(false) {
			path := strings.Fields(n.FullPath())[1:]
			if len(n.Positional) == 1 && n.Passthrough {
				continue // its words are those of another program
			}
			words = append(words, append(path, "--help"), []string{path[0], "--help"})
		}
		all := 0
		for _, args := range words {
			want, n := help(&line{Plugins: kong.Plugins{&commands{Plugins: kong.Plugins{more}}}}, args)
			all = n
			got, nodes := help(grammar(more, args), args)
			if got != want || got == "" {
				t.Errorf("%q says\n%s\nand of the whole\n%s", args, got, want)
			}
			if nodes > 120 && args[0] != "manual" && args[0] != "completion" {
				t.Errorf("%q reads %d commands, flags and arguments of %d", args, nodes, all)
			}
		}
		if len(words) < 25 || all < 200 {
			t.Errorf("only %d command lines of %d words", len(words), all)
		}
	}
}
