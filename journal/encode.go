package journal

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"time"

	"kibitz/game"
)

// timeForm is how times are written, in UTC.
const timeForm = "2006-01-02T15:04:05.000000Z"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// What surrounds the checksum of eight digits at the end of a line; it covers all
// that comes before sumHead.
const (
	sumHead = `,"crc":"`
	sumFoot = `"}`
	sumLen  = len(sumHead) + 8 + len(sumFoot)
)

// head is how each line begins.
var head = fmt.Sprintf(`{"v":%d,"seq":`, Version)

// AppendEvent appends the line of an event, ended by LF. The event must have the
// data of its kind.
func AppendEvent(dst []byte, ev *Event) ([]byte, error) { return appendEvent(dst, ev, &stamp{}) }

func appendEvent(dst []byte, ev *Event, at *stamp) ([]byte, error) {
	e := enc{append(dst, head...)}
	e.int(int64(ev.Seq))
	e.raw(`,"t":"`)
	e.b = at.append(e.b, ev.Time)
	e.raw(`"`)
	e.optStr("game", ev.Game)
	e.raw(`,"to":`)
	e.word(ev.To.String())
	e.raw(`,"kind":`)
	e.str(string(ev.Kind))
	e.raw(`,"data":`)
	if err := e.data(ev); err != nil {
		return dst, err
	}
	covered := e.b[len(dst):]
	e.raw(sumHead)
	e.b = appendSum(e.b, covered)
	e.raw(sumFoot + "\n")
	return e.b, nil
}

// appendSum appends the checksum of covered, eight hexadecimal digits of CRC-32C.
func appendSum(dst, covered []byte) []byte {
	sum := crc32.Checksum(covered, castagnoli)
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[sum>>shift&15])
	}
	return dst
}

// data appends the payload of the event's kind.
func (e *enc) data(ev *Event) error {
	start := len(e.b)
	e.raw("{")
	switch {
	case ev.Kind == KindDecision && ev.Decision != nil:
		e.decision(ev.Decision)
	case ev.Kind == KindNotices && ev.Notices != nil:
		e.notices(ev.Notices)
	case ev.Kind == KindSaid && ev.Said != nil:
		e.said(ev.Said)
	case ev.Kind == KindStart && ev.Start != nil:
		e.start(ev.Start)
	case ev.Kind == KindResult && ev.Result != nil:
		e.end(ev.Result)
	case ev.Kind == KindWarning && ev.Warning != nil:
		e.seat("seat", ev.Warning.Seat)
		e.key("text")
		e.str(ev.Warning.Text)
		e.optBool("retry", ev.Warning.Retry)
	case ev.Kind == KindRewind && ev.Rewind != nil:
		e.optInt("steps", int64(ev.Rewind.Steps))
		e.seat("by", ev.Rewind.By)
		e.clocks(&ev.Rewind.Clocks)
		e.turn(ev.Rewind.Next)
	case ev.Kind == KindEvidence && ev.Evidence != nil:
		e.evidence(ev.Evidence)
	case ev.Kind == KindRuling && ev.Ruling != nil:
		e.result(ev.Ruling.Result)
		e.optStr("by", ev.Ruling.By)
		e.optStr("note", ev.Ruling.Note)
	default:
		e.b = e.b[:start]
		return e.plain(ev)
	}
	e.raw("}")
	return nil
}

// plain appends the payloads that are rare enough for the general encoder.
func (e *enc) plain(ev *Event) error {
	var v any
	switch {
	case ev.Kind == KindRun && ev.Run != nil:
		v = ev.Run
	case ev.Kind == KindReveal && ev.Reveal != nil:
		v = ev.Reveal
	case ev.Kind == KindOrder && ev.Order != nil:
		v = ev.Order
	case ev.Kind == KindView && ev.View != nil:
		v = wireViewOf(ev.View)
	case ev.Kind == KindWait && ev.Wait != nil:
		v = ev.Wait
	case ev.Kind == KindHints && ev.Hints != nil:
		v = ev.Hints
	case ev.Kind == KindPresence && ev.Presence != nil:
		v = ev.Presence
	case ev.Kind == KindAsks && ev.Asks != nil:
		v = ev.Asks
	default:
		return fmt.Errorf("an event of kind %q without its data", ev.Kind)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding an event of kind %q: %w", ev.Kind, err)
	}
	e.b = append(e.b, b...)
	return nil
}

