package journal

import (
	"bytes"
	"math"
	"time"

	"kibitz/clock"
	"kibitz/game"
)

// quick reads the lines of the frequent kinds in the one form in which AppendEvent
// writes them. Whatever deviates from it in any way, right or wrong, is odd and left
// to the general reader; what quick reads, that one reads as the same event.
type quick struct {
	cursor
	// memory is nil for who reads one line.
	memory *memory
}

// memory is what a reader of many lines keeps from one to the next: texts that come
// again, the latest second, and room for what events point to.
type memory struct {
	// lend tells that an event is valid until the next: its room is used again.
	lend  bool
	texts texts
	// second is how the latest one was written, at what it means if known is set.
	second    [len("2006-01-02T15:04:05")]byte
	at        time.Time
	known     bool
	decisions []Decision
	notices   Notices
	said      Said
	moves     []game.Move
	lines     []game.Info
}

// maxChunk is how many decisions and moves are given room at once.
const maxChunk = 64

// lends reports whether the room of the event before is free.
func (q *quick) lends() bool { return q.memory != nil && q.memory.lend }

// newDecision returns room for a decision.
func (q *quick) newDecision() *Decision {
	m := q.memory
	if m == nil {
		return new(Decision)
	}
	if m.lend {
		m.decisions, m.moves = m.decisions[:0], m.moves[:0]
	}
	if n := len(m.decisions); n == cap(m.decisions) {
		m.decisions = make([]Decision, 0, min(2*n+1, maxChunk))
	}
	m.decisions = append(m.decisions, Decision{})
	return &m.decisions[len(m.decisions)-1]
}

// parse reads the line of an event without its checksum. It is false for an odd
// one; the event is then of no use.
func (q *quick) parse(ev *Event) bool {
	ev.Seq = q.begin()
	q.need(`,"t":"`)
	ev.Time = q.time()
	q.need(`"`)
	if q.lit(`,"game":`) {
		ev.Game = q.text()
	}
	q.need(`,"to":`)
	ev.To = q.audience()
	q.need(`,"kind":`)
	kind := q.word()
	q.need(`,"data":{`)
	switch string(kind) {
	case string(KindDecision):
		ev.Kind, ev.Decision = KindDecision, q.decision()
	case string(KindSaid):
		ev.Kind, ev.Said = KindSaid, q.said()
	case string(KindNotices):
		ev.Kind, ev.Notices = KindNotices, q.notices()
	case string(KindStart):
		ev.Kind, ev.Start = KindStart, q.start()
	case string(KindResult):
		ev.Kind, ev.Result = KindResult, q.result()
	default:
		return false
	}
	q.need("}")
	return !q.odd && q.at == len(q.line)
}

// begin takes what a line of this version begins with, up to the number of the event.
func (q *quick) begin() uint64 {
	q.need(head)
	return uint64(q.natural())
}

func (q *quick) decision() *Decision {
	d := q.newDecision()
	q.need(`"by":`)
	d.By = q.seat()
	q.need(`,"steps":`)
	d.Steps = q.moves()
	d.Refused = q.lit(`,"refused":true`)
	d.Forced = q.lit(`,"forced":true`)
	d.Opening = q.lit(`,"opening":true`)
	d.Used = time.Duration(q.optInt(`,"used":`))
	d.Late = time.Duration(q.optInt(`,"late":`))
	d.Error = time.Duration(q.optInt(`,"error":`))
	q.clocks(&d.Clocks)
	d.Next = q.turn()
	d.Ended = q.lit(`,"ended":true`)
	return d
}

func (q *quick) notices() *Notices {
	var n *Notices
	if q.lends() {
		n = &q.memory.notices
	} else {
		n = new(Notices)
	}
	q.need(`"by":`)
	n.By = q.seat()
	q.need(`,"notices":[`)
	// The data of notices hold few texts: what opens braces is mostly a notice.
	n.Notices = make([]game.Notice, 0, min(bytes.Count(q.rest(), []byte(`{"to":`)), maxRoom))
	for !q.odd && !q.lit("]") {
		if len(n.Notices) > 0 {
			q.need(",")
		}
		n.Notices = append(n.Notices, q.notice())
	}
	if len(n.Notices) == 0 {
		n.Notices = nil
	}
	n.Used = time.Duration(q.optInt(`,"used":`))
	q.clocks(&n.Clocks)
	n.Next = q.turn()
	return n
}

func (q *quick) notice() game.Notice {
	var n game.Notice
	q.need(`{"to":`)
	n.To = q.audience()
	q.need(`,"kind":`)
	name := q.word()
	for k := game.Played; k <= game.Scored; k++ {
		if string(name) == k.String() {
			n.Kind = k
		}
	}
	q.odd = q.odd || n.Kind == 0
	q.need(`,"by":`)
	n.By = q.seat()
	if q.lit(`,"move":"`) {
		n.Move = q.move()
		q.need(`"`)
	}
	if q.lit(`,"points":[`) {
		for !q.odd && !q.lit("]") {
			if len(n.Points) > 0 {
				q.need(",")
			}
			q.need("[")
			v := q.ints()
			p := game.Point{X: int8(v[0]), Y: int8(v[1])}
			q.odd = q.odd || v != [2]int64{int64(p.X), int64(p.Y)}
			n.Points = append(n.Points, p)
		}
	}
	n.Count = q.optSize(`,"count":`)
	q.need("}")
	return n
}

