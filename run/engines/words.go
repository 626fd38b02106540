package engines

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/shlex"
)

// Word is one thing that is said of an engine: tc=60+0.5, option.Hash=64.
type Word struct{ Key, Value string }

// Words are what is said of an engine, in the order in which it was said.
type Words []Word

// Error is what is wrong with the words of an engine.
type Error struct {
	// Text are the words, Key the one that is wrong, empty if it is none alone.
	Text, Key string
	// Each tells that it stands among the words for all engines.
	Each bool
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("engine %q: %v", e.Text, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// ParseWords reads key=value words, quoted as for a shell.
func ParseWords(text string) (Words, error) {
	list, err := shlex.Split(text)
	if err != nil {
		return nil, &Error{Text: text, Err: err}
	}
	var out Words
	for _, w := range list {
		key, value, ok := strings.Cut(w, "=")
		if n := len(out); n > 0 && out[n-1].Key == "cmd" && (!ok || strings.HasPrefix(w, "-")) {
			return nil, &Error{Text: text, Err: fmt.Errorf("a program with arguments stands in quotes: cmd='%s %s'", out[n-1].Value, w)}
		}
		if !ok {
			return nil, &Error{Text: text, Err: fmt.Errorf("%q is not key=value: a program is cmd=PROGRAM, a built-in engine bot=1 to bot=9", w)}
		}
		if _, twice := out.Get(key); twice {
			return nil, &Error{Text: text, Key: key, Err: fmt.Errorf("%s is given twice", key)}
		}
		out = append(out, Word{key, value})
	}
	return out, nil
}

// Get returns the value of a key.
func (w Words) Get(key string) (value string, given bool) {
	for _, x := range w {
		if x.Key == key {
			return x.Value, true
		}
	}
	return "", false
}

// With returns the words with one more.
func (w Words) With(key, value string) Words { return append(slices.Clip(w), Word{key, value}) }

// Without returns the words without those of a key.
func (w Words) Without(key string) Words {
	return slices.DeleteFunc(slices.Clone(w), func(x Word) bool { return x.Key == key })
}

// String is what ParseWords reads.
func (w Words) String() string {
	out := make([]string, len(w))
	for i, x := range w {
		out[i] = x.String()
	}
	return strings.Join(out, " ")
}

// unquoted are the characters of words that need no quotes.
const unquoted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=.,:+-_/%@"

// String is the word, quoted where that is needed.
func (x Word) String() string {
	if strings.Trim(x.Key, unquoted) != "" {
		return Quote(x.Key + "=" + x.Value)
	}
	if strings.Trim(x.Value, unquoted) != "" {
		return x.Key + "=" + Quote(x.Value)
	}
	return x.Key + "=" + x.Value
}

// Quote quotes a word as a shell would, where that is needed.
func Quote(s string) string {
	if s != "" && strings.Trim(s, unquoted) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'"
}

// MarshalText implements encoding.TextMarshaler.
func (w Words) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *Words) UnmarshalText(text []byte) (err error) {
	*w, err = ParseWords(string(text))
	return err
}