func (e *enc) decision(d *Decision) {
	e.raw(`"by":`)
	e.word(d.By.String())
	e.raw(`,"steps":`)
	e.moves(d.Steps)
	e.optBool("refused", d.Refused)
	e.optBool("forced", d.Forced)
	e.optBool("opening", d.Opening)
	e.optInt("used", int64(d.Used))
	e.optInt("late", int64(d.Late))
	e.optInt("error", int64(d.Error))
	e.clocks(&d.Clocks)
	e.turn(d.Next)
	e.optBool("ended", d.Ended)
}

func (e *enc) notices(n *Notices) {
	e.seat("by", n.By)
	e.key("notices")
	e.raw("[")
	for i := range n.Notices {
		e.comma()
		e.notice(&n.Notices[i])
	}
	e.raw("]")
	e.optInt("used", int64(n.Used))
	e.clocks(&n.Clocks)
	e.turn(n.Next)
}

func (e *enc) notice(n *game.Notice) {
	e.raw("{")
	e.key("to")
	e.str(n.To.String())
	e.key("kind")
	e.str(n.Kind.String())
	e.seat("by", n.By)
	if n.Move.Op != game.NoOp {
		e.key("move")
		e.raw(`"`)
		e.b = AppendMove(e.b, n.Move)
		e.raw(`"`)
	}
	if len(n.Points) > 0 {
		e.key("points")
		e.raw("[")
		for _, p := range n.Points {
			e.comma()
			e.raw("[")
			e.b = appendPoint(e.b, p)
			e.raw("]")
		}
		e.raw("]")
	}
	e.optInt("count", int64(n.Count))
	e.raw("}")
}

func (e *enc) said(s *Said) {
	e.seat("by", s.By)
	e.key("info")
	e.info(&s.Info)
	if len(s.Lines) > 0 {
		e.key("lines")
		e.raw("[")
		for i := range s.Lines {
			e.comma()
			e.info(&s.Lines[i])
		}
		e.raw("]")
	}
	e.optInt("ply", int64(s.Ply))
	e.optBool("live", s.Live)
	e.optStr("name", s.Name)
}

func (e *enc) info(i *game.Info) {
	e.raw("{")
	if i.Eval.Unit != game.NoUnit {
		e.optInt("unit", int64(i.Eval.Unit))
		if !math.IsNaN(i.Eval.Lo) {
			e.key("lo")
			e.float(i.Eval.Lo)
			e.key("hi")
			e.float(i.Eval.Hi)
		}
	}
	e.optInt("depth", int64(i.Depth))
	e.optInt("seldepth", int64(i.SelDepth))
	e.optInt("bound", int64(i.Bound))
	if i.Confidence != 0 {
		e.key("confidence")
		e.float(i.Confidence)
	}
	e.optInt("nodes", i.Nodes)
	e.optInt("time", int64(i.Time))
	e.optBool("book", i.Book)
	e.optInt("games", i.Games)
	if len(i.PV) > 0 {
		e.key("pv")
		e.moves(i.PV)
	}
	e.optStr("text", i.Text)
	e.optInt("rank", int64(i.Rank))
	e.raw("}")
}

func (e *enc) start(s *Start) {
	e.key("spec")
	e.str(string(s.Spec))
	e.strs("names", s.Names)
	e.strs("clocks", [2]string{s.Controls[0].String(), s.Controls[1].String()})
	e.optStr("position", s.Position)
	e.seat("tomove", s.ToMove)
	e.optInt("round", int64(s.Round))
	e.optInt("pair", int64(s.Pair))
	e.optInt("attempt", int64(s.Attempt))
	e.optStr("opening", s.Opening)
	e.optStr("commitment", s.Commitment)
	e.optBool("rated", s.Rated)
}

