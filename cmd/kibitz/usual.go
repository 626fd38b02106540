package main

import (
	"fmt"
	"regexp"
	"slices"

	"kibitz/run/engines"
)

// usualWords are arguments with what people try first in the words of Kibitz: nothing at
// all, help, --version.
func usualWords(args []string) []string {
	if len(args) == 0 {
		return []string{"--help"}
	}
	switch args[0] {
	case "help":
		return append(slices.Clone(args[1:]), "--help")
	case "--version", "-version", "-V":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

var unknownFlag = regexp.MustCompile(`^unknown flag --([a-z]+)`)

// likelier says where a flag belongs that is a word of an engine: the nearest flag in
// letters is another thing.
func likelier(err error) error {
	m := unknownFlag.FindStringSubmatch(err.Error())
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
	return fmt.Errorf("unknown flag --%s: %s is a word of an engine, as in --engine 'cmd=./mine %[2]s=...', and in --each for all of them", m[1], word)
}
