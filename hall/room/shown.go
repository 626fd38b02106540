package room

import (
	"math"
	"time"
)

// Shown is what an account may see of a room.
type Shown struct {
	Host     int64      `json:"host"`
	HostName string     `json:"hostName"`
	Settings InSeconds  `json:"settings"`
	Phase    Phase      `json:"phase"`
	People   []Person   `json:"people"`
	Places   [2]Place   `json:"places"`
	Game     *Current   `json:"game,omitempty"`
	Last     *Past      `json:"last,omitempty"`
	Games    int        `json:"games"`
	Series   int        `json:"series"`
	Played   int        `json:"played"`
	Wins     [2]int     `json:"wins"`
	Draws    int        `json:"draws"`
	Score    [2]float64 `json:"score"`
	Paused   *Paused    `json:"paused,omitempty" doc:"Who has paused the series: its game stands, or will after the move under way"`
	Gone     string     `json:"gone,omitempty" doc:"Who gave up the seat that another one waits for now"`
	Next     time.Time  `json:"next,omitzero" doc:"When the next game of the series begins"`
	// You says what the account itself is here.
	You You `json:"you"`
	// Invited and Codes are for the host.
	Invited []int64 `json:"invited,omitempty"`
	Codes   int     `json:"codes,omitempty" doc:"How many invitation codes are good"`
}

// InSeconds are settings as clients read and write them: lengths of time are in seconds.
type InSeconds struct {
	Settings
	Delay float64 `json:"delay,omitempty" doc:"seconds after which spectators see the game, up to 3600"`
	Pause float64 `json:"pause,omitempty" doc:"seconds between the games of a series, up to 60"`
	Grace float64 `json:"grace,omitempty" doc:"seconds for which the owner of a place may be away, from 10 to 86400; 0 is 86400"`
}

// InSeconds are the settings for clients.
func (c *Settings) InSeconds() InSeconds {
	return InSeconds{Settings: *c, Delay: c.Delay.Seconds(), Pause: c.Pause.Seconds(), Grace: c.Grace.Seconds()}
}

// Stored are the settings as a room has them. What is too long for a Duration is the
// longest.
func (c *InSeconds) Stored() Settings {
	out := c.Settings
	for _, x := range []struct {
		to      *time.Duration
		seconds float64
	}{{&out.Delay, c.Delay}, {&out.Pause, c.Pause}, {&out.Grace, c.Grace}} {
		const most = float64(math.MaxInt64 / int64(time.Second))
		*x.to = time.Duration(math.Round(max(-most, min(most, x.seconds)) * float64(time.Second)))
	}
	return out
}

// You is an account's own part in a room.
type You struct {
	Host   bool `json:"host"`
	Inside bool `json:"inside"`
	Place  int  `json:"place" doc:"-1 for none"`
	// Stop tells that the account may end what is played, or the series after it.
	Stop bool `json:"stop,omitempty"`
	// Pause tells that it may pause what is played and let it go on, Rule that it may say how the game ends.
	Pause bool      `json:"mayPause,omitempty"`
	Rule  bool      `json:"mayRule,omitempty"`
	Read  []Channel `json:"read"`
	Write []Channel `json:"write"`
}

// maxShown is how many people of a room are listed; players come first.
const maxShown = 200

// For builds what an account may see. How the last game ended is news that spectators
// of a delayed room get with the delay: hold withholds it, with all that counts it,
// from those without a place.
func (s *State) For(a Actor, hold bool) Shown {
	v := Shown{
		Host: s.Host, HostName: s.HostName, Settings: s.Settings.InSeconds(), Phase: s.Phase, Places: s.Places,
		Series: s.Series, Games: s.Games, Paused: s.Paused, Gone: s.Gone,
		You: You{
			Host: a.ID != 0 && a.ID == s.Host, Inside: s.Inside(a.ID), Place: s.PlaceOf(a.ID),
			Stop: s.MayStop(a) || s.MayEnd(a), Pause: s.MayPause(a), Rule: s.MayRule(a), Read: s.MayRead(a, hold),
		},
	}
	for _, ch := range Channels() {
		if s.MayWrite(a, ch) == nil {
			v.You.Write = append(v.You.Write, ch)
		}
	}
	if s.Game != nil {
		g := *s.Game
		v.Game = &g
	}
	for _, players := range []bool{true, false} {
		for _, p := range s.People {
			if (s.PlaceOf(p.ID) >= 0) == players && len(v.People) < maxShown {
				v.People = append(v.People, p)
			}
		}
	}
	if !hold || v.You.Place >= 0 || a.Arbiter {
		v.Played, v.Wins, v.Draws, v.Score = s.Played, s.Wins, s.Draws, s.Score
		if s.Last != nil {
			l := *s.Last
			v.Last = &l
		}
		if s.Phase == Between && s.Paused == nil {
			v.Next = s.Due
		}
	} else if s.Phase == Between || s.Phase == Done {
		v.Phase = Playing
	}
	if v.You.Host || a.Arbiter {
		v.Invited, v.Codes = s.Invited, len(s.Codes)
	}
	return v
}
