package gtp

import "strconv"

// expectation is a command whose reply has not been read.
type expectation uint8

const (
	wantDone   expectation = iota // a refusal is a fault
	wantPass                      // a forced pass: engines that pass by themselves may refuse it
	wantTurn                      // a turn of several points: engines that know single ones refuse it
	wantNotice                    // a refusal has no consequence
	wantMove
)

// batch is commands that are written in one piece, and what their replies mean.
type batch struct {
	ids     bool // commands have numbers
	out     []byte
	expect  []expectation
	lastID  int
	firstID int // of the replies that are awaited
}

func (b *batch) begin() { b.out, b.expect, b.firstID = b.out[:0], b.expect[:0], b.lastID+1 }

func (b *batch) word(name string) {
	if b.ids {
		b.lastID++
		b.out = strconv.AppendInt(b.out, int64(b.lastID), 10)
		b.out = append(b.out, ' ')
	}
	b.out = append(b.out, name...)
}

// arg appends an argument of the command that was begun.
func (b *batch) arg(text string) {
	b.out = append(b.out, ' ')
	b.out = append(b.out, text...)
}

// end completes a command and notes what its reply means.
func (b *batch) end(e expectation) {
	b.out = append(b.out, '\n')
	b.expect = append(b.expect, e)
}

func (b *batch) command(i int) string {
	start := 0
	for at, c := range b.out {
		if c != '\n' {
			continue
		}
		if i == 0 {
			return string(b.out[start:at])
		}
		i--
		start = at + 1
	}
	return ""
}
