package native

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/record"
)

// The types of this file are the object as it is written. Times are whole
// microseconds. Seats are 0, 1, -1 for the dealer, -2 for nobody; audiences are 0,
// 1, 2 for all, 3 for the arbiter.
type wire struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	ID      string      `json:"id,omitempty"`
	Game    string      `json:"game"`
	Start   string      `json:"start,omitempty"`
	Seats   [2]wireSeat `json:"seats"`
	Event   string      `json:"event,omitempty"`
	Place   string      `json:"place,omitempty"`
	Round   string      `json:"round,omitempty"`
	Date    string      `json:"date,omitempty"`
	Attempt int         `json:"attempt,omitempty"`
	// Commitment is the hash of the dealer's seed; Seeds holds that seed, under the
	// label "dealer", once it may be known.
	Commitment string      `json:"commitment,omitempty"`
	Seeds      []wirePair  `json:"seeds,omitempty"`
	Tags       []wirePair  `json:"tags,omitempty"`
	Comment    string      `json:"comment,omitempty"`
	Steps      []wireStep  `json:"steps"`
	Result     *wireResult `json:"result"`
	// Evidence are the last lines of what shows a fault.
	Evidence []string `json:"evidence,omitempty"`
}

type wireSeat struct {
	Name   string `json:"name"`
	Engine string `json:"engine,omitempty"` // what the engine calls itself
	Rating string `json:"rating,omitempty"`
	Clock  string `json:"clock,omitempty"`
	// Final is what the clock stood at when the game ended.
	Final *wireClock `json:"final,omitempty"`
	// CPU is processor time in microseconds, Memory the peak in bytes.
	CPU    *int64 `json:"cpu,omitempty"`
	Memory int64  `json:"memory,omitempty"`
}

type wireClock struct {
	Left    int64 `json:"left"`
	Total   int64 `json:"total"`
	Moves   int   `json:"moves,omitempty"`
	Periods int   `json:"periods,omitempty"`
	Stage   int   `json:"stage,omitempty"`
}

type wirePair [2]string

type wireStep struct {
	By         int          `json:"by"`
	Move       string       `json:"m"`
	Used       *int64       `json:"us,omitempty"`
	Error      int64        `json:"err,omitempty"`
	Info       *wireInfo    `json:"info,omitempty"`
	Opening    bool         `json:"opening,omitempty"`
	Forced     bool         `json:"forced,omitempty"`
	Refused    bool         `json:"refused,omitempty"`
	Comment    string       `json:"comment,omitempty"`
	Notices    []wireNotice `json:"notices,omitempty"`
	Variations [][]wireStep `json:"variations,omitempty"`
}

type wireInfo struct {
	Unit       string   `json:"unit,omitempty"`
	Lo         float64  `json:"lo,omitempty"`
	Hi         float64  `json:"hi,omitempty"`
	Depth      int      `json:"depth,omitempty"`
	SelDepth   int      `json:"seldepth,omitempty"`
	Bound      string   `json:"bound,omitempty"`
	Confidence float64  `json:"confidence,omitempty"`
	Nodes      int64    `json:"nodes,omitempty"`
	Time       int64    `json:"us,omitempty"`
	Book       bool     `json:"book,omitempty"`
	Games      int64    `json:"games,omitempty"`
	PV         []string `json:"pv,omitempty"`
	Text       string   `json:"text,omitempty"`
	Rank       int      `json:"rank,omitempty"`
}

type wireNotice struct {
	To     int      `json:"to"`
	Kind   string   `json:"kind"`
	By     int      `json:"by"`
	Move   string   `json:"m,omitempty"`
	Points [][2]int `json:"points,omitempty"`
	Count  int      `json:"count,omitempty"`
}

type wireResult struct {
	Points [2]float64  `json:"points"`
	Board  *[2]float64 `json:"board,omitempty"`
	Reason string      `json:"reason"`
	Detail string      `json:"detail,omitempty"`
}

// The words of enumerations, by value.
var (
	units  = []string{"", "discs", "points", "chance", "mate"}
	bounds = []string{"", "selective", "winloss", "exact"}
)

// dealerSeed labels the seed of the shuffle.
const dealerSeed = "dealer"

// maxNested bounds how deep variations may be nested.
const maxNested = 200

