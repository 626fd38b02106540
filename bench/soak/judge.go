//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// played is a game as kibitz run --json tells of it.
type played struct {
	Type   string  `json:"type"`
	ID     string  `json:"id"`
	First  string  `json:"first"`
	Second string  `json:"second"`
	Winner *string `json:"winner"`
	Reason string  `json:"reason"`
	Detail string  `json:"detail"`
	Plies  int     `json:"plies"`
}

// reference is how honest engines play the games of a run when nothing goes wrong and
// nobody else plays: their moves by the game, and by the pairing where that decides.
type reference struct {
	byID, byPairing map[string]string
}

// verdict judges how a game ended. It returns what is wrong, empty if nothing is.
func (p *plan) verdict(g *played) string {
	a, b := p.find(g.First), p.find(g.Second)
	if a == nil || b == nil {
		return fmt.Sprintf("an engine that does not play: %s - %s", g.First, g.Second)
	}
	bad, good := a, b
	if bad.fault == nil {
		bad, good = b, a
	}
	if good.fault != nil {
		return "two faulty engines have met"
	}
	got := g.Reason
	if !isVerdict(got) {
		got = fine
	}
	want := []string{fine}
	if bad.fault != nil {
		want = bad.fault.wants(p.field.proto)
	}
	switch {
	case !slices.Contains(want, got):
		return fmt.Sprintf("%s (%s), want %s", g.Reason, g.Detail, strings.Join(want, " or "))
	case got == fine:
		return ""
	case g.Winner == nil || *g.Winner != good.name:
		return fmt.Sprintf("%s, and the honest %s has not won", g.Reason, good.name)
	case !strings.HasPrefix(g.Detail, bad.name+": "):
		return fmt.Sprintf("the evidence is not about %s: %s", bad.name, g.Detail)
	}
	return ""
}

// moves holds the moves of a game to the reference. A game that ended by its rules is
// the same, one that was forfeited is the same as far as it went. checked is false if
// the reference does not know the game.
func (p *plan) moves(g *played, text string, ref *reference) (wrong string, checked bool) {
	want, ok := ref.byID[g.ID]
	if p.field.steady && p.scanning(g.First) && p.scanning(g.Second) {
		want, ok = ref.byPairing[g.First+" "+g.Second]
	}
	if !ok || p.loose(g.First) || p.loose(g.Second) {
		return "", false
	}
	same := text == want
	if isVerdict(g.Reason) {
		same = text == "" || same || strings.HasPrefix(want, text+" ")
	}
	if !same {
		return fmt.Sprintf("other moves than alone:\n  %s\n  %s", text, want), true
	}
	return "", true
}

// loose reports whether moves of an engine depend on when they come.
func (p *plan) loose(name string) bool {
	e := p.find(name)
	return e != nil && e.fault != nil && e.fault.isLoose(p.field.proto)
}

// scanning reports whether an engine always answers the same in the same position.
func (p *plan) scanning(name string) bool {
	e := p.find(name)
	return e != nil && (e.fault != nil || strings.HasPrefix(name, "scan"))
}

// stored is what a record is needed for.
type stored struct {
	ID    string `json:"id"`
	Steps []struct {
		Move    string `json:"m"`
		Refused bool   `json:"refused"`
	} `json:"steps"`
}

// records reads the moves of all games of a run by game. A file holds one record, or
// one in a line.
func records(out string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(out, "games", "*.json"))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(bufio.NewReader(bytes.NewReader(data)))
		for dec.More() {
			var r stored
			if err := dec.Decode(&r); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			var b strings.Builder
			for _, s := range r.Steps {
				if !s.Refused {
					b.WriteString(s.Move + " ")
				}
			}
			all[r.ID] = strings.TrimSpace(b.String())
		}
	}
	return all, nil
}

// newReference reads the games of a run that was played alone. Pairings that are
// always the same must have been.
func newReference(p *plan, games []played, moves map[string]string) (*reference, error) {
	ref := &reference{byID: moves, byPairing: map[string]string{}}
	for i := range games {
		g := &games[i]
		if isVerdict(g.Reason) {
			return nil, fmt.Errorf("game %s of honest engines alone, %s - %s: %s (%s)", g.ID, g.First, g.Second, g.Reason, g.Detail)
		}
		if !p.field.steady || !p.scanning(g.First) || !p.scanning(g.Second) {
			continue
		}
		key := g.First + " " + g.Second
		if old, ok := ref.byPairing[key]; ok && old != moves[g.ID] {
			return nil, fmt.Errorf("%s is not always the same:\n  %s\n  %s", key, old, moves[g.ID])
		}
		ref.byPairing[key] = moves[g.ID]
	}
	return ref, nil
}
