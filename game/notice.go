package game

// Audience names who may know a fact.
type Audience int8

// The audiences. ToFirst and ToSecond are one seat each; Public is everybody,
// both seats and spectators; Arbiter is the referee and the finished record.
const (
	ToFirst  Audience = 0
	ToSecond Audience = 1
	Public   Audience = 2
	Arbiter  Audience = 3
)

// To returns the audience that consists of one seat.
func To(s Seat) Audience { return Audience(s) }

// Includes reports whether a reader who stands for audience r may read what is
// addressed to a. Everybody reads what is public, the arbiter reads everything.
func (a Audience) Includes(r Audience) bool {
	return a == Public || r == Arbiter || a == r
}

// String returns "first", "second", "public" or "arbiter".
func (a Audience) String() string {
	switch a {
	case ToFirst:
		return "first"
	case ToSecond:
		return "second"
	case Public:
		return "public"
	default:
		return "arbiter"
	}
}

// NoticeKind says what a notice tells.
type NoticeKind uint8

// The kinds of notice.
const (
	// Played tells a decision in full: Move.
	Played NoticeKind = iota + 1
	// Moved tells that By made a decision which this audience may not see.
	Moved
	// Refused tells the mover that the attempt Move is forbidden; the turn stays.
	Refused
	// Took tells that By captured the stones on Points.
	Took
	// Lost tells that stones of this audience's seat on Points were captured.
	Lost
	// Scored tells that By scored Count, for example a line of a continuous game
	// or a box; Points are what it consists of.
	Scored
)

var noticeNames = [...]string{"", "played", "moved", "refused", "took", "lost", "scored"}

// String returns the lower-case name of the kind.
func (k NoticeKind) String() string {
	if int(k) < len(noticeNames) {
		return noticeNames[k]
	}
	return "notice"
}

// Notice is one fact, addressed to exactly one audience. In games of perfect
// information every move yields one public Played notice and perhaps more; in
// games that hide something the same move yields different notices for each.
type Notice struct {
	To     Audience
	Kind   NoticeKind
	By     Seat
	Move   Move
	Points []Point
	Count  int
}
