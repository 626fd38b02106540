package nboard

import (
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// Positions for checks, as GGF texts that end where the engine is to move.
const (
	checkHead = "(;GM[Othello]PC[Kibitz]PB[check]PW[check]RE[?]TI[5:00]TY[8]BO[8 "
	startGame = checkHead + "---------------------------O*------*O--------------------------- *];)"
	// afterFive has five moves of an ordinary opening; White is to move.
	afterFive = checkHead + "---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3]W[D3]B[C4];)"
	// afterEight has eight; Black is to move.
	afterEight = checkHead + "---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3]W[D3]B[C4]W[F4]B[F6]W[B4];)"
)

// mustPass leaves Black without a move while White has one.
var mustPass = checkHead + strings.Repeat("O", 61) + "*-- *];)"

// The squares that are legal in these positions, as bits from a1 = 0.
var (
	legalStart = squares("d3 c4 f5 e6")
	legalFive  = squares("b3 f3 f4 b5 g5 g6")
	legalEight = squares("c2 e3 f3 g3 a5 c5 c7")
)

func squares(text string) uint64 {
	var set uint64
	for w := range strings.FieldsSeq(text) {
		set |= 1 << (int(w[1]-'1')*8 + int(w[0]-'a'))
	}
	return set
}

// Checks returns what an engine can be tested for. Requirements come from the
// published protocol, advice from what managers of the field rely on.
func Checks(player.Position) []protocol.Check {
	return protocol.Table([]protocol.Row[*probe]{
		{"ready", "nboard, set depth, set game and ping are answered by pong", "protocol: ping", false, checkReady},
		{"go", "go is answered by one === line with a legal move", "protocol: go", false, checkGo},
		{"go-once", "go is answered exactly once", "protocol: go", false, checkOnce},
		{"go-keeps", "go does not play the move: asked again, the same side moves", "protocol: go", false, checkKeeps},
		{"set-game", "set game with moves leads to the position at their end", "protocol: set game", false, checkSetGame},
		{"move", "move plays a square with evaluation and time", "protocol: move", false, checkMove},
		{"pong-stops", "ping stops a search within a second", "protocol: ping", false, checkStops},
		{"stale", "after pong nothing of the stopped search follows", "protocol: ping", false, checkStale},
		{"hint", "hint is answered by search or book lines", "protocol: hint", false, checkHint},
		{"unknown", "an unknown command is ignored", "protocol: unknown commands", false, checkUnknown},
		{"pass", "a forced pass is answered by PA", "protocol: move", true, checkPass},
		{"bare-move", "moves of version 1, without a keyword, are understood", "protocol version 1", true, checkBare},
		{"name", "the engine introduces itself by set myname", "protocol: set myname", true, checkName},
		{"stop-answers", "a search that ping stops prints the best move so far before pong", "managers of the field", true, checkStopAnswers},
		{"contempt", "set contempt is taken", "protocol: set contempt", true, checkContempt},
		{"analyze", "analyze is answered by analysis lines", "protocol: analyze", true, checkAnalyze},
		{"crlf", "lines that end with CRLF are understood", "managers on Windows", true, checkCRLF},
		{"quit", "quit ends the process within two seconds", "managers of the field", true, checkQuit},
	}, func(p *protocol.Probe) *probe { return &probe{Probe: p, end: "\n"} }, "ready", "go")
}

// probe is a conversation with one engine.
type probe struct {
	*protocol.Probe
	end  string
	ping int64
	// latest is the engine's answer to the latest go, if answered.
	answered bool
	latest   game.Move
}

// sync sends lines and a ping, and waits for the pong.
func (p *probe) sync(within time.Duration, lines ...string) error {
	p.ping++
	if err := p.Send(p.end, append(lines, fmt.Sprintf("ping %d", p.ping))...); err != nil {
		return err
	}
	return p.pong(within)
}

func (p *probe) pong(within time.Duration) error {
	_, err := p.Receive(within, fmt.Sprintf("pong %d", p.ping), func(line string) bool {
		r := ParseReply([]byte(line))
		return r.Kind == Pong && r.N == p.ping
	})
	return err
}

// ready brings the engine to a position at a small depth.
func (p *probe) ready(ggf string) error {
	return p.sync(p.Ready(), "nboard 2", "set depth 4", "set game "+ggf)
}

// chosen waits for the answer to go.
func (p *probe) chosen(within time.Duration) (Reply, error) {
	var got Reply
	_, err := p.Receive(within, "=== line", func(line string) bool {
		got = ParseReply([]byte(line))
		return got.Kind == Chosen
	})
	return got, err
}

// legal sends go and wants one of the squares.
func (p *probe) legal(set uint64) error {
	if err := p.Send(p.end, "go"); err != nil {
		return err
	}
	p.answered = false
	r, err := p.chosen(p.Thought())
	if err != nil {
		return err
	}
	p.answered, p.latest = r.Answer.Valid, r.Answer.Move
	return inSet(r, set)
}

func in(set uint64, m game.Move) bool { return m.Op == game.Place && set>>m.To.Index(8)&1 == 1 }

func inSet(r Reply, set uint64) error {
	m := r.Answer.Move
	switch {
	case !r.Answer.Valid:
		return errors.New(noSquare(r.Text))
	case m.Op != game.Place:
		return errors.New("a pass was answered where squares are legal")
	}
	if !in(set, m) {
		return fmt.Errorf("the answer %c%d is illegal; %d squares are legal", 'A'+m.To.X, m.To.Y+1, bits.OnesCount64(set))
	}
	return nil
}

func checkReady(p *probe) error { return p.ready(startGame) }

func checkGo(p *probe) error {
	protocol.Must(p.ready(startGame))
	err := p.legal(legalStart)
	if err != nil && p.answered && in(legalStart, p.latest.Through(grid.Symmetries(8, 8)[2])) {
		err = fmt.Errorf("%w; with rows or columns counted from the other end it would be legal", err)
	}
	return err
}

func checkOnce(p *probe) error {
	protocol.Must(checkGo(p))
	lines := protocol.Got(p.Quiet(p.Patience / 5))
	for _, l := range lines {
		if ParseReply([]byte(l)).Kind == Chosen {
			return fmt.Errorf("a second answer %q", l)
		}
	}
	return nil
}

func checkKeeps(p *probe) error {
	protocol.Must(checkGo(p))
	protocol.Must(p.sync(p.Patience))
	return p.legal(legalStart)
}

func checkSetGame(p *probe) error {
	protocol.Must(p.ready(afterFive))
	err := p.legal(legalFive)
	if err != nil && p.answered {
		if side := p.side(); side != "" {
			err = fmt.Errorf("%w; with %s it plays a legal move", err, side)
		}
	}
	return err
}

// side names the one side of the board from which an engine plays two positions rightly,
// as it is told them or as it answers.
func (p *probe) side() string {
	found := 0
	for i, side := range grid.Symmetries(8, 8) {
		if i == 0 || !p.plays(afterFive, legalFive, side) || !p.plays(afterEight, legalEight, side) {
			continue
		}
		if found != 0 {
			return ""
		}
		found = i
	}
	return grid.Side(found, true)
}

// plays reports whether an engine plays a position rightly from a side of the board.
func (p *probe) plays(ggf string, set uint64, side func(game.Point) game.Point) bool {
	if p.ready(onSide(ggf, side)) != nil {
		return false
	}
	return p.legal(set) == nil || p.answered && in(set, p.latest.Through(side))
}

// onSide moves the squares of the moves in a game.
func onSide(ggf string, side func(game.Point) game.Point) string {
	return moveSquare().ReplaceAllStringFunc(ggf, func(m string) string {
		at := side(game.Pt(int(m[2]-'A'), int(m[3]-'1')))
		return m[:2] + string([]byte{'A' + byte(at.X), '1' + byte(at.Y)})
	})
}

var moveSquare = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[BW]\[[A-H][1-8]`)
})

func checkMove(p *probe) error {
	protocol.Must(p.ready(startGame))
	protocol.Must(p.sync(p.Patience, "move F5/0.50/1.234", "move D6//0.5", "move C3", "move D3/1.2", "move c4//0.01"))
	return p.legal(legalFive)
}

func checkBare(p *probe) error {
	protocol.Must(p.sync(p.Ready(), "nboard 1", "set depth 4", "set game "+startGame, "F5", "D6", "C3", "D3", "C4"))
	return p.legal(legalFive)
}

// deepSearch begins a search that takes long.
func (p *probe) deepSearch() error {
	protocol.Must(p.sync(p.Ready(), "nboard 2", "set depth 40", "set game "+afterFive))
	protocol.Must(p.Send(p.end, "go"))
	lines := protocol.Got(p.Quiet(500 * time.Millisecond))
	for _, l := range lines {
		if ParseReply([]byte(l)).Kind == Chosen {
			return fmt.Errorf("%w: the engine answers too fast to be interrupted", protocol.ErrSkipped)
		}
	}
	return nil
}

func checkStops(p *probe) error {
	protocol.Must(p.deepSearch())
	return protocol.Tardy(p.sync(time.Second))
}

func checkStopAnswers(p *probe) error {
	protocol.Must(p.deepSearch())
	p.ping++
	protocol.Must(p.Send(p.end, fmt.Sprintf("ping %d", p.ping)))
	answered := false
	_, err := p.Receive(p.Patience, "pong", func(line string) bool {
		r := ParseReply([]byte(line))
		answered = answered || r.Kind == Chosen
		return r.Kind == Pong && r.N == p.ping
	})
	if err == nil && !answered {
		return fmt.Errorf("no === line before pong")
	}
	return err
}

func checkStale(p *probe) error {
	protocol.Must(p.deepSearch())
	protocol.Must(p.sync(p.Patience))
	lines := protocol.Got(p.Quiet(p.Patience / 5))
	for _, l := range lines {
		if k := ParseReply([]byte(l)).Kind; k == Chosen || k == Search {
			return fmt.Errorf("%q after pong", l)
		}
	}
	return nil
}

func checkHint(p *probe) error {
	protocol.Must(p.ready(afterFive))
	protocol.Must(p.Send(p.end, "hint 2"))
	_, err := p.Receive(p.Thought(), "search or book line", func(line string) bool {
		k := ParseReply([]byte(line)).Kind
		return k == Search || k == Book
	})
	return err
}

func checkUnknown(p *probe) error {
	protocol.Must(p.ready(startGame))
	protocol.Must(p.sync(p.Patience, "kibitzcheck 1", "set kibitzcheck 1"))
	return p.legal(legalStart)
}

func checkPass(p *probe) error {
	protocol.Must(p.ready(mustPass))
	protocol.Must(p.Send(p.end, "go"))
	r, err := p.chosen(p.Patience)
	if err == nil && r.Answer.Move.Op != game.Pass {
		return fmt.Errorf("the answer is no pass")
	}
	return err
}

func checkName(p *probe) error {
	protocol.Must(p.Send(p.end, "nboard 2", "set depth 4", "set game "+startGame))
	_, err := p.Receive(p.Ready(), "set myname", func(line string) bool { return ParseReply([]byte(line)).Kind == MyName })
	return err
}

func checkContempt(p *probe) error {
	protocol.Must(p.ready(startGame))
	protocol.Must(p.sync(p.Patience, "set contempt 100"))
	return p.legal(legalStart)
}

func checkAnalyze(p *probe) error {
	protocol.Must(p.ready(afterFive))
	protocol.Must(p.Send(p.end, "analyze"))
	_, err := p.Receive(2*p.Patience, "analysis line", func(line string) bool { return ParseReply([]byte(line)).Kind == Analysis })
	return err
}

func checkCRLF(p *probe) error {
	p.end = "\r\n"
	return checkGo(p)
}

func checkQuit(p *probe) error {
	protocol.Must(p.ready(startGame))
	protocol.Must(p.Send(p.end, "quit"))
	return p.Ends(2 * time.Second)
}
