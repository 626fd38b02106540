package lobby

import (
	"cmp"
	"context"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

const (
	// MostChallenges is how many of an account are open at a time.
	MostChallenges = 10
	// MostOfGuest is how many of a guest are.
	MostOfGuest = 3
	// challengeTime is how long one stays open, askedTime one that asks somebody by name.
	challengeTime = 24 * time.Hour
	askedTime     = time.Minute
)

// ChallengeState is what has become of a challenge.
type ChallengeState string

// The states of challenges.
const (
	OpenChallenge      ChallengeState = "open"
	TakenChallenge     ChallengeState = "taken"
	LapsedChallenge    ChallengeState = "lapsed"
	WithdrawnChallenge ChallengeState = "withdrawn"
	DeclinedChallenge  ChallengeState = "declined"
)

// Refusals of challenges; pages say them in the reader's language by their codes.
var (
	errNoChallenge    = problem.New(http.StatusNotFound, "no-challenge", "there is no such invitation: ask for another")
	errOwnChallenge   = problem.New(http.StatusConflict, "own-challenge", "this is your own invitation: send the link to your friend")
	errTakenChallenge = problem.New(http.StatusConflict, "taken-challenge", "this game has already begun")
	errOverChallenge  = problem.New(http.StatusGone, "over-challenge", "this invitation is over: ask for another")
	errRatedChallenge = problem.New(http.StatusForbidden, "rated-challenge", "this game counts for the ratings: log in to play it")
)

// NewChallenge is what somebody asks of a friend.
type NewChallenge struct {
	Body ChallengeWish
}

// ChallengeWish is what is played, and with whom.
type ChallengeWish struct {
	Wishes
	To string `json:"to,omitempty" maxLength:"60" doc:"the account that is asked: it alone may accept, within a minute; without it whoever has the code"`
}

// ChallengesQuery asks for challenges.
type ChallengesQuery struct {
	Asked bool `query:"asked" doc:"those that ask the caller by name, instead of the caller's own"`
}

// ChallengePath is a challenge in a path.
type ChallengePath struct {
	Code string `path:"code" maxLength:"100" doc:"eight letters and digits"`
}

// ChallengeView is a challenge as its reader may see it: what is asked while it is open or
// the reader's own.
type ChallengeView struct {
	Code    string         `json:"code"`
	State   ChallengeState `json:"state" enum:"open,taken,lapsed,withdrawn,declined"`
	Page    string         `json:"page" doc:"the address to send to a friend, below that of the hall"`
	Mine    bool           `json:"mine,omitempty" doc:"the caller asks"`
	From    string         `json:"from,omitempty" doc:"who asks"`
	To      string         `json:"to,omitempty" doc:"the account that is asked by name"`
	Game    string         `json:"game,omitempty" doc:"the game with its options"`
	Clock   string         `json:"clock,omitempty" doc:"time control of both"`
	Begins  string         `json:"begins,omitempty" enum:"first,second,random" doc:"first: who asks begins"`
	Rated   bool           `json:"rated,omitempty"`
	Undo    bool           `json:"undo,omitempty" doc:"moves may be taken back"`
	Games   int            `json:"games,omitempty" doc:"games of the series"`
	Created time.Time      `json:"created,omitzero"`
	Expires time.Time      `json:"expires,omitzero"`
	Room    string         `json:"room,omitempty" doc:"where it is played, if the caller may look on there"`
}

// ChallengeTopic is what is told when a challenge of an account changes.
func ChallengeTopic(owner int64) string { return "challenges." + strconv.FormatInt(owner, 10) }

// asking is what a challenge keeps: what is to be played, and whether who was asked by name
// declined.
type asking struct {
	room.Settings
	Declined bool `json:"declined,omitempty"`
}

// wishOf reads it; what cannot be read was not declined.
func wishOf(c *store.Challenge) (a asking) {
	if json.Unmarshal(c.State, &a) != nil {
		return asking{}
	}
	return a
}

// stateOf is what has become of a challenge.
func stateOf(c *store.Challenge, now time.Time) ChallengeState {
	switch {
	case c.Room != "":
		return TakenChallenge
	case !c.Open && wishOf(c).Declined:
		return DeclinedChallenge
	case !c.Open:
		return WithdrawnChallenge
	case !now.Before(c.Expires):
		return LapsedChallenge
	}
	return OpenChallenge
}

// Challenge asks whoever gets its code for a game.
func (rm *Rooms) Challenge(ctx context.Context, in *NewChallenge) (*ChallengeView, error) {
	by := ActorOf(ctx)
	set, err := rm.quickSettings(ctx, &in.Body.Wishes, by)
	if err != nil {
		return nil, err
	}
	now, most := rm.cfg.Now(), MostChallenges
	if by.Guest {
		most = MostOfGuest
	}
	if _, err := room.Open(set, room.Env{By: by, Now: now}); err != nil {
		return nil, refusedQuick(err)
	}
	code, err := challengeCode(rm.cfg.Random)
	if err != nil {
		return nil, err
	}
	state, err := json.Marshal(set)
	if err != nil {
		return nil, fmt.Errorf("what is asked cannot be kept: %w", err)
	}
	c := &store.Challenge{Code: code, Owner: by.ID, Open: true, Created: now, Expires: now.Add(challengeTime), State: state}
	to := ""
	err = rm.cfg.Store.Update(ctx, func(tx store.Tx) error {
		if err := fewGames(tx, by.ID); err != nil {
			return err
		}
		if in.Body.To != "" {
			asked, err := mayAsk(tx, in.Body.To, by, set.Rated, now)
			if err != nil {
				return err
			}
			c.Asked, c.Expires, to = asked.ID, now.Add(askedTime), asked.Name
		}
		c.Version = 0
		return tx.AddChallenge(c, most)
	})
	if errors.Is(err, store.ErrConflict) {
		return nil, problem.New(http.StatusTooManyRequests, "quota",
			fmt.Sprintf("%d of your invitations are open: withdraw one of them first", most))
	}
	if err != nil {
		return nil, err
	}
	if c.Asked != 0 {
		rm.cfg.Dispatcher.Wake(ChallengeTopic(c.Asked))
	}
	v, err := viewOf(c, by, by.Name, now)
	if err == nil {
		v.To = to
	}
	return v, err
}

// mayAsk finds the account that is asked, and refuses where it cannot be.
func mayAsk(tx store.Tx, name string, by room.Actor, rated bool, now time.Time) (u store.User, err error) {
	u, err = tx.UserNamed(name)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && u.Disabled:
		return u, problem.At("#/to", problem.Input("to: there is no account of that name"))
	case err != nil:
		return u, err
	case u.ID == by.ID, u.Kind != store.Person && u.Kind != store.Guest, rated && u.Kind == store.Guest:
		return u, problem.At("#/to", problem.Input("to: that account cannot be asked for this game"))
	}
	list, err := tx.AskedChallenges(u.ID, now)
	for i := range list {
		if list[i].Owner == by.ID {
			return u, problem.New(http.StatusTooManyRequests, "quota", "you have asked "+u.Name+" already")
		}
	}
	return u, err
}

