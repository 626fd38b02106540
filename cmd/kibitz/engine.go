package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/drain"
	"kibitz/internal/process"
	"kibitz/link"
	"kibitz/link/frame"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/term"
)

type engineCmd struct {
	Game    string   `arg:"" help:"Game with options, for example othello or gomoku:rule=renju."`
	Proto   string   `help:"Protocol; default: the game's usual one." placeholder:"P"`
	Level   string   `default:"9" help:"Strength 1 to 9, or random."`
	Seed    uint64   `help:"Seed of all random choices." default:"1"`
	Memory  string   `help:"Memory limit, for example 350M." placeholder:"BYTES"`
	Name    string   `help:"Name to introduce itself with."`
	Dialect []string `help:"Switch of the protocol, KEY=VALUE; repeatable." placeholder:"KEY=VALUE"`
	Variety int      `help:"In the first N plies of a game draw by lot among moves that are nearly the best." placeholder:"N"`
	Book    string   `help:"File of an opening book of its own, which learn adds to; it is made if it is missing. none: no book, not the one that level 9 has either (./none is a file). Othello." placeholder:"FILE|none"`
	Games   int      `name:"self-play" help:"Serve nobody: play N games against itself, learn them into the book, and end." placeholder:"N"`
	Expand  int      `help:"Serve nobody: add N positions to the book where games are likely to leave it, and end." placeholder:"N"`
	Address []string `arg:"" optional:"" help:"With a protocol whose engines connect to the manager: its address and port, as the manager appends them."`
	Dir     string   `help:"With a protocol that goes through files: the folder where they lie, else the working directory." placeholder:"DIR"`
	Listen  string   `help:"Wait for the manager on this TCP address instead of stdin and stdout." placeholder:"HOST:PORT"`
}

// Help returns the example that --help shows.
func (engineCmd) Help() string {
	return "Examples: kibitz engine othello --proto nboard --level 5\n          kibitz engine gomoku (as an engine in a Gomocup manager)"
}

// Run serves one manager until it ends.
func (c engineCmd) Run(a *app) error {
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	proto, err := catalog.ProtocolFor(r.Spec().ID(), c.Proto)
	if err != nil {
		return err
	}
	dialect, err := parseDialect(c.Dialect)
	if err != nil {
		return err
	}
	var memory int64
	if c.Memory != "" {
		if memory, err = engines.ParseBytes("memory", c.Memory); err != nil {
			return err
		}
	}
	p, err := a.launcher().Bot(r.Spec().ID(), c.Level, bot.Options{Seed: c.Seed, Memory: memory, Name: c.Name, Variety: c.Variety})
	if err != nil {
		return err
	}
	if done, err := c.book(a, p); done || err != nil {
		return errors.Join(err, p.Close())
	}
	name := c.Name
	if name == "" {
		name = "Kibitz " + c.Level
	}
	return serve(a, proto, protocol.Server{
		Player: p, Position: rules.NewBoard(games.OpenSpec), Now: a.now, Name: name, Version: version, Author: "Kibitz",
		Game: r.Spec(), Limits: player.Limits{Memory: memory}, Dialect: dialect, ReadFile: c.files(),
		CPUTime: func() time.Duration { cpu, _ := process.Usage(); return cpu },
		Log:     a.warn,
	}, outside{listen: c.Listen, address: c.Address, dir: c.Dir})
}

// outside says where the manager is.
type outside struct {
	listen  string   // wait for it here
	address []string // connect to it: host and port
	dir     string   // talk with it through files in this folder; empty: the working directory
}

// serve runs the engine side of a protocol on stdin and stdout, for one TCP peer, or
// for the one question that lies in a folder.
func serve(a *app, proto protocol.Protocol, s protocol.Server, o outside) error {
	defer s.Player.Close() //nolint:errcheck // the manager has gone; there is nobody to tell
	var conn link.Conn
	var err error
	switch {
	case proto.Turn != nil:
		if o.listen != "" || len(o.address) > 0 {
			return fmt.Errorf("an engine of protocol %s talks through files in its folder, not over a connection", proto.ID)
		}
	case o.dir != "":
		return fmt.Errorf("--dir: an engine of protocol %s does not talk through files", proto.ID)
	case proto.Serve == nil:
		return fmt.Errorf("protocol %s has no engine side", proto.ID)
	default:
		if conn, err = meet(a, proto, s.Dialect, o); err != nil {
			return err
		}
		defer conn.Close() //nolint:errcheck // as above
	}
	ctx, stop := drain.Context(a.ctx, a.drain) // an engine has no games of its own to end first
	defer stop()
	if proto.Turn != nil {
		return proto.Turn(ctx, cmp.Or(o.dir, "."), s)
	}
	err = proto.Serve(ctx, conn, s)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// meet connects with the manager.
func meet(a *app, proto protocol.Protocol, dialect map[string]string, o outside) (link.Conn, error) {
	framed := proto.LaunchOf(dialect).CallBack
	switch {
	case framed && o.listen == "" && len(o.address) != 2:
		return nil, fmt.Errorf("an engine of protocol %s connects to its manager: give address and port, for example 127.0.0.1 4000", proto.ID)
	case !framed && len(o.address) > 0:
		return nil, fmt.Errorf("%s: an engine of protocol %s talks on stdin and stdout and takes no address", strings.Join(o.address, " "),
			proto.ID)
	case o.listen == "" && !framed:
		return link.Stdio(a.stdin, term.Bare(a.stdout), a.now), nil
	}
	peer, err := o.peer(a)
	if err != nil {
		return nil, err
	}
	if framed {
		return frame.NewConn(peer, link.Options{Now: a.now}), nil
	}
	return link.NewStream(peer, peer, peer.Close, link.Options{Now: a.now}), nil
}

// peer waits for the manager or connects to it.
func (o outside) peer(a *app) (net.Conn, error) {
	if o.listen == "" {
		var d net.Dialer
		c, err := d.DialContext(a.ctx, "tcp", net.JoinHostPort(o.address[0], o.address[1]))
		if err != nil {
			return nil, fmt.Errorf("cannot connect to the manager: %w", err)
		}
		return c, nil
	}
	var lc net.ListenConfig
	l, err := lc.Listen(a.ctx, "tcp", o.listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	fmt.Fprintf(a.stderr, "listening on %s\n", l.Addr())
	c, err := l.Accept()
	return c, errors.Join(err, l.Close())
}

func parseDialect(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, d := range list {
		key, value, ok := strings.Cut(d, "=")
		if !ok {
			return nil, fmt.Errorf("--dialect %q: write KEY=VALUE", d)
		}
		out[key] = value
	}
	return out, nil
}

// canStart says from where a player can begin.
func canStart(p player.Player, spec game.Spec) player.Start {
	if s, ok := p.(player.Positioner); ok {
		return s.CanStart(spec)
	}
	return player.FromNothing
}
