package auth

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limiter limits the rate of each of many keys and forgets those used least lately
// beyond a bound.
type Limiter struct {
	mu    sync.Mutex
	rate  rate.Limit
	burst int
	most  int
	keys  map[string]*list.Element
	order *list.List
}

type limited struct {
	key string
	*rate.Limiter
}

// NewLimiter allows perSecond on average and burst at once for each key, and remembers
// at most most keys. With perSecond 0 or less it allows everything.
func NewLimiter(perSecond float64, burst, most int) *Limiter {
	l := &Limiter{rate: rate.Limit(perSecond), burst: max(burst, 1), most: max(most, 1), keys: map[string]*list.Element{}, order: list.New()}
	if perSecond <= 0 {
		l.rate = rate.Inf
	}
	return l
}

// Allow takes one from key's allowance at now. If there is none it returns how long
// to wait for one.
func (l *Limiter) Allow(key string, now time.Time) (time.Duration, bool) {
	if l.rate == rate.Inf {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.keys[key]
	if ok {
		l.order.MoveToFront(e)
	} else {
		if l.order.Len() >= l.most {
			last := l.order.Back()
			delete(l.keys, last.Value.(*limited).key)
			l.order.Remove(last)
		}
		e = l.order.PushFront(&limited{key, rate.NewLimiter(l.rate, l.burst)})
		l.keys[key] = e
	}
	lim := e.Value.(*limited).Limiter
	if lim.AllowN(now, 1) {
		return 0, true
	}
	missing := 1 - lim.TokensAt(now)
	return time.Duration(missing / float64(l.rate) * float64(time.Second)), false
}

// Len returns how many keys are remembered.
func (l *Limiter) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.order.Len()
}

// The rule of lockout: after five failures in a row no password counts for 30
// seconds, and for twice as long after each further one, up to an hour. It holds for
// an account wherever the failures came from, and for an address whatever the names.
const (
	lockAfter = 5
	lockFirst = 30 * time.Second
	lockMost  = time.Hour
)

// lockTime returns how long nothing counts after n failures in a row.
func lockTime(n, after int) time.Duration {
	if n < after {
		return 0
	}
	d := lockFirst
	for range n - after {
		if d *= 2; d >= lockMost {
			return lockMost
		}
	}
	return d
}

// addressLockAfter is higher than that of accounts: many people may share an address.
const addressLockAfter = 20

// forgetAfter is how long after its last failure an address starts anew.
const forgetAfter = time.Hour

// Failures counts failures in a row of addresses, forgetting those used least lately
// beyond a bound. Success does not clear them, or somebody with an account of his own
// could guess for ever; an hour without failures does.
type Failures struct {
	mu    sync.Mutex
	most  int
	keys  map[string]*list.Element
	order *list.List
}

type failure struct {
	key         string
	n           int
	last, until time.Time
}

// NewFailures remembers at most most keys.
func NewFailures(most int) *Failures {
	return &Failures{most: max(most, 1), keys: map[string]*list.Element{}, order: list.New()}
}

// Locked returns how long key must still wait.
func (f *Failures) Locked(key string, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.keys[key]; ok {
		return max(e.Value.(*failure).until.Sub(now), 0)
	}
	return 0
}

// Fail counts a failure of key.
func (f *Failures) Fail(key string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, ok := f.keys[key]
	if !ok {
		if f.order.Len() >= f.most {
			last := f.order.Back()
			delete(f.keys, last.Value.(*failure).key)
			f.order.Remove(last)
		}
		e = f.order.PushFront(&failure{key: key})
		f.keys[key] = e
	}
	f.order.MoveToFront(e)
	v := e.Value.(*failure)
	if now.Sub(v.last) > forgetAfter {
		v.n = 0
	}
	v.n++
	v.last = now
	v.until = now.Add(lockTime(v.n, addressLockAfter))
}
