package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"kibitz/internal/bell"
)

const (
	// logWindow is how many lines may wait to be kept, before Append waits too.
	logWindow = 4096
	// logBatch is how many bytes of lines go into one message, unless one line alone is
	// longer.
	logBatch = 256 << 10
)

// Logs are the logs of the games that run.
type Logs struct {
	*conn
	stream *stream
}

func newLogs(c *conn) *Logs {
	return &Logs{c, &stream{conn: c, probe: c.names.subject("log", probe, "1", probe), want: jetstream.StreamConfig{
		Name: c.names.stream("LOG"), Subjects: []string{c.names.subject("log", "*", "*", "*")},
		Description: "events of running games that can be taken up", Retention: jetstream.LimitsPolicy,
	}}}
}

// Log is what a worker writes so that a running game can be taken up elsewhere: the
// arbiter's events of one attempt. Lines that come while others are on the way go
// together in one message, so a game never waits for the servers unless thousands of
// lines do.
type Log struct {
	*task

	conn    *conn
	subject string
	id      string

	mu      sync.Mutex
	changed bell.Chime // when something below does
	lines   [][]byte   // not kept yet; the first ones may be on the way
	kept    int        // how many lines were kept and are no longer in lines
	closed  bool
}

// OpenLog begins to write the log of an attempt. Whoever opens it closes it.
func (x *Logs) OpenLog(id string, attempt int) (*Log, error) {
	subject, err := x.names.log(id, attempt, x.sender)
	if err != nil {
		return nil, err
	}
	l := &Log{conn: x.conn, subject: subject, id: id + "/" + strconv.Itoa(attempt)}
	if l.task, err = x.task(l.write); err != nil {
		return nil, err
	}
	return l, nil
}

// Append adds an event as a line of a journal, with or without the end of the line. It
// returns at once unless thousands of lines wait to be kept.
func (l *Log) Append(ctx context.Context, line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("bus: a line of the log of game %s is empty or several", l.id)
	}
	if err := l.conn.tooLong("line of the log of game "+l.id, len(line)+1); err != nil {
		return err
	}
	return l.wait(ctx, func() bool {
		if len(l.lines) >= logWindow {
			return false
		}
		l.lines = append(l.lines, slices.Clone(line))
		l.changed.Ring()
		return true
	})
}

// Flush waits until the servers have kept all lines appended so far.
func (l *Log) Flush(ctx context.Context) error {
	l.mu.Lock()
	until := l.kept + len(l.lines)
	l.mu.Unlock()
	return l.wait(ctx, func() bool { return l.kept >= until })
}

// Close waits, until ctx ends, for what was appended to be kept, and ends the log. What
// was not kept by then is lost, and the error says so.
func (l *Log) Close(ctx context.Context) error {
	err := l.Flush(ctx)
	l.mu.Lock()
	l.closed = true
	l.changed.Ring()
	l.mu.Unlock()
	l.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(err, ErrClosed) && len(l.lines) == 0 {
		return nil
	}
	return err
}

// wait calls fn under the lock until it says yes.
func (l *Log) wait(ctx context.Context, fn func() bool) error {
	for {
		l.mu.Lock()
		ok, closed, changed := false, l.closed, l.changed.Next()
		if !closed {
			ok = fn()
		}
		l.mu.Unlock()
		switch {
		case ok:
			return nil
		case closed:
			return ErrClosed
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("bus: log of game %s: %w", l.id, ctx.Err())
		case <-l.done:
			return ErrClosed
		case <-changed:
		}
	}
}

// write keeps lines in order until the log or the bus is closed.
func (l *Log) write(ctx context.Context) {
	for {
		l.mu.Lock()
		n, data := batch(l.lines)
		first, changed := l.kept+1, l.changed.Next()
		l.mu.Unlock()
		if n == 0 {
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
			continue
		}
		// The number of the first line names the message, so that a repetition is
		// dropped and no line is ever in two.
		if err := l.conn.keep(ctx, "log of game "+l.id, l.subject, data, "log/"+l.id+"/"+strconv.Itoa(first)); err != nil {
			return // ctx has ended: keep gives up for no other reason
		}
		l.mu.Lock()
		l.lines = slices.Delete(l.lines, 0, n)
		l.kept += n
		l.changed.Ring()
		l.mu.Unlock()
	}
}

// batch joins the first lines, each with its end.
func batch(lines [][]byte) (n int, data []byte) {
	for _, line := range lines {
		if n > 0 && len(data)+len(line) >= logBatch {
			break
		}
		data = append(append(data, line...), '\n')
		n++
	}
	return n, data
}

// ReadLog returns the lines of the newest attempt of a game that has any, and its
// number; no lines and 0 if there is none. What a sender wrote who did not have the
// attempt, by had, is passed over; with nil all of them are read.
func (x *Logs) ReadLog(ctx context.Context, id string, had func(attempt int, sender string) bool) (attempt int, lines [][]byte, err error) {
	if err := CheckName("game", id); err != nil {
		return 0, nil, err
	}
	ctx, cancel := x.bounded(ctx)
	defer cancel()
	err = x.retry(ctx, func(ctx context.Context) error {
		attempt, lines, err = x.readLog(ctx, id, had)
		return err
	})
	if err != nil {
		return 0, nil, fmt.Errorf("bus: log of game %s: %w", id, err)
	}
	return attempt, lines, nil
}

func (x *Logs) readLog(ctx context.Context, id string, had func(int, string) bool) (attempt int, lines [][]byte, err error) {
	log := x.stream.now()
	info, err := log.Info(ctx, jetstream.WithSubjectFilter(x.names.subject("log", id, ">")))
	if err != nil {
		return 0, nil, err
	}
	subject := ""
	for s := range info.State.Subjects {
		words := strings.Split(strings.TrimPrefix(s, x.names.subject("log", id)+"."), ".")
		n, err := strconv.Atoi(words[0])
		if err == nil && n > attempt && (had == nil || had(n, words[len(words)-1])) {
			attempt, subject = n, s
		}
	}
	if attempt == 0 {
		return 0, nil, nil
	}
	for seq := uint64(1); ; {
		msg, err := log.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return attempt, lines, nil
		}
		if err != nil {
			return 0, nil, err
		}
		for line := range bytes.Lines(msg.Data) {
			lines = append(lines, bytes.TrimSuffix(line, []byte("\n")))
		}
		seq = msg.Sequence + 1
	}
}

// PurgeLog forgets the logs of all attempts of a game.
func (x *Logs) PurgeLog(ctx context.Context, id string) error {
	if err := CheckName("game", id); err != nil {
		return err
	}
	ctx, cancel := x.bounded(ctx)
	defer cancel()
	err := x.retry(ctx, func(ctx context.Context) error {
		return x.stream.now().Purge(ctx, jetstream.WithPurgeSubject(x.names.subject("log", id, ">")))
	})
	if err != nil {
		return fmt.Errorf("bus: log of game %s: %w", id, err)
	}
	return nil
}
