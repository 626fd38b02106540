package journal

import (
	"bytes"
	"time"

	"kibitz/game"
)

// maxRoom bounds the room that is made before anything is read.
const maxRoom = 64

// text takes a text that often comes again, ownText any other.
func (q *quick) text() string {
	w := q.word()
	if q.memory != nil {
		return q.memory.texts.get(w)
	}
	return string(w)
}

func (q *quick) ownText() string { return string(q.word()) }

func (q *quick) seat() game.Seat {
	switch string(q.word()) {
	case "first":
		return game.First
	case "second":
		return game.Second
	case "dealer":
		return game.Dealer
	case "nobody":
		return game.Nobody
	}
	q.odd = true
	return game.Nobody
}

func (q *quick) audience() game.Audience {
	switch string(q.word()) {
	case "first":
		return game.ToFirst
	case "second":
		return game.ToSecond
	case "public":
		return game.Public
	case "arbiter":
		return game.Arbiter
	}
	q.odd = true
	return game.Arbiter
}

// time takes a time as timeForm writes it.
func (q *quick) time() time.Time {
	b := q.rest()
	if len(b) < len(timeForm) || b[19] != '.' || b[26] != 'Z' {
		q.odd = true
		return time.Time{}
	}
	micro := q.digits(b[20:26])
	q.at += len(timeForm)
	m := q.memory
	if m == nil {
		return q.second(b[:19]).Add(time.Duration(micro) * time.Microsecond)
	}
	if !m.known || m.second != [len(m.second)]byte(b) {
		m.at, m.second = q.second(b[:19]), [len(m.second)]byte(b)
		m.known = !q.odd
	}
	return m.at.Add(time.Duration(micro) * time.Microsecond)
}

// second reads 2006-01-02T15:04:05.
func (q *quick) second(b []byte) time.Time {
	year, month, day := q.digits(b[:4]), q.digits(b[5:7]), q.digits(b[8:10])
	hour, minute, second := q.digits(b[11:13]), q.digits(b[14:16]), q.digits(b[17:19])
	at := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' || month < 1 || month > 12 ||
		at.Day() != day || hour > 23 || minute > 59 || second > 59 {
		q.odd = true // the 31st of a month of 30 days is another day
	}
	return at
}

func (q *quick) digits(b []byte) int {
	n := 0
	for _, c := range b {
		if c -= '0'; c > 9 {
			q.odd = true
		}
		n = n*10 + int(c)
	}
	return n
}

// moves takes a list of moves, nil for an empty one.
func (q *quick) moves() []game.Move {
	q.need("[")
	if q.odd || q.lit("]") {
		return nil
	}
	end := bytes.IndexByte(q.rest(), ']') // no move holds one
	if end < 0 {
		q.odd = true
		return nil
	}
	list := q.room(bytes.Count(q.rest()[:end], []byte{'"'}) / 2)
	for i := range list {
		if i > 0 {
			q.need(",")
		}
		q.need(`"`)
		list[i] = q.move()
		q.need(`"`)
	}
	q.need("]")
	return list
}

// room returns a list of n moves to be filled.
func (q *quick) room(n int) []game.Move {
	if q.memory == nil {
		return make([]game.Move, n)
	}
	have := len(q.memory.moves)
	if cap(q.memory.moves)-have < n {
		q.memory.moves, have = make([]game.Move, 0, min(2*have, maxChunk)+n), 0 // events keep the lists before
	}
	q.memory.moves = q.memory.moves[:have+n]
	return q.memory.moves[have : have+n : have+n]
}

func (q *quick) clocks(list *[2]Clock) {
	q.need(`,"clocks":[`)
	list[0] = q.clock()
	q.need(",")
	list[1] = q.clock()
	q.need("]")
}

func (q *quick) clock() Clock {
	var v [5]int64
	q.need("[")
	for i := range v {
		if q.lit("]") {
			return clockFrom(v[:i])
		}
		if i > 0 {
			q.need(",")
		}
		v[i] = q.int()
	}
	q.need("]")
	return clockFrom(v[:])
}

// turn takes who decides next.
func (q *quick) turn() (t game.Turn) {
	q.need(`,"next":[`)
	t.Seat = q.seat()
	q.need(",")
	t.Step = q.size()
	q.need(",")
	t.Phase = q.text()
	q.need("]")
	return t
}
