package bus

// Why is why a game ended without a verdict, or what one waits for, as a code with what it is
// about: pages have words for each. The zero Why says nothing.
type Why struct {
	Code WhyCode `json:"code,omitempty"`
	// Name is the player or the engine that it is about.
	Name string `json:"name,omitempty"`
	// Text says it in English, with what an engine or a machine has told.
	Text string `json:"text,omitempty"`
}

// WhyCode is a word for a Why.
type WhyCode string

// Why a game ended without a verdict.
const (
	// WhyNobody: none of its people came.
	WhyNobody WhyCode = "nobody"
	// WhyAway: somebody was away for too long before he made a move, or before the game went on.
	WhyAway WhyCode = "away"
	// WhyLeft: somebody left before it began.
	WhyLeft WhyCode = "left"
	// WhyHost: the host or an arbiter ended it, WhyPlayers: its players did.
	WhyHost    WhyCode = "host"
	WhyPlayers WhyCode = "players"
	// WhyStart: an engine cannot be started.
	WhyStart WhyCode = "start"
	// WhyFault: it cannot be played for another reason.
	WhyFault WhyCode = "fault"
)

// What a game waits for beside its turn.
const (
	// WhyEngine: no worker offers an engine.
	WhyEngine WhyCode = "engine"
	// WhyQueue: the queue cannot be reached, or has not taken it; WhyWorker: no worker has begun it.
	WhyQueue  WhyCode = "queue"
	WhyWorker WhyCode = "worker"
)

// ByHost is why a game ends that its host stopped.
func ByHost() Why { return Why{Code: WhyHost, Text: "stopped by the host"} }
