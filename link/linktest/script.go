// Package linktest plays the other end of a connection from a text, so that a
// quirk of a protocol is a script of ten lines.
//
// A script is read line by line. Blank lines and lines that start with # say
// nothing; every other line starts with a mark and a blank:
//
//	> START 15       expect this line from the side under test, exactly
//	>~ INFO .*       expect a line that matches the regular expression as a whole
//	>? INFO x 1      take this line if it is the next one, else go on
//	>...             skip lines until one fits the expectation that follows
//	>" a\r\nb"       expect exactly these bytes in one write (Go quoting)
//	< OK             send this line, ended by LF
//	<" 7,7\r"        send exactly these bytes (Go quoting)
//	~ 150ms          wait
//	!close           close the connection; later writes of the other side fail
//	!exit 3          the process ends with this status: closes, and Exited says so
//	!signal killed   the same by a signal
//	!stderr text     a line on the process's standard error
//	!silent          expect that nothing comes until the other side closes
//
// After the last line the script waits for nothing: it is done. Lines that the
// side under test sends after that are ignored.
package linktest

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// op is what one line of a script does.
type op uint8

const (
	opExpect op = iota
	opMatch
	opOptional
	opSkip
	opWrite
	opSend
	opWait
	opClose
	opExit
	opSignal
	opStderr
	opSilent
)

type step struct {
	op   op
	text string
	re   *regexp.Regexp
	wait time.Duration
	code int
	line int // where it stands, from 1
}

// Script is a parsed script.
type Script struct {
	name  string
	steps []step
}

// Parse reads a script; name is used in messages.
func Parse(name, text string) (*Script, error) {
	s := &Script{name: name}
	sc := bufio.NewScanner(strings.NewReader(text))
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimLeft(sc.Text(), " \t")
		if line == "" || line[0] == '#' {
			continue
		}
		st, err := parseStep(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		st.line = n
		s.steps = append(s.steps, st)
	}
	for i, st := range s.steps {
		if st.op == opSkip && (i+1 == len(s.steps) || s.steps[i+1].op > opMatch) {
			return nil, fmt.Errorf("%s:%d: >... needs an expectation after it", name, st.line)
		}
	}
	return s, nil
}

// rest returns what follows the mark and one blank.
func rest(line, mark string) string { return strings.TrimPrefix(line[len(mark):], " ") }

func parseStep(line string) (step, error) {
	switch {
	case strings.HasPrefix(line, ">..."):
		return step{op: opSkip}, nil
	case strings.HasPrefix(line, ">~"):
		re, err := regexp.Compile("^(?:" + rest(line, ">~") + ")$")
		return step{op: opMatch, re: re, text: rest(line, ">~")}, err
	case strings.HasPrefix(line, ">?"):
		return step{op: opOptional, text: rest(line, ">?")}, nil
	case strings.HasPrefix(line, `>"`):
		return quoted(opWrite, line)
	case strings.HasPrefix(line, ">"):
		return step{op: opExpect, text: rest(line, ">")}, nil
	case strings.HasPrefix(line, `<"`):
		return quoted(opSend, line)
	case strings.HasPrefix(line, "<"):
		return step{op: opSend, text: rest(line, "<") + "\n"}, nil
	case strings.HasPrefix(line, "~"):
		d, err := time.ParseDuration(strings.TrimSpace(line[1:]))
		return step{op: opWait, wait: d}, err
	case strings.HasPrefix(line, "!"):
		return parseEvent(line)
	}
	return step{}, fmt.Errorf("%q starts with no mark: >, >~, >?, >..., >\", <, <\", ! or ~", line)
}

func quoted(o op, line string) (step, error) {
	q := line[1:]
	if strings.HasPrefix(q, `" `) { // a blank for the eye after the mark
		q = `"` + q[2:]
	}
	text, err := strconv.Unquote(strings.TrimRight(q, " \t"))
	if err != nil {
		return step{}, fmt.Errorf("%q is no quoted text: %w", q, err)
	}
	return step{op: o, text: text}, nil
}

func parseEvent(line string) (step, error) {
	word, arg, _ := strings.Cut(line[1:], " ")
	switch word {
	case "close":
		return step{op: opClose}, nil
	case "silent":
		return step{op: opSilent}, nil
	case "signal":
		return step{op: opSignal, text: arg}, nil
	case "stderr":
		return step{op: opStderr, text: arg}, nil
	case "exit":
		code, err := strconv.Atoi(strings.TrimSpace(arg))
		return step{op: opExit, code: code}, err
	}
	return step{}, fmt.Errorf("%q is no event: known are !close !exit !signal !stderr !silent", line)
}

// text says what the step is, for messages.
func (s step) String() string {
	switch s.op {
	case opWrite:
		return fmt.Sprintf("the write %q", s.text)
	case opMatch:
		return fmt.Sprintf("a line like %q", s.text)
	case opSilent:
		return "silence"
	}
	return fmt.Sprintf("%q", s.text)
}
