package api

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/bus"
	"kibitz/hall/health"
	"kibitz/hall/hub"
	"kibitz/hall/lobby"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
)

// FrameBus brings frames between remote engines and referees, and tells what has changed.
type FrameBus interface {
	lobby.TopicBus
	Publish(topic string, payload []byte) error
	SubscribeSeat(id string, seat game.Seat, fn func(payload []byte)) (*bus.Subscription, error)
	AskSeat(ctx context.Context, id string, seat game.Seat, payload []byte) ([]byte, error)
}

type sockets struct {
	router  *router.Router
	rooms   *lobby.Rooms
	running *lobby.Running
	hub     *hub.Hub
	games   *records.Games
	// health knows what of the things behind the hall is away; nil for nothing.
	health *health.Monitor
	bus    FrameBus
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
	links  seatLinks
}

func (h *sockets) register(a *API) {
	a.handle(router.Route{
		Method: "GET", Path: roomsPath + "/{room}/seat", ID: "seat", Tag: "live", Summary: "The websocket of a remote engine", Need: auth.Play,
		Time: -1,
		About: "For who sits at place=0 or 1 with kind remote. Binary messages are frames between the engine's end and the referee's, text " +
			"messages are the hall's.",
	}, http.HandlerFunc(h.seat))
	a.handle(router.Route{
		Method: "GET", Path: roomsPath + "/{room}/live", ID: "room-live", Tag: "live", Summary: "The websocket of a person in a room",
		Need: auth.Play, Time: -1,
		About: "All of a room in one connection: what its streams tell, and what is sent to its routes. Messages are JSON. " +
			"game=ID and since=ATTEMPT-NUMBER name the latest event that the client has of a game. " +
			"Of a game that is over before it was seen its last board comes, then `over`.",
	}, http.HandlerFunc(h.roomLive))
}

// socket is what a websocket is for.
type socket interface {
	// run passes on what comes from either side until the connection ends, and
	// ends it. Its error is the hall's own.
	run(ctx context.Context, cancel context.CancelFunc, conn *websocket.Conn) error
}

// connect makes a websocket of a request that was found good, and keeps it until either
// side ends it. Messages have up to most bytes; whose it is and in which room is for
// the log.
//
// The request's own context ends with nothing once the connection is taken over, but
// with the session or the token.
func (h *sockets) connect(w http.ResponseWriter, r *http.Request, s socket, most int64, whose, room string) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if !h.links.add(s, cancel) {
		h.router.SendError(w, r, auth.ErrBusy)
		return
	}
	defer h.links.remove(s)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // the router has looked where it comes from
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil { // it has answered
		h.log.DebugContext(ctx, "no websocket", "request", router.RequestID(ctx), "error", problem.OneLine(err))
		return
	}
	defer conn.CloseNow() //nolint:errcheck // it is closed already, or there is nobody to tell
	conn.SetReadLimit(most)
	if err := s.run(ctx, cancel, conn); err != nil {
		h.log.WarnContext(ctx, "the connection of "+whose+" ends", "room", room, "error", problem.OneLine(err))
	}
}

// beside begins what goes on beside a connection's own loop. Whichever part is over first
// ends the connection; stop ends them and waits until they are.
func beside(ctx context.Context, cancel context.CancelFunc, parts ...func(ctx context.Context)) (stop func()) {
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			defer cancel()
			part(ctx)
		})
	}
	return func() {
		cancel()
		wg.Wait()
	}
}