// toWire makes the object of a record, without its steps.
func toWire(r *Record) (*wire, error) {
	w := &wire{
		Format: Format, Version: Version, ID: r.ID, Game: string(r.Spec), Start: r.Start, Event: r.Event, Place: r.Place,
		Round: r.Round, Date: r.Date, Attempt: r.Attempt, Commitment: r.Commitment, Comment: r.Comment,
	}
	for i := range w.Seats {
		w.Seats[i] = wireSeat{Name: r.Names[i], Engine: r.Engines[i], Rating: r.Ratings[i], Clock: r.Clocks[i]}
		if use := &r.Resources[i]; use.Known {
			cpu := use.CPU.Microseconds()
			w.Seats[i].CPU, w.Seats[i].Memory = &cpu, use.Memory
		}
		if k := r.Final[i]; k != nil {
			w.Seats[i].Final = &wireClock{k.Left.Microseconds(), k.Total.Microseconds(), k.Moves, k.Periods, k.Stage}
		}
	}
	w.Evidence = lastLines(r.Evidence)
	if r.Seed != "" {
		w.Seeds = []wirePair{{dealerSeed, r.Seed}}
	}
	for _, t := range r.Tags {
		w.Tags = append(w.Tags, wirePair{t.Key, t.Value})
	}
	if r.Notices != nil && len(r.Notices) != len(r.Steps) {
		return nil, fmt.Errorf("notices for %d of %d steps", len(r.Notices), len(r.Steps))
	}
	if res := r.Result; res != nil {
		w.Result = &wireResult{Points: res.Points, Reason: string(res.Reason), Detail: res.Detail}
		if res.HasBoard {
			b := res.Board
			w.Result.Board = &b
		}
	}
	return w, nil
}

// lastLines returns what a record keeps of evidence, which may be long.
func lastLines(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	const lines, most, more = 50, 500, "…"
	list = list[max(0, len(list)-lines):]
	out := make([]string, len(list))
	for i, l := range list {
		if out[i] = l; len(l) > most+len(more) {
			out[i] = strings.ToValidUTF8(l[:most], "") + more
		}
	}
	return out
}

func stepsToWire(list []record.Step, text Text, depth int) ([]wireStep, error) {
	if depth > maxNested {
		return nil, errors.New("variations are nested too deep")
	}
	out := make([]wireStep, len(list))
	used := make([]int64, len(list))
	for i := range list {
		var err error
		if out[i], err = stepToWire(&list[i], text, depth, &used[i]); err != nil {
			return nil, fault(i, err)
		}
	}
	return out, nil
}

// stepToWire makes the object of a step, whose time has its place in used.
func stepToWire(s *record.Step, text Text, depth int, used *int64) (wireStep, error) {
	w := wireStep{By: int(s.By), Move: text.FormatMove(s.Move), Opening: s.Opening, Forced: s.Forced, Refused: s.Refused, Comment: s.Comment}
	if back, err := text.ParseMove(w.Move); err != nil || back != s.Move {
		return w, fmt.Errorf("%s has no text in this game", s.Move)
	}
	w.Error = s.Error.Microseconds()
	if s.Timed {
		*used = s.Used.Microseconds()
		w.Used = used
	}
	if s.Info != nil {
		w.Info = infoToWire(s.Info, text)
	}
	for _, v := range s.Variations {
		steps, err := stepsToWire(v, text, depth+1)
		if err != nil {
			return w, err
		}
		w.Variations = append(w.Variations, steps)
	}
	return w, nil
}

func infoToWire(i *game.Info, text Text) *wireInfo {
	w := &wireInfo{
		Depth: i.Depth, SelDepth: i.SelDepth, Nodes: i.Nodes, Time: i.Time.Microseconds(), Book: i.Book, Games: i.Games,
		Text: i.Text, Rank: i.Rank,
	}
	if finite(i.Eval.Lo) && finite(i.Eval.Hi) && int(i.Eval.Unit) < len(units) {
		w.Unit, w.Lo, w.Hi = units[i.Eval.Unit], i.Eval.Lo, i.Eval.Hi
	}
	if finite(i.Confidence) {
		w.Confidence = i.Confidence
	}
	if int(i.Bound) < len(bounds) {
		w.Bound = bounds[i.Bound]
	}
	for _, m := range i.PV {
		w.PV = append(w.PV, text.FormatMove(m))
	}
	return w
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func noticeToWire(n game.Notice, text Text) wireNotice {
	w := wireNotice{To: int(n.To), Kind: n.Kind.String(), By: int(n.By), Count: n.Count}
	if n.Move.Op != game.NoOp {
		w.Move = text.FormatMove(n.Move)
	}
	for _, p := range n.Points {
		w.Points = append(w.Points, [2]int{int(p.X), int(p.Y)})
	}
	return w
}

// record builds the record of the object.
func (w *wire) record(text Text) (*Record, error) {
	r := &Record{Attempt: w.Attempt}
	r.ID, r.Spec, r.Start, r.Event, r.Place = w.ID, game.Spec(w.Game), w.Start, w.Event, w.Place
	r.Round, r.Date, r.Comment, r.Commitment = w.Round, w.Date, w.Comment, w.Commitment
	for i, s := range w.Seats {
		r.Names[i], r.Engines[i], r.Ratings[i], r.Clocks[i] = s.Name, s.Engine, s.Rating, s.Clock
		if s.CPU != nil {
			r.Resources[i] = record.Resources{Known: true, CPU: micros(*s.CPU), Memory: max(0, s.Memory)}
		}
		if k := s.Final; k != nil {
			r.Final[i] = &record.Clock{Left: micros(k.Left), Total: micros(k.Total), Moves: k.Moves, Periods: k.Periods, Stage: k.Stage}
		}
	}
	r.Evidence = w.Evidence
	for _, s := range w.Seeds {
		if s[0] == dealerSeed {
			r.Seed = s[1]
		}
	}
	for _, t := range w.Tags {
		r.Tags = append(r.Tags, record.Tag{Key: t[0], Value: t[1]})
	}
	var err error
	if r.Steps, err = stepsFromWire(w.Steps, text); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.Steps, func(s wireStep) bool { return len(s.Notices) > 0 }) {
		r.Notices = make([][]game.Notice, len(w.Steps))
		for i := range w.Steps {
			for _, n := range w.Steps[i].Notices {
				back, err := n.notice(text)
				if err != nil {
					return nil, fault(i, err)
				}
				r.Notices[i] = append(r.Notices[i], back)
			}
		}
	}
	if w.Result != nil {
		r.Result = &game.Result{Points: w.Result.Points, Reason: game.Reason(w.Result.Reason), Detail: w.Result.Detail}
		if w.Result.Board != nil {
			r.Result.Board, r.Result.HasBoard = *w.Result.Board, true
		}
	}
	return r, nil
}

