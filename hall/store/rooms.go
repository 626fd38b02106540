package store

import (
	"encoding/json"
	"time"
)

// Room is a room with what is searched of it; the rest is State, which belongs to
// hall/server/room.
type Room struct {
	ID string
	// Version counts the changes. SetRoom changes a room only if Version is the one
	// that is stored, and raises it.
	Version int64
	Name    string
	Owner   int64
	// Game is the identifier of the game without options.
	Game string
	// Listed rooms are shown in the lobby; Open ones are not closed yet.
	Listed, Open     bool
	Created, Changed time.Time
	State            json.RawMessage
}

// RoomQuery selects rooms, those changed last first.
type RoomQuery struct {
	Listed, Open bool
	Game         string
	Owner        int64
	// Before continues with rooms changed before that time, and with those of the same
	// time whose ID is less than BeforeID; Limit is 100 if it is 0.
	Before   time.Time
	BeforeID string
	Limit    int
}

// Message is a line of a room's chat.
type Message struct {
	ID   int64
	Room string
	At   time.Time
	User int64
	Name string
	// Channel is "players", "spectators" or "all".
	Channel string
	Text    string
}

// Saved is a position that an account keeps to begin games from: a saved mid-board.
type Saved struct {
	ID       string
	User     int64
	Name     string
	Spec     string
	Position string
	// Moves are the decisions that led there, in the journal's form.
	Moves   []string
	Created time.Time
}

// Rooms are rooms, their chat, and saved positions.
type Rooms interface {
	// AddRoom wants Version 0 and stores 1. ErrTaken if the ID is.
	AddRoom(r *Room) error
	Room(id string) (Room, error)
	// SetRoom returns ErrConflict if the stored version is another one.
	SetRoom(r *Room) error
	Rooms(q RoomQuery) ([]Room, error)

	// AddMessage sets ID, which grows with every message. ErrNotFound without the room.
	AddMessage(m *Message) error
	// Messages returns up to limit messages of a room with IDs above after, oldest
	// first; with after below 0 the latest ones. channels selects, empty is all; limit
	// is 100 if it is 0. Whoever has read up to a number has missed none below it.
	Messages(room string, channels []string, after int64, limit int) ([]Message, error)

	// AddSaved returns ErrTaken if the ID is, ErrNotFound without the user.
	AddSaved(s *Saved) error
	Saved(id string) (Saved, error)
	// SavedBy returns the positions of an account, the newest first.
	SavedBy(user int64) ([]Saved, error)
	RemoveSaved(id string) error
}

// Request is an answer that is remembered under a key of its sender, so that the
// same request sent twice is done once.
type Request struct {
	User int64
	Key  string
	// Hash is of what was asked: the same key with another hash is a mistake.
	Hash []byte
	// Status is 0 while the answer is not known yet.
	Status  int
	Header  json.RawMessage
	Body    []byte
	Expires time.Time
}

// Requests remember answers.
type Requests interface {
	// AddRequest returns ErrTaken if the user has used the key.
	AddRequest(r *Request) error
	Request(user int64, key string) (Request, error)
	SetRequest(r *Request) error
	// RemoveRequest is no error if there is none.
	RemoveRequest(user int64, key string) error
}
