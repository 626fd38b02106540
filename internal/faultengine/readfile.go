package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"kibitz/game"
	"kibitz/protocol/readfile"
	"kibitz/record/boardtxt"
)

// fileEngine answers the one question that lies in its folder. Its answer is a file;
// what it prints is for people.
type fileEngine struct {
	f     *faults
	text  string // move.txt, without the last line end
	plies [][]game.Move
}

// moveFile writes what is said into move.txt.
type moveFile struct{ begun bool }

// Write implements io.Writer.
func (m *moveFile) Write(p []byte) (int, error) {
	how := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if !m.begun {
		how |= os.O_TRUNC
	}
	m.begun = true
	file, err := os.OpenFile(readfile.MoveFile, how, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := file.Write(p)
	_ = file.Close()
	return n, err
}

// answerFile plays one ply.
func (f *faults) answerFile() error {
	e := &fileEngine{f: f}
	f.engine = e
	f.out.answer = bufio.NewWriter(&moveFile{})
	data, err := os.ReadFile(readfile.BoardFile)
	if err != nil {
		return fmt.Errorf("readfile: the question is missing: %w", err)
	}
	board, err := boardtxt.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", readfile.BoardFile, err)
	}
	e.plies = board.Plies
	f.moves = len(e.plies) / 2 // there is a process for each
	if f.at == 0 && f.moves > 0 {
		f.mode, f.how = "none", mode{} // it happened at the start
	}
	f.begin()
	if !f.ready() {
		f.hang()
	}
	server, err := f.server("darkchess")
	if err != nil {
		return err
	}
	server.Player = &scan{chosen: func() {}}
	if err := readfile.Turn(context.Background(), ".", server); err != nil {
		return err
	}
	text, err := os.ReadFile(readfile.MoveFile)
	if err != nil {
		return err
	}
	if err := os.Remove(readfile.MoveFile); err != nil {
		return err
	}
	e.text = string(bytes.TrimSuffix(text, []byte("\n")))
	f.move()
	if f.mode == "spin" {
		f.eof()
	}
	f.end()
	return nil
}

func (e *fileEngine) legal() string { return e.text }

func (e *fileEngine) illegal() string { return strings.ReplaceAll("0 z9 z9 0", " ", "\n") }

// occupied flips what lies open: the square that was used last.
func (e *fileEngine) occupied() string {
	if n := len(e.plies); n > 0 && len(e.plies[n-1]) > 0 {
		if text, err := readfile.AppendMove(nil, game.FlipAt(e.plies[n-1][0].To)); err == nil {
			return string(text)
		}
	}
	return e.illegal()
}

func (e *fileEngine) stray() (move, reply string) { return "1 c3 c3 0", "OK" }
