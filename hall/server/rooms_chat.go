package server

import (
	"context"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

type chatLine struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	User    int64     `json:"user"`
	Name    string    `json:"name"`
	Channel string    `json:"channel"`
	Text    string    `json:"text"`
}

type chatQuery struct {
	Room  string `path:"room" maxLength:"100"`
	After int64  `query:"after" minimum:"-1" default:"-1" doc:"the lines after that one; -1 for the latest"`
	Limit int    `query:"limit" minimum:"0" maximum:"200"`
}

type chatWrite struct {
	Room string `path:"room" maxLength:"100"`
	Body struct {
		Channel string `json:"channel" enum:"players,spectators,all"`
		Text    string `json:"text" minLength:"1" maxLength:"500"`
	}
}

func (h *Hall) readChat(ctx context.Context, in *chatQuery) (*body[[]chatLine], error) {
	out := []chatLine{}
	err := h.view(ctx, func(tx store.Tx) error {
		out = out[:0]
		_, s, err := roomOf(tx, in.Room, actorOf(ctx))
		if err != nil {
			return err
		}
		hold, err := h.held(tx, &s)
		if err != nil {
			return err
		}
		var channels []string
		for _, c := range s.MayRead(actorOf(ctx), hold) {
			channels = append(channels, string(c))
		}
		limit := in.Limit
		if limit == 0 {
			limit = 100
		}
		list, err := tx.Messages(in.Room, channels, in.After, limit)
		for _, m := range list {
			out = append(out, chatLine{m.ID, m.At, m.User, m.Name, m.Channel, m.Text})
		}
		return err
	})
	return reply(out), err
}

func (h *Hall) writeChat(ctx context.Context, in *chatWrite) (*body[chatLine], error) {
	by := actorOf(ctx)
	text := strings.TrimSpace(game.Shown(in.Body.Text, 2000))
	if text == "" {
		return nil, badInput("text: write something")
	}
	m := store.Message{Room: in.Room, At: h.now(), User: by.ID, Name: by.Name, Channel: in.Body.Channel, Text: text}
	err := h.update(ctx, func(tx store.Tx) error {
		_, s, err := roomOf(tx, in.Room, by)
		if err != nil {
			return err
		}
		if err := s.MayWrite(by, room.Channel(in.Body.Channel)); err != nil {
			return refusal(err)
		}
		return tx.AddMessage(&m)
	})
	if err != nil {
		return nil, err
	}
	h.cfg.Live.Dispatcher.Wake("room." + in.Room)
	return reply(chatLine{m.ID, m.At, m.User, m.Name, m.Channel, m.Text}), nil
}

// roomGame is a row of a room's statistics.
