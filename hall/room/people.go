package room

import (
	"cmp"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
)

// Enter comes into the room. Hash is that of a code, empty if none was shown.
type Enter struct{ Hash string }

func (x Enter) apply(c *change) error {
	if c.By.ID == 0 {
		return refuse.Forbidden("log in, or come as a guest").Because("account")
	}
	if c.Inside(c.By.ID) {
		return nil
	}
	if !c.MayEnter(c.By) && (slices.Contains(c.Banned, c.By.ID) || !c.opens(x.Hash)) {
		return refuse.Forbidden("the room is open to those who are invited").Because("invitedonly")
	}
	if len(c.People) >= MaxPeople {
		return refuse.Phase("the room is full: %d people are in it", MaxPeople).Because("roomfull")
	}
	c.People = append(c.People, Person{ID: c.By.ID, Name: c.By.Name, Guest: c.By.Guest, Since: c.Now})
	return nil
}

// opens reports whether a code is good.
func (c *change) opens(hash string) bool {
	return hash != "" && slices.ContainsFunc(c.Codes, func(k Code) bool {
		return k.Hash == hash && (k.Expires.IsZero() || c.Now.Before(k.Expires))
	})
}

// Leave goes out of the room. Whoever has a place in a game that nobody plays yet withdraws from
// it; in one that is not over he keeps it, and may come back. The host's rights go to somebody who
// stays.
type Leave struct{}

func (Leave) apply(c *change) error {
	if err := c.inside(); err != nil {
		return err
	}
	c.out(c.By.ID)
	return nil
}

// out removes an account, with its places if no series is under way.
func (c *change) out(id int64) {
	c.People = slices.DeleteFunc(c.People, func(p Person) bool { return p.ID == id })
	if p := c.PlaceOf(id); p >= 0 && c.Game != nil && !c.Game.Begun && !c.Game.Resumed {
		name := c.Places[p].Name
		why := game.Why{Code: bus.WhyLeft, Name: name, Text: name + " left before the game began"}
		c.do(Effect{Drop: c.Game.ID, Why: why})
		c.over(game.Result{Reason: game.ByAbort}, why)
	}
	if c.Game == nil {
		for i, p := range c.Places {
			if p.User == id && p.Own() {
				c.reseat(i, Place{})
				if c.Settings.Auto {
					c.Gone = p.Name
				}
			}
		}
	}
	if id == c.Host {
		c.succession()
	}
}

// succession makes somebody inside the host: a player before a spectator.
func (c *change) succession() {
	best := -1
	for i, p := range c.People {
		if best < 0 || c.PlaceOf(p.ID) >= 0 && c.PlaceOf(c.People[best].ID) < 0 {
			best = i
		}
	}
	if best >= 0 {
		c.Host, c.HostName = c.People[best].ID, c.People[best].Name
	}
}

// Presence tells that an account inside is connected, or is not any more. A server
// repeats it for those who are.
type Presence struct{ Here bool }

func (x Presence) apply(c *change) error {
	if err := c.inside(); err != nil {
		return err
	}
	p := &c.People[c.person(c.By.ID)]
	if p.Here == x.Here && c.Now.Sub(p.Since) < lease/2 {
		return ErrSame
	}
	if x.Here && !p.Here && c.Game != nil && c.PlaceOf(p.ID) >= 0 {
		c.Game.Aside = false
	}
	p.Here, p.Since = x.Here, c.Now
	c.together()
	if c.Settings.Auto && c.Phase == Waiting {
		for i := range c.Places {
			if c.Places[i].User == p.ID {
				c.Places[i].Ready = x.Here
			}
		}
	}
	return nil
}

// Elsewhere tells that an account inside reads other pages of the hall while it waits for an opponent here.
// A page repeats it.
type Elsewhere struct{}

func (Elsewhere) apply(c *change) error {
	if err := c.inside(); err != nil {
		return err
	}
	p := &c.People[c.person(c.By.ID)]
	if seat := c.seeker(); seat == nil || seat.User != p.ID || !p.away(c.Now) || c.Now.Sub(p.Since) < Loading/2 {
		return ErrSame
	}
	p.Since = c.Now
	return nil
}

// together takes up an interrupted game when those who play it are there.
func (c *change) together() {
	if c.Phase != Parked || c.Game.Aside {
		return
	}
	if _, _, missing := c.Missing(c.Now); !missing {
		c.resume()
	}
}

