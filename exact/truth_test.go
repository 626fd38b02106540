package exact_test

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/exact/amazons"
	"kibitz/exact/breakthrough"
	"kibitz/exact/connect6"
	"kibitz/exact/darkchess"
	"kibitz/exact/dotsandboxes"
	"kibitz/exact/gomoku"
	"kibitz/exact/nogo"
	"kibitz/exact/othello"
	"kibitz/exact/surakarta"
	"kibitz/game"
	"kibitz/games"
	"kibitz/rules"
)

var positions = flag.Int("positions", 0, "how many positions of each game are compared with brute force, 0 for a few hundred")

// trial is a game whose positions near the end are solved twice.
type trial struct {
	spec string
	// open returns the solver, late how many decisions before the end positions are
	// taken from.
	open func() (exact.Solver, error)
	late int
	// history marks games in which the past counts.
	history bool
	share   int // of the positions, in thousandths
	// place, if it is not nil, makes up the text of a position instead of playing.
	place func(r *rand.Rand) string
}

func generic(unit string) func() (exact.Solver, error) {
	return func() (exact.Solver, error) { return &exact.Search{Unit: unit}, nil }
}

var trials = []trial{
	{spec: "othello", open: othello.New, late: 8, share: 100},
	{spec: "othello", open: generic("discs"), late: 6, share: 50},
	{spec: "dotsandboxes:size=2", open: dotsandboxes.New, late: 12, share: 100},
	{spec: "dotsandboxes:size=3", open: dotsandboxes.New, late: 12, share: 100},
	{spec: "dotsandboxes:size=5", open: dotsandboxes.New, late: 12, share: 100},
	{spec: "dotsandboxes:size=7", open: dotsandboxes.New, late: 11, share: 50},
	{spec: "dotsandboxes:size=3", open: generic("boxes"), late: 9, share: 50},
	{spec: "nogo:size=3", open: nogo.New, late: 9, share: 100},
	{spec: "nogo:size=4", open: nogo.New, late: 9, share: 200},
	{spec: "nogo:size=5", open: nogo.New, late: 10, share: 200},
	{spec: "nogo:size=6,rulings=sau", open: nogo.New, late: 10, share: 100},
	{spec: "nogo:size=4", open: generic(""), late: 7, share: 50},
	{spec: "amazons", open: amazons.New, late: 9, share: 50},
	{spec: "amazons:rulings=sau", open: amazons.New, late: 9, share: 50},
	{spec: "amazons", open: amazons.New, share: 100, place: fewSquares},
	{spec: "amazons:rulings=sau", open: amazons.New, share: 100, place: fewSquares},
	{spec: "connect6:size=6", open: connect6.New, late: 10, share: 200},
	{spec: "connect6:size=7", open: connect6.New, late: 9, share: 200},
	{spec: "connect6:size=7,rulings=sau", open: connect6.New, late: 7, share: 100},
	{spec: "gomoku:width=5,height=6", open: gomoku.New, late: 10, share: 200},
	{spec: "gomoku:size=6,rule=standard", open: gomoku.New, late: 9, share: 200},
	{spec: "gomoku:size=7,rule=renju", open: gomoku.New, late: 9, share: 100},
	{spec: "gomoku:size=6,rule=caro", open: gomoku.New, late: 8, share: 100},
	{spec: "gomoku:size=6,rule=caro6", open: gomoku.New, late: 8, share: 100},
	{spec: "gomoku:size=6,continuous=true", open: gomoku.New, late: 7, share: 50},
	{spec: "gomoku:size=6,drawempty=5", open: gomoku.New, late: 9, share: 100},
	{spec: "gomoku:size=6,rule=renju,opening=swap2", open: gomoku.New, late: 9, share: 100},
	{spec: "breakthrough", open: breakthrough.New, share: 100, place: fewMen},
	{spec: "surakarta:nocapture=3", open: surakarta.New, late: 3, history: true, share: 20},
	{spec: "surakarta:repetition=2,nocapture=4", open: surakarta.New, late: 3, history: true, share: 20},
	{spec: "darkchess:noeat=4", open: darkchess.New, history: true, share: 100, place: fewPieces},
}

// What a solver says of a position is what playing out everything says of it, and
// its line leads there. Most positions at the end are decided.
func TestVerdictsAreTrue(t *testing.T) {
	n := cmp.Or(*positions, 70)
	if testing.Short() {
		n = 30
	}
	for i, tr := range trials {
		t.Run(tr.spec, func(t *testing.T) {
			solver, err := tr.open()
			if err != nil {
				t.Fatal(err)
			}
			r, err := games.Open(tr.spec)
			if err != nil {
				t.Fatal(err)
			}
			many := n * tr.share / 1000
			if *positions > 0 {
				many = n
			}
			compare(t, solver, r, tr, rand.New(rand.NewPCG(uint64(i), 11)), many)
		})
	}
}

