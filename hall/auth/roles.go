package auth

import "kibitz/hall/store"

// Permission is a set of things that an account may do.
type Permission uint32

// The permissions.
const (
	// Look is reading what everyone may read; it needs no account.
	Look Permission = 1 << iota
	// Enter is logging in, registering, becoming a guest; it needs no account.
	Enter
	// Self is reading one's own account, and logging out.
	Self
	// Play is opening and entering rooms, sitting down, talking, following orders of
	// a seat.
	Play
	// Keep is saving positions and settings.
	Keep
	// Secure is what an account's safety hangs on: password, name, tokens, sessions.
	// No token grants it.
	Secure
	// Roster is searching for accounts by name.
	Roster
	// Bots is making bots and handing out their tokens.
	Bots
	// Import is adding records of games to the hall's games.
	Import
	// Export is reading records in bulk.
	Export
	// Organise is making tournaments.
	Organise
	// Direct is what an arbiter does to games, rooms and tournaments of others, and
	// seeing those that are not listed.
	Direct
	// Inspect is reading what only admins read: the audit log, all of an account,
	// metrics, workers.
	Inspect
	// Administer is changing accounts of others and the hall's engines.
	Administer
)

// The permissions of each kind of caller; a role has those before it.
const (
	anyone  = Look | Enter
	guest   = anyone | Self | Play
	bot     = Look | Self | Play | Keep | Export
	player  = guest | Keep | Secure | Roster | Bots | Export | Organise
	arbiter = player | Direct | Import
	admin   = arbiter | Inspect | Administer
	// withoutSession is what a token never grants.
	withoutSession = Enter | Secure | Administer
)

// Anonymous are the permissions of whoever has no account.
func Anonymous() Permission { return anyone }

// Granted returns what a caller may do. It is the one table of roles.
func Granted(c Caller) Permission {
	var p Permission
	switch {
	case c.ID == 0:
		return anyone
	case c.MustChange:
		return Look | Self
	case c.Kind == store.Bot:
		p = bot
	case c.Kind == store.Guest:
		// A guest becomes an account by choosing a name and a password; that is
		// Enter, because there is nothing yet to be secured.
		p = guest
	case c.Role == store.AdminRole:
		p = admin
	case c.Role == store.ArbiterRole:
		p = arbiter
	default:
		p = player
	}
	if c.Token {
		p &^= withoutSession
	}
	return p
}

// Names lists the permissions in a set, in the order of the table.
func (p Permission) Names() []string {
	all := []string{
		"look", "enter", "self", "play", "keep", "secure", "roster", "bots", "import",
		"export", "organise", "direct", "inspect", "administer",
	}
	var out []string
	for i, name := range all {
		if p&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Made reports whether an account has made a tournament.
func Made(tx store.Tournaments, tournament string, user int64) bool {
	t, err := tx.Tournament(tournament)
	return err == nil && user != 0 && t.Owner == user
}