// signs are those of codes: none looks like another one.
const signs = "abcdefghijkmnpqrstuvwxyz23456789"

// challengeCode draws 40 bits.
func challengeCode(random io.Reader) (string, error) {
	b := make([]byte, 5)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("no chance for a code: %w", err)
	}
	return base32.NewEncoding(signs).EncodeToString(b), nil
}

// viewOf is a challenge as somebody sees it, without its room.
func viewOf(c *store.Challenge, by room.Actor, from string, now time.Time) (*ChallengeView, error) {
	v := &ChallengeView{Code: c.Code, Page: "/c/" + c.Code, State: stateOf(c, now), Mine: by.ID != 0 && by.ID == c.Owner}
	if v.State != OpenChallenge && !v.Mine {
		return v, nil
	}
	var set room.Settings
	if err := json.Unmarshal(c.State, &set); err != nil {
		return nil, fmt.Errorf("what the challenge asks cannot be read: %w", err)
	}
	v.From, v.Game, v.Clock, v.Begins, v.Rated = from, string(set.Game), set.Clocks[0], string(cmp.Or(set.Begins, room.HostBegins)), set.Rated
	v.Undo, v.Games, v.Created, v.Expires = set.Undo, set.Games, c.Created, c.Expires
	return v, nil
}

// found reads a challenge and who asks. Codes are not to be guessed: whoever names wrong
// ones is kept waiting.
func (rm *Rooms) found(ctx context.Context, tx store.Tx, code string, by room.Actor) (c store.Challenge, owner store.User, err error) {
	address := auth.Address(ctx)
	c, err = tx.Challenge(strings.ToLower(code))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return c, owner, err
	}
	if mine := err == nil && by.ID != 0 && c.Owner == by.ID; !mine {
		if wait := rm.guesses.Locked(address, rm.cfg.Now()); wait > 0 {
			return c, owner, &auth.Wait{For: wait}
		}
	}
	if err != nil || c.Asked != 0 && c.Asked != by.ID && c.Owner != by.ID { // others do not hear of it
		return c, owner, errNoChallenge
	}
	owner, err = tx.User(c.Owner)
	if owner.Disabled {
		c.Open = false
	}
	return c, owner, err
}

// guessed counts a wrong code.
func (rm *Rooms) guessed(ctx context.Context, err error) error {
	if errors.Is(err, errNoChallenge) {
		rm.guesses.Fail(auth.Address(ctx), rm.cfg.Now())
	}
	return err
}

// ChallengeOf returns a challenge as the caller may see it. Nobody takes a seat by it.
func (rm *Rooms) ChallengeOf(ctx context.Context, in *ChallengePath) (v *ChallengeView, err error) {
	by := ActorOf(ctx)
	err = rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		c, owner, err := rm.found(ctx, tx, in.Code, by)
		if err != nil {
			return err
		}
		if v, err = viewOf(&c, by, owner.Name, rm.cfg.Now()); err != nil {
			return err
		}
		if c.Asked != 0 {
			u, err := tx.User(c.Asked)
			if err != nil {
				return err
			}
			v.To = u.Name
		}
		if c.Room == "" {
			return nil
		}
		_, _, err = RoomOf(tx, c.Room, by)
		switch {
		case err == nil:
			v.Room = c.Room
		case errors.Is(err, store.ErrNotFound):
			err = nil
		}
		return err
	})
	return v, rm.guessed(ctx, err)
}

