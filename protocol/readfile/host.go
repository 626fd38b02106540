package readfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/record/boardtxt"
)

// poll is how often the end of a process is looked for that has closed its output
// and lives on.
const poll = 2 * time.Millisecond

// Host plays through an engine that is started for every ply. It implements
// player.Player and, beside it, Positioner, Witness and Meter.
//
// The engine works in a private copy of its folder, made by the first game and
// removed by Close; with restart=each-game every game has a copy of its own. The clock
// of a ply runs from the start of the process to its end.
type Host struct {
	cfg     protocol.Config
	time    timeLine
	untimed time.Duration
	eol     string

	folder   protocol.Folder
	games    int
	evidence []string
	spent    protocol.Spent // of the processes of all plies
	heard    link.Observer  // sees what passes beside the log of the connection; may be nil

	// The running game.
	playing bool
	start   string
	names   [2]string
	begun   time.Time
	steps   []game.Move
	stamps  []time.Time // of each step
	fail    *player.Failure

	mu      sync.Mutex // guards what Stop uses
	conn    link.Conn  // the process that is thinking
	stopped bool
}

// timeLine says what to write into the line "time".
type timeLine struct {
	fixed   int64 // written as it is, if above zero
	total   bool
	seconds bool
}

// NewHost returns a host. The engine's folder is copied by the first game.
func NewHost(c protocol.Config) (*Host, error) {
	if c.Folder == nil || c.Now == nil {
		return nil, errors.New("readfile: the configuration lacks an engine's folder or a time source")
	}
	list := dialects()
	if err := c.CheckDialects(ID, list); err != nil {
		return nil, err
	}
	if err := c.NoOptions(ID); err != nil {
		return nil, err
	}
	h := &Host{cfg: c, eol: "\n", time: timeLine{seconds: c.Switch(list, "unit") == "s"}}
	if c.Switch(list, "eol") == "crlf" {
		h.eol = "\r\n"
	}
	switch v := c.Switch(list, "time"); v {
	case "remaining":
	case "total":
		h.time.total = true
	default:
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("dialect.time=%s: must be remaining, total or a number above 0", v)
		}
		h.time.fixed = n
	}
	ms, err := strconv.ParseInt(c.Switch(list, "untimed"), 10, 32)
	if err != nil || ms < 1 {
		return nil, fmt.Errorf("dialect.untimed=%s: write milliseconds, for example 900000", c.Switch(list, "untimed"))
	}
	h.untimed = time.Duration(ms) * time.Millisecond
	if mb, err := strconv.ParseInt(c.Switch(list, "copy"), 10, 32); err != nil || mb < 1 {
		return nil, fmt.Errorf("dialect.copy=%s: write megabytes, for example 1024", c.Switch(list, "copy"))
	}
	return h, nil
}

// CanStart implements player.Positioner: the file tells any position.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromPosition }

// Evidence implements player.Witness: of the latest ply.
func (h *Host) Evidence() []string { return h.evidence }

// Used implements player.Meter: all plies together.
func (h *Host) Used() (player.Used, bool) { return h.spent.Used() }

// Floods implements player.Flooder.
func (h *Host) Floods() int64 { return h.spent.Floods() }

// Begin implements player.Meter.
func (h *Host) Begin() (player.Used, bool) { return h.spent.Begin() }

