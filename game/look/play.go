package look

import (
	"slices"
	"strconv"
	"strings"
)

// Offer is what a game offers to whoever wants to play it.
type Offer struct {
	// Choices are its options, the most asked for first.
	Choices []Choice
	// Levels are those of its built-in engine.
	Levels []Level
	// Colours are those that the seats begin with, empty where they have none.
	Colours [2]string
}

// ColoursOf are the colours of the seats in a game with options, empty where players choose them.
func (o *Offer) ColoursOf(option func(key string) (value string, ok bool)) [2]string {
	for _, c := range o.Choices {
		if v, ok := option(c.Key); ok && slices.Contains(c.Swaps, v) {
			return [2]string{}
		}
	}
	return o.Colours
}

// Choice is an option of a game that is offered before it begins.
type Choice struct {
	// Key and Default are those of the option.
	Key, Default string
	// Values are those to choose from, none for a number that is counted up and down.
	Values []string
	// Swaps are the values with which a player chooses a colour in the game.
	Swaps []string
	// Rest tells that it is for those who look for it.
	Rest bool
}

// LevelName is what a level of the built-in engine, 1 to 9, is called in records; pages call it
// otherwise in each language.
func LevelName(level int) string { return levelName + strconv.Itoa(level) }

// NamedLevel is the level that has such a name, 0 if none has.
func NamedLevel(name string) int {
	if n, ok := strings.CutPrefix(name, levelName); ok && len(n) == 1 && n[0] >= '1' && n[0] <= '9' {
		return int(n[0] - '0')
	}
	return 0
}

const levelName = "Level "

// Level is a level of a game's built-in engine.
type Level struct {
	// Nodes is how many positions it looks at a turn, 0 for as many as its clock lets it;
	// Blunder is the part of its turns that are mistakes.
	Nodes   int64
	Blunder float64
	// Elo is how much stronger than level 1 it is, where that was Measured.
	Elo      int
	Measured bool
}