// Challenges returns the caller's open ones, the newest first, or those that ask him by name.
func (rm *Rooms) Challenges(ctx context.Context, in *ChallengesQuery) (out []ChallengeView, err error) {
	by, now := ActorOf(ctx), rm.cfg.Now()
	err = rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		out = []ChallengeView{}
		find := tx.OpenChallenges
		if in.Asked {
			find = tx.AskedChallenges
		}
		list, err := find(by.ID, now)
		for i := 0; err == nil && i < len(list); i++ {
			var from, to store.User
			if from, err = tx.User(list[i].Owner); err == nil && list[i].Asked != 0 {
				to, err = tx.User(list[i].Asked)
			}
			var v *ChallengeView
			if err == nil {
				v, err = viewOf(&list[i], by, from.Name, now)
			}
			if err == nil && !from.Disabled {
				v.To = to.Name
				out = append(out, *v)
			}
		}
		return err
	})
	return out, err
}

// Accept seats the caller and whoever asked, and begins their game. ComeIn makes a guest of
// whoever has no account: it is called for what can be accepted alone.
func (rm *Rooms) Accept(ctx context.Context, in *ChallengePath, comeIn func(context.Context) (context.Context, error)) (*Quick, error) {
	v, err := rm.ChallengeOf(ctx, in)
	if err != nil {
		return nil, err
	}
	switch _, known := auth.FromContext(ctx); {
	case v.State == TakenChallenge:
		return nil, errTakenChallenge
	case v.State != OpenChallenge:
		return nil, errOverChallenge
	case v.Mine:
		return nil, errOwnChallenge
	case v.Rated && (!known || ActorOf(ctx).Guest):
		return nil, errRatedChallenge
	}
	if ctx, err = comeIn(ctx); err != nil {
		return nil, err
	}
	return rm.pair(ctx, v.Code)
}

// pair is Accept for a caller who may.
func (rm *Rooms) pair(ctx context.Context, code string) (*Quick, error) {
	dispatcher, by := rm.cfg.Dispatcher, ActorOf(ctx)
	r := &store.Room{ID: store.NewID(rm.cfg.Random, 12)}
	out := &Quick{Room: r.ID, Page: "/rooms/" + r.ID}
	var owner store.User
	env := rm.env(room.Actor{})
	err := dispatcher.Update(ctx, func(tx store.Tx) (err error) {
		var c store.Challenge
		if c, owner, err = rm.found(ctx, tx, code, by); err != nil {
			return err
		}
		switch stateOf(&c, env.Now) {
		case OpenChallenge:
		case TakenChallenge:
			return errTakenChallenge
		default:
			return errOverChallenge
		}
		if err := fewGames(tx, by.ID); err != nil {
			return err
		}
		var set room.Settings
		if err := json.Unmarshal(c.State, &set); err != nil {
			return fmt.Errorf("what the challenge asks cannot be read: %w", err)
		}
		host := room.Actor{ID: owner.ID, Name: owner.Name, Guest: owner.Kind == store.Guest}
		s, effects, err := room.Pair(set, host, by, env)
		if err != nil {
			return refusedQuick(err)
		}
		r.Created, out.Game = env.Now, s.Game.ID
		if err := rm.add(tx, r, &s, effects); err != nil {
			return err
		}
		c.Open, c.Room = false, r.ID
		return tx.SetChallenge(&c)
	})
	if err != nil {
		return nil, err
	}
	dispatcher.Publish(ctx, out.Game)
	dispatcher.Wake(ChallengeTopic(owner.ID))
	dispatcher.Wake("lobby")
	return out, nil
}

// Withdraw ends a challenge of the caller, or declines one that asks him.
func (rm *Rooms) Withdraw(ctx context.Context, in *ChallengePath) error {
	by := ActorOf(ctx)
	var c store.Challenge
	err := rm.cfg.Dispatcher.Update(ctx, func(tx store.Tx) (err error) {
		c, _, err = rm.found(ctx, tx, in.Code, by)
		switch {
		case err != nil:
			return err
		case c.Owner != by.ID && c.Asked != by.ID:
			return auth.ErrForbidden
		case c.Room != "":
			return errTakenChallenge
		}
		if c.Open && c.Asked == by.ID {
			a := wishOf(&c)
			if a.Declined = true; a.Game != "" {
				if c.State, err = json.Marshal(a); err != nil {
					return fmt.Errorf("that it was declined cannot be kept: %w", err)
				}
			}
		}
		c.Open = false
		return tx.SetChallenge(&c)
	})
	if err == nil {
		rm.cfg.Dispatcher.Wake(ChallengeTopic(c.Owner))
	}
	return rm.guessed(ctx, err)
}
