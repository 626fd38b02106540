package link

import "time"

const (
	// paceBytes is how much of a flood is read between two rests.
	paceBytes = 1 << 20
	// restMost is how long a rest is at most.
	restMost = 75 * time.Millisecond
)

// pace makes whoever reads a flood rest as long as he has read, so that a peer which
// never stops takes half of a processor of ours at most. The zero value is ready.
type pace struct {
	from int64     // bytes received at the last rest
	end  time.Time // of the last rest
}

// rest returns how long to rest now, having received so many bytes in all; mostly it is
// nothing. rested is called after a rest.
func (p *pace) rest(now time.Time, received int64) time.Duration {
	if received-p.from < paceBytes {
		return 0
	}
	p.from = received
	return min(restMost, now.Sub(p.end))
}

func (p *pace) rested(now time.Time) { p.end = now }
