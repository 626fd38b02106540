package rulestest

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// SpielState is one state of an OpenSpiel play-through.
type SpielState struct {
	// Action leads to the state from the one before, empty for the first.
	Action string
	// Board are the printed lines; empty if the state is not printed.
	Board []string
	// Printed says that Board, Legal, Terminal, Returns and Player are known.
	Printed  bool
	Player   int // negative for chance and for the end
	Terminal bool
	Legal    []string // of the seat on turn; nil on chance's
	Returns  []float64
}

var spielAction = regexp.MustCompile(`^# Apply action "(.*)"$`)

// ReadSpiel reads an OpenSpiel play-through.
func ReadSpiel(t testing.TB, path string) []SpielState {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var list []SpielState
	action := ""
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		line := in.Text()
		switch m := spielAction.FindStringSubmatch(line); {
		case m != nil:
			action = m[1]
		case strings.HasPrefix(line, "# State "):
			list = append(list, SpielState{Action: action})
		case len(list) > 0:
			readSpielLine(t, &list[len(list)-1], line)
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func readSpielLine(t testing.TB, s *SpielState, line string) {
	t.Helper()
	if board, ok := strings.CutPrefix(line, "#"); ok && !s.Printed {
		s.Board = append(s.Board, strings.TrimPrefix(board, " "))
		return
	}
	key, value, ok := strings.Cut(line, " = ")
	if !ok {
		return
	}
	var err error
	switch key {
	case "IsTerminal()":
		s.Printed, s.Terminal = true, value == "True"
	case "CurrentPlayer()":
		err = json.Unmarshal([]byte(value), &s.Player)
	case "StringLegalActions()":
		err = json.Unmarshal([]byte(value), &s.Legal)
	case "Returns()":
		err = json.Unmarshal([]byte(value), &s.Returns)
	}
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
}
