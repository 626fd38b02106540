package piskvork

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/protocol"
)

// GameID is the game that the protocol plays.
const GameID = "gomoku"

// ruleNames are the rules of the specification with their codes in the Piskvork
// protocol; swap2 has none of its own there.
var ruleNames = map[string]int{"freestyle": 0, "standard": 1, "renju": 4, "caro6": 8, "caro": 9}

const continuousBit = 2

// RuleCodes maps the rules of a specification to values of "INFO rule" and back,
// per engine because the dialects give 2, 3, 5 and 6 different meanings.
type RuleCodes struct {
	code map[string]int // only what differs from Piskvork
	// Yixin codes know no continuous game.
	yixin bool
}

// ParseRuleCodes reads the switch dialect.rules: empty for the codes of Piskvork,
// "yixin" for those of the Yixin note (renju 2, freestyle with swap2 6), or pairs
// such as "renju=2,caro=8" on top of Piskvork's. Besides the five rules "swap2"
// names the code of freestyle with the swap2 opening.
func ParseRuleCodes(text string) (RuleCodes, error) {
	rc := RuleCodes{code: map[string]int{}}
	if text == "yixin" {
		rc.code["renju"], rc.code["swap2"], rc.yixin = 2, 6, true
		return rc, nil
	}
	for pair := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '/' || r == ';' }) {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			name, value, ok = strings.Cut(pair, ":")
		}
		n, err := strconv.Atoi(value)
		if _, known := ruleNames[name]; !ok || err != nil || n < 0 || !known && name != "swap2" {
			return rc, fmt.Errorf("dialect.rules=%s: %q must be RULE=CODE with a rule of freestyle standard renju caro caro6 swap2", text, pair)
		}
		rc.code[name] = n
	}
	return rc, nil
}

// Code returns the value of "INFO rule" for a specification, or an error if the
// dialect has none.
func (rc RuleCodes) Code(spec game.Spec) (int, error) {
	name, ok := spec.Option("rule")
	if !ok {
		name = "freestyle"
	}
	code, known := ruleNames[name]
	if !known {
		return 0, fmt.Errorf("the protocol has no code for rule %q", name)
	}
	if n, ok := rc.code[name]; ok {
		code = n
	}
	if n, ok := rc.code["swap2"]; ok && name == "freestyle" && isSwap2(spec) {
		code = n
	}
	if isContinuous(spec) {
		if rc.yixin {
			return 0, fmt.Errorf("the yixin rule codes know no continuous game")
		}
		if code&continuousBit != 0 {
			return 0, fmt.Errorf("code %d of rule %q leaves no room for the continuous game, which adds %d", code, name, continuousBit)
		}
		code |= continuousBit
	}
	return code, nil
}

// Rule returns the name of a rule and whether it is continuous for a value of
// "INFO rule", ok false if the value means nothing.
func (rc RuleCodes) Rule(code int) (name string, continuous, swap2, ok bool) {
	if n, has := rc.code["swap2"]; has && n == code {
		return "freestyle", false, true, true
	}
	for name, n := range rc.code {
		if n == code && name != "swap2" {
			return name, false, false, true
		}
	}
	base := code
	if !rc.yixin {
		base &^= continuousBit
	}
	for name, n := range ruleNames {
		if _, moved := rc.code[name]; !moved && n == base {
			return name, base != code, false, true
		}
	}
	return "", false, false, false
}

func isSwap2(spec game.Spec) bool {
	v, _ := spec.Option("opening")
	return v == "swap2"
}

func isContinuous(spec game.Spec) bool {
	v, _ := spec.Option("continuous")
	return v == "true"
}

// mayPass reports whether a seat may pass in a game.
func mayPass(spec game.Spec) bool {
	v, _ := spec.Option("pass")
	return v == "true"
}

// carries refuses games in which a seat may pass, unless the engine is one of those that
// see a pass between two stones of one colour, or at the point -1,-1: the protocol has no
// word for it.
func carries(spec game.Spec, dialect map[string]string) error {
	c := protocol.Config{Dialect: dialect}
	if mayPass(spec) && c.Switch(dialects(), "pass") == "none" {
		return errors.New("cannot be told of a pass: " +
			"dialect.pass=board is for one that sees it in a BOARD with two stones of one colour in a row, " +
			"dialect.pass=point for one that reads -1,-1, as Rapfi does")
	}
	return nil
}

// specOf writes a specification of the game with a rule and a board.
func specOf(rule string, width, height int, continuous, swap2 bool) game.Spec {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:rule=%s", GameID, rule)
	if width == height {
		fmt.Fprintf(&b, ",size=%d", width)
	} else {
		fmt.Fprintf(&b, ",width=%d,height=%d", width, height)
	}
	if swap2 {
		b.WriteString(",opening=swap2")
	}
	if continuous {
		b.WriteString(",continuous=true")
	}
	return game.Spec(b.String())
}
