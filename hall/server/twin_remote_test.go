package server

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/internal/twin"
	pl "kibitz/player"
	"kibitz/player/remote"
)

// frames are the messages that a remote engine was sent by the referee, by their number.
type frames struct {
	conn *websocket.Conn
	mu   sync.Mutex
	list map[int]string
	text []string
	in   chan []byte
}

func (f *frames) Send(data []byte) error {
	return f.conn.Write(context.Background(), websocket.MessageBinary, data)
}

func (f *frames) Recv(ctx context.Context) ([]byte, error) {
	select {
	case data, ok := <-f.in:
		if !ok {
			return nil, errors.New("closed")
		}
		return data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// read keeps what comes until the connection ends.
func (f *frames) read(ctx context.Context) {
	defer close(f.in)
	for {
		kind, data, err := f.conn.Read(ctx)
		if err != nil {
			return
		}
		f.mu.Lock()
		if kind == websocket.MessageText {
			f.text = append(f.text, string(data))
			f.mu.Unlock()
			continue
		}
		var x struct{ N int }
		if json.Unmarshal(data, &x) == nil && x.N > 0 {
			f.list[x.N] = string(data)
		}
		f.mu.Unlock()
		select {
		case f.in <- data:
		case <-ctx.Done():
			return
		}
	}
}

// String is what came: the referee's in order, then what the hall told of games, then the
// room as it was told last. Which states of it are overtaken, and whether it or a game is
// told first, is between the room and the bus.
func (f *frames) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	for n := 1; n <= len(f.list); n++ {
		b.WriteString(f.list[n] + "\n")
	}
	room := ""
	for _, text := range f.text {
		if strings.HasPrefix(text, `{"room":`) {
			room = text
			continue
		}
		b.WriteString(text + "\n")
	}
	return b.String() + room
}

// settled waits until the room was told as it is, playing, and returns what came.
func (f *frames) settled(t *testing.T) string {
	t.Helper()
	for n := 0; ; n++ {
		if s := f.String(); strings.Contains(s[strings.LastIndexByte(s, '\n')+1:], `"phase":"playing"`) {
			return s
		}
		if n == 3000 {
			t.Fatalf("the engine is not told that its room plays: %s", f)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// attempts plays a script, one attempt for each question, and then thinks.
type attempts struct {
	list []game.Move
	n    int
	idle chan struct{}
}

func (p *attempts) NewGame(context.Context, *pl.Setup) error { return nil }
func (p *attempts) Tell(*pl.Update)                          {}
func (p *attempts) Stop()                                    {}
func (p *attempts) Over(game.Result)                         {}
func (p *attempts) Close() error                             { return nil }

func (p *attempts) Choose(ctx context.Context, _ *pl.Prompt) (pl.Answer, error) {
	if p.n == len(p.list) {
		close(p.idle)
		<-ctx.Done()
		return pl.Answer{}, ctx.Err()
	}
	p.n++
	return pl.Answer{Steps: []game.Move{p.list[p.n-1]}}, nil
}

// beginRemote begins a game between bert and an engine of fay's elsewhere, over the
// websocket of its place.
func (s *scene) beginRemote(name string, script twin.Game) {
	s.t.Helper()
	s.clock.step()
	fay := s.looks["fay"]
	g := &twinGame{seats: [2]*client{s.bert, fay}, turns: script.Seats}
	g.room = s.bert.open(map[string]any{"game": twinSpec, "clocks": []string{"600+1", "600+1"}})
	fay.order(g.room, "enter", nil)
	s.bert.order(g.room, "sit", map[string]any{"place": 0, "kind": "person"})
	fay.order(g.room, "sit", map[string]any{"place": 1, "kind": "remote", "name": "far"})
	ctx, cancel := context.WithCancel(context.Background())
	path := roomsPath + "/" + g.room + "/seat?place=1"
	conn, _, err := websocket.Dial(ctx, s.url+path, &websocket.DialOptions{HTTPHeader: fay.request("GET", path, nil).Header}) //nolint:bodyclose // the library has closed it
	if err != nil {
		s.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	s.frame = &frames{conn: conn, list: map[int]string{}, in: make(chan []byte, 100)}
	p := &attempts{idle: make(chan struct{})}
	for _, turn := range script.Seats[1] {
		p.list = append(p.list, turn...)
	}
	c := remote.NewClient(p, twinSpec, s.clock.now)
	var wg sync.WaitGroup
	wg.Go(func() { s.frame.read(ctx) })
	wg.Go(func() { _ = c.Serve(ctx, s.frame) })
	s.t.Cleanup(func() { cancel(); _ = conn.CloseNow(); wg.Wait(); c.Close() })
	for n := 0; !strings.Contains(s.frame.String(), `"room"`); n++ {
		if n == 3000 {
			s.t.Fatal("the engine is not told of the room")
		}
		time.Sleep(10 * time.Millisecond)
	}
	fay.order(g.room, "ready", nil)
	g.id = s.bert.order(g.room, "start", nil).Room.Game.ID
	s.ready(name, g)
}
