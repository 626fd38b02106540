package compat

import (
	"errors"
	"fmt"
	"os"
)

// Files are files that games are written into, each under a key. The zero value has none.
type Files struct {
	open map[string]*os.File
	// wait holds what games wrote that those before them still wait for, by their numbers;
	// next is the number of the game that is due.
	wait map[int]map[string][]byte
	next int
	err  error
}

// Open opens a file that an option names, if it names one. It is appended to, or begun
// anew if fresh.
func (f *Files) Open(key, option, name string, fresh bool) error {
	if name == "" {
		return nil
	}
	how := os.O_APPEND
	if fresh {
		how = os.O_TRUNC
	}
	file, err := os.OpenFile(name, how|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return Fail("%s: %v", option, err)
	}
	if f.open == nil {
		f.open = map[string]*os.File{}
	}
	f.open[key] = file
	return nil
}

// Has reports whether there is a file of a key.
func (f *Files) Has(key string) bool { return f.open[key] != nil }

// write appends to the file of a key, if there is one. End returns what went wrong.
func (f *Files) write(key string, text []byte) {
	if file := f.open[key]; file != nil {
		_, err := file.Write(text)
		f.Note(err)
	}
}

// Writeln appends a line.
func (f *Files) Writeln(key, text string) { f.write(key, fmt.Appendln(nil, text)) }

// Add appends to files, by their keys, what a game writes into them. Games stand in the
// order of their numbers, from 0, however they end.
func (f *Files) Add(number int, texts map[string][]byte) {
	if f.wait == nil {
		f.wait = map[int]map[string][]byte{}
	}
	f.wait[number] = texts
	for f.wait[f.next] != nil {
		f.flush()
	}
}

func (f *Files) flush() {
	for key, text := range f.wait[f.next] {
		f.write(key, text)
	}
	delete(f.wait, f.next)
	f.next++
}

// Note keeps an error for End.
func (f *Files) Note(err error) { f.err = errors.Join(f.err, err) }

// End writes what waits, closes the files, and returns whatever went wrong with them, unless
// the run has an error of its own, which counts more.
func (f *Files) End(err error) error {
	for len(f.wait) > 0 {
		f.flush()
	}
	for _, file := range f.open {
		f.Note(file.Close())
	}
	if err == nil {
		err = Failed(f.err)
	}
	return err
}
