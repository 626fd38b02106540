package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"kibitz/internal/bell"
)

// Registry has the workers that live.
type Registry struct {
	*conn
	found atomic.Pointer[jetstream.KeyValue]
}

// entries are where they stand, as it was made or found last.
func (y *Registry) entries() jetstream.KeyValue { return *y.found.Load() }

// bucket makes that of entries, or finds it; a worker finds it.
func (y *Registry) bucket(ctx context.Context) (err error) {
	var kv jetstream.KeyValue
	name := y.names.stream("workers")
	if y.opts.Worker {
		if kv, err = y.js.KeyValue(ctx, name); err != nil {
			return fmt.Errorf("bus: the registry of the hall: %w", err)
		}
		y.found.Store(&kv)
		return nil
	}
	kv, err = y.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: name, Description: "workers that live", TTL: y.opts.Presence, LimitMarkerTTL: y.opts.Presence,
		Storage: jetstream.MemoryStorage, Replicas: 1,
	})
	if errors.Is(err, jetstream.ErrBucketExists) {
		kv, err = y.js.KeyValue(ctx, name)
	}
	if err != nil {
		return fmt.Errorf("bus: bucket %s: %w", name, err)
	}
	y.found.Store(&kv)
	return nil
}

// Registration is the entry of a worker in the registry, refreshed until it is closed.
type Registration struct {
	*task

	registry *Registry
	bell     chan struct{}
	id       string
	key      string // in the registry: sender and ID

	mu sync.Mutex
	w  Worker
}

// Register enters a worker into the registry, and refreshes the entry until it is
// closed. It returns an error only if the worker's ID cannot be one.
func (y *Registry) Register(w Worker) (*Registration, error) {
	if err := CheckName("ID of a worker", w.ID); err != nil {
		return nil, err
	}
	r := &Registration{registry: y, bell: make(chan struct{}, 1), w: w, id: w.ID, key: y.sender + "." + w.ID}
	var err error
	if r.task, err = y.task(r.refresh); err != nil {
		return nil, err
	}
	return r, nil
}

// Update replaces what is told about the worker; its ID stays.
func (r *Registration) Update(w Worker) {
	r.mu.Lock()
	w.ID = r.id
	r.w = w
	r.mu.Unlock()
	bell.Ring(r.bell)
}

// Close takes the worker out of the registry.
func (r *Registration) Close() { r.end() }

func (r *Registration) refresh(ctx context.Context) {
	tick := time.NewTicker(r.registry.opts.Presence / 4)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := r.put(ctx); err != nil && ctx.Err() == nil {
			r.registry.opts.Log.Debug("bus: registry: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-r.bell:
		}
	}
	// Nobody needs to wait for the entry to grow old, if the servers can be told.
	last, cancel := context.WithTimeout(context.Background(), min(r.registry.opts.Timeout, time.Second))
	defer cancel()
	if r.registry.nc.IsConnected() {
		_ = r.registry.entries().Delete(last, r.key)
	}
}

func (r *Registration) put(ctx context.Context) error {
	r.mu.Lock()
	data, err := json.Marshal(r.w)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.registry.opts.Timeout)
	defer cancel()
	_, err = r.registry.entries().Put(ctx, r.key, data)
	return err
}

// Workers lists the workers that live, sorted by ID.
func (y *Registry) Workers(ctx context.Context) ([]Worker, error) {
	ctx, cancel := y.bounded(ctx)
	defer cancel()
	list, err := y.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("bus: registry: %w", err)
	}
	return slices.SortedFunc(maps.Values(list), func(a, b Worker) int { return cmp.Compare(a.ID, b.ID) }), nil
}

// read returns the entries of those who may have them, by their keys.
func (y *Registry) read(ctx context.Context) (map[string]Worker, error) {
	watch, err := y.entries().WatchAll(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = watch.Stop() }()
	list := map[string]Worker{}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-y.life.Done():
			return nil, ErrClosed
		case e, ok := <-watch.Updates():
			switch {
			case !ok:
				return nil, errors.New("the watch has ended")
			case e == nil: // all of them were told
				return list, nil
			case e.Operation() != jetstream.KeyValuePut:
				delete(list, e.Key())
			default:
				var w Worker
				sender, id, _ := strings.Cut(e.Key(), ".")
				if err := json.Unmarshal(e.Value(), &w); err == nil && w.ID == id && Owns(sender, id) {
					list[e.Key()] = w
				}
			}
		}
	}
}
