package reliability

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/bot/random"
	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/link"
	"kibitz/link/callback"
	"kibitz/link/folder"
	"kibitz/link/guard"
	"kibitz/link/proc"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
	"kibitz/protocol/nboard"
	"kibitz/protocol/piskvork"
	"kibitz/protocol/ponder"
	"kibitz/protocol/readfile"
	"kibitz/rules"
)

// seat is one protocol with the game that represents it.
type seat struct {
	entry protocol.Protocol
	spec  string
}

func seats() []seat {
	return []seat{
		{piskvork.Protocol(), "gomoku:size=9"},
		{nboard.Protocol(), "othello"},
		{catalog.SAU(), "nogo"},
		{catalog.GTP(), "gomoku:size=9"},
		{dctp.Protocol(), "darkchess"},
		{ponder.Protocol(), "darkchess"},
		{ponder.Old(), "darkchess"},
		{readfile.Protocol(), "darkchess"},
	}
}

// rig is the place of one game: the program, the engine's folder, and what is none of
// the engine's business.
type rig struct {
	dir        string
	copies     string // where folders of engines are copied
	program    string
	home       string
	files      string // of another game
	target     string // the file of another game that faults reach for
	before     string // what files holds
	pids       string
	reached    chan string // by a connection or a datagram
	closers    []func() error
	supervisor *guard.Supervisor
	limits     guard.Limits
	mu         sync.Mutex
	said       string // by the engine of its attempt
}

const secret = "the opponent's thoughts\n"

func (h *hall) newRig(dir string, c *Case) (*rig, error) {
	r := &rig{
		supervisor: h.supervisor, copies: h.copies, dir: dir, program: filepath.Join(dir, "engine"), home: filepath.Join(dir, "home"), files: filepath.Join(dir, "other"),
		pids: filepath.Join(dir, "home", "pid"), reached: make(chan string, 8),
	}
	r.target = filepath.Join(r.files, "game-2.log")
	err := errors.Join(os.MkdirAll(r.home, 0o700), os.MkdirAll(r.files, 0o700), os.Link(h.engine, r.program), os.WriteFile(r.target, []byte(secret), 0o600))
	r.before = listing(r.files)
	return r, errors.Join(err, r.limit(c))
}

// listing tells names, sizes and contents of all files of a folder.
func listing(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %q %v\n", path, data, err)
		return nil
	})
	return b.String()
}

