package bus

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
)

// maxName is how long an identifier in a subject may be: a hash in hexadecimal digits,
// with some room.
const maxName = 128

// maxNeeds is how many engines a job may ask for.
const maxNeeds = 8

// CheckName says what is wrong with an identifier that is to be part of a subject: it
// consists of 1 to 128 letters, digits, hyphens and underscores of ASCII. What names
// it in the error.
func CheckName(what, name string) error {
	if name == "" {
		return fmt.Errorf("bus: %s is empty", what)
	}
	if len(name) > maxName {
		return fmt.Errorf("bus: %s has %d characters, at most %d are possible", what, len(name), maxName)
	}
	for i := range len(name) {
		c := name[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return fmt.Errorf("bus: %s %q may have letters, digits, hyphens and underscores only", what, game.Shown(name, 40))
		}
	}
	return nil
}

// names makes the subjects and the names of streams of one prefix.
type names struct{ prefix string }

func (n names) stream(name string) string { return n.prefix + "_" + name }

// subject joins words that were checked before.
func (n names) subject(words ...string) string {
	return n.prefix + "." + strings.Join(words, ".")
}

// job is the subject of a set of needs: "jobs.any", or "jobs.need." and the hashes.
func (n names) job(needs []string) (string, error) {
	if len(needs) == 0 {
		return n.subject("jobs", "any"), nil
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(needs)))
	if len(sorted) > maxNeeds {
		return "", fmt.Errorf("bus: a job needs %d engines, at most %d are possible", len(sorted), maxNeeds)
	}
	for _, h := range sorted {
		if err := CheckName("hash of an engine", h); err != nil {
			return "", err
		}
	}
	return n.subject("jobs", "need", strings.Join(sorted, ".")), nil
}

// needs reads the subject of a job.
func (n names) needs(subject string) ([]string, bool) {
	if subject == n.subject("jobs", "any") {
		return nil, true
	}
	rest, ok := strings.CutPrefix(subject, n.subject("jobs", "need")+".")
	if !ok || rest == "" {
		return nil, false
	}
	return strings.Split(rest, "."), true
}

// pool is the name of the consumer of a subject of jobs.
func (n names) pool(subject string) string {
	if subject == n.subject("jobs", "any") {
		return "any"
	}
	sum := sha256.Sum256([]byte(subject))
	return "need_" + hex.EncodeToString(sum[:16])
}

// live is the subject of what a sender says live of a game to one audience; "*" is any
// sender.
func (n names) live(sender, id string, to game.Audience) (string, error) {
	if err := CheckName("game", id); err != nil {
		return "", err
	}
	if err := checkAudience(to); err != nil {
		return "", err
	}
	return n.prefix + ".live." + sender + "." + id + "." + to.String(), nil
}

// game is the subject of a word and a game, at the sender that has it.
func (n names) game(word, sender, id string) (string, error) {
	if err := CheckName("game", id); err != nil {
		return "", err
	}
	return n.subject(word, sender, id), nil
}

// seat is the subject of a word and a seat of a game, at the sender that has it; "*" is
// any.
func (n names) seat(word, sender, id string, seat game.Seat) (string, error) {
	if err := CheckName("game", id); err != nil {
		return "", err
	}
	if seat < 0 || seat > 1 {
		return "", fmt.Errorf("bus: seat %d of game %s does not exist, it is 0 or 1", seat, id)
	}
	return n.subject(word, sender, id, strconv.Itoa(int(seat))), nil
}

// lastWord is the last word of a subject: the sender of what goes to halls, the attempt of
// what is said to a seat.
func lastWord(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// sender is the one in the subject of what is said live of a game: it stands before the game.
func (n names) sender(subject string) string {
	rest := subject[min(len(n.prefix)+1, len(subject)):]
	_, rest, _ = strings.Cut(rest, ".")
	sender, _, _ := strings.Cut(rest, ".")
	return sender
}

// log is the subject of what a sender writes into the log of an attempt.
func (n names) log(id string, attempt int, sender string) (string, error) {
	if err := CheckName("game", id); err != nil {
		return "", err
	}
	if attempt < 1 {
		return "", fmt.Errorf("bus: attempt %d of game %s, they count from 1", attempt, id)
	}
	return n.subject("log", id, strconv.Itoa(attempt), sender), nil
}

// topic is the subject of a topic: identifiers with dots between them.
func (n names) topic(topic string) (string, error) {
	for word := range strings.SplitSeq(topic, ".") {
		if err := CheckName("topic", word); err != nil {
			return "", err
		}
	}
	return n.subject("topic", topic), nil
}

// checkAudience refuses the arbiter: what he alone may know is never live.
func checkAudience(to game.Audience) error {
	if to != game.ToFirst && to != game.ToSecond && to != game.Public {
		return fmt.Errorf("bus: audience %d has no live events, it is one seat (0, 1) or the public (2)", to)
	}
	return nil
}
