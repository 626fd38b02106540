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
)

const (
	// logWindow is how many lines may wait to be kept, before Append waits too.
	logWindow = 4096
	// logBatch is how many bytes of lines go into one message, unless one line alone is
	// longer.
	logBatch = 256 << 10
)

// Log is what a worker writes so that a running game can be taken up elsewhere: the
// arbiter's events of one attempt. Lines that come while others are on the way go
// together in one message, so a game never waits for the servers unless thousands of
// lines do.
type Log struct {
	*task

	bus     *Bus
	subject string
	id      string

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when something below changes
	lines   [][]byte      // not kept yet; the first ones may be on the way
	kept    int           // how many lines were kept and are no longer in lines
	closed  bool
}

// OpenLog begins to write the log of an attempt. Whoever opens it closes it.
func (b *Bus) OpenLog(id string, attempt int) (*Log, error) {
	subject, err := b.names.log(id, attempt, b.sender)
	if err != nil {
		return nil, err
	}
	l := &Log{bus: b, subject: subject, id: id + "/" + strconv.Itoa(attempt), changed: make(chan struct{})}
	if l.task, err = b.task(l.write); err != nil {
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
	if err := l.bus.tooLong("line of the log of game "+l.id, len(line)+1); err != nil {
		return err
	}
	return l.wait(ctx, func() bool {
		if len(l.lines) >= logWindow {
			return false
		}
		l.lines = append(l.lines, slices.Clone(line))
		l.change()
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
	l.change()
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
		ok, closed, changed := false, l.closed, l.changed
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

// change tells those who wait. The lock is held.
func (l *Log) change() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// write keeps lines in order until the log or the bus is closed.
func (l *Log) write(ctx context.Context) {
	for {
		l.mu.Lock()
		n, data := batch(l.lines)
		first, changed := l.kept+1, l.changed
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
		if err := l.bus.keep(ctx, "log of game "+l.id, l.subject, data, "log/"+l.id+"/"+strconv.Itoa(first)); err != nil {
			return // ctx has ended: keep gives up for no other reason
		}
		l.mu.Lock()
		l.lines = slices.Delete(l.lines, 0, n)
		l.kept += n
		l.change()
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
func (b *Bus) ReadLog(ctx context.Context, id string, had func(attempt int, sender string) bool) (attempt int, lines [][]byte, err error) {
	if err := CheckName("game", id); err != nil {
		return 0, nil, err
	}
	ctx, cancel := b.bounded(ctx)
	defer cancel()
	err = b.retry(ctx, func(ctx context.Context) error {
		attempt, lines, err = b.readLog(ctx, id, had)
		return err
	})
	if err != nil {
		return 0, nil, fmt.Errorf("bus: log of game %s: %w", id, err)
	}
	return attempt, lines, nil
}

func (b *Bus) readLog(ctx context.Context, id string, had func(int, string) bool) (attempt int, lines [][]byte, err error) {
	b.mu.Lock()
	log := b.streams.log
	b.mu.Unlock()
	info, err := log.Info(ctx, jetstream.WithSubjectFilter(b.names.subject("log", id, ">")))
	if err != nil {
		return 0, nil, err
	}
	subject := ""
	for s := range info.State.Subjects {
		words := strings.Split(strings.TrimPrefix(s, b.names.subject("log", id)+"."), ".")
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
func (b *Bus) PurgeLog(ctx context.Context, id string) error {
	if err := CheckName("game", id); err != nil {
		return err
	}
	ctx, cancel := b.bounded(ctx)
	defer cancel()
	err := b.retry(ctx, func(ctx context.Context) error {
		b.mu.Lock()
		log := b.streams.log
		b.mu.Unlock()
		return log.Purge(ctx, jetstream.WithPurgeSubject(b.names.subject("log", id, ">")))
	})
	if err != nil {
		return fmt.Errorf("bus: log of game %s: %w", id, err)
	}
	return nil
}

// Logs lists the games that have a log, sorted: a hall purges those that are over.
func (b *Bus) Logs(ctx context.Context) ([]string, error) {
	ctx, cancel := b.bounded(ctx)
	defer cancel()
	b.mu.Lock()
	log := b.streams.log
	b.mu.Unlock()
	info, err := log.Info(ctx, jetstream.WithSubjectFilter(b.names.subject("log", ">")))
	if err != nil {
		return nil, fmt.Errorf("bus: logs: %w", err)
	}
	var ids []string
	for subject := range info.State.Subjects {
		if words := strings.Split(strings.TrimPrefix(subject, b.names.prefix+"."), "."); len(words) == 4 && words[1] != probe {
			ids = append(ids, words[1])
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
