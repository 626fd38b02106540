package bus

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/game"
)

// BenchmarkLive publishes live events of 200 games to as many listeners.
func BenchmarkLive(b *testing.B) {
	bus := open(b, Options{})
	var got atomic.Int64
	for i := range 200 {
		defer must(bus.SubscribeLive(fmt.Sprint("g", i), game.Public, func(Live) { got.Add(1) }))(b).Close()
	}
	line := []byte(strings.Repeat("x", 200))
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = fmt.Sprint("g", i)
	}
	b.ReportAllocs()
	seq := uint64(0)
	for b.Loop() {
		seq++
		check(b, bus.PublishLive(Live{Game: ids[seq%200], To: game.Public, Seq: seq, Line: line}))
	}
	flush(limit(b, time.Minute), b, bus)
	for got.Load() < int64(seq) {
		time.Sleep(time.Millisecond)
	}
	b.ReportMetric(float64(seq)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkTake measures from Enqueue to the return of Take in a worker that waits.
func BenchmarkTake(b *testing.B) {
	bus := open(b, Options{Folder: b.TempDir(), Poll: time.Minute})
	took := make(chan *Delivery)
	ctx := b.Context()
	go func() {
		for {
			d, err := bus.Take(ctx, none)
			if err != nil {
				return
			}
			took <- d
		}
	}()
	n := 0
	for b.Loop() {
		n++
		check(b, bus.Enqueue(ctx, Job{Game: fmt.Sprint("g", n)}))
		check(b, (<-took).Done(ctx))
	}
}

// BenchmarkOpen measures how long until an embedded bus is ready, and closing it.
func BenchmarkOpen(b *testing.B) {
	var open time.Duration
	n := 0
	for b.Loop() {
		begun := time.Now()
		bus, err := Open(context.Background(), Options{Folder: b.TempDir(), Now: time.Now})
		check(b, err)
		open += time.Since(begun)
		n++
		check(b, bus.Close())
	}
	b.ReportMetric(float64(open.Microseconds())/1000/float64(n), "ms-to-ready")
}

// BenchmarkIdle measures the memory of an embedded server that does nothing.
func BenchmarkIdle(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	bus := open(b, Options{Folder: b.TempDir()})
	for b.Loop() {
		_ = bus.Ready()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MiB")
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		var size, resident float64
		if _, err := fmt.Sscan(string(data), &size, &resident); err == nil {
			b.ReportMetric(resident*float64(os.Getpagesize())/(1<<20), "resident-MiB")
		}
	}
}
