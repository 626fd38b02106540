package gtp_test

import (
	"context"
	"testing"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
)

// bridged returns the protocol outer whose engines are engines of inner behind a
// bridge: the host of inner is the player of outer.
func bridged(outer, inner protocol.Protocol) protocol.Protocol {
	serve := outer.Serve
	outer.Start = min(outer.Start, inner.Start)
	outer.Serve = func(ctx context.Context, conn link.Conn, s protocol.Server) error {
		done := make(chan error, 1)
		dial := func(ctx context.Context) (link.Conn, error) {
			ours, theirs := link.Pipe()
			behind := s
			behind.Position, behind.Dialect = board(), nil
			go func() {
				done <- inner.Serve(context.WithoutCancel(ctx), theirs, behind)
				_ = theirs.Close()
			}()
			return ours, nil
		}
		h, err := inner.Host(protocol.Config{Name: "behind", Now: s.Now, Dial: dial, Warn: s.Log})
		if err != nil {
			return err
		}
		front := s
		front.Player = h
		err = serve(ctx, conn, front)
		if shut := h.Close(); err == nil {
			err = shut
		}
		if failed := <-done; err == nil {
			err = failed
		}
		return err
	}
	return outer
}

// TestBridges plays through both protocols, one behind the other: the games are those
// that the players play without either.
func TestBridges(t *testing.T) {
	for name, p := range map[string]protocol.Protocol{
		"sau behind gtp": bridged(forms.Protocol(), catalog.SAU()),
		"gtp behind sau": bridged(catalog.SAU(), forms.Protocol()),
	} {
		for _, spec := range []game.Spec{"nogo", "connect6", "amazons", "phantomgo"} {
			t.Run(name+" "+string(spec), func(t *testing.T) {
				playertest.Trip{
					Protocol: p, Spec: canonical(t, spec), Board: board, Expected: expected,
					Bot: func() player.Player { return playertest.NewRandom(8) },
				}.Run(t)
			})
		}
	}
}
