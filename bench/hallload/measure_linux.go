package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"kibitz/link/procfs"
)

// span is what processes used in a part of a run, and what they held at its end.
type span struct {
	Seconds float64 `json:"seconds"`
	// Hall, Worker and Load are parts of one processor; Load is this program.
	Hall   float64 `json:"hall"`
	Worker float64 `json:"worker"`
	Load   float64 `json:"load"`
	// Resident sizes in bytes: of the hall, its peak so far, of the worker.
	Resident       int64 `json:"resident"`
	Peak           int64 `json:"peak"`
	WorkerResident int64 `json:"worker_resident"`
	// Sockets is the memory of the kernel for TCP on this machine, in bytes.
	Sockets int64 `json:"sockets"`
	// Average is the load of the machine over the last minute.
	Average float64 `json:"load_average"`
	Frames  uint64  `json:"frames"`
	Bytes   uint64  `json:"bytes"`
}

// mark is the state at the beginning of a span.
type mark struct {
	at                 time.Time
	hall, worker, load time.Duration
	frames, bytes      uint64
}

// measurement is a run.
type measurement struct {
	o       *options
	hall    *hall
	worker  *exec.Cmd
	crowd   *crowd
	current atomic.Pointer[[]string]
	begun   atomic.Int64 // how many rooms have had a game
	rooms   []string
	now     func() time.Time

	quiet, arriving, window, after span
	behind, slowBehind             int
	settled                        map[string]uint64
}

// measure runs a hall under load.
func measure(ctx context.Context, o *options) (*measurement, error) {
	return beside(ctx, o, (*measurement).loaded)
}

// beside does something beside a hall, which has begun, and its worker, which that begins.
func beside(ctx context.Context, o *options, do func(*measurement, context.Context) error) (*measurement, error) {
	m := &measurement{o: o, now: time.Now}
	m.current.Store(&[]string{})
	var err error
	if m.hall, err = startHall(ctx, o, o.dir, m.now, "--slots", "0"); err != nil {
		return nil, err
	}
	err = do(m, ctx)
	if m.worker != nil {
		_ = m.worker.Process.Kill() // its games end here
		_ = m.worker.Wait()
	}
	return m, errors.Join(err, m.hall.stop())
}

