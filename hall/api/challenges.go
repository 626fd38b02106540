package api

import (
	"context"
	"net/http"

	"kibitz/hall/auth"
	"kibitz/hall/lobby"
	"kibitz/hall/router"
)

const challengesPath = "/api/v1/challenges"

// registerChallenges registers what people ask of friends.
func registerChallenges(a *API, rooms *lobby.Rooms) {
	const tag, one = "rooms", challengesPath + "/{code}"
	add(a, router.Route{
		Method: "POST", Path: challengesPath, ID: "challenge", Tag: tag, Summary: "Ask a friend for a game", Need: auth.Look, Creates: true,
		Status: http.StatusCreated,
		About: "Whoever opens the page `/c/CODE` may accept, once, within 24 hours; the game then begins at once. An account has at most " +
			"10 open, a guest 3. Who has no account becomes a guest, as with `play`.",
	}, answerAt(func(ctx context.Context, in *lobby.NewChallenge) (*lobby.ChallengeView, error) {
		ctx, err := a.router.ComeIn(ctx)
		if err != nil {
			return nil, err
		}
		return rooms.Challenge(ctx, in)
	}))
	add(a, router.Route{
		Method: "GET", Path: challengesPath, ID: "challenges", Tag: tag, Summary: "The caller's open challenges", Need: auth.Play,
	}, answer(rooms.Challenges))
	add(a, router.Route{
		Method: "GET", Path: one, ID: "challenge-state", Tag: tag, Summary: "A challenge as the caller may see it", Need: auth.Look, Secret: true,
		About: "Nobody takes a seat by it. Ten wrong codes within a minute lock an address for ten minutes.",
	}, answerAt(rooms.ChallengeOf))
	add(a, router.Route{
		Method: "POST", Path: one + "/accept", ID: "accept-challenge", Tag: tag, Summary: "Accept a challenge and play", Need: auth.Look,
		Secret: true, Status: http.StatusCreated,
		About: "Seats the caller and whoever asked, and begins. 409 if somebody has accepted it, 410 if it has lapsed or was withdrawn. Who " +
			"has no account becomes a guest.",
	}, answerAt(func(ctx context.Context, in *lobby.ChallengePath) (*lobby.Quick, error) {
		return rooms.Accept(ctx, in, a.router.ComeIn)
	}))
	add(a, router.Route{
		Method: "DELETE", Path: one, ID: "withdraw-challenge", Tag: tag, Summary: "Withdraw a challenge of one's own", Need: auth.Play,
		Secret: true,
	}, done(rooms.Withdraw))
}
