//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/link/proc"
	"kibitz/match"
	"kibitz/protocol"
	"kibitz/protocol/piskvork"
)

// stamp begins what a talking engine says: the nanoseconds since 1970 follow.
const stamp = "printed at "

// thinks is how long a talking engine takes for a turn.
const thinks = 5 * time.Second

// talker is an engine of Gomoku that says when it says it.
type talker struct {
	out io.Writer
	// thinks is how long it takes for a turn, every after how long it speaks.
	thinks, every time.Duration
	taken         map[[2]int]bool
	size          int
}

// talk speaks Gomocup's protocol until the end of its input.
func talk(in io.Reader, t *talker) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		word, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		var err error
		switch strings.ToUpper(word) {
		case "END":
			return nil
		case "START":
			t.taken = map[[2]int]bool{}
			if _, err = fmt.Sscan(rest, &t.size); err == nil {
				_, err = fmt.Fprintln(t.out, "OK")
			}
		case "TURN":
			t.take(rest)
			err = t.move()
		case "BEGIN":
			err = t.move()
		case "BOARD":
			t.taken = map[[2]int]bool{}
			for lines.Scan() && lines.Text() != "DONE" {
				t.take(lines.Text())
			}
			err = t.move()
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

// take marks the point of "x,y" or "x,y,who".
func (t *talker) take(text string) {
	var at [2]int
	if _, err := fmt.Sscanf(text, "%d,%d", &at[0], &at[1]); err == nil {
		t.taken[at] = true
	}
}

// move thinks aloud and takes the first free point.
func (t *talker) move() error {
	for end := time.Now().Add(t.thinks); time.Now().Before(end); time.Sleep(t.every) {
		if _, err := fmt.Fprintf(t.out, "MESSAGE %s%d\n", stamp, time.Now().UnixNano()); err != nil {
			return err
		}
	}
	for i := range t.size * t.size {
		at := [2]int{i % t.size, i / t.size}
		if !t.taken[at] {
			t.taken[at] = true
			_, err := fmt.Fprintf(t.out, "%d,%d\n", at[0], at[1])
			return err
		}
	}
	return errors.New("the board is full")
}

// talking gives a seat a process of this program that talks while it thinks.
func talking(side *match.Side, seat game.Seat, every time.Duration, now func() time.Time) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	s := proc.Spec{Path: self, Args: []string{"talk", "-every", every.String()}, Options: link.Options{Now: now}}
	host, err := piskvork.NewHost(protocol.Config{
		Name: fmt.Sprintf("talker %s", seat), Now: now,
		Dial: func(ctx context.Context) (link.Conn, error) { return proc.Dialer(s)(ctx) },
	})
	if err != nil {
		return err
	}
	side.Player = host
	return nil
}