func seat(n int) (game.Seat, error) {
	if n < int(game.Nobody) || n > int(game.Second) {
		return game.Nobody, fmt.Errorf("%d is no seat: 0, 1, -1 (dealer) or -2 (nobody)", n)
	}
	return game.Seat(n), nil
}

func stepsFromWire(list []wireStep, text Text) ([]record.Step, error) {
	if len(list) == 0 {
		return nil, nil
	}
	out := make([]record.Step, 0, len(list))
	for i := range list {
		w := &list[i]
		by, err := seat(w.By)
		if err != nil {
			return nil, fault(i, err)
		}
		m, err := text.ParseMove(w.Move)
		if err != nil {
			return nil, fault(i, err)
		}
		s := record.Step{By: by, Move: m, Opening: w.Opening, Forced: w.Forced, Refused: w.Refused, Comment: w.Comment}
		if w.Used != nil {
			s.Used, s.Timed = micros(*w.Used), true
			s.Error = micros(w.Error)
		}
		if w.Info != nil {
			s.Info = w.Info.info(text)
		}
		for _, v := range w.Variations {
			steps, err := stepsFromWire(v, text)
			if err != nil {
				return nil, fault(i, err)
			}
			s.Variations = append(s.Variations, steps)
		}
		out = append(out, s)
	}
	return out, nil
}

func micros(n int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Microsecond)
	return time.Duration(min(max(n, 0), most)) * time.Microsecond
}

// info reads what an engine said; a variation is kept as far as it can be read.
func (w *wireInfo) info(text Text) *game.Info {
	i := &game.Info{
		Depth: w.Depth, SelDepth: w.SelDepth, Confidence: w.Confidence, Nodes: w.Nodes, Time: micros(w.Time), Book: w.Book,
		Games: w.Games, Text: w.Text, Rank: w.Rank,
	}
	if n := slices.Index(units, w.Unit); n > 0 {
		i.Eval = game.Eval{Unit: game.Unit(n), Lo: w.Lo, Hi: w.Hi}
	}
	if n := slices.Index(bounds, w.Bound); n > 0 {
		i.Bound = game.Bound(n)
	}
	for _, t := range w.PV {
		m, err := text.ParseMove(t)
		if err != nil {
			break
		}
		i.PV = append(i.PV, m)
	}
	return i
}

func (w *wireNotice) notice(text Text) (game.Notice, error) {
	by, err := seat(w.By)
	if err != nil {
		return game.Notice{}, err
	}
	n := game.Notice{To: game.Audience(w.To), By: by, Count: w.Count}
	if w.To < 0 || w.To > int(game.Arbiter) {
		return n, fmt.Errorf("%d is no audience: 0, 1, 2 (all) or 3 (arbiter)", w.To)
	}
	for k := game.Played; k <= game.Scored; k++ {
		if k.String() == w.Kind {
			n.Kind = k
		}
	}
	if n.Kind == 0 {
		return n, fmt.Errorf("%q is no kind of notice", w.Kind)
	}
	if w.Move != "" {
		if n.Move, err = text.ParseMove(w.Move); err != nil {
			return n, err
		}
	}
	for _, p := range w.Points {
		if p[0] < 0 || p[1] < 0 || p[0] > 126 || p[1] > 126 {
			return n, fmt.Errorf("point %v is on no board", p)
		}
		n.Points = append(n.Points, game.Pt(p[0], p[1]))
	}
	return n, nil
}
