package sqlstore

import (
	"time"

	"kibitz/hall/store"
)

// challenges is store.Challenges: what people ask each other.
type challenges struct{ *tx }

func challengeCols(c *store.Challenge) []col {
	return []col{
		{"id", &c.Code},
		{"version", &c.Version},
		{"owner", &c.Owner},
		{"is_open", &c.Open},
		{"room", &c.Room},
		{"created", &c.Created},
		{"expires", &c.Expires},
		{"state", &c.State},
		{"asked", &c.Asked},
	}
}

func (x challenges) AddChallenge(c *store.Challenge, most int) error {
	// Whoever adds one of the same owner at the same time must not count before this one is
	// there: both change the owner's row, so that one of them is done again.
	if n, err := x.exec("UPDATE users SET seen = seen WHERE id = ?", c.Owner); err != nil || n == 0 {
		return or(err, notFound("user", c.Owner))
	}
	list, err := x.OpenChallenges(c.Owner, c.Created)
	if err != nil {
		return err
	}
	if len(list) >= most {
		return conflict("challenge of user", c.Owner)
	}
	return x.addVersioned("challenge", "challenges", c.Code, &c.Version, without(challengeCols(c), "id", "version")...)
}

func (x challenges) Challenge(code string) (store.Challenge, error) {
	return get(x.tx, "challenge", code, challengeCols, "FROM challenges WHERE id = ?", code)
}

func (x challenges) SetChallenge(c *store.Challenge) error {
	return x.setVersioned("challenge", "challenges", c.Code, &c.Version, col{"is_open", c.Open}, col{"room", c.Room}, col{"state", c.State})
}

func (x challenges) OpenChallenges(owner int64, now time.Time) ([]store.Challenge, error) {
	return rows(x.tx, challengeCols, "FROM challenges WHERE owner = ? AND is_open = 1 AND expires > ? ORDER BY created DESC, id", owner, now)
}

func (x challenges) AskedChallenges(user int64, now time.Time) ([]store.Challenge, error) {
	return rows(x.tx, challengeCols, "FROM challenges WHERE asked = ? AND is_open = 1 AND expires > ? ORDER BY created, id", user, now)
}
