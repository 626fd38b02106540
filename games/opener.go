package games

import (
	"sync"

	"kibitz/game"
	"kibitz/rules"
)

// mostOpened bounds what an Opener keeps: anybody may ask a hall for many.
const mostOpened = 256

// Opener opens rules as Open does and keeps them, since they never change, for whoever asks for
// the same ones game after game. Its zero value is ready, for several goroutines.
type Opener struct {
	mu   sync.RWMutex
	kept map[string]rules.Rules
}

// Open returns the rules for a specification.
func (o *Opener) Open(spec string) (rules.Rules, error) {
	o.mu.RLock()
	r := o.kept[spec]
	o.mu.RUnlock()
	if r != nil {
		return r, nil
	}
	r, err := Open(spec)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.kept) >= mostOpened || o.kept == nil {
		o.kept = map[string]rules.Rules{}
	}
	o.kept[spec] = r
	return r, nil
}

// OpenSpec is Open for a specification that is already canonical.
func (o *Opener) OpenSpec(spec game.Spec) (rules.Rules, error) { return o.Open(string(spec)) }
