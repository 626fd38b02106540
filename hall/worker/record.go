package worker

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/hall/bus"
	"kibitz/match"
	"kibitz/match/recorded"
	"kibitz/player"
	"kibitz/record"
	"kibitz/record/native"
)

// played is what a record says of where and by what a game was played.
type played struct {
	begun  time.Time
	host   string
	hashes [2]string
	// engines are what the engines call themselves.
	engines [2]string
}

// Tags of a record.
const (
	tagHost = "host" // the worker
	tagHash = "hash" // with the number of the seat, from 1: the program of its engine
)

// packed returns the record of a game in Kibitz's own format, compressed.
func packed(enc *zstd.Encoder, p *bus.Play, g *match.Game, o *match.Outcome, by *played) ([]byte, error) {
	rec := native.Record{Game: *recordOf(p, g, o, by), Attempt: p.Attempt}
	line, err := native.Append(nil, &rec, g.Rules)
	if err != nil {
		return nil, err
	}
	return enc.EncodeAll(line, nil), nil
}

// recordOf turns an outcome into a record.
func recordOf(p *bus.Play, g *match.Game, o *match.Outcome, by *played) *record.Game {
	r := &record.Game{
		ID: p.Game, Spec: g.Rules.Spec(), Start: p.Position, Event: cmp.Or(p.Event, "Kibitz hall"),
		Date:   by.begun.UTC().Format("2006-01-02 15:04:05"),
		Result: &o.Result, Commitment: g.Commitment, Evidence: o.Evidence,
	}
	if p.Reveal && g.Commitment != "" {
		r.Seed = hex.EncodeToString(p.Seed)
	}
	if p.Round > 0 {
		r.Round = fmt.Sprint(p.Round)
	}
	if p.OpeningName != "" {
		r.Tags = append(r.Tags, record.Tag{Key: "opening", Value: p.OpeningName})
	}
	if by.host != "" {
		r.Tags = append(r.Tags, record.Tag{Key: tagHost, Value: by.host})
	}
	for s, hash := range by.hashes {
		if hash != "" {
			r.Tags = append(r.Tags, record.Tag{Key: fmt.Sprint(tagHash, s+1), Value: hash})
		}
	}
	for s := range g.Sides {
		r.Names[s] = g.Sides[s].Name
		r.Engines[s] = player.Beside(by.engines[s], r.Names[s])
		r.Resources[s] = record.Resources(o.Resources[s])
		if c := g.Sides[s].Clock; !c.None() {
			k := &o.Clocks[s]
			r.Clocks[s] = c.String()
			r.Final[s] = &record.Clock{Left: k.Left, Total: k.Total, Moves: k.Moves, Periods: k.Periods, Stage: int(k.Stage)}
		}
	}
	r.Steps = recorded.Steps(o)
	return r
}