func (q *quick) said() *Said {
	var s *Said
	if q.lends() {
		s = &q.memory.said
		q.memory.moves = q.memory.moves[:0]
	} else {
		s = new(Said)
	}
	q.need(`"by":`)
	s.By = q.seat()
	q.need(`,"info":`)
	s.Info = q.info()
	s.Lines = nil
	if q.lit(`,"lines":[`) {
		s.Lines = q.lines()
	}
	s.Ply = q.optSize(`,"ply":`)
	s.Live = q.lit(`,"live":true`)
	s.Name = ""
	if q.key(`,"name":`) {
		s.Name = q.ownText()
	}
	return s
}

// lines takes a list of what was said, nil for an empty one.
func (q *quick) lines() []game.Info {
	var list []game.Info
	if q.lends() {
		list = q.memory.lines[:0]
	}
	for !q.odd && !q.lit("]") {
		if len(list) > 0 {
			q.need(",")
		}
		list = append(list, q.info())
	}
	if q.lends() {
		q.memory.lines = list
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

func (q *quick) info() game.Info {
	var i game.Info
	q.need("{")
	if q.key(`,"unit":`) {
		i.Eval = game.Eval{Unit: game.Unit(q.small(1)), Lo: math.NaN(), Hi: math.NaN()}
		if q.lit(`,"lo":`) {
			i.Eval.Lo = q.floatOrNull()
		}
		if q.lit(`,"hi":`) {
			i.Eval.Hi = q.floatOrNull()
		}
	}
	i.Depth = q.optSize(`,"depth":`)
	i.SelDepth = q.optSize(`,"seldepth":`)
	if q.key(`,"bound":`) {
		i.Bound = game.Bound(q.small(0))
	}
	if q.key(`,"confidence":`) {
		i.Confidence = q.float()
	}
	i.Nodes = q.optInt(`,"nodes":`)
	i.Time = time.Duration(q.optInt(`,"time":`))
	i.Book = q.key(`,"book":true`)
	i.Games = q.optInt(`,"games":`)
	if q.key(`,"pv":`) {
		i.PV = q.moves()
	}
	if q.key(`,"text":`) {
		i.Text = q.ownText()
	}
	i.Rank = q.optSize(`,"rank":`)
	q.need("}")
	return i
}

func (q *quick) start() *Start {
	s := new(Start)
	q.need(`"spec":`)
	s.Spec = game.Spec(q.text())
	q.need(`,"names":[`)
	s.Names[0] = q.text()
	q.need(",")
	s.Names[1] = q.text()
	q.need(`],"clocks":[`)
	s.Controls[0] = q.control()
	q.need(",")
	s.Controls[1] = q.control()
	q.need("]")
	if q.lit(`,"position":`) {
		s.Position = q.ownText()
	}
	q.need(`,"tomove":`)
	s.ToMove = q.seat()
	s.Round = q.optSize(`,"round":`)
	s.Pair = q.optSize(`,"pair":`)
	s.Attempt = q.optSize(`,"attempt":`)
	if q.lit(`,"opening":`) {
		s.Opening = q.ownText()
	}
	if q.lit(`,"commitment":`) {
		s.Commitment = q.ownText()
	}
	s.Rated = q.lit(`,"rated":true`)
	return s
}

func (q *quick) control() clock.Control {
	c, err := clock.Parse(q.text())
	q.odd = q.odd || err != nil
	return c
}

func (q *quick) result() *Result {
	r := new(Result)
	q.need(`"points":`)
	r.Result.Points = q.pair()
	if q.lit(`,"board":`) {
		r.Result.Board, r.Result.HasBoard = q.pair(), true
	}
	q.need(`,"reason":`)
	r.Result.Reason = game.Reason(q.text())
	if q.lit(`,"detail":`) {
		r.Result.Detail = q.ownText()
	}
	q.need(`,"plies":`)
	r.Plies = q.size()
	q.need(`,"used":[`)
	used := q.ints()
	r.Used = [2]time.Duration{time.Duration(used[0]), time.Duration(used[1])}
	r.Late = time.Duration(q.optInt(`,"late":`))
	r.Warnings = q.optSize(`,"warnings":`)
	if q.lit(`,"cpu":[`) {
		cpu, memory := q.ints(), [2]int64{}
		if q.lit(`,"memory":[`) {
			memory = q.ints()
		}
		for i := range cpu {
			r.Resources[i] = resourcesOf(cpu[i], memory[i])
		}
	}
	if q.lit(`,"engines":[`) {
		r.Engines[0] = q.ownText()
		q.need(",")
		r.Engines[1] = q.ownText()
		q.need("]")
	}
	if bytes.HasPrefix(q.rest(), []byte(`,"clocks":`)) {
		r.Clocks = new([2]Clock)
		q.clocks(r.Clocks)
	}
	return r
}

// ints takes a number for each seat, the end of the list too.
func (q *quick) ints() (v [2]int64) {
	v[0] = q.int()
	q.need(",")
	v[1] = q.int()
	q.need("]")
	return v
}
