package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// dedupe is how long the bus remembers what was published, so that a repetition is
// dropped.
const dedupe = 10 * time.Minute

// setup makes the streams and the registry, or finds them.
func (b *Bus) setup(ctx context.Context) error {
	if b.opts.Worker {
		return b.find(ctx)
	}
	jobs, err := b.stream(ctx, jetstream.StreamConfig{
		Name: b.names.stream("JOBS"), Subjects: []string{b.names.subject("jobs", ">")},
		Description: "games that wait for a worker or are played",
		Retention:   jetstream.WorkQueuePolicy, Duplicates: dedupe,
	})
	if err != nil {
		return err
	}
	results, err := b.stream(ctx, jetstream.StreamConfig{
		Name: b.names.stream("RESULTS"), Subjects: []string{b.names.subject("results", "*", "*")},
		Description: "ends of games that no hall has taken yet",
		Retention:   jetstream.WorkQueuePolicy, Duplicates: dedupe,
	})
	if err != nil {
		return err
	}
	log, err := b.stream(ctx, jetstream.StreamConfig{
		Name: b.names.stream("LOG"), Subjects: []string{b.names.subject("log", "*", "*", "*")},
		Description: "events of running games that can be taken up",
		Retention:   jetstream.LimitsPolicy, Duplicates: dedupe,
	})
	if err != nil {
		return err
	}
	workers, err := b.bucket(ctx)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.streams = &streams{jobs: jobs, results: results, log: log, workers: workers}
	return nil
}

// find looks up what a worker needs: the jobs, and the registry.
func (b *Bus) find(ctx context.Context) error {
	jobs, err := b.js.Stream(ctx, b.names.stream("JOBS"))
	if err != nil {
		return fmt.Errorf("bus: the queue of the hall: %w", err)
	}
	workers, err := b.js.KeyValue(ctx, b.names.stream("workers"))
	if err != nil {
		return fmt.Errorf("bus: the registry of the hall: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.streams = &streams{jobs: jobs, workers: workers}
	return nil
}

// streams are the handles of what the servers keep; a worker has those of jobs and
// workers alone.
type streams struct {
	jobs, results, log jetstream.Stream
	workers            jetstream.KeyValue
}

// stream makes a stream, or finds it and mends what does not fit.
func (b *Bus) stream(ctx context.Context, want jetstream.StreamConfig) (jetstream.Stream, error) {
	want.Storage, want.Replicas = jetstream.FileStorage, max(1, b.opts.Replicas)
	s, err := b.js.CreateStream(ctx, want)
	if err == nil {
		return s, nil
	}
	if !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return nil, fmt.Errorf("bus: stream %s: %w", want.Name, err)
	}
	if s, err = b.js.Stream(ctx, want.Name); err != nil {
		return nil, fmt.Errorf("bus: stream %s: %w", want.Name, err)
	}
	have := s.CachedInfo().Config
	if have.Retention != want.Retention {
		return nil, fmt.Errorf("bus: stream %s exists with retention %s, it must be %s", want.Name, have.Retention, want.Retention)
	}
	if b.opts.Replicas == 0 {
		want.Replicas = have.Replicas
	}
	if slices.Equal(have.Subjects, want.Subjects) && have.Replicas == want.Replicas && have.Duplicates == want.Duplicates {
		return s, nil
	}
	have.Subjects, have.Replicas, have.Duplicates = want.Subjects, want.Replicas, want.Duplicates
	if s, err = b.js.UpdateStream(ctx, have); err != nil {
		return nil, fmt.Errorf("bus: stream %s: %w", want.Name, err)
	}
	return s, nil
}

// bucket makes the registry of workers, or finds it.
func (b *Bus) bucket(ctx context.Context) (jetstream.KeyValue, error) {
	want := jetstream.KeyValueConfig{
		Bucket: b.names.stream("workers"), Description: "workers that live",
		TTL: b.opts.Presence, LimitMarkerTTL: b.opts.Presence,
		Storage: jetstream.MemoryStorage, Replicas: max(1, b.opts.Replicas),
	}
	kv, err := b.js.CreateKeyValue(ctx, want)
	if errors.Is(err, jetstream.ErrBucketExists) {
		if kv, err = b.js.KeyValue(ctx, want.Bucket); err == nil && b.opts.Replicas != 0 {
			kv, err = b.js.UpdateKeyValue(ctx, want)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("bus: bucket %s: %w", want.Bucket, err)
	}
	return kv, nil
}
