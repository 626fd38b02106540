package protocol

import (
	"kibitz/link"
	"kibitz/player"
)

// Spent sums up what the processes of a player have consumed that have ended. The
// zero value is that of a player that has had none.
type Spent struct {
	sum     player.Used
	unknown bool // one of them could not be asked
	sched   player.Sched
	floods  int64
}

// Add takes a connection that has ended, or whose process nobody will ask again.
func (s *Spent) Add(conn link.Conn) {
	var known bool
	s.sum, known = s.with(conn)
	s.unknown = !known
	s.sched, _ = s.schedWith(conn)
	s.floods = s.floodsWith(conn)
}

// Floods is what player.Flooder asks for, while no process runs.
func (s *Spent) Floods() int64 { return s.floods }

// floodsWith adds how often a connection has brought a flood; nil has none.
func (s *Spent) floodsWith(conn link.Conn) int64 {
	if c, ok := conn.(link.Counter); ok {
		return s.floods + c.Counts().Floods
	}
	return s.floods
}

// schedWith adds how the process of a connection was scheduled; nil has none.
func (s *Spent) schedWith(conn link.Conn) (player.Sched, bool) {
	x, ok := conn.(link.Scheduled)
	if !ok {
		return s.sched, false
	}
	now, ok := x.Sched()
	return player.Sched{Ran: s.sched.Ran + now.Ran, Waited: s.sched.Waited + now.Waited}, ok
}

// Used is what player.Meter asks for, while no process runs.
func (s *Spent) Used() (player.Used, bool) { return s.with(nil) }

// with adds what the process of a connection has consumed; nil has none.
func (s *Spent) with(conn link.Conn) (player.Used, bool) {
	if conn == nil {
		return s.sum, !s.unknown
	}
	m, ok := conn.(link.Meter)
	if !ok {
		return s.sum, false
	}
	u, ok := m.Used()
	return s.and(u), ok && !s.unknown
}

// begin forgets the peak, also that of a connection's process, and is else as with.
func (s *Spent) begin(conn link.Conn) (player.Used, bool) {
	s.sum.Peak = 0
	m, ok := conn.(link.Meter)
	if !ok {
		return s.with(conn)
	}
	u, ok := m.Begin()
	return s.and(u), ok && !s.unknown
}

// and adds what a running process has consumed.
func (s *Spent) and(u link.Used) player.Used {
	return player.Used{CPU: s.sum.CPU + u.CPU, Peak: max(s.sum.Peak, u.Peak)}
}

// Begin is what player.Meter asks for, while no process runs.
func (s *Spent) Begin() (player.Used, bool) { return s.begin(nil) }