// position returns a position near the end of a random game, or one made up.
func (tr *trial) position(t *testing.T, r rules.Rules, rnd *rand.Rand) rules.State {
	if tr.place != nil {
		s, err := r.Position(tr.place(rnd))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	all := playout(rnd, r.New())
	all = all[max(0, len(all)-tr.late):]
	return all[rnd.IntN(len(all))]
}

// fewPieces places two or three pieces on the board of dark chess.
func fewPieces(r *rand.Rand) string {
	cells := []byte(strings.Repeat("-", 32))
	red, black := "KGMRNCP", "kgmrncp"
	area := 32
	if r.IntN(2) == 0 {
		area = 12 // close together
	}
	sq := r.Perm(area)
	cells[sq[0]], cells[sq[1]] = red[r.IntN(7)], black[r.IntN(7)]
	if r.IntN(2) == 0 {
		cells[sq[2]] = (red + black)[r.IntN(14)]
	}
	var rows []string
	for i := 0; i < 32; i += 4 {
		rows = append(rows, string(cells[i:i+4]))
	}
	return strings.Join(rows, "/") + " " + string("rb"[r.IntN(2)])
}

// fewMen places some men of Breakthrough, none of which has arrived.
func fewMen(r *rand.Rand) string {
	cells := []byte(strings.Repeat("1", 64))
	for i := range 2 + r.IntN(3) {
		cells[8+r.IntN(48)] = "Pp"[i%2]
	}
	var rows []string
	for i := 0; i < 64; i += 8 {
		rows = append(rows, string(cells[i:i+8]))
	}
	return strings.Join(rows, "/") + " " + string("wb"[r.IntN(2)])
}

// fewSquares burns all but a few squares of the board of the Amazons.
func fewSquares(r *rand.Rand) string {
	cells := []byte(strings.Repeat("#", 100))
	x, y := r.IntN(6), r.IntN(6)
	for range 2 + r.IntN(8) {
		cells[(y+r.IntN(5))*10+x+r.IntN(5)] = '.'
	}
	for _, c := range "bwbw"[:2+r.IntN(3)] {
		cells[(y+r.IntN(5))*10+x+r.IntN(5)] = byte(c)
	}
	var rows []string
	for i := 0; i < 100; i += 10 {
		rows = append(rows, string(cells[i:i+10]))
	}
	return strings.Join(rows, "/") + " " + string("bw"[r.IntN(2)])
}

// Of every game that has a solver the last turn of random games is decided, and the line
// leads to the result that was said.
func TestLastTurns(t *testing.T) {
	for i, g := range catalog.All() {
		s, ok := g.Exact.Get()
		r, err := games.Open(g.Rules.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, dealt := r.(rules.Shuffler); !ok || dealt {
			continue
		}
		t.Run(g.Rules.ID, func(t *testing.T) {
			solver, err := s.New()
			if err != nil {
				t.Fatal(err)
			}
			const tried = 12
			decided := 0
			rnd := rand.New(rand.NewPCG(uint64(i), 12))
			for range tried {
				all := playout(rnd, r.New())
				for _, last := range all[len(all)-2:] { // a solver may want whole turns
					if v, ok := solver.Solve(last, 20_000); ok {
						follow(t, solver, r, last, v)
						decided++
						break
					}
				}
			}
			if decided < tried/2 {
				t.Errorf("of %d last turns %d are decided", tried, decided)
			}
		})
	}
}

func compare(t *testing.T, solver exact.Solver, r rules.Rules, tr trial, rnd *rand.Rand, n int) {
	var tried, decided, checked, scored int
	for game := 0; checked < n && game < 20*n+100; game++ {
		s := tr.position(t, r, rnd)
		if !s.Turn().Seat.IsPlayer() {
			continue
		}
		before := s.Text()
		v, ok := solver.Solve(s, 20_000)
		if tried++; !ok {
			continue
		}
		decided++
		if s.Text() != before {
			t.Fatalf("%s was changed", before)
		}
		x := brute{most: 20_000, board: v.HasBoard}
		if !tr.history {
			x.memo = map[string]worth{}
		}
		want, ok := x.value(s)
		if !ok {
			continue
		}
		checked++
		if got := v.Points[0] - v.Points[1]; got != want.points || v.HasBoard && v.Board[0]-v.Board[1] != want.board {
			t.Fatalf("%s\nis said to be %+v, and is %+v", before, v, want)
		}
		if v.HasBoard {
			scored++
		}
		follow(t, solver, r, s, v)
	}
	t.Logf("%s: %d tried, %d decided, %d compared, %d with their score", tr.spec, tried, decided, checked, scored)
	if checked < n/2 && checked < 10 || decided*4 < tried {
		t.Errorf("of %d only %d were decided and %d compared", tried, decided, checked)
	}
}

// follow plays a verdict's line: it is legal, and if it leads to the end then to the
// result that was said. A position on the way is never decided otherwise.
func follow(t *testing.T, solver exact.Solver, r rules.Rules, s rules.State, v exact.Verdict) {
	t.Helper()
	c := s.Clone()
	for i, m := range v.Line {
		if !slices.Contains(c.Legal(nil), m) {
			t.Fatalf("%s: %s of the line of %+v is not legal", s.Text(), r.FormatMove(m), v)
		}
		if _, err := c.Apply(m, nil); err != nil {
			t.Fatal(err)
		}
		if i != 0 || !c.Turn().Seat.IsPlayer() {
			continue
		}
		if w, ok := solver.Solve(c, 20_000); ok && w.Points != v.Points {
			t.Fatalf("%s: after %s of %+v it is %+v", s.Text(), r.FormatMove(m), v, w)
		}
	}
	if end, over := c.Result(); over && (end.Points != v.Points || v.HasBoard && end.Board != v.Board) {
		t.Fatalf("%s: the line of %+v leads to %+v", s.Text(), v, end)
	}
	if v.HasBoard && v.Unit == "" || v.Why == "" || v.Winner() == game.Nobody && v.Points != [2]float64{0.5, 0.5} {
		t.Fatalf("%s: %+v", s.Text(), v)
	}
}