// Together has the hall look whether those are there who play an interrupted game.
type Together struct{ Game string }

func (x Together) apply(c *change) error {
	if err := c.of(x.Game); err != nil {
		return err
	}
	if c.together(); c.Phase == Parked {
		return ErrSame
	}
	return nil
}

// Unseen tells that it is not known who is connected, because a hall has begun anew.
// Whoever is says so soon.
type Unseen struct{}

func (Unseen) apply(c *change) error {
	if err := c.hall(); err != nil {
		return err
	}
	err := ErrSame
	for i := range c.People {
		if p := &c.People[i]; p.Here {
			p.Here, p.Since, err = false, c.Now, nil
		}
	}
	return err
}

// Missing tells whether the owner of a place is away, and since when: of two the one who has
// been away longer. The time is zero of somebody who is not in the room.
func (s *State) Missing(now time.Time) (place int, since time.Time, missing bool) {
	for i, p := range s.Places {
		if !p.Own() {
			continue
		}
		at, away := time.Time{}, true
		if k := s.person(p.User); k >= 0 {
			at, away = s.People[k].Since, s.People[k].away(now)
		}
		if away && (!missing || at.Before(since)) {
			place, since, missing = i, at, true
		}
	}
	return place, since, missing
}

// away reports whether the account is not connected.
func (p *Person) away(now time.Time) bool { return !p.Here || now.Sub(p.Since) > lease }

// Away reports whether an account in the room is not connected.
func (s *State) Away(id int64, now time.Time) bool {
	k := s.person(id)
	return k >= 0 && s.People[k].away(now)
}

// Grace is how long the owner of a place may be away.
func (s *State) Grace() time.Duration {
	if s.Game != nil && s.Game.Aside {
		return AsideFor
	}
	return s.Settings.grace()
}

// Invite lets an account in.
type Invite struct{ User int64 }

func (x Invite) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if x.User == 0 {
		return refuse.Invalid("say whom to invite").Because(game.WhyChoice)
	}
	c.Banned = without(c.Banned, x.User)
	if slices.Contains(c.Invited, x.User) {
		return nil
	}
	if len(c.Invited) >= MaxInvited {
		return refuse.Phase("%d accounts are invited already", MaxInvited)
	}
	c.Invited = append(c.Invited, x.User)
	return nil
}

// AddCode makes a code of an invitation good until it expires; zero is for ever.
type AddCode struct {
	Hash    string
	Expires time.Time
}

func (x AddCode) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if x.Hash == "" {
		return refuse.Invalid("the code is empty")
	}
	c.Codes = slices.DeleteFunc(c.Codes, func(k Code) bool { return !k.Expires.IsZero() && !c.Now.Before(k.Expires) })
	if len(c.Codes) >= MaxCodes {
		return refuse.Phase("%d codes are good already: withdraw them first", MaxCodes).Because("manycodes")
	}
	c.Codes = append(c.Codes, Code(x))
	return nil
}

// DropCodes withdraws all codes.
type DropCodes struct{}

func (DropCodes) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	c.Codes = nil
	return nil
}

// Kick puts an account out of the room for good, or until it is invited.
type Kick struct{ User int64 }

func (x Kick) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	switch {
	case x.User == 0 || x.User == c.By.ID || x.User == c.Host:
		return refuse.Invalid("the host stays").Because("hoststays")
	case c.PlaceOf(x.User) >= 0 && (c.Game != nil || c.Phase == Between):
		return refuse.Phase("a series is being played").Because("series")
	case len(c.Banned) >= MaxBanned:
		return refuse.Phase("%d accounts stay out already", MaxBanned)
	}
	c.Invited = without(c.Invited, x.User)
	if !slices.Contains(c.Banned, x.User) {
		c.Banned = append(c.Banned, x.User)
	}
	c.out(x.User)
	return nil
}

// Hand gives the host's rights to somebody inside.
type Hand struct{ User int64 }

func (x Hand) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	i := c.person(x.User)
	if i < 0 {
		return refuse.Invalid("the new host must be in the room").Because("newhost")
	}
	c.Host, c.HostName = x.User, c.People[i].Name
	return nil
}

// Sit takes a place: for oneself, for an engine of one's own elsewhere, or, as the
// host, for an engine of the hall.
type Sit struct {
	Place int
	Kind  bus.SeatKind
	// Engine and Hash are those of Place, Name is shown; people have their own name.
	Engine, Hash, Name string
	// About is what a remote engine says of itself.
	About string
}