// NewGame implements player.Player.
func (h *Host) NewGame(ctx context.Context, s *player.Setup) error {
	h.fail, h.playing = nil, false
	if s.Spec.ID() != "darkchess" || s.Width != grid.DarkWidth || s.Height != grid.DarkHeight {
		return player.Fail(game.ByStart, nil, "ReadFile carries dark chess on 4 columns and 8 rows, not %s", s.Spec)
	}
	if _, _, _, err := boardtxt.ReadPosition(s.Start); err != nil {
		return player.Fail(game.ByStart, err, "%v", err)
	}
	if h.folder != nil && h.games > 0 && h.cfg.Restart == protocol.RestartEachGame {
		if err := h.leave(); err != nil {
			h.cfg.Warnf("%s: removing the copy of the folder: %v", h.cfg.Name, err)
		}
	}
	if h.folder == nil {
		f, err := h.cfg.Folder(ctx)
		if err != nil {
			return player.Fail(protocol.Blame(game.ByStart, err), err, "%v", err)
		}
		h.folder = f
	}
	h.games++
	h.start, h.names = s.Start, s.Names
	h.begun = h.cfg.Now()
	h.steps, h.stamps = h.steps[:0], h.stamps[:0]
	for i := range s.History {
		h.note(&s.History[i])
	}
	h.evidence, h.playing = nil, true
	return nil
}

// note keeps steps with the time at which they were told.
func (h *Host) note(u *player.Update) {
	now := h.cfg.Now()
	for _, m := range u.Steps {
		h.steps, h.stamps = append(h.steps, m), append(h.stamps, now)
	}
}

// Tell implements player.Player: it takes notes for the next board.txt.
func (h *Host) Tell(u *player.Update) {
	if u.Rewind > 0 {
		n := max(0, len(h.steps)-u.Rewind)
		h.steps, h.stamps = h.steps[:n], h.stamps[:n]
		return
	}
	h.note(u)
}

// Choose implements player.Player: it writes board.txt, starts the engine, waits for
// its end and reads move.txt.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	if h.folder == nil || !h.playing {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "no game has been started")
	}
	if err := ctx.Err(); err != nil {
		return player.Answer{}, player.Fail(game.ByAbort, err, "stopped before the engine was started")
	}
	before := h.cfg.Now()
	told, err := h.ask(p)
	if err != nil {
		return player.Answer{}, h.broke(player.Fail(game.ByResource, err, "%s cannot be written: %v", BoardFile, err))
	}
	began := h.cfg.Now()
	deadline := p.Deadline
	if !deadline.IsZero() {
		deadline = deadline.Add(began.Sub(before))
	}
	conn, err := h.folder.Dial(ctx)
	if err != nil {
		return player.Answer{}, h.broke(player.Fail(protocol.Blame(game.ByStart, err), err, "the engine did not start: %v", err))
	}
	h.log(conn, link.Sent, told)
	if p.Sent != nil {
		p.Sent()
	}
	err = h.await(ctx, conn, deadline)
	used := h.cfg.Now().Sub(began)
	var failed *player.Failure
	if err != nil {
		failed = protocol.Failed(conn, err, protocol.Late(p), "waiting for the engine to end")
	}
	protocol.EndGame(conn)
	h.evidence = protocol.Evidence(conn)
	if err := conn.Close(); err != nil {
		h.cfg.Warnf("%s: ending the engine: %v", h.cfg.Name, err)
	}
	h.spent.Add(conn)
	if failed != nil {
		return player.Answer{}, failed
	}
	return h.answer(conn, used)
}

// log puts a line into the log of the connection.
func (h *Host) log(conn link.Conn, d link.Direction, text string) {
	h.observe(d, []byte(text))
	if n, ok := conn.(interface {
		Note(d link.Direction, line []byte)
	}); ok {
		n.Note(d, []byte(text))
	}
}

func (h *Host) observe(d link.Direction, line []byte) {
	if h.heard != nil {
		h.heard(d, h.cfg.Now(), line)
	}
}

// await waits for the end of the process. What it prints is for people.
func (h *Host) await(ctx context.Context, conn link.Conn, deadline time.Time) error {
	h.mu.Lock()
	h.conn, h.stopped = conn, false
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.conn = nil
		h.mu.Unlock()
	}()
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, conn.Interrupt)()
	}
	for {
		line, err := conn.ReadLine(deadline)
		switch {
		case err == nil:
			h.observe(link.Printed, line)
		case errors.Is(err, link.ErrInterrupted) && !h.wanted(ctx): // meant for a wait that was over
		case errors.Is(err, io.EOF):
			return h.ended(ctx, conn, deadline)
		default:
			return err
		}
	}
}

