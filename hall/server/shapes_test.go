package server

import (
	"encoding/json"
	"time"

	"kibitz/hall/records"
)

// Paths of the API.
const (
	roomsPath       = "/api/v1/rooms"
	tournamentsPath = "/api/v1/tournaments"
	accountPath     = "/api/v1/account"
)

// accountView is what clients read of an account.
type accountView struct {
	ID                 int64           `json:"id"`
	Name               string          `json:"name"`
	Kind               string          `json:"kind"`
	Role               string          `json:"role"`
	May                []string        `json:"may"`
	MustChangePassword bool            `json:"mustChangePassword"`
	Settings           json.RawMessage `json:"settings"`
}

// tokenView is what clients read of a token.
type tokenView struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	Token   string     `json:"token"`
	Expires *time.Time `json:"expires"`
}

// botView is what clients read of a bot.
type botView struct {
	ID    int64      `json:"id"`
	Token *tokenView `json:"token"`
}

// onePassword is what clients read of a password that was reset.
type onePassword struct {
	Password string `json:"password"`
}

// invitation is what clients read of an invitation.
type invitation struct {
	Invitation string `json:"invitation"`
}

// exported is what clients read of a line of an export.
type exported struct {
	Game       records.GameView `json:"game"`
	Record     json.RawMessage  `json:"record"`
	Unreadable string           `json:"unreadable"`
}

func jsonOf(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
