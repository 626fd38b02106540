package analysis

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"kibitz/game"
)

// What a turn loses of the chance makes its accuracy.
func TestAccuracy(t *testing.T) {
	for lost, want := range map[float64]float64{0: 100, 1: 96.60, 2: 92.40, 5: 80.82, 10: 64.58, 15: 51.52, 20: 41.02, 30: 25.77, 40: 15.91, 50: 9.53, 100: 0} {
		if got := accuracy(lost); math.Abs(got-want) > 0.005 {
			t.Errorf("%g lost: %g, want %g", lost, got, want)
		}
	}
}

// course is a report of turns by turns, with chances of the first seat before and after each.
func course(ws ...float64) *Report {
	r := &Report{}
	for i := range len(ws) - 1 {
		seat := game.Seat(i % 2)
		e := func(w float64) game.Eval {
			return game.Eval{Unit: game.WinChance, Lo: ofFirst(w, seat) / 100, Hi: ofFirst(w, seat) / 100}
		}
		p := Position{Ply: i, Seat: seat, Played: []game.Move{game.PlaceAt(game.Pt(i, 0))}, Wanted: true, Before: e(ws[i]), After: e(ws[i+1])}
		p.Loss = lossOf(p.Before, p.After)
		r.Positions = append(r.Positions, p)
	}
	return r
}

// Of both sides, against vectors made by another program.
func TestReviewAccuracy(t *testing.T) {
	for _, x := range []struct {
		ws            []float64
		first, second string
	}{
		{[]float64{50, 45, 50, 40, 52, 30, 35, 33, 60, 55, 58}, "60.12", "54.27"},
		{[]float64{50, 48, 49, 47, 52, 44, 46, 45, 45, 30, 33, 31, 36, 20, 25, 12, 14, 8, 9, 2, 3}, "66.67", "88.00"},
		{[]float64{50, 50, 50, 20, 20, 60, 60, 5, 5}, "32.71", "100.00"},
	} {
		rv := course(x.ws...).Review(Scale{})
		if a, b := fmt.Sprintf("%.2f", rv.Sides[0].Accuracy), fmt.Sprintf("%.2f", rv.Sides[1].Accuracy); a != x.first || b != x.second {
			t.Errorf("%v: %s and %s, want %s and %s", x.ws, a, b, x.first, x.second)
		}
	}
}

// Marks come by chances, by points where the chance changes too, and where a certain win is given away.
func TestMarks(t *testing.T) {
	of := func(u game.Unit, v float64) game.Eval { return game.Eval{Unit: u, Lo: v, Hi: v} }
	score := Scale{Slope: 0.1, Points: [3]float64{2, 6, 12}}
	for _, x := range []struct {
		name          string
		scale         Scale
		before, after game.Eval
		change        func(*Position)
		want          Mark
	}{
		{"4.9 %", Scale{}, of(game.WinChance, .6), of(game.WinChance, .551), nil, NoMark},
		{"5 %", Scale{}, of(game.WinChance, .6), of(game.WinChance, .549), nil, Inexact},
		{"10 %", Scale{}, of(game.WinChance, .6), of(game.WinChance, .49), nil, Mistake},
		{"15 %", Scale{}, of(game.WinChance, .6), of(game.WinChance, .44), nil, Blunder},
		{"points of a won game", score, of(game.Discs, 60), of(game.Discs, 50), nil, NoMark},
		{"few points", score, of(game.Discs, 20), of(game.Discs, 17), nil, Inexact},
		{"twelve discs", score, of(game.Discs, 0), of(game.Discs, -12), nil, Blunder},
		{"points alone", Scale{Slope: 0.001}, of(game.Points, 20), of(game.Points, 0), nil, NoMark},
		{"a win given away", score, of(game.MateIn, 3), of(game.Discs, 40), nil, Blunder},
		{"a loss found", score, of(game.Discs, -60), of(game.MateIn, -3), nil, NoMark},
		{"the best move", score, of(game.Discs, 20), of(game.Discs, 0), func(p *Position) { p.Best = p.Played }, NoMark},
		{"the only move", score, of(game.Discs, 20), of(game.Discs, 0), func(p *Position) { p.Only = true }, NoMark},
		{"the deal", score, of(game.Discs, 20), of(game.Discs, 0), func(p *Position) { p.Chance = true }, NoMark},
		{"not asked for", score, of(game.Discs, 20), of(game.Discs, 0), func(p *Position) { p.Wanted = false }, NoMark},
	} {
		p := Position{Played: []game.Move{game.PassMove()}, Wanted: true, Before: x.before, After: x.after, Loss: lossOf(x.before, x.after)}
		if x.change != nil {
			x.change(&p)
		}
		r := Report{Positions: []Position{p, {Ply: 1}}}
		rv := r.Review(x.scale)
		if got := rv.Turns[0].Mark; got != x.want {
			t.Errorf("%s: %q, want %q: %+v", x.name, got, x.want, rv.Turns[0])
		}
	}
}

// The costliest turns of a seat stand first, three at most; the same report gives the same review.
func TestCostliest(t *testing.T) {
	r := course(50, 45, 50, 40, 52, 30, 35, 33, 60, 55, 58)
	rv := r.Review(Scale{})
	if got := fmt.Sprint(rv.Sides[0].Worst, rv.Sides[1].Worst); got != "[4 2 0] [7 3 1]" {
		t.Error(got)
	}
	if got := fmt.Sprint(rv.Sides[0].Marks, rv.Sides[1].Marks); got != "[1 2 1 1] [1 2 1 1]" {
		t.Error(got)
	}
	if again := r.Review(Scale{}); !reflect.DeepEqual(rv, again) {
		t.Error("another review")
	}
}
