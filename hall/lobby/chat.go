package lobby

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
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

// ChatReport names a line that somebody reports.
type ChatReport struct {
	Room string `path:"room" maxLength:"100"`
	Line int64  `path:"line" minimum:"1"`
}

// Chat returns the lines that the caller may read now.
func (rm *Rooms) Chat(ctx context.Context, in *ChatQuery) ([]ChatLine, error) {
	list, err := store.Read(ctx, rm.cfg.Store, func(tx store.Tx) ([]store.Message, error) {
		return rm.readable(tx, in.Room, ActorOf(ctx), in.After, cmp.Or(in.Limit, 100))
	})
	out := make([]ChatLine, 0, len(list))
	for _, m := range list {
		out = append(out, ChatLine{m.ID, m.At, m.User, m.Name, m.Channel, m.Text})
	}
	return out, err
}

// readable are the lines that somebody may read now.
func (rm *Rooms) readable(tx store.Tx, id string, by room.Actor, after int64, limit int) ([]store.Message, error) {
	_, s, err := RoomOf(tx, id, by)
	if err != nil {
		return nil, err
	}
	hold, err := rm.held(tx, &s)
	if err != nil {
		return nil, err
	}
	var channels []string
	for _, c := range s.MayRead(by, hold) {
		channels = append(channels, string(c))
	}
	return tx.Messages(id, channels, after, limit)
}

// LinesAtOnce is how many lines somebody may write in a room within linesWithin.
const LinesAtOnce = 10

const linesWithin = 10 * time.Second

// slowly refuses one more line than that.
func slowly(tx store.Tx, m *store.Message) error {
	list, err := tx.Messages(m.Room, nil, -1, 10*LinesAtOnce)
	n := 0
	for i := range list {
		if list[i].User == m.User && m.At.Sub(list[i].At) < linesWithin {
			n++
		}
	}
	if err == nil && n >= LinesAtOnce {
		return problem.New(http.StatusTooManyRequests, "too-many", fmt.Sprintf("%d lines in %v: wait a moment", n, linesWithin))
	}
	return err
}

// LineReported is the action of the audit log that tells that somebody has reported a line of chat.
const LineReported = "line-reported"

// mostReports is how many lines of a room somebody may report.
const mostReports = 20

// Report tells those who run the hall of a line that the caller may read, once.
func (rm *Rooms) Report(ctx context.Context, in *ChatReport) error {
	by := ActorOf(ctx)
	return rm.cfg.Store.Update(ctx, func(tx store.Tx) error {
		list, err := rm.readable(tx, in.Room, by, max(in.Line, 1)-1, 1)
		if err != nil {
			return err
		}
		if len(list) == 0 || list[0].ID != in.Line {
			return store.ErrNotFound
		}
		e := store.Entry{
			At: rm.cfg.Now(), Actor: by.ID, Action: LineReported, Subject: in.Room,
			Detail: fmt.Sprintf("%d %s: %s", in.Line, list[0].Name, list[0].Text),
		}
		before, err := tx.Audit(store.AuditQuery{Actor: by.ID, Subject: in.Room, Action: LineReported, Limit: mostReports})
		if err != nil || len(before) == mostReports || slices.ContainsFunc(before, func(x store.Entry) bool { return x.Detail == e.Detail }) {
			return err
		}
		return tx.AddEntry(&e)
	})
}

// Say writes a line.
func (rm *Rooms) Say(ctx context.Context, in *ChatWrite) (*ChatLine, error) {
	by := ActorOf(ctx)
	text := strings.TrimSpace(game.Shown(in.Body.Text, 2000))
	if text == "" {
		return nil, problem.At("#/text", problem.Input("text: write something").Because("empty"))
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
		if err := slowly(tx, &m); err != nil {
			return err
		}
		return tx.AddMessage(&m)
	})
	if err != nil {
		return nil, err
	}
	rm.cfg.Dispatcher.Wake("room." + in.Room)
	return &ChatLine{m.ID, m.At, m.User, m.Name, m.Channel, m.Text}, nil
}
