package guard

// plan is what the helper is told on its third descriptor, as JSON.
type plan struct {
	// Probe tells that the helper ends where it would execute the engine.
	Probe bool
	// Path, Argv: what to execute in the end. The environment and the folder are
	// the helper's own.
	Path string
	Argv []string
	// Limits are resource limits of the kernel, set in this order.
	Limits []rlimit
	// ReadOnly, Writable and Hidden are those of Limits, without links. Readable is
	// what the engine sees beside, a file system being made of it if there is World.
	ReadOnly                   bool
	Readable, Writable, Hidden []string
	World                      *world
	// NoNetwork refuses connections, but to Port if it is not 0, and to sockets in
	// the file system with Sockets. Netless is set by the helper where it has
	// a network of its own, with nobody in it.
	NoNetwork, Sockets, Netless bool
	Port                        int
	// Counted tells that the kernel counts the engine's processes in a user namespace
	// of its own, and Processes how many there may be.
	Counted   bool
	Processes int
	// Sampled tells that memory is only what processes are seen to have, Pinned that
	// they stay on their processors.
	Sampled, Pinned bool
	// Groups are where control groups are mounted, if the engine is in one: it must
	// not leave it.
	Groups []string
}

// apart reports whether the engine is another process than the helper.
func (p *plan) apart() bool { return p.World != nil && p.World.Isolated }

type rlimit struct {
	Name     string // for messages
	Resource int
	Value    uint64
}

// word is what the helper says on its fourth descriptor, one JSON value a line. The
// descriptor is closed without a word when the engine has begun.
type word struct {
	// First is the first process of the engine's numbers, Engine the engine itself,
	// where they are no longer the process that speaks.
	First, Engine int `json:",omitempty"`
	// NoWorld tells why the plan's world cannot be made: another plan may do.
	NoWorld string `json:",omitempty"`
	// Refused is a limit that the kernel does not honour, and why.
	Refused string `json:",omitempty"`
	// Errno and Error tell that the engine cannot be executed.
	Errno int    `json:",omitempty"`
	Error string `json:",omitempty"`
}

// helperName is the name by which the helper knows what it was executed for: argv[0].
const helperName = "kibitz-guard"

// The helper's descriptors beside the engine's three.
const (
	planFD = 3
	wordFD = 4
)