func (e *enc) result(r game.Result) {
	e.key("points")
	e.pair(r.Points)
	if r.HasBoard {
		e.key("board")
		e.pair(r.Board)
	}
	e.key("reason")
	e.str(string(r.Reason))
	e.optStr("detail", r.Detail)
}

func (e *enc) pair(v [2]float64) {
	e.raw("[")
	e.float(v[0])
	e.raw(",")
	e.float(v[1])
	e.raw("]")
}

func (e *enc) end(r *Result) {
	e.result(r.Result)
	e.key("plies")
	e.int(int64(r.Plies))
	e.ints("used", [2]int64{int64(r.Used[0]), int64(r.Used[1])})
	e.optInt("late", int64(r.Late))
	e.optInt("warnings", int64(r.Warnings))
	e.resources(&r.Resources)
	if r.Engines != [2]string{} {
		e.strs("engines", r.Engines)
	}
	if r.Clocks != nil {
		e.clocks(r.Clocks)
	}
}

// resources writes two lists with a number for each seat; a time of -1 is an unknown
// one.
func (e *enc) resources(list *[2]Resources) {
	if !list[0].Known && !list[1].Known {
		return
	}
	cpu, memory := [2]int64{-1, -1}, [2]int64{}
	for i, r := range list {
		if r.Known {
			cpu[i], memory[i] = int64(r.CPU), r.Memory
		}
	}
	e.ints("cpu", cpu)
	if memory != [2]int64{} {
		e.ints("memory", memory)
	}
}

func (e *enc) strs(key string, v [2]string) {
	e.key(key)
	e.raw("[")
	e.str(v[0])
	e.raw(",")
	e.str(v[1])
	e.raw("]")
}

func (e *enc) ints(key string, v [2]int64) {
	e.key(key)
	e.raw("[")
	e.int(v[0])
	e.raw(",")
	e.int(v[1])
	e.raw("]")
}

func (e *enc) evidence(v *Evidence) {
	e.seat("seat", v.Seat)
	if len(v.Lines) > 0 {
		e.key("lines")
		e.raw("[")
		for _, l := range v.Lines {
			e.comma()
			e.str(l)
		}
		e.raw("]")
	}
	e.optStr("final", v.Final)
}

// appendTime appends a time as timeForm says, for years of four digits.
func appendTime(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, timeForm)
	}
	hour, minute, second := t.Clock()
	dst = appendDigits(dst, year, 1000)
	dst = appendDigits(append(dst, '-'), int(month), 10)
	dst = appendDigits(append(dst, '-'), day, 10)
	dst = appendDigits(append(dst, 'T'), hour, 10)
	dst = appendDigits(append(dst, ':'), minute, 10)
	dst = appendDigits(append(dst, ':'), second, 10)
	dst = appendDigits(append(dst, '.'), t.Nanosecond()/1000, 100000)
	return append(dst, 'Z')
}

// stamp remembers how the latest second was written: many events have the same.
type stamp struct {
	second int64
	text   [len("2006-01-02T15:04:05")]byte
	known  bool
}

// append does the same as appendTime.
func (s *stamp) append(dst []byte, t time.Time) []byte {
	if second := t.Unix(); !s.known || s.second != second {
		n := len(dst)
		dst = appendTime(dst, t)
		if s.known = len(dst)-n == len(timeForm); s.known {
			s.second = second
			copy(s.text[:], dst[n:])
		}
		return dst
	}
	dst = append(append(dst, s.text[:]...), '.')
	return append(appendDigits(dst, t.Nanosecond()/1000, 100000), 'Z')
}

// appendDigits appends n in as many digits as scale, a power of ten, has.
func appendDigits(dst []byte, n, scale int) []byte {
	for ; scale > 0; scale /= 10 {
		dst = append(dst, byte('0'+n/scale%10))
	}
	return dst
}
