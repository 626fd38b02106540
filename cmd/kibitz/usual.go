package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"kibitz/run"
	"kibitz/run/engines"
)

// usualWords are arguments with what people try first in the words of Kibitz: nothing at
// all, help, --version, the other spelling of analyze.
func usualWords(args []string) []string {
	if len(args) == 0 {
		return []string{"--help"}
	}
	switch args[0] {
	case "help":
		return append(slices.Clone(args[1:]), "--help")
	case "analyse":
		return append([]string{"analyze"}, args[1:]...)
	case "--version", "-version", "-V":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// likelier says where a flag belongs that is a word of an engine: the nearest flag in
// letters is another thing. A setting tells by itself what is wrong with it, for a command that
// there is not it is said where the others stand, and for one that lacks a word where an example does.
func likelier(err error) error {
	var setting *run.Error
	var words *engines.Error
	var parse *kong.ParseError
	switch {
	case errors.As(err, &setting):
		return setting
	case errors.As(err, &words):
		return words
	case errors.As(err, &parse) && !strings.Contains(err.Error(), "did you mean"):
		named := parse.Context.Selected()
		if named == nil {
			return fmt.Errorf("%w; kibitz --help lists the commands", err)
		}
		if lacks := strings.HasPrefix(err.Error(), "expected ") || strings.HasPrefix(err.Error(), "missing "); lacks {
			return fmt.Errorf("%w; %s --help has an example", err, named.FullPath())
		}
	}
	m := regexp.MustCompile(`^unknown flag --([a-z]+)`).FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	word := m[1]
	if word == "time" {
		word = "tc"
	}
	if !slices.Contains(engines.Keys, word) {
		return err
	}
	return fmt.Errorf("unknown flag --%s: %s is a word of an engine, as in --engine 'cmd=./mine %[2]s=...', and in --each for all of them",
		m[1], word)
}