// listen opens a listener that tells when it was reached.
func (r *rig) listen(network string) (string, error) {
	if network == "udp" {
		c, err := net.ListenPacket("udp4", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		r.closers = append(r.closers, c.Close)
		go func() {
			buf := make([]byte, 512)
			if n, _, err := c.ReadFrom(buf); err == nil {
				r.reached <- string(buf[:n])
			}
		}()
		return c.LocalAddr().String(), nil
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	r.closers = append(r.closers, l.Close)
	go func() {
		if c, err := l.Accept(); err == nil {
			r.reached <- "a connection"
			_ = c.Close()
		}
	}()
	return l.Addr().String(), nil
}

// limit sets the limits that a case names.
func (r *rig) limit(c *Case) error {
	l := &r.limits
	for _, w := range c.With {
		key, value, _ := strings.Cut(w, "=")
		n, err := strconv.ParseInt(strings.TrimSuffix(value, "M"), 10, 64)
		if strings.HasSuffix(value, "M") {
			n <<= 20
		}
		switch key {
		case "memory":
			l.Memory = n
		case "processes":
			l.Processes = int(n)
		case "handles":
			l.Handles = int(n)
		case "filesize":
			l.FileSize = n
		case "tmp":
			l.Temp = n
		case "cputime":
			l.CPUTime, err = time.ParseDuration(value)
		case "network":
			l.NoNetwork, err = true, nil
		case "files":
			l.ReadOnly, l.Writable, l.Hidden, err = true, []string{r.home}, []string{r.files}, nil
		case "noclock", "whole":
			err = nil
		default:
			err = errors.New("there is no such limit")
		}
		if err != nil {
			return fmt.Errorf("with %s: %w", w, err)
		}
	}
	return nil
}

// flags are the command line of a case.
func (r *rig) flags(c *Case, s seat) ([]string, error) {
	id, _, _ := strings.Cut(s.spec, ":")
	out := []string{"-proto", s.entry.ID, "-game", id, "-mode", c.Mode, "-pidfile", r.pids}
	if s.entry.ID == "gtp" {
		out[3] = s.spec
	}
	if !slices.Contains(c.Flags, "-at") {
		out = append(out, "-at", "2")
	}
	target, err := r.target, error(nil)
	switch c.Mode {
	case "connect":
		target, err = r.listen("tcp")
	case "udp":
		target, err = r.listen("udp")
	}
	return append(append(out, "-target", target), c.Flags...), err
}

// host returns the player behind the faulty engine.
func (r *rig) host(s seat, spec game.Spec, args []string, start, reply time.Duration) (player.Player, error) {
	process := proc.Spec{
		Path: r.program, Args: args, Dir: r.home, Env: append(os.Environ(), "TMPDIR="+r.home),
		Grace: 100 * time.Millisecond, Options: link.Options{Now: time.Now, Observe: r.hear}, Supervisor: r.supervisor, Limits: r.limits,
	}
	c := protocol.Config{Name: "faulty", Now: time.Now, StartLimit: start, ReplyLimit: reply, Dial: proc.Dialer(process)}
	switch l := s.entry.LaunchOf(nil); {
	case l.CallBack:
		c.Dial = callback.Dialer(callback.Spec{Process: process})
	case l.Folder:
		c.Folder = func(ctx context.Context) (protocol.Folder, error) {
			return folder.Copy(ctx, folder.Spec{Process: process, MostBytes: l.MostBytes, Where: r.copies})
		}
	}
	return s.entry.Host(c)
}

// mostTurns ends games that need not be played to their end.
const mostTurns = 16

// playCase plays one game and tells what became of it.
func (h *hall) playCase(ctx context.Context, dir string, c *Case, s seat) (Row, error) {
	row := Row{Protocol: s.entry.ID}
	rs, err := games.Open(s.spec)
	if err != nil {
		return row, err
	}
	r, err := h.newRig(dir, c)
	if err != nil {
		return row, err
	}
	args, err := r.flags(c, s)
	if err != nil {
		return row, err
	}
	// Only where time is to run out is it short: the machine may be busy.
	control, start, reply := clock.Control{Turn: time.Minute}, time.Minute, time.Minute
	margin := 200 * time.Millisecond
	policy := match.Policy{MaxMoves: mostTurns}
	if slices.Contains(c.With, "whole") {
		policy.MaxMoves = 0
	}
	switch want := c.Want(s.entry.ID); {
	case slices.Contains(c.With, "noclock"):
		control, policy.Stall = clock.Control{}, time.Second
	case want == string(game.ByStall):
		reply = 5 * time.Second // it answers what comes before, on a machine with other work
	case strings.Contains(want, string(game.ByTime)):
		control.Turn, reply = time.Second, 5*time.Second
		if s.entry.ID == "nboard" {
			margin = 3 * time.Second // the pong that the verdict tells of comes shortly before the limit, or after it
		}
	case want == string(game.ByStart):
		start, reply = time.Second, time.Second
		if s.entry.LaunchOf(nil).CallBack {
			start = 5 * time.Second // before it is silent it connects, on a machine with other work
			if !c.Varies {
				start = 20 * time.Second // or else the verdict tells that it has not
			}
		}
	}
	policy.Start = start + time.Minute // each player's own limit comes first
	bad, err := r.host(s, rs.Spec(), args, start, reply)
	if err != nil {
		return row, err
	}
	g := &match.Game{ID: "game", Rules: rs, Now: time.Now, Policy: policy, Dealer: match.NewDealer(rs, [32]byte{1})}
	g.Sides[0] = match.Side{Player: bad, Name: "faulty", Clock: control, Margin: margin}
	g.Sides[1] = match.Side{Player: random.New(random.Options{Seed: 1}), Name: "honest", Clock: clock.Control{Turn: time.Minute}, Margin: time.Minute}
	o := match.Play(ctx, g)
	row.judge(&o, rs)
	if row.Reason != Fine && (o.Result.Winner() != game.Second || o.Faulty[1]) {
		return row, fmt.Errorf("the honest seat has not won: %+v, faulty %v", o.Result, o.Faulty)
	}
	closed := bad.Close()
	row.Said = r.said
	patience := time.Minute
	if c.daemon() {
		patience = 2 * time.Second
	}
	row.Left = r.left(closed, patience)
	return row, nil
}

// judge fills in the verdict.
func (w *Row) judge(o *match.Outcome, rs rules.Rules) {
	w.Reason, w.Detail = string(o.Result.Reason), plain(o.Result.Detail)
	ruled := slices.ContainsFunc(rs.Doc().Reasons, func(c rules.Code) bool { return game.Reason(c.Word) == o.Result.Reason })
	if ruled || o.Result.Reason == game.ByAdjudication {
		w.Reason, w.End, w.Detail = Fine, w.Reason, ""
	}
}

// hear notes what the engine tells of its attempt.
func (r *rig) hear(d link.Direction, _ time.Time, line []byte) {
	text, is := strings.CutPrefix(string(line), "fault: ")
	if d != link.Errput || !is {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.said == "" {
		r.said = plain(text)
	}
}

// What differs from one time to the next is left out or written N: times, ports, and
// what exactly was being said or awaited when the engine was found dead.
var (
	numbers = regexp.MustCompile(`127\.0\.0\.1:\d+|\d+(\.\d+)?(ms|s)\b|\d+ files`)
	doing   = regexp.MustCompile(`, (waiting|sending|telling) .*$`)
	used    = regexp.MustCompile(`used \S+ of \S+ \(margin \S+\)(; \S+ on a processor, \S+ waiting for one)?: `)
)

// exceeded is a limit, which the kernel keeps or the guard finds out by looking.
var exceeded = regexp.MustCompile(`(?:wanted|used|had) .*?(memory|processes and threads|processor time)[^;]*(; its limit is [^;]*)?`)

// plain returns the part of a text that is always the same.
func plain(s string) string {
	s = strings.TrimPrefix(s, "faulty: ")
	s = used.ReplaceAllString(doing.ReplaceAllString(s, ""), "")
	s = exceeded.ReplaceAllString(s, "more $1 than its limit")
	return numbers.ReplaceAllStringFunc(s, func(m string) string {
		if strings.HasPrefix(m, "127") {
			return "127.0.0.1:N"
		}
		return "N" + strings.TrimLeft(m, "0123456789.")
	})
}

// left tells what is left of an engine that has been ended, and removes it.
func (r *rig) left(closed error, patience time.Duration) string {
	for _, f := range r.closers {
		_ = f()
	}
	var list []string
	if closed != nil {
		list = append(list, "an error: "+closed.Error())
	}
	if n := r.processes(patience); n > 0 {
		list = append(list, someProcesses)
	}
	if listing(r.files) != r.before {
		list = append(list, "changed files of another game")
	}
	select {
	case <-r.reached:
		list = append(list, "a connection outside")
	default:
	}
	if len(list) == 0 {
		return Nothing
	}
	return strings.Join(list, ", ")
}

// someProcesses is what is left where processes live on.
const someProcesses = "processes"

// processes waits for all processes of the rig's program to be gone.
func (r *rig) processes(patience time.Duration) int {
	var pids []int
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if pids = running(r.dir); len(pids) == 0 {
			return 0
		}
		if time.Now().After(end) {
			break
		}
	}
	return len(pids)
}

// running returns the processes whose program lies below a folder. A process cannot
// change what it runs without running something else.
func running(dir string) []int {
	var out []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscanf(e.Name(), "%d", &pid); err != nil {
			continue
		}
		exe, err := os.Readlink(filepath.Join("/proc", e.Name(), "exe"))
		if err == nil && strings.HasPrefix(exe, dir+"/") {
			out = append(out, pid)
		}
	}
	return out
}

// daemon reports whether the case's process takes off its mark. Without a control group
// that is known for certain only when no engine may run any more.
func (c *Case) daemon() bool { return c.Mode == "daemonenv" || c.Mode == "daemonname" }
