package main

import (
	"fmt"
	"strconv"
	"strings"
)

// levels is how many levels a built-in engine has.
const levels = 9

// allGames are measured unless others are named.
var allGames = []string{"othello", "gomoku", "connect6", "amazons", "nogo", "dotsandboxes", "surakarta", "phantomgo", "darkchess"}

// outsider is an engine from elsewhere that plays some levels of a game.
type outsider struct {
	game   string
	levels []int
	// name is its name in the tables, words what kibitz match is told of it.
	name  string
	words string
}

func parseOutsider(text string) (outsider, error) {
	var o outsider
	var rest []string
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "game":
			o.game = value
		case "level":
			for _, n := range strings.Split(value, ",") {
				level, err := strconv.Atoi(n)
				if err != nil || level < 1 || level > levels {
					return o, fmt.Errorf("level %q: 1 to %d is expected", n, levels)
				}
				o.levels = append(o.levels, level)
			}
		default:
			if key == "name" {
				o.name = value
			}
			rest = append(rest, word)
		}
	}
	o.words = strings.Join(rest, " ")
	if o.game == "" || o.name == "" || len(o.levels) == 0 || !strings.Contains(o.words, "cmd=") {
		return o, fmt.Errorf("%q: game=, level=, name= and cmd= are expected", text)
	}
	return o, nil
}

// rung is one match of a ladder.
type rung struct {
	game         string
	upper, lower side
	// folder keeps the run, below the folder of the ladder.
	folder string
}

// side is one of the two engines of a rung.
type side struct{ name, words string }

func (s side) String() string { return s.name }

func level(n int) side {
	return side{fmt.Sprintf("level %d", n), fmt.Sprintf("bot=%d name=level%d", n, n)}
}

// plan lists the rungs of a game: neighbouring levels from below, then the levels
// beside outside engines.
func plan(s *settings, game string) []rung {
	var out []rung
	add := func(upper, lower side) {
		name := strings.NewReplacer(":", "-", ",", "-", "=", "", " ", "").Replace
		out = append(out, rung{game, upper, lower, name(fmt.Sprintf("%s/%s-%s-%dx%gs", game, upper.name, lower.name, s.perRung, s.seconds))})
	}
	for n := s.lowest; n < s.highest; n++ {
		add(level(n+1), level(n))
	}
	for _, o := range s.against {
		for _, n := range o.levels {
			if o.game == game {
				add(level(n), side{o.name, o.words})
			}
		}
	}
	return out
}
