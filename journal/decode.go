package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// ParseEvent reads the line of an event, without or with its LF, and checks its
// checksum. The event owns all it points to.
func ParseEvent(line []byte) (ev Event, err error) {
	err = parseEvent(line, &ev, nil)
	return ev, err
}

// Parser reads the lines of events one after the other, as ParseEvent does, and makes
// room for many at a time. Its events share texts, which nobody changes.
type Parser struct{ memory memory }

// Parse reads a line as ParseEvent does.
func (p *Parser) Parse(line []byte) (ev Event, err error) {
	err = parseEvent(line, &ev, &p.memory)
	return ev, err
}

// parseEvent does that for a reader that remembers, or for none. With a memory that
// lends the event is valid until the next one is read.
func parseEvent(line []byte, ev *Event, m *memory) error {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if err := checkSum(line); err != nil {
		return err
	}
	*ev = Event{}
	q := quick{cursor: cursor{line: line[:len(line)-sumLen]}, memory: m}
	if q.parse(ev) {
		return nil
	}
	var err error
	*ev, err = parseAny(line)
	return err
}

// parseAny reads the line of an event in whatever form JSON allows.
func parseAny(line []byte) (Event, error) {
	var w struct {
		V    int
		Seq  uint64
		T    string
		Game string
		To   string
		Kind Kind
		Data json.RawMessage
	}
	if err := json.Unmarshal(line, &w); err != nil {
		return Event{}, fmt.Errorf("the line is no event: %w", err)
	}
	if w.V > Version {
		return Event{}, fmt.Errorf("event version %d: %w", w.V, ErrNewer)
	}
	ev := Event{Seq: w.Seq, Game: w.Game, Kind: w.Kind}
	var err error
	if ev.Time, err = time.Parse(timeForm, w.T); err != nil {
		return Event{}, err
	}
	if ev.To, err = parseAudience(w.To); err != nil {
		return Event{}, err
	}
	if err := ev.decode(w.Data); err != nil {
		return Event{}, fmt.Errorf("event %d of kind %q: %w", ev.Seq, ev.Kind, err)
	}
	return ev, nil
}

// checkSum verifies the checksum at the end of a line.
func checkSum(line []byte) error {
	n := len(line) - sumLen
	if n < 2 || string(line[n:n+len(sumHead)]) != sumHead || string(line[len(line)-len(sumFoot):]) != sumFoot {
		return errors.New("the line has no checksum at its end")
	}
	sum := appendSum(make([]byte, 0, 8), line[:n])
	if !bytes.Equal(sum, line[n+len(sumHead):len(line)-len(sumFoot)]) {
		return errors.New("the checksum does not fit the line")
	}
	return nil
}

// decode reads the payload. A kind that this version does not know is kept
// without data.
func (ev *Event) decode(data json.RawMessage) error {
	var err error
	switch ev.Kind {
	case KindRun:
		ev.Run, err = plain[Run](data)
	case KindOrder:
		ev.Order, err = plain[Order](data)
	case KindReveal:
		ev.Reveal, err = plain[Reveal](data)
	case KindWait:
		ev.Wait, err = plain[Wait](data)
	case KindHints:
		ev.Hints, err = plain[Hints](data)
	case KindPresence:
		ev.Presence, err = plain[Presence](data)
	case KindAsks:
		ev.Asks, err = plain[Asks](data)
	case KindStart:
		ev.Start, err = decodeWith(data, (*wireStart).value)
	case KindDecision:
		ev.Decision, err = decodeWith(data, (*wireDecision).decision)
	case KindNotices:
		ev.Notices, err = decodeWith(data, (*wireDecision).notices)
	case KindRewind:
		ev.Rewind, err = decodeWith(data, (*wireDecision).rewind)
	case KindSaid:
		ev.Said, err = decodeWith(data, (*wireSaid).value)
	case KindView:
		ev.View, err = decodeWith(data, (*wireView).value)
	case KindWarning:
		ev.Warning, err = decodeWith(data, (*wireOther).warning)
	case KindEvidence:
		ev.Evidence, err = decodeWith(data, (*wireOther).evidence)
	case KindResult:
		ev.Result, err = decodeWith(data, (*wireResult).end)
	case KindRuling:
		ev.Ruling, err = decodeWith(data, (*wireResult).ruling)
	}
	return err
}

func plain[T any](data []byte) (*T, error) {
	v := new(T)
	return v, json.Unmarshal(data, v)
}

