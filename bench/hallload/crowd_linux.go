package main

import (
	"errors"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// tally counts what spectators see.
type tally struct {
	// frames are all events, snapshots those that are whole states, late the snapshots
	// in place of deltas that somebody was too slow for.
	frames, snapshots, late uint64
	bytes                   uint64
	// gaps are deltas that do not follow what was there, ends games seen to their end.
	gaps, ends uint64
	// broken are connections that ended in the middle, failed those that were refused.
	broken, failed uint64
	why            string // of the latest of them
}

// crowd is all spectators, in one goroutine over one epoll: what it costs must not
// disturb what it measures.
type crowd struct {
	addr  unix.SockaddrInet4
	host  string
	now   func() time.Time
	games func() []string // the current game of each room, "" for none
	poll  int
	buf   []byte
	list  []spectator
	// tally is of those who read, slow of the others.
	tally, slow tally
	delays      *delays
	// from and until bound the events whose delay counts, in milliseconds since 1970.
	from, until int64
	latest      map[string]uint64 // of each game the latest event that anybody saw
	awake       bool              // slow readers read again
	perSecond   float64           // new connections
	credit      float64
	ticked      time.Time
	open        int
}

func newCrowd(addr string, o *options, games func() []string, now func() time.Time) (*crowd, error) {
	a, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil {
		return nil, err
	}
	c := &crowd{
		host: addr, now: now, games: games, buf: make([]byte, 256<<10), list: make([]spectator, o.spectators), delays: &delays{},
		latest: map[string]uint64{}, perSecond: o.arrivals, ticked: now(),
	}
	c.addr.Port = a.Port
	copy(c.addr.Addr[:], a.IP.To4())
	slow := 0
	for i := range c.list {
		s := &c.list[i]
		s.fd, s.room = -1, int32(i%o.games)
		if float64(i+1)*o.slow >= float64(slow+1) {
			s.habit = silent + habit(slow%2)
			slow++
		}
	}
	c.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	return c, err
}

func (c *crowd) close() {
	for i := range c.list {
		c.hangUp(&c.list[i])
	}
	_ = unix.Close(c.poll)
}

// run works for a while, or until done says so.
func (c *crowd) run(d time.Duration, done func() bool) error {
	events := make([]unix.EpollEvent, 256)
	for end := c.now().Add(d); ; {
		now := c.now()
		if !now.Before(end) {
			return nil
		}
		if now.Sub(c.ticked) >= 100*time.Millisecond {
			c.tick(now)
			if done != nil && done() {
				return nil
			}
		}
		n, err := unix.EpollWait(c.poll, events, 50)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		for i := range max(0, n) {
			c.ready(int(events[i].Fd))
		}
	}
}

// ready serves a connection on which something has happened.
func (c *crowd) ready(i int) {
	s := &c.list[i]
	switch {
	case s.fd < 0:
	case !s.sent:
		c.check(s, s.ask(c.host, c.watch(i, unix.EPOLL_CTL_MOD, unix.EPOLLIN)))
	default:
		c.take(i, c.buf)
		if s.fd >= 0 && s.habit != reads && s.known && !c.awake {
			c.check(s, c.watch(i, unix.EPOLL_CTL_DEL, 0)())
		}
	}
}

// watch returns what asks the kernel for events of a connection.
func (c *crowd) watch(i, op int, events uint32) func() error {
	return func() error {
		return unix.EpollCtl(c.poll, op, int(c.list[i].fd), &unix.EpollEvent{Events: events, Fd: int32(i)})
	}
}

// wake lets all slow readers read what there is.
func (c *crowd) wake() {
	c.awake = true
	for i := range c.list {
		if s := &c.list[i]; s.fd >= 0 && s.habit != reads && s.known {
			c.check(s, c.watch(i, unix.EPOLL_CTL_ADD, unix.EPOLLIN)())
		}
	}
}

// tick connects who is due and lets those read who crawl.
func (c *crowd) tick(now time.Time) {
	c.credit = min(c.perSecond, c.credit+c.perSecond*now.Sub(c.ticked).Seconds())
	second := now.Unix() != c.ticked.Unix()
	c.ticked = now
	games := c.games()
	for i := range c.list {
		s := &c.list[i]
		switch g := games[s.room]; {
		case s.fd >= 0:
			if second && s.habit == crawls && s.known && !c.awake {
				c.take(i, c.buf[:crawl])
			}
		case c.credit >= 1 && !now.Before(s.pause) && (s.game != g && g != "" || s.broken):
			c.credit--
			if !s.broken {
				s.game, s.attempt, s.seq, s.known = g, 0, 0, false
			}
			c.check(s, s.dial(i, &c.addr))
			if s.fd >= 0 {
				c.open++
				c.check(s, c.watch(i, unix.EPOLL_CTL_ADD, unix.EPOLLOUT)())
			}
		}
	}
}

// take reads once.
func (c *crowd) take(i int, buf []byte) {
	s := &c.list[i]
	n, err := unix.Read(int(s.fd), buf)
	if errors.Is(err, unix.EAGAIN) {
		return
	}
	t := c.of(s)
	if err == nil && n == 0 {
		err = errors.New("the connection was closed in the middle of the game")
	}
	if err == nil {
		t.bytes += uint64(n)
		now := c.now().UnixMilli()
		err = s.feed.read(buf[:n], func(f frame) { c.saw(s, t, f, now) })
	}
	if errors.Is(err, errEnd) && s.over {
		t.ends++
		c.hangUp(s)
		return
	}
	c.check(s, err)
}

// check lets a spectator come back after an error.
func (c *crowd) check(s *spectator, err error) {
	if err == nil {
		return
	}
	t := c.of(s)
	t.why = err.Error()
	if s.known {
		t.broken++
	} else {
		t.failed++
	}
	c.hangUp(s)
	s.broken, s.pause = true, c.now().Add(time.Second)
}

func (c *crowd) of(s *spectator) *tally {
	if s.habit == reads {
		return &c.tally
	}
	return &c.slow
}

func (c *crowd) hangUp(s *spectator) {
	if s.fd < 0 {
		return
	}
	_ = unix.Close(int(s.fd))
	s.fd = -1
	c.open--
}

// saw counts an event; now is in milliseconds since 1970.
func (c *crowd) saw(s *spectator, t *tally, f frame, now int64) {
	switch f.kind {
	case 'v':
		t.frames++
		t.snapshots++
		if s.known {
			t.late++
		}
	case 'd':
		t.frames++
		if !s.known || f.attempt != s.attempt || f.prev != s.seq {
			t.gaps++
		}
		if s.habit == reads && f.at >= c.from && f.at < c.until {
			c.delays.add(time.Duration(now-f.at) * time.Millisecond)
		}
	case 'o':
		s.over = true
		return
	default:
		return
	}
	s.known, s.broken, s.attempt, s.seq = true, false, f.attempt, f.seq
	if f.seq > c.latest[s.game] {
		c.latest[s.game] = f.seq
	}
}

// behind returns how many of those who read have not come to where their game was, by
// the events that anybody had seen.
func (c *crowd) behind(latest map[string]uint64) int {
	return c.count(func(s *spectator) bool { return s.habit == reads && s.seq < latest[s.game] })
}

// slowBehind is the same of those who did not read; the latest move may be on its way.
func (c *crowd) slowBehind(latest map[string]uint64) int {
	const move = 4
	return c.count(func(s *spectator) bool { return s.habit != reads && s.seq+move < latest[s.game] })
}

func (c *crowd) count(what func(*spectator) bool) (n int) {
	for i := range c.list {
		if what(&c.list[i]) {
			n++
		}
	}
	return n
}
