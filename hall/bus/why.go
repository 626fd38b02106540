package bus

import "kibitz/game"

// Why a game ended without a verdict.
const (
	// WhyNobody: none of its people came.
	WhyNobody game.WhyCode = "nobody"
	// WhyAway: somebody was away for too long before he made a move, or before the game went on.
	WhyAway game.WhyCode = "away"
	// WhyLeft: somebody left before it began.
	WhyLeft game.WhyCode = "left"
	// WhyHost: the host or an arbiter ended it, WhyPlayers: its players did.
	WhyHost    game.WhyCode = "host"
	WhyPlayers game.WhyCode = "players"
	// WhyRuled: an arbiter, or the host of engines, decided it.
	WhyRuled game.WhyCode = "ruled"
	// WhyStart: an engine cannot be started.
	WhyStart game.WhyCode = "start"
	// WhyFault: it cannot be played for another reason.
	WhyFault game.WhyCode = "fault"
)

// What a game waits for beside its turn.
const (
	// WhyEngine: no worker offers an engine.
	WhyEngine game.WhyCode = "engine"
	// WhyApart: its two engines are offered, but by no worker together; Name is both.
	WhyApart game.WhyCode = "apart"
	// WhyQueue: the queue cannot be reached, or has not taken it; WhyWorker: no worker has begun it.
	WhyQueue  game.WhyCode = "queue"
	WhyWorker game.WhyCode = "worker"
	// WhyProgram: a worker has another program under the name of an engine, and is not waited for.
	WhyProgram game.WhyCode = "program"
)

// WhyNoHints refuses a hint: there are none in the game.
const WhyNoHints game.WhyCode = "nohints"

// ByHost is why a game ends that its host stopped.
func ByHost() game.Why { return game.Why{Code: WhyHost, Text: "stopped by the host"} }
