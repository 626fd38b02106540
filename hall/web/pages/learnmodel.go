package pages

// LearnGame is a game that is taught: About is the sentence that says what it is.
type LearnGame struct{ ID, About string }

// Lesson is the page with the rules of a game and its lesson.
type Lesson struct {
	LearnGame
	Rules   []LearnRule
	Steps   []LearnStep
	Options []LearnTerm
	Terms   []LearnTerm
	// Boards are the steps, Pictures the boards of the rules by their keys, as the page's script
	// reads them.
	Boards   []any
	Pictures map[string]any
	// Live tells that the hall has rooms, so that the game can be played; Tall that its boards are
	// higher than wide: they lie on their side.
	Live, Tall bool
}

// LearnRule is a section of the rules. Picture says what its picture shows, empty without one.
type LearnRule struct {
	Key, Title string
	Paragraphs [][]LearnPassage
	Picture    string
}

// LearnPassage is a piece of a paragraph. Tip says what it means where that is not plain; ID is
// the tip's.
type LearnPassage struct{ Text, Tip, ID string }

// LearnStep is a step of a lesson in words: what is to be done, and how it is done.
type LearnStep struct{ Key, Do, Right, Shown string }

// LearnTerm is a word or an option with what it means.
type LearnTerm struct{ Name, Text string }
