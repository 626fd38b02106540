// Package ggf reads and writes the generic game format in its Othello profile,
// the form in which game servers keep records and NBoard tells an engine what
// has been played.
//
// Black is always seat First, White seat Second, whoever moves first. A reader
// keeps what stands: passes that a file leaves out are found by package replay,
// which knows the rules. Boards of other sizes than 8 are read and kept under a
// specification that no rules answer to.
package ggf

import (
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// End is the reason of results without a suffix. It is empty: the format does not
// tell how a game ended on the board, which package replay finds there.
const End game.Reason = ""

// Keys under which Game.Tags hold what a GGF file says beyond the fields of
// record.Game.
const (
	// TagType is the match type as written, for example "s8r18".
	TagType = "TY"
	// TagResult is a result in words ("aborted") that means no result.
	TagResult = "RE"
	// TagMatch is "1/2" for the first game of a match line of two.
	TagMatch = "match"
)

// Spec returns the specification of an Othello game on a board of the size, with
// the disc count reversed if anti. Only the plain game of size 8 has rules.
func Spec(size int, anti bool) game.Spec {
	var options []string
	if anti {
		options = append(options, "anti=true")
	}
	if size != 8 {
		options = append(options, "size="+strconv.Itoa(size))
	}
	if len(options) == 0 {
		return "othello"
	}
	return game.Spec("othello:" + strings.Join(options, ","))
}

// Size returns the board size that a specification names, 8 if it names none.
func Size(spec game.Spec) int {
	if v, ok := spec.Option("size"); ok {
		if n, err := strconv.Atoi(v); err == nil && n >= MinSize && n <= MaxSize {
			return n
		}
	}
	return 8
}

func setTag(g *record.Game, key, value string) (replaced bool) {
	for i := range g.Tags {
		if g.Tags[i].Key == key {
			g.Tags[i].Value = value
			return true
		}
	}
	g.Tags = append(g.Tags, record.Tag{Key: key, Value: value})
	return false
}
