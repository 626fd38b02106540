// Command gallery writes boards for tests and pictures of the browser's boards: for each
// exhibit a snapshot, and what follows it, as a hall would send them to one audience.
// The positions are of the games in games.txt, which built-in engines have played.
package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/games"
	"kibitz/hall/live"
	"kibitz/journal"
	"kibitz/rules"
)

//go:embed games.txt
var played string

// exhibit names a position of a game.
type exhibit struct {
	name  string
	game  string // a game of games.txt, or a specification with moves
	moves string
	to    game.Audience
	plies int // how many decisions come before the snapshot
}

// exhibits are the boards in the order of the page: those that are chosen, and one of each
// game that has none among them.
func exhibits() []exhibit {
	list := chosen()
	for _, g := range games.All() {
		if !slices.ContainsFunc(list, func(x exhibit) bool { return x.name == g.ID }) {
			list = append(list, exhibit{name: g.ID, game: g.ID, to: game.ToFirst, plies: 8})
		}
	}
	return list
}

func chosen() []exhibit {
	return []exhibit{
		{name: "othello", game: "othello", to: game.ToFirst, plies: 24},
		{name: "othello-end", game: "othello", to: game.Public, plies: 60},
		{name: "gomoku", game: "gomoku", to: game.ToFirst, plies: 26},
		{name: "gomoku-won", game: "gomoku", to: game.Public, plies: 33},
		{name: "renju-barred", game: "gomoku:rule=renju", moves: "h7 a1 h9 c1 g8 e1 i8 g1 e6 f7 e9 k8", to: game.ToFirst, plies: 12},
		{name: "renju-foul", game: "gomoku:rule=renju", moves: "h7 a1 h9 c1 g8 e1 i8 g1 h8", to: game.Public, plies: 9},
		{name: "swap2", game: "gomoku:opening=swap2", moves: "h8 i9 g7 stay j10", to: game.ToSecond, plies: 3},
		{name: "connect6", game: "connect6", to: game.ToSecond, plies: 22},
		{name: "connect6-won", game: "connect6", to: game.Public, plies: 29},
		{name: "amazons", game: "amazons", to: game.ToFirst, plies: 48},
		{name: "amazons-shoot", game: "amazons", to: game.ToFirst, plies: 33},
		{name: "nogo", game: "nogo", to: game.ToFirst, plies: 50},
		{name: "dotsandboxes", game: "dotsandboxes", to: game.ToFirst, plies: 35},
		{name: "dotsandboxes-end", game: "dotsandboxes", to: game.Public, plies: 60},
		{name: "phantomgo", game: "phantomgo", to: game.ToFirst, plies: 124},
		{name: "surakarta", game: "surakarta", to: game.ToSecond, plies: 23},
		{name: "darkchess", game: "darkchess", to: game.ToFirst, plies: 54},
		{name: "darkchess-begin", game: "darkchess", to: game.ToFirst, plies: 0},
		{name: "darkchess-late", game: "darkchess", to: game.ToFirst, plies: 136},
		{name: "darkchess-end", game: "darkchess", to: game.Public, plies: 203},
		{name: "breakthrough", game: "breakthrough", to: game.ToFirst, plies: 24},
	}
}

// frame is an event as a stream sends it: view, delta or seat.
type frame struct {
	Kind string `json:"kind"`
	Data any    `json:"data"`
}

// ask is what a person's seat is asked, as bus.SeatState tells it.
type ask struct {
	Game     string   `json:"game"`
	Attempt  int      `json:"attempt"`
	Seat     int      `json:"seat"`
	Seq      int      `json:"seq"`
	Prompt   int      `json:"prompt,omitempty"`
	Legal    []string `json:"legal,omitempty"`
	Rejected string   `json:"rejected,omitempty"`
}