// loaded lets games and spectators come and looks at them.
func (m *measurement) loaded(ctx context.Context) error {
	if err := m.startWorker("-every", m.o.every.String()); err != nil {
		return err
	}
	if err := m.openRooms(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go m.follow(ctx)
	c, err := newCrowd(m.hall.addr, m.o, func() []string { return *m.current.Load() }, m.now)
	if err != nil {
		return err
	}
	m.crowd = c
	defer c.close()
	if err := m.await(ctx, time.Minute, m.allPlay); err != nil {
		return fmt.Errorf("not all games were begun within a minute: %w", err)
	}
	steps := []func(context.Context) error{m.measureQuiet, m.measureArrivals, m.measureWindow, m.measureSlow}
	for _, step := range steps {
		if err := errors.Join(step(ctx), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// startWorker starts this program once more, as a worker with further flags.
func (m *measurement) startWorker(flags ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	m.worker = exec.Command(self, append([]string{"drive", "-nats", m.hall.bus, "-slots", strconv.Itoa(m.o.games)}, flags...)...)
	m.worker.Stderr = os.Stderr
	return m.worker.Start()
}

// openRooms opens the rooms, twenty to a guest.
func (m *measurement) openRooms(ctx context.Context) error {
	const each = 20
	var g *guest
	for i := range m.o.games {
		var err error
		if i%each == 0 {
			if g, err = newGuest(ctx, m.hall.addr, i/each); err != nil {
				return err
			}
		}
		id, err := g.openRoom(ctx, m.o.specs[i%len(m.o.specs)], 1000)
		if err != nil {
			return err
		}
		m.rooms = append(m.rooms, id)
	}
	return nil
}

// follow keeps the list of the games that are played; it asks for 200 a second, as a page
// of the lobby does, so that asking does not become the load.
func (m *measurement) follow(ctx context.Context) {
	g := &guest{url: "http://" + m.hall.addr}
	begun := map[string]bool{}
	games := make([]string, len(m.rooms))
	for ctx.Err() == nil {
		if at, err := g.running(ctx); err == nil {
			games = slices.Clone(games)
			for i, id := range m.rooms {
				if at[id] != "" {
					games[i], begun[id] = at[id], true
				}
			}
			m.begun.Store(int64(len(begun)))
			m.current.Store(&games)
		}
		select {
		case <-time.After(time.Second * time.Duration(1+len(games)/200)):
		case <-ctx.Done():
		}
	}
}

// await lets spectators go on until done says so.
func (m *measurement) await(ctx context.Context, most time.Duration, done func() bool) error {
	end := m.now().Add(most)
	for m.now().Before(end) && ctx.Err() == nil {
		if done() {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.Join(errors.New("it took too long"), ctx.Err())
}

// allPlay reports whether every room has had a game.
func (m *measurement) allPlay() bool { return int(m.begun.Load()) == m.o.games }

// measureQuiet looks at games that nobody looks at.
func (m *measurement) measureQuiet(context.Context) error {
	time.Sleep(3 * time.Second) // all games have begun
	k := m.mark()
	time.Sleep(m.o.quiet)
	m.quiet = m.since(k)
	return nil
}

// measureArrivals lets all spectators come.
func (m *measurement) measureArrivals(context.Context) error {
	k := m.mark()
	most := time.Duration(float64(m.o.spectators)/m.o.arrivals*float64(time.Second))*2 + 30*time.Second
	err := m.crowd.run(most, func() bool { return m.crowd.open >= m.o.spectators*99/100 })
	m.arriving = m.since(k)
	if err == nil && m.crowd.open < m.o.spectators*9/10 {
		err = fmt.Errorf("only %d of %d spectators are connected: %s", m.crowd.open, m.o.spectators, m.crowd.tally.why)
	}
	return errors.Join(err, m.crowd.run(m.o.quiet, nil))
}

// measureWindow counts delays, then waits until all that was sent must have come.
func (m *measurement) measureWindow(context.Context) error {
	k := m.mark()
	m.crowd.from = m.now().UnixMilli()
	m.crowd.until = m.now().Add(m.o.window).UnixMilli()
	err := m.crowd.run(m.o.window, nil)
	m.window = m.since(k)
	m.settled = maps.Clone(m.crowd.latest)
	err = errors.Join(err, m.crowd.run(2*time.Second, nil))
	m.behind = m.crowd.behind(m.settled)
	return err
}

// measureSlow lets those who did not read read again, and waits until they are where the
// others are.
func (m *measurement) measureSlow(context.Context) error {
	if m.o.slow == 0 {
		return nil
	}
	k := m.mark()
	m.crowd.wake()
	err := m.crowd.run(10*time.Second, nil)
	m.slowBehind = m.crowd.slowBehind(m.crowd.latest)
	m.after = m.since(k)
	return err
}

func (m *measurement) mark() mark {
	k := mark{at: m.now()}
	k.hall, _ = procfs.CPU(m.hall.cmd.Process.Pid)
	k.worker, _ = procfs.CPU(m.worker.Process.Pid)
	k.load, _ = procfs.CPU(os.Getpid())
	k.frames = m.crowd.tally.frames + m.crowd.slow.frames
	k.bytes = m.crowd.tally.bytes + m.crowd.slow.bytes
	return k
}

func (m *measurement) since(k mark) span {
	n := m.mark()
	s := span{Seconds: n.at.Sub(k.at).Seconds(), Frames: n.frames - k.frames, Bytes: n.bytes - k.bytes}
	s.Hall, s.Worker, s.Load = (n.hall-k.hall).Seconds()/s.Seconds, (n.worker-k.worker).Seconds()/s.Seconds,
		(n.load-k.load).Seconds()/s.Seconds
	s.Resident, s.Peak = procfs.StatusOf(m.hall.cmd.Process.Pid).Resident, procfs.Peak(m.hall.cmd.Process.Pid)
	s.WorkerResident = procfs.StatusOf(m.worker.Process.Pid).Resident
	s.Sockets, s.Average = socketMemory(), loadAverage()
	return s
}

// starts measures how long the first answer takes: of a hall that is made, then of one
// that is there.
func starts(ctx context.Context, o *options) error {
	for _, what := range []string{"new folder", "folder that is there", "program not in memory"} {
		var all []time.Duration
		for i := range o.starts {
			dir := filepath.Join(o.dir, strconv.Itoa(i))
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			if what == "program not in memory" {
				if err := forget(o.program); err != nil {
					return err
				}
			}
			h, err := startHall(ctx, o, dir, time.Now)
			if err != nil {
				return err
			}
			if err := h.stop(); err != nil {
				return err
			}
			all = append(all, h.answered)
		}
		fmt.Printf("%s, %d starts: first answer after %s\n", what, len(all), spread(all))
	}
	fmt.Printf("load average %.1f\n", loadAverage())
	return nil
}

// forget lets the kernel forget a file, so that it is read from the disk again.
func forget(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was read
	if err := f.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
