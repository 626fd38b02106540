package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/tournament"
)

// gameLine is one finished game as --json prints it.
type gameLine struct {
	Type    string      `json:"type"`
	ID      string      `json:"id"`
	Game    string      `json:"game"`
	Round   int         `json:"round"`
	Pair    int         `json:"pair"`
	First   string      `json:"first"`
	Second  string      `json:"second"`
	Winner  *string     `json:"winner"`
	Score   [2]float64  `json:"score"`
	Board   *[2]float64 `json:"board"`
	Reason  string      `json:"reason"`
	Detail  string      `json:"detail"`
	Plies   int         `json:"plies"`
	Seconds [2]float64  `json:"seconds"`
	Opening string      `json:"opening"`
	// CPU is processor seconds of the seats' processes, Memory their peaks in bytes;
	// null where nobody can tell.
	CPU    [2]*float64 `json:"cpu"`
	Memory [2]*int64   `json:"memory"`
}

// summaryLine ends the output of --json and is the run's summary.json.
type summaryLine struct {
	Type    string        `json:"type"`
	Engines []engineLine  `json:"engines"`
	SPRT    *sprtLine     `json:"sprt"`
	Games   int           `json:"games"`
	Seconds float64       `json:"seconds"`
	Extra   *summaryExtra `json:"extra,omitempty"`
}

// summaryExtra is what a summary tells beyond the contract.
type summaryExtra struct {
	Distinct    int     `json:"distinct_games"`
	Plies       int     `json:"plies"`
	WorstLateMS float64 `json:"worst_referee_lateness_ms"`
	Warnings    int     `json:"warnings"`
	Unfinished  int     `json:"unfinished"`
	// The transmission errors are microseconds, the mean of a ply and the worst.
	TransmissionMeanUS  float64 `json:"transmission_error_mean_us"`
	TransmissionWorstUS float64 `json:"transmission_error_worst_us"`
	// WallPerMove and ProcessorPerMove are microseconds of the whole run and of
	// Kibitz's own processor time, PeakMiB its largest resident size.
	WallPerMove      float64 `json:"wall_us_per_move"`
	ProcessorPerMove float64 `json:"processor_us_per_move"`
	PeakMiB          float64 `json:"peak_mib"`
	// Ranking is how everyone stands by points, those of byes among them, and
	// tie-breaks, the first first.
	Ranking []rankLine `json:"ranking"`
}

// rankLine is one place of a ranking; those whom nothing parts share a rank.
type rankLine struct {
	Name   string  `json:"name"`
	Rank   int     `json:"rank"`
	Points float64 `json:"points"`
}

type engineLine struct {
	Name     string   `json:"name"`
	Games    int      `json:"games"`
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Score    float64  `json:"score"`
	Elo      *float64 `json:"elo"`
	Error    *float64 `json:"error"`
	Crashes  int      `json:"crashes"`
	Timeouts int      `json:"timeouts"`
	Illegal  int      `json:"illegal"`
	// CPU is processor seconds a game, Memory the highest peak of one in bytes; null
	// where nobody can tell.
	CPU    *float64 `json:"cpu_per_game"`
	Memory *int64   `json:"memory_peak"`
}

func newEngineLine(name string, st *tournament.Standings, i int, u *engineUse) engineLine {
	e, est := st.Entry(i), st.Estimate(i)
	return engineLine{
		CPU: u.mean(), Memory: u.peak(),
		Name: name, Games: e.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses, Score: e.Points,
		Elo: finite(est.Elo), Error: finite(est.Error), Crashes: e.Crashes, Timeouts: e.Timeouts, Illegal: e.Illegal,
	}
}

// finite returns nil for what JSON cannot hold: no games, or all games won.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x = unsigned(math.Round(x*10) / 10)
	return &x
}

// unsigned returns 0 for the negative zero, which reads like a difference.
func unsigned(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}

func rounded(x float64) float64 { return math.Round(x*100) / 100 }

func writeJSONLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// eloText prints a difference with its error: "+40.7 ± 30.4", "∞" for a clean
// sweep, "-" without games.
func eloText(elo, err float64) string {
	elo = unsigned(math.Round(elo*10) / 10)
	switch {
	case math.IsNaN(elo):
		return "-"
	case math.IsInf(elo, 1):
		return "+∞"
	case math.IsInf(elo, -1):
		return "-∞"
	case math.IsNaN(err):
		return fmt.Sprintf("%+.1f", elo)
	}
	return fmt.Sprintf("%+.1f ± %.1f", elo, err)
}

func forfeits(e tournament.Entry) string {
	var out []string
	for _, x := range []struct {
		n    int
		what string
	}{{e.Crashes, "crash"}, {e.Timeouts, "time"}, {e.Illegal, "illegal"}, {e.Other, "other"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// resultText prints an outcome for people: "A wins by five", "draw (full)".
func resultText(r game.Result, names [2]string) string {
	var s string
	switch w := r.Winner(); {
	case w.IsPlayer():
		s = names[w] + " wins"
	case r.Draw():
		s = "draw"
	default:
		s = "no result"
	}
	if r.HasBoard {
		s += " " + score(r.Board)
	}
	if r.Reason != "" {
		s += " (" + string(r.Reason) + ")"
	}
	return s
}

// eta estimates how long the remaining games take.
func eta(elapsed time.Duration, done, total int) string {
	if done == 0 {
		return "?"
	}
	left := time.Duration(float64(elapsed) / float64(done) * float64(total-done))
	return left.Round(time.Second).String()
}
