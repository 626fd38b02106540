package room

import (
	"kibitz/game"
	"kibitz/hall/refuse"
)

// Channel is where a line of chat is written.
type Channel string

// The channels, see the package.
const (
	ToPlayers    Channel = "players"
	ToSpectators Channel = "spectators"
	ToAll        Channel = "all"
)

// Channels are all of them.
func Channels() []Channel { return []Channel{ToPlayers, ToSpectators, ToAll} }

// MayWrite returns why an account may not write to a channel now, nil if it may.
func (s *State) MayWrite(a Actor, ch Channel) error {
	if a.Arbiter {
		return nil
	}
	plays := s.PlaceOf(a.ID) >= 0
	switch {
	case a.ID == 0 || !s.Inside(a.ID) && !plays:
		return refuse.Forbidden("enter the room first").Because("outside")
	case s.Phase == Closed:
		return refuse.Phase("the room is closed").Because("room-closed")
	case s.Settings.Chat == ChatOff, s.Settings.Chat == ChatPlayers && ch != ToPlayers:
		return refuse.Forbidden("the room has no chat for %s", ch).Because("nochat")
	case ch == ToPlayers && !plays:
		return refuse.Forbidden("only players write to players").Because("onlyplayers")
	case ch == ToSpectators && plays:
		return refuse.Forbidden("only spectators write to spectators").Because("onlyspectators")
	case ch == ToAll && !plays && s.Game != nil && s.Game.Rated:
		return refuse.Forbidden("while a rated game is played spectators write to spectators").Because("ratedchat")
	case ch != ToPlayers && ch != ToSpectators && ch != ToAll:
		return refuse.Invalid("channel %q; \"players\", \"spectators\" or \"all\"", ch).Because(game.WhyChoice)
	}
	return nil
}

// MayRead returns the channels that an account may read now. hold is that of For: how
// the last game ended is not yet news for spectators, and the places speak of it.
func (s *State) MayRead(a Actor, hold bool) []Channel {
	plays, running := s.PlaceOf(a.ID) >= 0, s.Game != nil
	if a.Arbiter && (!plays || !running) {
		return Channels()
	}
	out := []Channel{ToAll}
	if plays || !hold && !running {
		out = append(out, ToPlayers)
	}
	if !plays || !running {
		out = append(out, ToSpectators)
	}
	return out
}
