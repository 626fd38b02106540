// Package ponder speaks the background protocol of the NTPU dark chess client: the
// engine connects to the client over TCP and may think in the opponent's time. Two
// versions are in use, the current one of December 2019 and the old one of 2013 to
// 2018, which writes boards and squares as numbers; nothing tells them apart before
// the first message, so each is a protocol of its own.
//
//	P: /start X,X,...,0,900000     E: /start
//	P: /turn 1 2                   E: /turn
//	E: /flip b4                    P: /flip b4(P) 899964 0
//
// The frames in which these texts travel are the business of link/frame.
//
// Sources: the manual of the client, the client library, public engines.
package ponder

import (
	"context"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Protocol returns the entry of the current version.
func Protocol() protocol.Protocol {
	return entry("ponder", false)
}

// Old returns the entry of the version that was spoken from 2013 to 2018.
func Old() protocol.Protocol {
	return entry("ponder-old", true)
}

func entry(id string, old bool) protocol.Protocol {
	return protocol.Protocol{
		ID:       id,
		Games:    []string{"darkchess"},
		Dialects: dialects(),
		Host:     func(c protocol.Config) (player.Player, error) { return newHost(c, id, old) },
		Serve: func(ctx context.Context, conn link.Conn, s protocol.Server) error {
			return serve(ctx, conn, s, old)
		},
		Hint:    hint,
		Returns: "by /move or /flip",
		Scores:  game.NoUnit,
		Start:   player.FromPosition,
		Checks:  func(board player.Position) []protocol.Check { return checks(board, old) },
		Launch:  launch,
	}
}

func launch(dialect map[string]string) protocol.Launch {
	return protocol.Launch{CallBack: true, NoName: dialect["argv0"] == "on"}
}

func dialects() []protocol.Dialect {
	return []protocol.Dialect{
		{Key: "argv0", Default: "off", Values: []string{"on", "off"}},
		{Key: "untimed", Default: "900000"},
	}
}
