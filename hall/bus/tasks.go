package bus

import (
	"context"
	"sync"
)

// tasks are what runs on behalf of a bus, until it is closed.
type tasks struct {
	// life ends with the bus; what runs is counted in running.
	life    context.Context
	end     context.CancelFunc
	running sync.WaitGroup
	gate    sync.Mutex // nothing is counted any more once life has ended
}

// begin counts a goroutine that stop waits for; it says no once the bus is closed.
func (t *tasks) begin() bool {
	t.gate.Lock()
	defer t.gate.Unlock()
	if t.life.Err() != nil {
		return false
	}
	t.running.Add(1)
	return true
}

// stop ends what runs and waits for it.
func (t *tasks) stop() {
	t.gate.Lock()
	t.end()
	t.gate.Unlock()
	t.running.Wait()
}

// task is what the bus does beside others until it is ended.
type task struct {
	quit context.CancelFunc
	done chan struct{} // closed when it has ended
}

// task runs fn, with a context that ends with the task or with the bus, which waits for
// it.
func (t *tasks) task(fn func(context.Context)) (*task, error) {
	if !t.begin() {
		return nil, ErrClosed
	}
	ctx, cancel := context.WithCancel(t.life)
	k := &task{quit: cancel, done: make(chan struct{})}
	go func() {
		defer t.running.Done()
		defer close(k.done)
		defer cancel()
		fn(ctx)
	}()
	return k, nil
}

// end ends the task and waits for that.
func (t *task) end() {
	t.quit()
	<-t.done
}
