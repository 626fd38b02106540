package ladder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/run/engines"
)

// ladder is all that is played of one game.
type ladder struct {
	game  string
	rungs []rung
}

// rung is one match of a ladder.
type rung struct {
	game         string
	upper, lower rungSide
	// folder keeps the run, below the folder of all.
	folder string
}

// rungSide is one of the two engines of a rung: its name, what kibitz match is told of
// it, and its level, 0 for an outside engine.
type rungSide struct {
	name  string
	words engines.Words
	level int
}

// outsider is an engine from elsewhere that meets some levels of a game.
type outsider struct {
	rungSide
	levels []int
}

func levelSide(n int) rungSide {
	words := engines.Words{{Key: "bot", Value: strconv.Itoa(n)}, {Key: "name", Value: fmt.Sprintf("level%d", n)}}
	return rungSide{fmt.Sprintf("level %d", n), words, n}
}

// outsiders reads the outside engines, by game.
func (c *Options) outsiders(specs []string) (map[string][]outsider, error) {
	out := map[string][]outsider{}
	each, err := engines.ParseWords(c.Each)
	if err != nil {
		return nil, fmt.Errorf("--each: %w", err)
	}
	for _, text := range c.Engine {
		words, err := engines.ParseWords(text)
		if err != nil {
			return nil, fmt.Errorf("--engine %q: %w", text, err)
		}
		o := outsider{levels: c.levels}
		if list, given := words.Get("levels"); given {
			if o.levels, err = parseLevels(list); err != nil {
				return nil, fmt.Errorf("--engine %q: %w", text, err)
			}
		}
		game, _ := words.Get("game")
		o.name, _ = words.Get("name")
		o.words = words.Without("game").Without("levels")
		if game == "" && len(specs) == 1 {
			game = specs[0]
		}
		switch {
		case !slices.Contains(specs, game):
			return nil, fmt.Errorf("--engine %q: game=G is expected, one of %s", text, strings.Join(specs, " "))
		case o.name == "":
			return nil, fmt.Errorf("--engine %q: name=NAME is expected, for the tables", text)
		case strings.HasPrefix(o.name, "level"):
			return nil, fmt.Errorf("--engine %q: the name would be taken for that of a level", text)
		}
		if _, err := engines.New(each, o.words); err != nil {
			return nil, fmt.Errorf("--engine %q: %w", text, err)
		}
		out[game] = append(out[game], o)
	}
	return out, nil
}

// ladder lists the rungs of a game: neighbouring levels from below, or all, then the
// levels beside outside engines.
func (c *Options) ladder(game string, outside []outsider) ladder {
	l := ladder{game: game}
	add := func(upper, lower rungSide) {
		clean := strings.NewReplacer(":", "-", ",", "-", "=", "", " ", "", "/", "-").Replace
		name := fmt.Sprintf("%s-%s-%dx%s-%d", upper.name, lower.name, c.Games, c.Each, c.Seed)
		l.rungs = append(l.rungs, rung{game, upper, lower, clean(game) + "/" + clean(name)})
	}
	for i := 1; i < len(c.levels); i++ {
		lowest := i - 1
		if c.All {
			lowest = 0
		}
		for k := i - 1; k >= lowest; k-- {
			add(levelSide(c.levels[i]), levelSide(c.levels[k]))
		}
	}
	for _, o := range outside {
		for _, n := range o.levels {
			add(levelSide(n), o.rungSide)
		}
	}
	return l
}
