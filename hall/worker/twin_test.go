package worker

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/player/remote"
	"kibitz/rules"
)

// hiddenTurn is how long a turn of the hidden seat takes: never as long as the test
// waits between two looks.
const hiddenTurn = 3007 * time.Millisecond

// untimed takes out the last update, which tells the end.
var untimed = regexp.MustCompile(`.*"Result":\{.*\n`)

// scripted plays what it was given; each turn takes the same time however many attempts
// are in it.
type scripted struct {
	steady
	turns []twin.Turn
	each  bool // each attempt takes the time
}

func (s *scripted) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	turn := s.turns[0]
	took := time.Second
	if n := time.Duration(len(turn)); !s.each {
		took = hiddenTurn / n
		if p.Again == len(turn)-1 {
			took = hiddenTurn - (n-1)*took
		}
	}
	time.Sleep(took)
	m := turn[p.Again]
	if p.Again == len(turn)-1 {
		s.turns = s.turns[1:]
	}
	return player.Answer{Steps: []game.Move{m}, Info: game.Info{Depth: 9, Text: "I see " + m.String()}}, nil
}

// told is all that the watched seat and the public get over the bus in a game: live
// events, the states of the seat, and the frames to a remote engine.
func told(t *testing.T, p bus.Play, watched game.Seat, build func(context.Context, *bus.Play) (*Setup, error), plays *scripted) string {
	t.Helper()
	h := newHall()
	_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w"})
	var s strings.Builder
	began := time.Now()
	far := func() {}
	h.add(p)
	if p.Seats[watched].Kind == bus.RemoteSeat {
		far = joinFar(t, h, watched, plays)
	}
	if p.Seats[watched].Kind == bus.PersonSeat {
		for n := 1; len(plays.turns) > 0; n++ {
			st := h.state(t, watched, "asked", func(st bus.SeatState) bool { return st.Prompt == n || st.Over })
			if st.Over {
				break
			}
			m := plays.turns[0][st.Again]
			if st.Again == len(plays.turns[0])-1 {
				plays.turns = plays.turns[1:]
			}
			time.Sleep(time.Second)
			h.do(t, bus.SeatInput{Seat: watched, Prompt: n, Steps: []string{journal.FormatMove(m)}}, "")
			if n == 2 {
				h.visit(t, watched, "go")
				h.visit(t, watched, (awayShown + time.Second).String())
				h.visit(t, watched, "come")
			}
		}
	}
	r := h.result(t, "g")
	far()
	end()
	if h.plays["g"].Spec.ID() == "phantomgo" && len(h.printed)+len(h.consoles) > 0 {
		t.Errorf("what engines print is told: %+v", h.printed)
	}
	if r.Fault != "" || r.Result.Reason == game.ByIllegal {
		t.Fatalf("%+v", r)
	}
	for _, to := range []game.Audience{game.Public, game.To(watched)} {
		for _, l := range h.live[to] {
			ev, err := journal.ParseEvent(l.Line)
			if err != nil {
				t.Fatal(err)
			}
			if ev.Result != nil {
				break // the end of a game tells who had what
			}
			if ev.View != nil && ev.View.Result != nil {
				break
			}
			line := strings.ReplaceAll(string(l.Line), ev.Time.UTC().Format("2006-01-02T15:04:05.000000Z"), ev.Time.Sub(began).String())
			if ev.Presence != nil {
				line = strings.ReplaceAll(line, ev.Presence.Since.UTC().Format(time.RFC3339Nano), ev.Presence.Since.Sub(began).String())
			}
			s.WriteString(line[:strings.LastIndex(line, `,"crc"`)] + "\n")
		}
	}
	last := ""
	for _, st := range h.states[watched] {
		if st.Over {
			break
		}
		if st.Prompt == 0 {
			continue // each state replaces the one before: how many are sent is chance
		}
		st.Seq, st.Away = 0, false // whether the seat itself has given a sign is no news to it
		if !st.Deadline.IsZero() {
			st.Deadline = time.Unix(0, 0).Add(st.Deadline.Sub(began))
		}
		data, err := json.Marshal(st)
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != last {
			last = string(data)
			s.WriteString(last + "\n")
		}
	}
	if p.Seats[watched].Kind == bus.PersonSeat && strings.Count(s.String(), `"away":true`) != 2 { // to the seat and to the public
		t.Errorf("that somebody was away is not told: %s", s.String())
	}
	frames := h.sent.String()
	if i := strings.Index(frames, `"k":"over"`); i >= 0 {
		frames = frames[:i]
	}
	return s.String() + untimed.ReplaceAllString(frames, "")
}

