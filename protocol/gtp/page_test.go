package gtp

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
)

// TestPage plays the conversations of the page for engine authors on both ends: the
// host says what is behind > when it is told the same game, and the engine side
// answers what is behind < when its player decides that.
func TestPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/protocols/gtp.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, id := range forms.games() {
		if !strings.Contains(page, "| `"+id+"` | ") {
			t.Errorf("the page has no row for %s", id)
		}
	}
	parts := strings.Split(page, "```conversation ")[1:]
	if len(parts) != 5 {
		t.Errorf("%d conversations, want one for each of five games", len(parts))
	}
	for _, part := range parts {
		id, rest, _ := strings.Cut(part, "\n")
		text, _, closed := strings.Cut(rest, "```")
		if !closed {
			t.Fatalf("%s: the conversation has no end", id)
		}
		e := newExample(t, id, text)
		t.Run(id+" host", e.host)
		t.Run(id+" engine", e.engine)
	}
}

// example is a conversation of the page.
type example struct {
	t     *testing.T
	spec  game.Spec
	form  Form
	lines []exchange
	size  int
}

type exchange struct{ command, reply string }

func newExample(t *testing.T, id, text string) *example {
	t.Helper()
	r, err := games.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	f, err := forms.of(id)
	if err != nil {
		t.Fatal(err)
	}
	e := &example{t: t, spec: r.Spec(), form: f, size: f.Size}
	for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		switch {
		case strings.HasPrefix(l, "> "):
			e.lines = append(e.lines, exchange{command: l[2:]})
		case strings.HasPrefix(l, "< ") && len(e.lines) > 0:
			e.lines[len(e.lines)-1].reply = l[2:]
		default:
			t.Fatalf("line %q", l)
		}
	}
	return e
}

// read returns what a turn or an answer says.
func (e *example) read(text string) []game.Move {
	e.t.Helper()
	n, err := e.form.lettering(e.size, e.size, "", "")
	if err != nil {
		e.t.Fatal(err)
	}
	steps, err := e.form.Turn.read(nil, n, []byte(text), nil)
	if err != nil {
		e.t.Fatalf("%q: %v", text, err)
	}
	return steps
}

// host tells the host what the conversation says and compares what it asks.
func (e *example) host(t *testing.T) {
	var script strings.Builder
	script.WriteString("> protocol_version\n< = 2\n> name\n< = E\n> list_commands\n<\"= play komi " + strings.Join(phantomCommands, " ") + "\\n\\n\"\n> version\n< =\n")
	first := ""
	for _, l := range e.lines {
		script.WriteString("> " + l.command + "\n< " + l.reply + "\n")
		if f := strings.Fields(l.command); first == "" && len(f) > 1 && (f[0] == "genmove" || f[0] == phantomSeat) {
			first = f[1]
		}
	}
	h, err := forms.NewHost(protocol.Config{Name: "E", Now: time.Now, Dial: linktest.Dialer(t, script.String()+"> quit\n!exit 0\n")})
	if err != nil {
		t.Fatal(err)
	}
	seat := game.First
	if first == "w" {
		seat = game.Second
	}
	var l player.Ledger
	l.Start(seat, e.size, e.size, phantomPhase)
	setup := &player.Setup{Spec: e.spec, Width: e.size, Height: e.size, Seat: seat, Colours: l.Colours()}
	if err := h.NewGame(context.Background(), setup); err != nil {
		t.Fatal(err)
	}
	for _, x := range e.lines {
		word, rest, _ := strings.Cut(x.command, " ")
		_, text, _ := strings.Cut(rest, " ")
		points := []game.Point(nil)
		if strings.HasPrefix(word, "kibitz-") && text != "" {
			n, _ := e.form.lettering(e.size, e.size, "", "")
			if points, err = readPoints(nil, n, []byte(text), 9); err != nil {
				t.Fatal(err)
			}
		}
		switch word {
		case "play":
			h.Tell(&player.Update{By: seat.Other(), Steps: e.read(text), Ended: true})
		case phantomMoved:
			h.Tell(l.Moved(points))
		case phantomAccepted:
			h.Tell(l.Stood(game.PlaceAt(points[0]), points[1:]))
		case phantomRefused:
			h.Tell(l.Refused(game.PlaceAt(points[0])))
		case phantomPassed:
			h.Tell(l.Passed(seat.Other()))
		case "genmove":
			a, err := h.Choose(context.Background(), &player.Prompt{Seat: seat, Deadline: time.Now().Add(time.Minute), Colours: l.Colours()})
			want := e.read(strings.TrimPrefix(x.reply, "= "))
			if err != nil || !slices.Equal(a.Steps, want) {
				t.Fatalf("%s: %v, %v, want %v", x.command, a.Steps, err, want)
			}
			if !e.form.Hidden {
				h.Tell(&player.Update{By: seat, Steps: want, Ended: true})
			}
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// told plays what it was told to, whole turns at once.
type told struct {
	player.Player
	turns [][]game.Move
}

func (p *told) NewGame(context.Context, *player.Setup) error { return nil }
func (p *told) Tell(*player.Update)                          {}
func (p *told) Over(game.Result)                             {}

func (p *told) Choose(context.Context, *player.Prompt) (player.Answer, error) {
	steps := p.turns[0]
	p.turns = p.turns[1:]
	return player.Answer{Steps: steps}, nil
}

func (e *example) engine(t *testing.T) {
	p := &told{}
	for _, x := range e.lines {
		if strings.HasPrefix(x.command, "genmove") {
			p.turns = append(p.turns, e.read(strings.TrimPrefix(x.reply, "= ")))
		}
	}
	ours, theirs := link.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- forms.Serve(context.Background(), theirs, protocol.Server{Player: p, Position: rules.NewBoard(games.OpenSpec), Now: time.Now, Name: "E", Game: e.spec})
	}()
	for _, x := range e.lines {
		if err := ours.Write([]byte(x.command + "\n")); err != nil {
			t.Fatal(err)
		}
		b, err := ours.ReadLine(time.Now().Add(time.Minute))
		if got := strings.TrimRight(string(b), " "); err != nil || got != x.reply {
			t.Fatalf("%s was answered with %q, %v, want %q", x.command, got, err, x.reply)
		}
	}
	_ = ours.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