func decodeWith[W, T any](data []byte, value func(*W) (*T, error)) (*T, error) {
	w := new(W)
	if err := json.Unmarshal(data, w); err != nil {
		return nil, err
	}
	return value(w)
}

func parseAudience(s string) (game.Audience, error) {
	for _, a := range []game.Audience{game.ToFirst, game.ToSecond, game.Public, game.Arbiter} {
		if a.String() == s {
			return a, nil
		}
	}
	return 0, fmt.Errorf("unknown audience %q", s)
}

func parseSeat(s string) (game.Seat, error) {
	for _, x := range []game.Seat{game.First, game.Second, game.Dealer, game.Nobody} {
		if x.String() == s {
			return x, nil
		}
	}
	return 0, fmt.Errorf("unknown seat %q", s)
}

func parseMoves(list []string) ([]game.Move, error) {
	if len(list) == 0 {
		return nil, nil
	}
	moves := make([]game.Move, len(list))
	for i, text := range list {
		var err error
		if moves[i], err = ParseMove(text); err != nil {
			return nil, err
		}
	}
	return moves, nil
}

type wireTurn struct{ turn game.Turn }

// UnmarshalJSON reads [seat, step, phase].
func (t *wireTurn) UnmarshalJSON(b []byte) error {
	var seat string
	if err := json.Unmarshal(b, &[]any{&seat, &t.turn.Step, &t.turn.Phase}); err != nil {
		return err
	}
	var err error
	t.turn.Seat, err = parseSeat(seat)
	return err
}

// wireDecision is the form of decisions, notices and rewinds.
type wireDecision struct {
	By                              string
	Steps                           json.RawMessage
	Refused, Forced, Opening, Ended bool
	Used, Late, Error               int64
	Clocks                          [2][]int64
	Next                            wireTurn
	Notices                         []wireNotice
}

func (w *wireDecision) clocks() [2]Clock {
	return [2]Clock{clockFrom(w.Clocks[0]), clockFrom(w.Clocks[1])}
}

func (w *wireDecision) decision() (*Decision, error) {
	by, err := parseSeat(w.By)
	if err != nil {
		return nil, err
	}
	var texts []string
	if err := json.Unmarshal(w.Steps, &texts); err != nil {
		return nil, err
	}
	d := &Decision{
		By: by, Refused: w.Refused, Forced: w.Forced, Opening: w.Opening, Ended: w.Ended,
		Used: time.Duration(w.Used), Late: time.Duration(w.Late), Error: time.Duration(w.Error), Clocks: w.clocks(), Next: w.Next.turn,
	}
	d.Steps, err = parseMoves(texts)
	return d, err
}

func (w *wireDecision) rewind() (*Rewind, error) {
	by, err := parseSeat(w.By)
	if err != nil {
		return nil, err
	}
	r := &Rewind{By: by, Clocks: w.clocks(), Next: w.Next.turn}
	if len(w.Steps) > 0 {
		err = json.Unmarshal(w.Steps, &r.Steps)
	}
	return r, err
}

func (w *wireDecision) notices() (*Notices, error) {
	by, err := parseSeat(w.By)
	if err != nil {
		return nil, err
	}
	n := &Notices{By: by, Used: time.Duration(w.Used), Clocks: w.clocks(), Next: w.Next.turn}
	for i := range w.Notices {
		x, err := w.Notices[i].value()
		if err != nil {
			return nil, err
		}
		n.Notices = append(n.Notices, x)
	}
	return n, nil
}

type wireNotice struct {
	To, Kind, By, Move string
	Points             [][2]int8
	Count              int
}

func (w *wireNotice) value() (game.Notice, error) {
	n := game.Notice{Count: w.Count}
	var err error
	if n.To, err = parseAudience(w.To); err != nil {
		return n, err
	}
	if n.By, err = parseSeat(w.By); err != nil {
		return n, err
	}
	for k := game.Played; k <= game.Scored; k++ {
		if k.String() == w.Kind {
			n.Kind = k
		}
	}
	if n.Kind == 0 {
		return n, fmt.Errorf("unknown kind of notice %q", w.Kind)
	}
	if w.Move != "" {
		if n.Move, err = ParseMove(w.Move); err != nil {
			return n, err
		}
	}
	for _, p := range w.Points {
		n.Points = append(n.Points, game.Point{X: p[0], Y: p[1]})
	}
	return n, nil
}

