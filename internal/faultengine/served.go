package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/link/frame"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
	"kibitz/protocol/ponder"
	"kibitz/rules"
)

// words are what an engine of a protocol says wrong: its moves begin with a word, and
// what follows is replaced.
type words struct {
	entry   protocol.Protocol
	game    string // unless the flags name another
	illegal string // behind the first word of a move
	move    string // that nobody asked for
	reply   string
}

// spoken lists the protocols that are served by the engine sides of the project.
func spoken() []words {
	return []words{
		{catalog.GTP(), "gomoku", "Z99\n", "= C3\n", "= \n"},
		{dctp.Protocol(), "darkchess", "z9 z9", "=12 c3 c3", "=14"},
		{ponder.Protocol(), "darkchess", "z9-z9", "/flip c3", "/start"},
		{ponder.Old(), "darkchess", "99 99", "/flip 2 5", "/start"},
		{catalog.SAU(), "amazons", "ZZZZZZ", "move CCCDCE", "name stray"},
	}
}

// served is an engine that the engine side of a protocol speaks for. It is the
// connection of that side: what the side says in answer to a decision is the move that
// the faults are about.
type served struct {
	f       *faults
	words   words
	decided atomic.Bool // the next line holds a decision
	text    string      // the move that is due
	last    string      // the move before
}

// serve plays as an engine side of the project.
func (f *faults) serve() error {
	s := &served{f: f}
	f.engine = s
	for _, w := range spoken() {
		if w.entry.ID == f.proto {
			s.words = w
		}
	}
	if s.words.entry.Serve == nil {
		return fmt.Errorf("-proto %s: there is no such protocol", f.proto)
	}
	server, err := f.server(cmp.Or(f.game, s.words.game))
	if err != nil {
		return err
	}
	if s.words.entry.LaunchOf(nil).CallBack {
		if err := f.callBack(); err != nil {
			return err
		}
	}
	f.begin()
	server.Player = &scan{chosen: func() { s.decided.Store(true) }}
	if err := s.words.entry.Serve(context.Background(), s, server); err != nil {
		server.Logf("%v", err)
	}
	if f.mode == "spin" {
		f.eof()
	}
	f.end()
	return nil
}

// server is what an engine side needs but a player.
func (f *faults) server(spec string) (protocol.Server, error) {
	r, err := games.Open(spec)
	if err != nil {
		return protocol.Server{}, fmt.Errorf("-game: %w", err)
	}
	return protocol.Server{
		Position: rules.NewBoard(games.OpenSpec), Now: time.Now, Name: "fault", Version: "1", Author: "tests", Game: r.Spec(),
		Log: func(text string) { _, _ = fmt.Fprintf(os.Stderr, "log: %s\n", text) },
	}, nil
}

// callBack connects to the manager.
func (f *faults) callBack() error {
	if len(f.address) != 2 {
		return fmt.Errorf("-proto %s: the address and the port of the manager are missing behind the flags", f.proto)
	}
	c, err := net.Dial("tcp", net.JoinHostPort(f.address[0], f.address[1]))
	if err != nil {
		return err
	}
	t, ok := c.(*net.TCPConn)
	if !ok {
		return fmt.Errorf("%s is no TCP connection", c.RemoteAddr())
	}
	f.out = &output{
		in: bufio.NewReader(frame.NewReader(c)), answer: bufio.NewWriter(c), bulk: c, framed: true,
		closeIn:  func() { _ = t.CloseRead(); closeDescriptor(os.Stdin) },
		closeOut: func() { _ = t.CloseWrite(); closeDescriptor(os.Stdout) },
	}
	return nil
}

// ReadLine implements link.Conn.
func (s *served) ReadLine(time.Time) ([]byte, error) {
	for {
		line, err := s.f.out.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			return []byte(line), nil
		}
	}
}

// Write implements link.Conn.
func (s *served) Write(p []byte) error {
	text := strings.TrimSuffix(string(p), "\n")
	if s.decided.Swap(false) {
		s.text = text
		s.f.move()
		s.last = text
	} else if s.f.ready() {
		s.f.out.say(text)
	}
	s.f.out.flush()
	return nil
}

// Interrupt implements link.Conn; there is nothing to wake.
func (s *served) Interrupt() {}

// Close implements link.Conn.
func (s *served) Close() error { return nil }

func (s *served) legal() string { return s.text }

func (s *served) illegal() string {
	word, _, _ := strings.Cut(s.text, " ")
	return word + " " + s.words.illegal
}

func (s *served) occupied() string { return cmp.Or(s.last, s.illegal()) }

func (s *served) stray() (move, reply string) { return s.words.move, s.words.reply }

// scan plays the first legal move of the list.
type scan struct {
	chosen  func() // called with each decision
	legal   []game.Move
	refused int
}

// NewGame implements player.Player.
func (s *scan) NewGame(context.Context, *player.Setup) error { return nil }

// CanStart implements player.Positioner.
func (s *scan) CanStart(game.Spec) player.Start { return player.FromPosition }

// Tell implements player.Player.
func (s *scan) Tell(*player.Update) {}

// Choose implements player.Player.
func (s *scan) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	s.legal = p.Moves.Legal(s.legal[:0])
	if p.Rejected == player.NotRejected {
		s.refused = 0
	} else {
		s.refused++
	}
	if s.refused >= len(s.legal) {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "there is nothing to decide")
	}
	s.chosen()
	return player.Answer{Steps: s.legal[s.refused : s.refused+1]}, nil
}

// Stop implements player.Player.
func (s *scan) Stop() {}

// Over implements player.Player.
func (s *scan) Over(game.Result) {}

// Close implements player.Player.
func (s *scan) Close() error { return nil }
