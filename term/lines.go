package term

import (
	"bufio"
	"io"
	"sync"
)

// Lines reads a terminal line by line, so that waiting for a person can be given
// up. One reader serves all seats of a program.
type Lines struct {
	once sync.Once
	R    io.Reader
	ch   chan string
}

// Next returns the lines as they are typed; the channel is closed at the end of the input.
func (l *Lines) Next() <-chan string {
	l.once.Do(func() {
		l.ch = make(chan string)
		go func() {
			defer close(l.ch)
			sc := bufio.NewScanner(l.R)
			for sc.Scan() {
				l.ch <- sc.Text()
			}
		}()
	})
	return l.ch
}
