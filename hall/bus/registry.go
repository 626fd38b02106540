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
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Registration is the entry of a worker in the registry, refreshed until it is closed.
type Registration struct {
	*task

	bus  *Bus
	bell chan struct{}
	id   string
	key  string // in the registry: sender and ID

	mu sync.Mutex
	w  Worker
}

// Register enters a worker into the registry, and refreshes the entry until it is
// closed. It returns an error only if the worker's ID cannot be one.
func (b *Bus) Register(w Worker) (*Registration, error) {
	if err := CheckName("ID of a worker", w.ID); err != nil {
		return nil, err
	}
	r := &Registration{bus: b, bell: make(chan struct{}, 1), w: w, id: w.ID, key: b.sender + "." + w.ID}
	var err error
	if r.task, err = b.task(r.refresh); err != nil {
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
	select {
	case r.bell <- struct{}{}:
	default:
	}
}

// Close takes the worker out of the registry.
func (r *Registration) Close() { r.end() }

func (r *Registration) refresh(ctx context.Context) {
	tick := time.NewTicker(r.bus.opts.Presence / 4)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := r.put(ctx); err != nil && ctx.Err() == nil {
			r.bus.opts.Log.Debug("bus: registry: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-r.bell:
		}
	}
	// Nobody needs to wait for the entry to grow old, if the servers can be told.
	last, cancel := context.WithTimeout(context.Background(), min(r.bus.opts.Timeout, time.Second))
	defer cancel()
	if r.bus.nc.IsConnected() {
		_ = r.bus.workers().Delete(last, r.key)
	}
}

func (r *Registration) put(ctx context.Context) error {
	r.mu.Lock()
	data, err := json.Marshal(r.w)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.bus.opts.Timeout)
	defer cancel()
	_, err = r.bus.workers().Put(ctx, r.key, data)
	return err
}

func (b *Bus) workers() jetstream.KeyValue {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.streams.workers
}

// Workers lists the workers that live, sorted by ID.
func (b *Bus) Workers(ctx context.Context) ([]Worker, error) {
	ctx, cancel := b.bounded(ctx)
	defer cancel()
	var out []Worker
	err := b.watchWorkers(ctx, func(list []Worker) bool { out = list; return false })
	if err != nil {
		return nil, fmt.Errorf("bus: registry: %w", err)
	}
	return out, nil
}

// WatchWorkers calls fn with the workers that live, sorted by ID, now and whenever
// something about them changes, until ctx ends or the bus is closed.
func (b *Bus) WatchWorkers(ctx context.Context, fn func([]Worker)) error {
	for {
		err := b.watchWorkers(ctx, func(list []Worker) bool { fn(list); return true })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if b.life.Err() != nil {
			return ErrClosed
		}
		if err != nil {
			b.opts.Log.Debug("bus: registry: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-b.life.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// watchWorkers calls fn with the whole list at first and after each change, until fn
// says no. It looks anew now and then, as an entry that went while the connection was
// away is not told.
func (b *Bus) watchWorkers(ctx context.Context, fn func([]Worker) bool) error {
	watch, err := b.workers().WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = watch.Stop() }()
	anew := time.NewTimer(4 * b.opts.Presence)
	defer anew.Stop()
	list, complete := map[string]Worker{}, false
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.life.Done():
			return ErrClosed
		case <-anew.C:
			return nil
		case e, ok := <-watch.Updates():
			switch {
			case !ok:
				return errors.New("the watch has ended")
			case e == nil:
				complete = true
			case e.Operation() != jetstream.KeyValuePut:
				delete(list, e.Key())
			default:
				var w Worker
				sender, id, _ := strings.Cut(e.Key(), ".")
				if err := json.Unmarshal(e.Value(), &w); err != nil || w.ID != id || !Owns(sender, id) {
					continue
				}
				list[e.Key()] = w
			}
			if complete && !fn(sorted(list)) {
				return nil
			}
		}
	}
}

func sorted(list map[string]Worker) []Worker {
	return slices.SortedFunc(maps.Values(list), func(a, b Worker) int { return cmp.Compare(a.ID, b.ID) })
}
