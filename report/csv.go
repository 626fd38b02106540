package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/pgn"
)

// timeForm is how tables write a moment.
const timeForm = "2006-01-02T15:04:05.000Z07:00"

// safe keeps spreadsheets from taking a text for a formula: what begins like one
// gets an apostrophe.
func safe(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func newTable(w io.Writer) *csv.Writer {
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180
	return out
}

func end(w *csv.Writer, err error) error {
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}

func whole(n int) string { return strconv.Itoa(n) }

// exact prints a number, nothing for what is none.
func exact(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func tenth(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return exact(math.Round(x*10) / 10)
}

func secs(d time.Duration) string { return exact(math.Round(d.Seconds()*1e6) / 1e6) }

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeForm)
}

// GamesCSV writes a row for each finished game, in the order of their identifiers.
func (m *Model) GamesCSV(w io.Writer) error {
	out := newTable(w)
	err := out.Write(strings.Fields(`id game round pair attempt first second winner points_first points_second board_first board_second
		reason detail plies seconds_first seconds_second longest_first longest_second clock_used_first clock_used_second clock_first clock_second
		late_ms transmission_us warnings opening position commitment begun ended forfeit ruled_by closed record log
		cpu_first cpu_second memory_first memory_second`))
	for _, g := range m.Games {
		if err != nil {
			break
		}
		err = out.Write(m.gameRow(g))
	}
	return end(out, err)
}

func (m *Model) gameRow(g *Game) []string {
	names := [2]string{m.cfg.Engines[g.Engines[0]].Name, m.cfg.Engines[g.Engines[1]].Name}
	winner, board := "", [2]string{}
	if s := g.Result.Winner(); s.IsPlayer() {
		winner = names[s]
	}
	if g.Result.HasBoard {
		board = [2]string{exact(g.Result.Board[0]), exact(g.Result.Board[1])}
	}
	return []string{
		safe(g.ID), safe(string(m.cfg.Spec)), whole(g.Round), whole(g.Pair), whole(g.Attempt), safe(names[0]), safe(names[1]), safe(winner),
		exact(g.Result.Points[0]), exact(g.Result.Points[1]), board[0], board[1],
		safe(string(g.Result.Reason)), safe(g.Result.Detail), whole(g.Plies), secs(g.Used[0]), secs(g.Used[1]),
		secs(g.Longest[0]), secs(g.Longest[1]),
		exact(round4(g.Share[0])), exact(round4(g.Share[1])), safe(g.Clocks[0]), safe(g.Clocks[1]),
		exact(float64(g.Late.Microseconds()) / 1e3), exact(float64(g.Transit.Nanoseconds()) / 1e3), whole(len(g.Warnings)),
		safe(g.Opening), safe(g.Position), safe(g.Commitment), moment(g.Begun), moment(g.Over), yes(g.Forfeit()), safe(g.Ruled),
		yes(g.Closed),
		safe(g.Record), safe(g.Log), cpuSecs(g.Resources[0]), cpuSecs(g.Resources[1]), size(g.Resources[0].Memory),
		size(g.Resources[1].Memory),
	}
}

// cpuSecs prints processor time, nothing where it is unknown.
func cpuSecs(u journal.Resources) string {
	if !u.Known {
		return ""
	}
	return secs(u.CPU)
}

// size prints bytes, nothing where they are unknown.
func size(n int64) string {
	if n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func yes(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// StandingsCSV writes a row for each engine, the best first.
func (m *Model) StandingsCSV(w io.Writer) error {
	out := newTable(w)
	err := out.Write(strings.Fields(`rank engine games wins draws losses points score elo elo_error nelo nelo_error los
		first_wins first_draws first_losses second_wins second_draws second_losses forfeits
		answers seconds seconds_mean seconds_longest clock_used clock_used_most mean_depth nodes_per_second time_losses spec
		cpu_mean memory_peak`))
	for _, s := range m.Standings {
		if err != nil {
			break
		}
		e, t := s.Estimate, m.Times[s.Engine]
		row := []string{
			whole(s.Rank), safe(s.Name), whole(s.Games), whole(s.Wins), whole(s.Draws), whole(s.Losses), exact(s.Points),
			exact(round4(s.Score)),
			tenth(e.Elo), tenth(e.Error), tenth(e.NElo), tenth(e.NError), exact(round4(e.LOS)),
		}
		for _, seat := range s.Seats {
			row = append(row, whole(seat[0]), whole(seat[1]), whole(seat[2]))
		}
		err = out.Write(append(row, whole(s.Forfeits), whole(t.Turns), secs(t.Total), secs(t.Mean), secs(t.Longest), exact(round4(t.Share)),
			exact(round4(t.Most)), exact(round4(t.Depth)), exact(math.Round(t.Speed)), whole(t.Losses), safe(m.cfg.Engines[s.Engine].Spec),
			exact(math.Round(t.CPU*1e6)/1e6), size(t.Memory)))
	}
	return end(out, err)
}

// MovesCSV returns a writer of the table of moves for Config.Moves, and the
// function that ends it.
func MovesCSV(w io.Writer) (add func(*Move) error, done func() error) {
	out := newTable(w)
	err := out.Write(strings.Fields("game ply seat move seconds eval eval_unit depth nodes opening forced refused"))
	add = func(m *Move) error {
		if err != nil {
			return err
		}
		row := []string{
			safe(m.Game), whole(m.Ply), m.Seat.String(), safe(m.Text), secs(m.Used), "", "", "", "", yes(m.Opening),
			yes(m.Forced), yes(m.Refused),
		}
		if i := m.Info; i != nil {
			if i.Eval.Known() {
				row[5], row[6] = exact(i.Eval.Mid()), unitName(i.Eval.Unit)
			}
			if i.Depth > 0 {
				row[7] = whole(i.Depth)
			}
			if i.Nodes > 0 {
				row[8] = strconv.FormatInt(i.Nodes, 10)
			}
		}
		return out.Write(row)
	}
	return add, func() error { return end(out, err) }
}

func unitName(u game.Unit) string {
	return [...]string{"", "discs", "points", "chance", "mate"}[min(int(u), 4)]
}

// PGN writes the results for rating programs (BayesElo, Ordo): White is the first
// seat, so that what these programs call White's advantage is that of the first
// seat. There are no moves, and no games that were not played.
func (m *Model) PGN(w io.Writer) error {
	var steps []record.Step // only how many there are is written
	for _, g := range m.Games {
		if !g.tells() {
			continue
		}
		for len(steps) < g.Plies {
			steps = append(steps, record.Step{})
		}
		first, second := m.cfg.Engines[g.Engines[0]].Name, m.cfg.Engines[g.Engines[1]].Name
		// Package pgn makes White the second of two names.
		r := game.Result{Points: [2]float64{g.Result.Points[1], g.Result.Points[0]}, Reason: g.Result.Reason}
		rec := &record.Game{
			ID: g.ID, Spec: m.cfg.Spec, Names: [2]string{second, first}, Event: m.cfg.Title, Round: whole(g.Round),
			Date: g.Begun.UTC().Format("2006-01-02 15:04:05"), Result: &r, Steps: steps[:max(0, g.Plies)],
		}
		if g.ruling != "" {
			rec.Tags = []record.Tag{{Key: record.TagRuled, Value: g.ruling}}
		}
		if err := pgn.Write(w, rec); err != nil {
			return err
		}
	}
	return nil
}
