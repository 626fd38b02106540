// Package result holds what a run came to, as values: of a game, of an engine, of the whole.
package result

import "kibitz/rating"

// Game is one game that is over, as --json prints it.
type Game struct {
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

// Summary ends the output of --json and is the summary.json of a run.
type Summary struct {
	Type    string           `json:"type"`
	Engines []Engine         `json:"engines"`
	SPRT    *rating.Standing `json:"sprt"`
	Games   int              `json:"games"`
	Seconds float64          `json:"seconds"`
	Extra   *Extra           `json:"extra,omitempty"`
}

// Extra is what a summary tells beyond the contract.
type Extra struct {
	Distinct    int     `json:"distinct_games"`
	Plies       int     `json:"plies"`
	WorstLateMS float64 `json:"worst_referee_lateness_ms"`
	Warnings    int     `json:"warnings"`
	Unfinished  int     `json:"unfinished"`
	// Starved are the games that engines lost on time by waiting for a processor.
	Starved []Starved `json:"starved,omitempty"`
	// The transmission errors are microseconds, the mean of a ply and the worst.
	TransmissionMeanUS  float64 `json:"transmission_error_mean_us"`
	TransmissionWorstUS float64 `json:"transmission_error_worst_us"`
	// WallPerMove and ProcessorPerMove are microseconds of the whole run and of
	// Kibitz's own processor time, PeakMiB its largest resident size.
	WallPerMove      float64 `json:"wall_us_per_move"`
	ProcessorPerMove float64 `json:"processor_us_per_move"`
	PeakMiB          float64 `json:"peak_mib"`
	// Ranking is how everyone stands in the order of the format, the first first.
	Ranking []Rank `json:"ranking"`
}

// Rank is one place of a ranking; those whom nothing parts share a rank. Rank is
// 0 for an engine whose games were annulled. Points are those of byes among them,
// Share is points for each game, null without any.
type Rank struct {
	Name   string   `json:"name"`
	Rank   int      `json:"rank"`
	Points float64  `json:"points"`
	Share  *float64 `json:"share"`
}

// Engine is what a run knows of one engine.
type Engine struct {
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
	// Starts are forfeits by an engine that never became ready, Other those by silence,
	// a breach of the protocol or of a limit.
	Starts int `json:"starts"`
	Other  int `json:"other"`
	// LOS is the likelihood of being better than the other engine, or than the mean of
	// the field.
	LOS *float64 `json:"los"`
	// What follows is of two engines, null in a field: normalized Elo with its error;
	// the counts of pairs (LL, LD, even, WD, WW), absent where openings are not played
	// twice; the share of draws, or of even pairs; wins for each loss, or pairs won for
	// each lost.
	NElo        *float64  `json:"nelo"`
	NError      *float64  `json:"nelo_error"`
	Pentanomial []float64 `json:"pentanomial,omitempty"`
	DrawRatio   *float64  `json:"draw_ratio"`
	Ratio       *float64  `json:"win_ratio"`
}

// Starved is a game that was lost on time by an engine which had waited for a
// processor longer than it was over its time.
type Starved struct {
	Game   string  `json:"game"`
	Engine string  `json:"engine"`
	Waited float64 `json:"waited"` // seconds
	Over   float64 `json:"over"`
	Again  bool    `json:"played_again"`
}
