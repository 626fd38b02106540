package api

import (
	"context"
	"net/http"

	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/router"
)

const roomsPath = "/api/v1/rooms"

func registerRooms(a *API, rooms *lobby.Rooms) {
	const tag = "rooms"
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/play", ID: "play", Tag: tag, Summary: "Play at once", Need: auth.Look, Creates: true,
		Status: http.StatusCreated,
		About: "One request instead of a room and five commands: the caller sits, is ready, and the game begins as soon as its page is " +
			"opened or its stream is listened to. Who has no account becomes a guest and gets the cookie of a session; an " +
			"Idempotency-Key counts for callers who have one. Nobody has more than 20 games going.",
	}, answerAt(func(ctx context.Context, in *lobby.QuickGame) (*lobby.Quick, error) {
		ctx, err := a.router.ComeIn(ctx)
		if err != nil {
			return nil, err
		}
		return rooms.Play(ctx, in)
	}))
	one := roomsPath + "/{room}"
	add(a, router.Route{
		Method: "GET", Path: roomsPath, ID: "rooms", Tag: tag, Summary: "The lobby: open rooms, those changed last first",
		Need: auth.Look,
	}, answer(rooms.List))
	add(a, router.Route{
		Method: "POST", Path: roomsPath, ID: "open-room", Tag: tag, Summary: "Open a room", Need: auth.Play, Creates: true,
		Status: http.StatusCreated,
	}, answerAt(rooms.Open))
	add(a, router.Route{
		Method: "GET", Path: one, ID: "room", Tag: tag, Summary: "A room as the caller may see it", Need: auth.Look,
	}, answerAt(rooms.Get))
	add(a, router.Route{
		Method: "POST", Path: one + "/commands", ID: "room-command", Tag: tag, Summary: "Do something in a room", Need: auth.Play,
		About: "What a command means and who may give it stands in package hall/room. Who sits in a place is not told what the other " +
			"one's engine says.",
	}, answerAt(rooms.Command))
	add(a, router.Route{
		Method: "GET", Path: one + "/chat", ID: "chat", Tag: tag, Summary: "Lines of chat that the caller may read now",
		Need: auth.Look,
	}, answer(rooms.Chat))
	add(a, router.Route{
		Method: "POST", Path: one + "/chat", ID: "say", Tag: tag, Summary: "Write a line", Need: auth.Play, Creates: true,
		Status: http.StatusCreated,
	}, answerAt(rooms.Say))
	add(a, router.Route{
		Method: "POST", Path: one + "/chat/{line}/report", ID: "report-line", Tag: tag, Summary: "Tell those who run the hall of a line",
		Need: auth.Play, Status: http.StatusNoContent,
	}, done(rooms.Report))
	add(a, router.Route{
		Method: "GET", Path: one + "/statistics", ID: "room-statistics", Tag: tag, Summary: "The games of a room and their counts",
		Need: auth.Look,
	}, answerAt(rooms.Statistics))
}
