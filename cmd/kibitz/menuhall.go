package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/join"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/term"
	"kibitz/term/menu"
)

// passwordVariable has the password of an account where nobody types it.
const passwordVariable = "KIBITZ_PASSWORD"

// hallOf is the hall of a visit, to its account.
func hallOf(ctx context.Context, v *menu.Visit) (*join.Client, error) {
	hall, err := join.NewClient(v.Server, "")
	if err != nil || v.Account == "" {
		return hall, err
	}
	password := v.Password
	if password == "" {
		password = os.Getenv(passwordVariable)
	}
	return hall, hall.Login(ctx, v.Account, password)
}

// menuRooms are the rooms of a game that can be entered.
func menuRooms(ctx context.Context, v *menu.Visit, id string) ([]menu.Room, error) {
	hall, err := hallOf(ctx, v)
	if err != nil {
		return nil, err
	}
	list, err := hall.Rooms(ctx, id)
	out := make([]menu.Room, 0, len(list))
	for _, r := range list {
		text := fmt.Sprintf("%s, %s, opened by %s", r.Game, strings.Join(r.Clocks[:], " / "), r.Host)
		out = append(out, menu.Room{ID: r.ID, Text: game.Shown(text, 150)})
	}
	return out, err
}

// visit plays in a room as the menu says.
func visit(a *app, v *menu.Visit) error {
	hall, err := hallOf(a.ctx, v)
	if err != nil {
		return err
	}
	place := 0
	c := join.Config{
		Hall: hall, Room: v.Room, Code: v.Code, Launcher: a.launcher(), Open: games.OpenSpec,
		Records: formats.New(games.OpenSpec).ReadNative, Seed: rand.Uint64, Drain: a.drain, Tell: a.warn,
		Once: true,
	}
	if v.Room == "" {
		set, err := roomSettings(a, v)
		if err != nil {
			return err
		}
		var code string
		if c.Room, code, err = hall.Open(a.ctx, set); err != nil {
			return err
		}
		c.Place, c.Games = &place, set.Games
		fmt.Fprintf(a.stdout, "room %s is open: %s/rooms/%s\n", c.Room, strings.TrimRight(v.Server, "/"), c.Room)
		if code != "" {
			fmt.Fprintf(a.stdout, "its password: %s\n", code)
		}
	}
	p := v.Match.Players[0]
	if p.Human {
		c.Person, c.Typed = a.sitter()
	} else {
		words := menuEngine(&p, v.Match.Clock)
		for _, key := range []string{"tc", "st", "byo"} { // the room has the clock
			words = words.Without(key)
		}
		if c.Engine, err = engines.Parse("", words.String()); err != nil {
			return err
		}
		done, err := a.launcher().Ready(a.ctx, c.Engine)
		if err != nil {
			return err
		}
		defer done()
		c.LogFile = join.LogName(c.Room)
	}
	failed, err := join.Play(a.ctx, c)
	if err == nil && failed > 0 {
		err = fmt.Errorf("the program failed in %d games: %s tells what it said", failed, c.LogFile)
	}
	return err
}

// sitter makes the people of this terminal who sit in rooms, and has what they type between
// games where somebody sits here.
func (a *app) sitter() (person func(rules.Rules, player.Player) player.Player, typed <-chan string) {
	if term.IsTerminal(a.stdin) {
		typed = a.terminal.Next()
	}
	return func(r rules.Rules, adviser player.Player) player.Player { return a.newPerson(r, false, adviser) }, typed
}

// roomSettings are what a room is to be that the menu opens.
func roomSettings(a *app, v *menu.Visit) (*join.Settings, error) {
	m := &v.Match
	text := m.Clock.String()
	if m.Clock.None() {
		text = "inf"
	}
	s := &join.Settings{
		Game: game.Spec(m.Game), Clocks: [2]string{text, text}, Games: m.Games, Begins: "first", Exchange: m.Change, Auto: true, Undo: true,
		Pause: m.Pause.Seconds(),
	}
	if !m.FirstBegins {
		s.Begins = "second"
	}
	if v.Private {
		s.Access = "private"
	}
	if m.MidBoard == "" {
		return s, nil
	}
	file, err := midBoard(a, m.MidBoard, m.Game)
	if err != nil {
		return nil, err
	}
	list, err := loadRecords(a, file, m.Game, "")
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("%s has %d games; a room begins from one", m.MidBoard, len(list))
	}
	return s, begunAs(s, list[0])
}

// begunAs lets a room begin where a game stands.
func begunAs(s *join.Settings, g *record.Game) error {
	if g.Spec != "" && g.Spec.ID() != s.Game.ID() {
		return fmt.Errorf("the file has a game of %s", g.Spec.ID())
	}
	s.Position = g.Start
	for i := range g.Steps {
		if g.Steps[i].Move.Op == game.Resign {
			return errors.New("the game was given up: leave its last turn out")
		}
		s.Opening = append(s.Opening, journal.FormatMove(g.Steps[i].Move))
	}
	return nil
}