// joinFar lets a player answer for a seat from the other end of the bus.
func joinFar(t *testing.T, h *hall, seat game.Seat, p player.Player) (end func()) {
	t.Helper()
	h.until(t, "the seat is served", func() bool { return h.seats[seat] != nil })
	client := remote.NewClient(p, h.plays["g"].Spec, time.Now)
	down := make(chan []byte, 10000)
	h.frames[seat] = func(f []byte) { down <- append([]byte(nil), f...) }
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- client.Serve(ctx, &seatConn{h, seat, down}) }()
	return func() {
		if err := <-served; !errors.Is(err, remote.ErrClosed) {
			t.Errorf("the far end: %v", err)
		}
		cancel()
		client.Close()
	}
}

// twinSetup makes a game of which the hidden seat plays a script.
func twinSetup(r rules.Rules, seats [2]*scripted, dealer rules.Dealer) func(context.Context, *bus.Play) (*Setup, error) {
	return func(_ context.Context, p *bus.Play) (*Setup, error) {
		out := &Setup{Rules: r, Dealer: dealer}
		for s := range out.Sides {
			c, err := clock.Parse(p.Seats[s].Clock)
			if err != nil {
				return nil, err
			}
			out.Sides[s].Clock = c
			if p.Seats[s].Kind == bus.BotSeat {
				out.Sides[s].Player = seats[s]
			}
		}
		return out, nil
	}
}

// Games of Phantom Go that differ in nothing that a seat may know send it, and the
// public, the same bytes.
func TestTwinPhantomGo(t *testing.T) {
	const spec = "phantomgo:size=5,maxplies=40"
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	compared, different := 0, 0
	seeds := uint64(8)
	if testing.Short() {
		seeds = 3
	}
	for _, watched := range []game.Seat{game.First, game.Second} {
		for seed := range seeds {
			a, b, _, err := twin.Pair(r, watched, 40, seed)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(a.Final, "plies=40") || strings.Contains(a.Final, "passes=2") {
				continue
			}
			for _, kind := range []bus.SeatKind{bus.PersonSeat, bus.BotSeat, bus.RemoteSeat} {
				synctest.Test(t, func(t *testing.T) {
					var out [2]string
					for i, g := range []*twin.Game{&a, &b} {
						p := bots("g", r.Spec())
						p.Lines, p.Open, p.Console, p.Keep, p.Rules = true, true, true, true, bus.Rules{}
						p.Seed = []byte{byte(i)}
						p.Seats[watched].Kind = kind
						for s := range p.Seats {
							p.Seats[s].Clock = "600+1"
						}
						var seats [2]*scripted
						for s := range seats {
							seats[s] = &scripted{turns: append([]twin.Turn(nil), g.Seats[s]...), each: game.Seat(s) == watched}
						}
						out[i] = told(t, p, watched, twinSetup(r, seats, nil), seats[watched])
					}
					if out[0] != out[1] {
						t.Errorf("seed %d, %s watched as %s: %s", seed, watched, kind, twin.Difference(out[0], out[1]))
					}
					if len(out[0]) < 5000 {
						t.Errorf("too little was told: %s", out[0])
					}
					compared++
					if a.Final != b.Final {
						different++
					}
				})
			}
		}
	}
	if compared < int(seeds) || different < int(seeds)/2 {
		t.Errorf("%d pairs, %d of them differ", compared, different)
	}
}

// fixed deals what it was told to, in order.
type fixed struct{ deals []int }

func (f *fixed) Deal(s rules.State) (game.Move, error) {
	list := s.(rules.Chance).Outcomes(nil)
	n := f.deals[0]
	f.deals = f.deals[1:]
	for _, o := range list {
		if int(o.Move.Arg) == n {
			return o.Move, nil
		}
	}
	return list[0].Move, nil
}

// Games of dark chess on different shuffles, of which the pieces turned over so far
// are the same, send the same bytes to a seat and the public: the seed of the shuffle
// is in none of them.
func TestTwinDarkChess(t *testing.T) {
	r, err := games.Open("darkchess")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var out [2]string
		for i := range out {
			p := bots("g", r.Spec())
			p.Keep, p.Lines, p.Open, p.Console = true, true, true, true
			p.Seed = []byte(strings.Repeat(string(rune('A'+i)), 32))
			p.Seats[0].Kind = bus.PersonSeat
			dealer := &fixed{deals: []int{0, 7, 3, 9, 2, 11, 5, 1}}
			flips := [2]*scripted{{}, {}}
			for n := range 8 {
				flips[n%2].turns = append(flips[n%2].turns, twin.Turn{game.FlipAt(game.Pt(n%4, n/4))})
			}
			flips[0].turns = append(flips[0].turns, twin.Turn{game.ResignMove()})
			out[i] = told(t, p, game.First, twinSetup(r, flips, dealer), flips[0])
		}
		if out[0] != out[1] {
			t.Error(twin.Difference(out[0], out[1]))
		}
		if len(out[0]) < 5000 || strings.Contains(out[0], "AAAA") || strings.Contains(out[0], "QUFB") || strings.Contains(out[0], "41414141") {
			t.Errorf("%d bytes: %.200s", len(out[0]), out[0])
		}
	})
}