// ended waits for the end of a process that has closed its output.
func (h *Host) ended(ctx context.Context, conn link.Conn, deadline time.Time) error {
	p, ok := conn.(link.Process)
	if !ok {
		return nil
	}
	if _, gone := p.Exited(); gone {
		return nil
	}
	t := time.NewTicker(poll)
	defer t.Stop()
	for range t.C {
		if _, gone := p.Exited(); gone {
			return nil
		}
		if h.wanted(ctx) {
			return link.ErrInterrupted
		}
		if !deadline.IsZero() && h.cfg.Now().After(deadline) {
			return os.ErrDeadlineExceeded
		}
	}
	return nil
}

// answer reads move.txt after the end of the process.
func (h *Host) answer(conn link.Conn, used time.Duration) (player.Answer, error) {
	text, err := read(h.path(MoveFile))
	exit := link.Exit{}
	if p, ok := conn.(link.Process); ok {
		exit, _ = p.Exited()
	}
	fell := exit.Signal != "" || exit.Code != 0
	if err != nil {
		f := player.Fail(game.ByProtocol, err, "the engine ended without writing %s", MoveFile)
		switch {
		case fell:
			f.Reason, f.Detail = game.ByCrash, fmt.Sprintf("the engine ended (%s) without writing %s", exit, MoveFile)
			if text := protocol.Limited(conn); text != "" {
				f.Reason, f.Detail = game.ByResource, fmt.Sprintf("%s; the engine ended without writing %s", text, MoveFile)
			}
		case !errors.Is(err, fs.ErrNotExist):
			f.Detail = fmt.Sprintf("%s cannot be read: %v", MoveFile, err)
		}
		f.Evidence = h.evidence
		return player.Answer{}, f
	}
	raw := clip(strings.Join(strings.Fields(string(text)), " "))
	h.log(conn, link.Received, MoveFile+": "+raw)
	if fell {
		h.cfg.Warnf("%s: the engine ended (%s) after writing %s", h.cfg.Name, exit, MoveFile)
	}
	ans := player.Answer{Raw: raw, Used: used, Measured: true}
	m, err := ReadMove(text)
	if err != nil {
		h.evidence = append(slices.Clone(h.evidence), MoveFile+": "+raw)
		if text := protocol.Limited(conn); fell && text != "" { // it was ended while it wrote
			f := player.Fail(game.ByResource, err, "%s; the engine ended while it wrote %s", text, MoveFile)
			f.Evidence = h.evidence
			return player.Answer{}, f
		}
		ans.Unread = err.Error()
		return ans, nil
	}
	ans.Steps, ans.Whole = []game.Move{m}, true
	return ans, nil
}

// Stop implements player.Player: the process is ended, and nothing is in hand.
func (h *Host) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.conn != nil {
		h.stopped = true
		h.conn.Interrupt()
	}
}

// wanted reports whether an interrupt is meant for the running ply.
func (h *Host) wanted(ctx context.Context) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stopped || ctx.Err() != nil
}

// broke notes that the game cannot go on.
func (h *Host) broke(f *player.Failure) *player.Failure {
	h.fail = f
	return f
}

// Over implements player.Player: there is nobody to tell.
func (h *Host) Over(game.Result) { h.playing = false }

// Close implements player.Player: the copy of the folder is removed.
func (h *Host) Close() error {
	h.playing = false
	return h.leave()
}

func (h *Host) leave() error {
	if h.folder == nil {
		return nil
	}
	f := h.folder
	h.folder = nil
	return f.Close()
}

var (
	_ player.Player     = (*Host)(nil)
	_ player.Positioner = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
	_ player.Meter      = (*Host)(nil)
)
