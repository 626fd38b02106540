package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// dedupe is how long the bus remembers what was published, so that a repetition is
// dropped.
const dedupe = 10 * time.Minute

// setup makes the streams and the registry, or finds them. A worker finds the jobs and the
// registry alone.
func (b *Bus) setup(ctx context.Context) error {
	for _, s := range b.streams() {
		if err := s.open(ctx); err != nil {
			return err
		}
	}
	if err := b.bucket(ctx); err != nil {
		return err
	}
	b.forget()
	return nil
}

func (b *Bus) streams() []*stream {
	if b.conn.opts.Worker {
		return []*stream{b.jobs}
	}
	return []*stream{b.jobs, b.Results.stream, b.Logs.stream}
}

// stream is what the servers keep of a part of the bus.
type stream struct {
	*conn
	want  jetstream.StreamConfig
	probe string // the subject by which it is tried
	found atomic.Pointer[jetstream.Stream]
}

// now is the stream as it was made or found last.
func (s *stream) now() jetstream.Stream { return *s.found.Load() }

// open makes the stream, or finds it and mends what does not fit; a worker finds it.
func (s *stream) open(ctx context.Context) (err error) {
	var is jetstream.Stream
	if s.opts.Worker {
		if is, err = s.js.Stream(ctx, s.want.Name); err != nil {
			return fmt.Errorf("bus: the queue of the hall: %w", err)
		}
	} else if is, err = s.create(ctx); err != nil {
		return fmt.Errorf("bus: stream %s: %w", s.want.Name, err)
	}
	s.found.Store(&is)
	return nil
}

func (s *stream) create(ctx context.Context) (jetstream.Stream, error) {
	want := s.want
	want.Storage, want.Duplicates, want.Replicas = jetstream.FileStorage, dedupe, 1
	is, err := s.js.CreateStream(ctx, want)
	if !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return is, err
	}
	if is, err = s.js.Stream(ctx, want.Name); err != nil {
		return nil, err
	}
	have := is.CachedInfo().Config
	if have.Retention != want.Retention {
		return nil, fmt.Errorf("it exists with retention %s, it must be %s", have.Retention, want.Retention)
	}
	if slices.Equal(have.Subjects, want.Subjects) && have.Duplicates == want.Duplicates {
		return is, nil
	}
	have.Subjects, have.Duplicates = want.Subjects, want.Duplicates
	return s.js.UpdateStream(ctx, have)
}
