package health

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Quiet keeps a log readable while a part is away: what a log would say again and again
// for that reason is counted by the Monitor instead, and what else goes wrong meanwhile is
// told once a minute. Watch gives it the Monitor, which itself logs past it.
type Quiet struct {
	slog.Handler
	s *quiet
}

type quiet struct {
	mu  sync.Mutex
	m   *Monitor
	now func() time.Time
	// told is when a line was last told while something is away, by its words.
	told map[string]time.Time
}

// NewQuiet wraps the handler of a log.
func NewQuiet(h slog.Handler, now func() time.Time) Quiet {
	return Quiet{h, &quiet{now: now, told: map[string]time.Time{}}}
}

// Watch tells what is away.
func (q Quiet) Watch(m *Monitor) {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.s.m = m
}

// Handle implements slog.Handler.
func (q Quiet) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn && q.s.held(&r) {
		return nil
	}
	return q.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (q Quiet) WithAttrs(list []slog.Attr) slog.Handler {
	return Quiet{q.Handler.WithAttrs(list), q.s}
}

// WithGroup implements slog.Handler.
func (q Quiet) WithGroup(name string) slog.Handler { return Quiet{q.Handler.WithGroup(name), q.s} }

// held reports whether a line is not told, and counts it.
func (s *quiet) held(r *slog.Record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	away, _ := s.m.Away()
	known := strings.Contains(r.Message, ErrAway.Error())
	r.Attrs(func(a slog.Attr) bool {
		known = known || strings.Contains(a.Value.String(), ErrAway.Error())
		return !known
	})
	if away == nil && !known {
		clear(s.told)
		return false
	}
	now, words := s.now(), wordsOf(r.Message)
	if !known && now.Sub(s.told[words]) >= remind {
		s.told[words] = now
		return false
	}
	s.m.Refused()
	return true
}

// wordsOf are the words of a message without those in which there is a digit: names of
// games, numbers, addresses.
func wordsOf(text string) string {
	list := strings.Fields(text)
	for i, w := range list {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			list[i] = "#"
		}
	}
	return strings.Join(list, " ")
}
