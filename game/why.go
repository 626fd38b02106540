package game

// Why is why something is as it is, as a code with what it is about: why a game ended without a
// verdict, what one waits for, why an act was refused. Pages have words for each code. The zero
// Why says nothing.
type Why struct {
	Code WhyCode `json:"code,omitempty"`
	// Name is the player or the engine that it is about, N a count.
	Name string `json:"name,omitempty"`
	N    int    `json:"n,omitempty"`
	// Text says it in English, with what an engine or a machine has told.
	Text string `json:"text,omitempty"`
}

// WhyCode is a word for a Why. Who gives a Why lists its own.
type WhyCode string