type shown struct {
	Name   string  `json:"name"`
	Frames []frame `json:"frames"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func run() error {
	var out []shown
	for _, x := range exhibits() {
		if x.moves == "" {
			var err error
			if x.game, x.moves, err = lookup(x.game); err != nil {
				return fmt.Errorf("%s: %w", x.name, err)
			}
		}
		frames, err := x.frames()
		if err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		out = append(out, shown{x.name, frames})
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// lookup returns specification and moves of a game of games.txt, or of a random one.
func lookup(key string) (spec, moves string, err error) {
	for part := range strings.SplitSeq(played, "\n\n") {
		head, rest, _ := strings.Cut(part, "\n")
		if name, spec, _ := strings.Cut(head, " "); name == key {
			return spec, strings.TrimSpace(rest), nil
		}
	}
	moves, err = random(key)
	return key, moves, err
}

// random plays a game at random, the same one each time; one that is dealt has to be in
// games.txt.
func random(spec string) (string, error) {
	r, err := games.Open(spec)
	if err != nil {
		return "", err
	}
	if _, dealt := r.(rules.Shuffler); dealt {
		return "", fmt.Errorf("%s is dealt: write a game of it into games.txt", spec)
	}
	var out []string
	rnd := rand.New(rand.NewPCG(1, 1))
	for st := r.New(); st.Turn().Seat != game.Nobody; {
		list := st.Legal(nil)
		m := list[rnd.IntN(len(list))]
		out = append(out, r.FormatMove(m))
		if _, err := st.Apply(m, nil); err != nil {
			return "", err
		}
	}
	return strings.Join(out, " "), nil
}

// table is a game that is played for one audience.
type table struct {
	x     *exhibit
	r     rules.Rules
	st    rules.State
	state live.State
	asked int
}

// frames plays the game; what comes before the snapshot is its history.
func (x *exhibit) frames() ([]frame, error) {
	r, err := games.Open(x.game)
	if err != nil {
		return nil, err
	}
	t := &table{x: x, r: r, st: r.New(), state: live.State{
		Game: x.name, Attempt: 1, Seq: 1, For: wire.Audience(x.to.String()), Spec: string(r.Spec()), Names: [2]string{"Ann", "Bob"},
		Controls: [2]string{"600+5", "600+5"},
	}}
	t.state.View = t.view()
	var out []frame
	show := func() {
		out = append(out, frame{"view", t.state})
		out = t.ask(out, "")
	}
	if x.plies == 0 {
		show()
	}
	words := strings.Fields(x.moves)
	for n := 0; n < len(words); n++ {
		entry, used, err := t.decide(words[n:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", words[n], err)
		}
		n += used - 1
		d := live.Delta{Prev: t.state.Seq, Seq: t.state.Seq + 1, Entries: []live.Entry{entry}, View: t.view(), Result: t.result()}
		if t.state, err = live.Apply(t.state, &d); err != nil {
			return nil, err
		}
		switch {
		case n+1 == x.plies || n+1 > x.plies && len(out) == 0:
			show()
		case len(out) > 0:
			out = append(out, frame{"delta", d})
			rejected := ""
			if entry.Refused {
				rejected = "refused"
			}
			out = t.ask(out, rejected)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the game has fewer than %d decisions", x.plies)
	}
	return out, nil
}

func (t *table) view() *wire.View {
	v := t.st.View(t.x.to)
	return wire.Of(&v)
}

func (t *table) result() *live.Result {
	r, over := t.st.Result()
	if !over {
		return nil
	}
	out := &live.Result{Points: r.Points, Reason: string(r.Reason), Detail: r.Detail}
	if r.HasBoard {
		out.Board = &r.Board
	}
	return out
}

// decide makes the next decision of a list, a flip with what it brings, and returns how
// many words that took.
func (t *table) decide(words []string) (live.Entry, int, error) {
	by := t.st.Turn().Seat
	e := live.Entry{By: wire.SeatOf(by)}
	n := 0
	for {
		text, refused := strings.CutPrefix(words[n], "!")
		m, err := t.r.ParseMove(text)
		if err != nil {
			return e, n, err
		}
		notices, err := t.st.Apply(m, nil)
		if err != nil {
			return e, n, err
		}
		n++
		e.Refused = e.Refused || refused
		if t.r.Doc().Info == rules.Private {
			e.Notices = append(e.Notices, t.told(notices)...)
		} else {
			e.Steps = append(e.Steps, journal.FormatMove(m))
		}
		if t.st.Turn().Seat != game.Dealer {
			return e, n, nil
		}
	}
}

// told are the notices that the audience hears.
func (t *table) told(list []game.Notice) []live.Notice {
	var out []live.Notice
	for _, x := range list {
		if !x.To.Includes(t.x.to) {
			continue
		}
		n := live.Notice{Kind: live.NoticeKind(x.Kind.String()), By: wire.SeatOf(x.By), Points: wire.Points(x.Points), Count: x.Count}
		if x.Move != (game.Move{}) {
			n.Move = journal.FormatMove(x.Move)
		}
		out = append(out, n)
	}
	return out
}

// ask adds the question to the audience's seat, if it is on turn.
func (t *table) ask(out []frame, rejected string) []frame {
	seat := t.st.Turn().Seat
	if !seat.IsPlayer() || game.To(seat) != t.x.to {
		return out
	}
	t.asked++
	a := ask{Game: t.x.name, Attempt: 1, Seat: int(seat), Seq: t.asked, Prompt: t.asked, Rejected: rejected}
	for _, m := range t.st.Legal(nil) {
		a.Legal = append(a.Legal, journal.FormatMove(m))
	}
	return append(out, frame{"seat", a})
}
