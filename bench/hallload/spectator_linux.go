package main

import (
	"errors"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// habit is how a spectator reads.
type habit byte

const (
	reads  habit = iota
	silent       // stops reading after the first event
	crawls       // reads a few bytes a second from then on
)

// crawl is how many bytes one that crawls reads in a second.
const crawl = 48

// spectator is one connection, and what it has seen of the game.
type spectator struct {
	feed feed
	fd   int32 // -1 if it is not connected
	room int32
	habit
	sent   bool // the request
	known  bool // there is a state: that of attempt and seq
	over   bool // the end of the game was told
	broken bool // the connection ended before: the next one goes on with the same game

	attempt int
	seq     uint64
	game    string
	pause   time.Time // no connection before
}

// dial begins to connect. Each spectator has an address of its own in 127.0.0.0/8, as in
// the world, so that limits by address count.
func (s *spectator) dial(i int, to *unix.SockaddrInet4) error {
	s.feed, s.sent, s.over = feed{}, false, false
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	s.fd = int32(fd)
	if s.habit != reads { // what it does not read waits at the hall, not here
		err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 2048)
	}
	from := unix.SockaddrInet4{Addr: [4]byte{127, byte(1 + i/62_500), byte(1 + i/250%250), byte(1 + i%250)}}
	err = errors.Join(err, unix.Bind(fd, &from))
	if err == nil {
		err = unix.Connect(fd, to)
	}
	if errors.Is(err, unix.EINPROGRESS) {
		err = nil
	}
	return err
}

// ask sends the request; then is called between.
func (s *spectator) ask(host string, then func() error) error {
	text := "GET /api/v1/games/" + s.game + "/events HTTP/1.1\r\nHost: " + host + "\r\nAccept: text/event-stream\r\n"
	if s.known {
		text += "Last-Event-ID: " + strconv.Itoa(s.attempt) + "-" + strconv.FormatUint(s.seq, 10) + "\r\n"
	}
	if err := then(); err != nil {
		return err
	}
	_, err := unix.Write(int(s.fd), []byte(text+"\r\n"))
	s.sent = true
	return err
}
