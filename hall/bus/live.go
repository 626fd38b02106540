package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"

	"kibitz/game"
)

// LiveEvents are what is told of running games while they are played: nothing of it is
// kept.
type LiveEvents struct{ *owners }

// PublishLive tells everybody who listens to a game for an audience. It does not wait;
// who misses an event sees it by the numbers and asks for all.
func (x *LiveEvents) PublishLive(l Live) error {
	subject, err := x.names.live(x.sender, l.Game, l.To)
	if err != nil {
		return err
	}
	return x.publish(subject, appendLive(make([]byte, 0, len(l.Line)+32), l))
}

// appendLive writes what the subject does not say: attempt, number, line.
func appendLive(dst []byte, l Live) []byte {
	dst = strconv.AppendInt(dst, int64(l.Attempt), 10)
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, l.Seq, 10)
	dst = append(dst, ' ')
	return append(dst, l.Line...)
}

// readLive reads what appendLive wrote. The line is a part of data.
func readLive(data []byte) (l Live, err error) {
	attempt, rest, ok := bytes.Cut(data, []byte(" "))
	seq, line, ok2 := bytes.Cut(rest, []byte(" "))
	if !ok || !ok2 {
		return l, errors.New("bus: a live event has an attempt, a number and a line")
	}
	if l.Attempt, err = strconv.Atoi(string(attempt)); err != nil || l.Attempt < 0 {
		return l, fmt.Errorf("bus: attempt %q of a live event is not a number", game.Shown(string(attempt), 40))
	}
	if l.Seq, err = strconv.ParseUint(string(seq), 10, 64); err != nil {
		return l, fmt.Errorf("bus: number %q of a live event is not a number", game.Shown(string(seq), 40))
	}
	l.Line = line
	return l, nil
}

// SubscribeLive passes the live events of one game for one audience to fn, one at a
// time and in the order in which the worker published them, those of the worker alone that
// has the game (Options.Holder). The line belongs to fn. If
// fn is so slow that millions of events wait, some are dropped; the numbers tell. The
// servers know of the subscription when it returns, so that AskSync afterwards leaves
// no gap.
func (x *LiveEvents) SubscribeLive(id string, to game.Audience, fn func(Live)) (*Subscription, error) {
	subject, err := x.names.live("*", id, to)
	if err != nil {
		return nil, err
	}
	from := x.source(id)
	return x.hear(subject, func(m *nats.Msg) {
		l, err := readLive(m.Data)
		if err != nil {
			x.opts.Log.Debug(err.Error(), "subject", m.Subject)
			return
		}
		if !from.has(m, l.Attempt) {
			return
		}
		l.Game, l.To = id, to
		fn(l)
	})
}

// Sync is all that an audience may know of a running game: the lines so far, of views
// only the latest, and the number of the last event in them.
type Sync struct {
	Attempt int      `json:"attempt"`
	Seq     uint64   `json:"seq"`
	Lines   [][]byte `json:"lines"`
}

// syncQuestion asks for one audience.
type syncQuestion struct {
	To game.Audience `json:"to"`
}

// AskSync asks the worker that plays a game for all that an audience may know.
func (x *LiveEvents) AskSync(ctx context.Context, id string, to game.Audience) (Sync, error) {
	var out Sync
	if err := checkAudience(to); err != nil {
		return out, err
	}
	worker, err := x.at(id)
	if err != nil {
		return out, err
	}
	err = x.ask(ctx, x.names.subject("sync", worker, id), syncQuestion{to}, &out)
	return out, err
}

// ServeSync answers AskSync for one game. The arbiter's audience never reaches fn.
func (x *LiveEvents) ServeSync(id string, fn func(to game.Audience) (Sync, error)) (*Subscription, error) {
	subject, err := x.names.game("sync", x.sender, id)
	if err != nil {
		return nil, err
	}
	return x.hear(subject, func(m *nats.Msg) {
		x.respond(m, answer(x.life, m.Data, func(_ context.Context, q syncQuestion) (Sync, error) {
			if err := checkAudience(q.To); err != nil {
				return Sync{}, err
			}
			return fn(q.To)
		}))
	})
}
