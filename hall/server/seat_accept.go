package server

import (
	"context"
	"net/http"

	"github.com/coder/websocket"

	"kibitz/hall/auth"
)

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
func (h *Hall) connect(w http.ResponseWriter, r *http.Request, s socket, most int64, whose, room string) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if !h.seats.add(s, cancel) {
		h.refuseError(w, r, auth.ErrBusy)
		return
	}
	defer h.seats.remove(s)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		OriginPatterns:  h.cfg.Options.Origins,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil { // it has answered
		h.cfg.Log.DebugContext(ctx, "no websocket", "request", requestID(ctx), "error", oneLine(err))
		return
	}
	defer conn.CloseNow() //nolint:errcheck // it is closed already, or there is nobody to tell
	conn.SetReadLimit(most)
	if err := s.run(ctx, cancel, conn); err != nil {
		h.cfg.Log.WarnContext(ctx, "the connection of "+whose+" ends", "room", room, "error", oneLine(err))
	}
}
