package lobby

import (
	"context"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// ChatLine is what somebody wrote.
type ChatLine struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	User    int64     `json:"user"`
	Name    string    `json:"name"`
	Channel string    `json:"channel"`
	Text    string    `json:"text"`
}

// ChatQuery asks for lines.
type ChatQuery struct {
	Room  string `path:"room" maxLength:"100"`
	After int64  `query:"after" minimum:"-1" default:"-1" doc:"the lines after that one; -1 for the latest"`
	Limit int    `query:"limit" minimum:"0" maximum:"200"`
}

// ChatWrite is a line that somebody writes.
type ChatWrite struct {
	Room string `path:"room" maxLength:"100"`
	Body struct {
		Channel string `json:"channel" enum:"players,spectators,all"`
		Text    string `json:"text" minLength:"1" maxLength:"500"`
	}
}

// Chat returns the lines that the caller may read now.
func (rm *Rooms) Chat(ctx context.Context, in *ChatQuery) ([]ChatLine, error) {
	out := []ChatLine{}
	err := rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		out = out[:0]
		_, s, err := RoomOf(tx, in.Room, ActorOf(ctx))
		if err != nil {
			return err
		}
		hold, err := rm.held(tx, &s)
		if err != nil {
			return err
		}
		var channels []string
		for _, c := range s.MayRead(ActorOf(ctx), hold) {
			channels = append(channels, string(c))
		}
		limit := in.Limit
		if limit == 0 {
			limit = 100
		}
		list, err := tx.Messages(in.Room, channels, in.After, limit)
		for _, m := range list {
			out = append(out, ChatLine{m.ID, m.At, m.User, m.Name, m.Channel, m.Text})
		}
		return err
	})
	return out, err
}

// Say writes a line.
func (rm *Rooms) Say(ctx context.Context, in *ChatWrite) (*ChatLine, error) {
	by := ActorOf(ctx)
	text := strings.TrimSpace(game.Shown(in.Body.Text, 2000))
	if text == "" {
		return nil, problem.Input("text: write something")
	}
	m := store.Message{Room: in.Room, At: rm.cfg.Now(), User: by.ID, Name: by.Name, Channel: in.Body.Channel, Text: text}
	err := rm.cfg.Store.Update(ctx, func(tx store.Tx) error {
		_, s, err := RoomOf(tx, in.Room, by)
		if err != nil {
			return err
		}
		if err := s.MayWrite(by, room.Channel(in.Body.Channel)); err != nil {
			return problem.OfRefusal(err)
		}
		return tx.AddMessage(&m)
	})
	if err != nil {
		return nil, err
	}
	rm.cfg.Dispatcher.Wake("room." + in.Room)
	return &ChatLine{m.ID, m.At, m.User, m.Name, m.Channel, m.Text}, nil
}
