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

// OptionError is what is wrong with an option of a game.
type OptionError struct {
	// Key is that of the option, which the game may not have.
	Key string
	// Range is from where to where it goes, as in "5 – 127"; empty for one that is a word of a few.
	Range string
	// Err says what is wrong and what would be right.
	Err error
}

func (e *OptionError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }

// WhyRange is the code of a number that is out of its range, which Name is; WhyChoice that of a word
// that is none of those offered.
const (
	WhyRange  = "range"
	WhyChoice = "choice"
)

// Why is what pages say of it.
func (e *OptionError) Why() Why {
	if e.Range == "" {
		return Why{Code: WhyChoice}
	}
	return Why{Code: WhyRange, Name: e.Range}
}

// Because is a Why of a code. about is whom it is about, as a name, and how many, as a number.
func Because(code WhyCode, about ...any) Why {
	w := Why{Code: code}
	for _, x := range about {
		switch x := x.(type) {
		case string:
			w.Name = x
		case int:
			w.N = x
		}
	}
	return w
}

// WhyCode is a word for a Why. Who gives a Why lists its own.
type WhyCode string
