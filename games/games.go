// Package games is the list of games for those who may import rules and nothing else. It
// is made from the catalog (go generate ./catalog), where a game is added.
package games

import (
	"sync"

	"kibitz/game"
	"kibitz/rules"
)

// opened are the rules that were asked for, which never change.
var opened struct {
	sync.RWMutex
	rules map[string]rules.Rules
}

// mostOpened bounds them: anybody may ask for many.
const mostOpened = 256

// Open returns the rules for a specification such as "gomoku:rule=renju".
func Open(spec string) (rules.Rules, error) {
	opened.RLock()
	r := opened.rules[spec]
	opened.RUnlock()
	if r != nil {
		return r, nil
	}
	r, err := rules.Open(All(), spec)
	if err != nil {
		return nil, err
	}
	opened.Lock()
	defer opened.Unlock()
	if len(opened.rules) >= mostOpened || opened.rules == nil {
		opened.rules = map[string]rules.Rules{}
	}
	opened.rules[spec] = r
	return r, nil
}

// OpenSpec is Open for a specification that is already canonical.
func OpenSpec(spec game.Spec) (rules.Rules, error) { return Open(string(spec)) }
