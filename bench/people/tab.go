package people

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/live"
	"kibitz/hall/room"
	"kibitz/internal/hallclient"
)

// news is what a page was told. One of its parts is set.
type news struct {
	room *roomNews
	game string // which the rest is about
	// state is the game after a view or delta; fresh are the entries that came with it.
	state *live.State
	fresh []live.Entry
	undid bool
	seat  *bus.SeatState
	over  bool
	// broken is why a stream ended that should not have.
	broken error
}

// roomNews is a room as the hall tells it.
type roomNews struct {
	ID   string     `json:"id"`
	Room room.Shown `json:"room"`
}

// tab is a page of a room: the streams that a browser holds open, over connections of
// its own.
type tab struct {
	hall, cookie string
	client       *http.Client
	out          chan<- news
	ctx          context.Context
	cancel       context.CancelFunc
	wg           sync.WaitGroup

	mu    sync.Mutex
	conns []*wire
}

// wire is a connection whose network can fail: nothing comes through any more, and
// nobody is told until it is dropped.
type wire struct {
	net.Conn
	lost, ended chan struct{}
	once, end   sync.Once
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	select {
	case <-w.lost:
		<-w.ended
		return 0, net.ErrClosed
	default:
		return n, err
	}
}

func (w *wire) Close() error {
	w.end.Do(func() { close(w.ended) })
	return w.Conn.Close()
}

// openTab opens a page of a room that tells out what happens until it is closed.
func openTab(ctx context.Context, hall, cookie string, ip net.IP, roomID string, out chan<- news) *tab {
	t := &tab{hall: hall, cookie: cookie, out: out}
	t.ctx, t.cancel = context.WithCancel(ctx)
	transport := hallclient.From(ip)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		w := &wire{Conn: c, lost: make(chan struct{}), ended: make(chan struct{})}
		t.mu.Lock()
		t.conns = append(t.conns, w)
		t.mu.Unlock()
		return w, nil
	}
	t.client = &http.Client{Transport: transport}
	t.wg.Go(func() { t.watchRoom(roomID) })
	return t
}

// close closes the page; the hall sees the connections end.
func (t *tab) close() {
	t.cancel()
	t.wg.Wait()
	t.client.CloseIdleConnections()
}

// lose takes the network away: nothing that the hall sends is read, and it hears no end.
// What close does later is what a router does in the end.
func (t *tab) lose() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range t.conns {
		if c, ok := w.Conn.(*net.TCPConn); ok {
			_ = c.SetLinger(0) // the end of it is a reset
		}
		w.once.Do(func() { close(w.lost) })
	}
}

func (t *tab) say(n news) bool {
	select {
	case t.out <- n:
		return true
	case <-t.ctx.Done():
		return false
	}
}

// watchRoom follows the room, and each game that it plays.
func (t *tab) watchRoom(id string) {
	playing := ""
	t.follow("/rooms/"+id+"/events", func(_, kind string, data []byte) error {
		if kind != "change" {
			return nil
		}
		n := roomNews{}
		if err := json.Unmarshal(data, &n); err != nil {
			return err
		}
		if !t.say(news{room: &n}) { // first: what is told of a game is not for him who does not know it
			return errDone
		}
		if g := n.Room.Game; g != nil && g.ID != playing {
			playing = g.ID
			t.wg.Go(func() { t.watchGame(g.ID) })
		}
		return nil
	})
}

// errDone ends a stream that is not wanted any more.
var errDone = errors.New("not wanted any more")

func (t *tab) watchGame(id string) {
	var st live.State
	t.follow("/games/"+id+"/events", func(_, kind string, data []byte) error {
		n := news{game: id}
		switch kind {
		case "view":
			st = live.State{}
			if err := json.Unmarshal(data, &st); err != nil {
				return err
			}
			n.fresh = st.History
		case "delta":
			var d live.Delta
			if err := json.Unmarshal(data, &d); err != nil {
				return err
			}
			next, err := live.Apply(st, &d)
			if err != nil {
				return err
			}
			st, n.fresh, n.undid = next, d.Entries, d.Rewind > 0
		case "seat":
			n.seat = &bus.SeatState{}
			if err := json.Unmarshal(data, n.seat); err != nil {
				return err
			}
		case "over":
			t.say(news{game: id, over: true})
			return errDone
		default:
			return nil
		}
		if n.seat == nil {
			now := st
			n.state = &now
		}
		if !t.say(n) {
			return errDone
		}
		return nil
	})
}

// follow reads a stream until fn or the page ends it. A stream that breaks is opened
// again with the number of its latest event, as browsers do.
func (t *tab) follow(path string, fn func(id, kind string, data []byte) error) {
	last := ""
	for t.ctx.Err() == nil {
		err := t.stream(path, &last, fn)
		if errors.Is(err, errDone) || t.ctx.Err() != nil {
			return
		}
		if !t.say(news{broken: fmt.Errorf("%s: %w", path, err)}) {
			return
		}
		if pause(t.ctx, time.Second) != nil {
			return
		}
	}
}

// stream reads one connection.
func (t *tab) stream(path string, last *string, fn func(id, kind string, data []byte) error) error {
	req, err := http.NewRequestWithContext(t.ctx, http.MethodGet, t.hall+"/api/v1"+path, http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/x-ndjson")
	req.Header.Set("Cookie", t.cookie)
	if *last != "" {
		req.Header.Set("Last-Event-ID", *last)
	}
	res, err := t.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	if res.StatusCode != http.StatusOK {
		return &hallclient.RefusedError{Method: http.MethodGet, Path: path, Status: res.StatusCode}
	}
	sc := bufio.NewScanner(res.Body)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		if len(sc.Bytes()) == 0 {
			continue
		}
		var e struct {
			ID, Event string
			Data      json.RawMessage
		}
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			return err
		}
		if err := fn(e.ID, e.Event, e.Data); err != nil {
			return err
		}
		if e.ID != "" {
			*last = e.ID
		}
	}
	return errors.Join(sc.Err(), errors.New("the stream ended in the middle"))
}

// pause waits for a time, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
