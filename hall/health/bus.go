package health

import (
	"context"
	"errors"

	"kibitz/hall/bus"
)

// QueuePart is the queue as a Monitor watches it: a *bus.Bus.
func QueuePart(queue interface {
	Check(ctx context.Context, deep bool) error
	Mends() bool
	Mend(ctx context.Context) error
},
) Part {
	p := Part{Name: Queue, Try: queue.Check, Say: sayQueue}
	if queue.Mends() {
		p.Say = sayOwnQueue
		p.Mend = queue.Mend
	}
	return p
}

// sayQueue is about servers outside.
func sayQueue(err error) (why, do string) {
	switch {
	case errors.Is(err, bus.ErrFull):
		return "(NATS) takes no messages: its store is full", "make space in the store of nats-server, or raise max_file_store"
	case errors.Is(err, bus.ErrStuck):
		return "(NATS) answers but keeps no messages: a write to its store has failed, and nats-server does not try again",
			"make space on its disk, then restart nats-server"
	case errors.Is(err, context.DeadlineExceeded):
		return "(NATS) does not answer in time", ""
	case errors.Is(err, bus.ErrNoServer):
		return "(NATS) does not answer", ""
	default:
		return "(NATS) cannot be used", "see the log of the hall"
	}
}

// sayOwnQueue is about the server in this process.
func sayOwnQueue(err error) (why, do string) {
	switch {
	case errors.Is(err, bus.ErrFull):
		return "takes no messages: its disk is full", "make space on the disk of the hall's folder"
	case errors.Is(err, bus.ErrStuck):
		return "takes no messages: its disk is full or does not answer, or a write has failed",
			"see whether the disk of the hall's folder has space, and what else uses it"
	case errors.Is(err, context.DeadlineExceeded):
		return "does not answer in time", ""
	default:
		return "cannot be used", "see the log of the hall"
	}
}