type wireInfo struct {
	Unit            uint8
	Lo, Hi          *float64
	Depth, SelDepth int
	Bound           uint8
	Confidence      float64
	Nodes, Time     int64
	Book            bool
	Games           int64
	PV              []string
	Text            string
	Rank            int
}

func (w *wireInfo) value() (game.Info, error) {
	i := game.Info{
		Eval: game.Eval{Unit: game.Unit(w.Unit)}, Depth: w.Depth, SelDepth: w.SelDepth, Bound: game.Bound(w.Bound),
		Confidence: w.Confidence, Nodes: w.Nodes, Time: time.Duration(w.Time), Book: w.Book, Games: w.Games, Text: w.Text, Rank: w.Rank,
	}
	if i.Eval.Unit != game.NoUnit {
		i.Eval.Lo, i.Eval.Hi = math.NaN(), math.NaN()
		if w.Lo != nil {
			i.Eval.Lo = *w.Lo
		}
		if w.Hi != nil {
			i.Eval.Hi = *w.Hi
		}
	}
	var err error
	i.PV, err = parseMoves(w.PV)
	return i, err
}

type wireSaid struct {
	By    string
	Info  wireInfo
	Lines []wireInfo
	Ply   int
	Live  bool
	Name  string
}

func (w *wireSaid) value() (*Said, error) {
	by, err := parseSeat(w.By)
	if err != nil {
		return nil, err
	}
	s := &Said{By: by, Ply: w.Ply, Live: w.Live, Name: w.Name}
	if s.Info, err = w.Info.value(); err != nil {
		return nil, err
	}
	for i := range w.Lines {
		line, err := w.Lines[i].value()
		if err != nil {
			return nil, err
		}
		s.Lines = append(s.Lines, line)
	}
	return s, nil
}

type wireStart struct {
	Spec                 game.Spec
	Names                [2]string
	Clocks               [2]string
	Position             string
	ToMove               string
	Round, Pair, Attempt int
	Opening, Commitment  string
	Rated                bool
}

func (w *wireStart) value() (*Start, error) {
	s := &Start{
		Spec: w.Spec, Names: w.Names, Position: w.Position, Round: w.Round, Pair: w.Pair, Attempt: w.Attempt,
		Opening: w.Opening, Commitment: w.Commitment, Rated: w.Rated,
	}
	var err error
	if s.ToMove, err = parseSeat(w.ToMove); err != nil {
		return nil, err
	}
	for i, text := range w.Clocks {
		if s.Controls[i], err = clock.Parse(text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// wireResult is the form of results and rulings.
type wireResult struct {
	Points   [2]float64
	Board    *[2]float64
	Reason   game.Reason
	Detail   string
	Plies    int
	Used     [2]int64
	Late     int64
	Warnings int
	CPU      *[2]int64
	Memory   [2]int64
	Engines  [2]string
	Clocks   *[2][]int64
	By, Note string
}

func (w *wireResult) result() game.Result {
	r := game.Result{Points: w.Points, Reason: w.Reason, Detail: w.Detail}
	if w.Board != nil {
		r.Board, r.HasBoard = *w.Board, true
	}
	return r
}

func (w *wireResult) end() (*Result, error) {
	r := &Result{
		Result: w.result(), Plies: w.Plies, Late: time.Duration(w.Late), Warnings: w.Warnings,
		Used: [2]time.Duration{time.Duration(w.Used[0]), time.Duration(w.Used[1])}, Engines: w.Engines,
	}
	if w.CPU != nil {
		for i, cpu := range *w.CPU {
			r.Resources[i] = resourcesOf(cpu, w.Memory[i])
		}
	}
	if k := w.Clocks; k != nil {
		r.Clocks = &[2]Clock{clockFrom(k[0]), clockFrom(k[1])}
	}
	return r, nil
}

func (w *wireResult) ruling() (*Ruling, error) {
	return &Ruling{Result: w.result(), By: w.By, Note: w.Note}, nil
}

// wireOther is the form of warnings and evidence.
type wireOther struct {
	Seat, Text, Final string
	Lines             []string
	Retry             bool
}

func (w *wireOther) warning() (*Warning, error) {
	seat, err := parseSeat(w.Seat)
	return &Warning{Seat: seat, Text: w.Text, Retry: w.Retry}, err
}

func (w *wireOther) evidence() (*Evidence, error) {
	seat, err := parseSeat(w.Seat)
	return &Evidence{Seat: seat, Lines: w.Lines, Final: w.Final}, err
}
