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

// Rule says what follows from failures.
type Rule struct {
	// Lock is how long nothing counts after n failures.
	Lock func(n int) time.Duration
	// Forget is how long after its last failure an address starts anew; with Within, how
	// long after its first one.
	Forget time.Duration
	Within bool
}

// LoginRule is that of passwords: an hour without failures clears them.
func LoginRule() Rule {
	return Rule{Lock: func(n int) time.Duration { return lockTime(n, addressLockAfter) }, Forget: time.Hour}
}

// GuessRule is that of codes: ten wrong ones within a minute lock an address for ten minutes.
func GuessRule() Rule {
	return Rule{Forget: time.Minute, Within: true, Lock: func(n int) time.Duration {
		if n < 10 {
			return 0
		}
		return 10 * time.Minute
	}}
}

// Failures counts failures of addresses by a rule, forgetting those used least lately
// beyond a bound. Success does not clear them, or somebody with an account of his own
// could guess for ever.
type Failures struct {
	rule  Rule
	mu    sync.Mutex
	most  int
	keys  map[string]*list.Element
	order *list.List
}

type failure struct {
	key                string
	n                  int
	first, last, until time.Time
}

// NewFailures remembers at most most keys.
func NewFailures(rule Rule, most int) *Failures {
	return &Failures{rule: rule, most: max(most, 1), keys: map[string]*list.Element{}, order: list.New()}
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
	since := v.last
	if f.rule.Within {
		since = v.first
	}
	if now.Sub(since) > f.rule.Forget {
		v.n, v.first = 0, now
	}
	v.n++
	v.last = now
	v.until = now.Add(f.rule.Lock(v.n))
}
