package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kibitz/internal/hallclient"
)

// director asks the hall for what is played, at whichever server answers.
type director struct {
	o       *options
	servers []string
	client  hallclient.Client
	// rooms, or the tournament.
	rooms      []string
	tournament string
	last       int
}

// seriesLength is how many games a room plays when rooms are played.
const seriesLength = 20

// ask sends a request to the servers in turn until one answers it.
func (d *director) ask(ctx context.Context, method, path string, in, out any) error {
	var all error
	for i, url := range d.servers {
		err := d.askOne(ctx, url, method, path, in, out)
		if err == nil {
			if i > 0 { // it goes on with this one
				d.servers[0], d.servers[i] = d.servers[i], d.servers[0]
			}
			return nil
		}
		all = errors.Join(all, err)
	}
	return all
}

func (d *director) askOne(ctx context.Context, url, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return d.client.Ask(ctx, url, method, path, in, out)
}

// enter logs in and offers the engines that the workers have.
func (d *director) enter(ctx context.Context, password string) error {
	if err := d.ask(ctx, "POST", "/account/login", map[string]any{"name": "admin", "password": password}, nil); err != nil {
		return err
	}
	for _, name := range []string{"Tick", "Tock"} {
		err := d.ask(ctx, "PUT", "/admin/engines/"+name, map[string]any{
			"games": []string{"gomoku"}, "enabled": true,
			"spec": "cmd=engine proto=gtp",
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// begin begins what is played.
func (d *director) begin(ctx context.Context) error {
	if d.o.what == "tournament" {
		var t struct{ ID string }
		err := d.ask(ctx, "POST", "/tournaments", map[string]any{
			"name": "cluster", "game": d.o.spec, "format": "roundrobin", "games": d.o.games, "concurrency": 3 * d.o.slots, "start": true,
			"each":    "tc=inf",
			"engines": []string{"engine=Tick", "engine=Tock"},
		}, &t)
		d.tournament = t.ID
		return err
	}
	for range d.o.games / seriesLength {
		if err := d.room(ctx); err != nil {
			return err
		}
	}
	return nil
}

// room begins a series in a room, slowly enough for the limit of one address.
func (d *director) room(ctx context.Context) error {
	var r struct{ ID string }
	err := d.ask(ctx, "POST", "/rooms", map[string]any{"settings": map[string]any{
		"game": d.o.spec, "games": seriesLength, "clocks": []string{"inf", "inf"}, "pause": 0,
	}}, &r)
	for _, c := range []map[string]any{
		{"do": "sit", "place": 0, "kind": "engine", "engine": "Tick"},
		{"do": "sit", "place": 1, "kind": "engine", "engine": "Tock"},
		{"do": "start"},
	} {
		if err == nil {
			err = d.ask(ctx, "POST", "/rooms/"+r.ID+"/commands", c, nil)
		}
	}
	d.rooms = append(d.rooms, r.ID)
	pause(ctx, 200*time.Millisecond)
	return err
}

// over returns how many games are over, as far as is known.
func (d *director) over(ctx context.Context) int {
	if d.tournament != "" {
		var t struct{ Over int }
		if d.ask(ctx, "GET", "/tournaments/"+d.tournament, nil, &t) == nil {
			d.last = t.Over
		}
		return d.last
	}
	var list []struct {
		ID    string
		Score [2]float64
	}
	if d.ask(ctx, "GET", "/rooms?limit=200", nil, &list) == nil {
		sum := 0.0
		for _, r := range list {
			sum += r.Score[0] + r.Score[1]
		}
		d.last = int(sum)
	}
	return d.last
}

// finish compares what the hall tells of the end with what was played.
func (d *director) finish(ctx context.Context) error {
	if d.tournament == "" {
		return nil
	}
	var t struct {
		State     string
		Over, All int
		Standings []struct {
			Name               string
			Games, Wins, Draws int
			Losses, Forfeits   int
			Points             float64
		}
	}
	if err := d.ask(ctx, "GET", "/tournaments/"+d.tournament, nil, &t); err != nil {
		return err
	}
	var text strings.Builder
	wrong := t.State != "finished" || t.Over != d.o.games || t.All != d.o.games
	sum := 0.0
	for _, s := range t.Standings {
		fmt.Fprintf(&text, "  %s: %d games, %d wins, %d draws, %d losses, %v points\n", s.Name, s.Games, s.Wins, s.Draws, s.Losses, s.Points)
		wrong = wrong || s.Games != d.o.games || s.Wins+s.Draws+s.Losses != d.o.games
		sum += s.Points
	}
	fmt.Printf("the tournament is %s, %d of %d games:\n%s", t.State, t.Over, t.All, text.String())
	if wrong || sum != float64(d.o.games) {
		return errors.New("the standings are not those of the games")
	}
	return nil
}