func (x Sit) apply(c *change) error {
	if err := c.inside(); err != nil && !c.By.Arbiter {
		return err
	}
	if err := c.idle(); err != nil {
		return err
	}
	if x.Place != 0 && x.Place != 1 {
		return refuse.Invalid("place %d; there are 0 and 1", x.Place).Because(game.WhyChoice)
	}
	p := Place{Kind: x.Kind, Engine: x.Engine, Hash: x.Hash, Name: game.Shown(x.Name, 60)}
	switch x.Kind {
	case bus.PersonSeat:
		p.Engine, p.Hash, p.Name, p.User, p.Guest = "", "", c.By.Name, c.By.ID, c.By.Guest
	case bus.RemoteSeat:
		p.Hash, p.User, p.Guest, p.About = "", c.By.ID, c.By.Guest, game.Shown(x.About, 300)
		p.Name = c.By.Name
		if x.Name != "" && x.Name != c.By.Name {
			p.Name = game.Shown(x.Name+" ("+c.By.Name+")", 80)
		}
		p.Engine = ""
	case bus.BotSeat, bus.EngineSeat:
		if err := c.host(); err != nil {
			return err
		}
		if p.Engine == "" {
			return refuse.Invalid("say which engine takes the place").Because(game.WhyChoice)
		}
		p.Name = cmp.Or(p.Name, p.Engine)
	default:
		return refuse.Invalid("a %q cannot sit; a person, bot, engine or remote can", x.Kind).Because(game.WhyChoice)
	}
	return c.seat(x.Place, p)
}

// seat puts somebody onto an empty place.
func (c *change) seat(i int, p Place) error {
	if p.Own() && p.User == 0 {
		return refuse.Forbidden("log in, or come as a guest").Because("account")
	}
	if p.Guest && c.Settings.Rated {
		return refuse.Forbidden("guests play casual games only").Because("guestgame")
	}
	old, other := c.Places[i], c.Places[1-i]
	if !old.Empty() && (old.Own() || c.host() != nil) && (!old.Own() || old.User != c.By.ID) {
		return refuse.Phase("the %s place is taken by %s", placeName(i), old.Name).Because("seattaken", old.Name)
	}
	if p.Own() && other.User == p.User && (p.Kind == bus.PersonSeat && other.Kind == p.Kind || c.Settings.Rated) {
		return refuse.Phase("%s sits on the %s place already", p.Name, placeName(1-i)).Because("seated", p.Name)
	}
	c.reseat(i, p)
	c.Gone = ""
	return nil
}

// Join comes in, takes the free place and is ready, all at once.
type Join struct{}

func (Join) apply(c *change) error {
	if err := (Enter{}).apply(c); err != nil {
		return err
	}
	if err := c.idle(); err != nil {
		return err
	}
	i := slices.IndexFunc(c.Places[:], Place.Empty)
	if i < 0 {
		return refuse.Phase("both places are taken").Because("seatsfull")
	}
	if err := (Sit{Place: i, Kind: bus.PersonSeat}).apply(c); err != nil {
		return err
	}
	return Ready{On: true}.apply(c)
}

// Stand leaves a place: one's own, or, as the host, any.
type Stand struct{ Place int }

func (x Stand) apply(c *change) error {
	if err := c.idle(); err != nil {
		return err
	}
	if x.Place != 0 && x.Place != 1 {
		return refuse.Invalid("place %d; there are 0 and 1", x.Place).Because(game.WhyChoice)
	}
	p := c.Places[x.Place]
	if p.Empty() {
		return refuse.Phase("nobody sits there").Because("seatempty")
	}
	if c.host() != nil && (p.User != c.By.ID || c.By.ID == 0) {
		return refuse.Forbidden("the place is %s's", p.Name).Because("seattaken", p.Name)
	}
	c.reseat(x.Place, Place{})
	return nil
}

// Ready tells that the owner of a place can begin, or cannot.
type Ready struct{ On bool }

func (x Ready) apply(c *change) error {
	if err := c.idle(); err != nil {
		return err
	}
	mine := false
	for i := range c.Places {
		if p := &c.Places[i]; p.Own() && p.User == c.By.ID && c.By.ID != 0 {
			p.Ready, mine = x.On, true
		}
	}
	if !mine {
		return refuse.Forbidden("take a place first").Because("noseat")
	}
	return nil
}
