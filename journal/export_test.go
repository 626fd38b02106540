package journal

// ParseAny reads a line in whatever form JSON allows, without looking at its checksum.
var ParseAny = parseAny

// Memory is what a reader of many lines keeps.
type Memory = memory

// Lending returns a memory whose events are valid until the next.
func Lending() *Memory { return &memory{lend: true} }

// ParseQuick reads a line in the form in which it is written, with a memory or
// without one; false for any other.
func ParseQuick(line []byte, m *Memory) (ev Event, ok bool) {
	if len(line) < sumLen {
		return ev, false
	}
	q := quick{cursor: cursor{line: line[:len(line)-sumLen]}, memory: m}
	ok = q.parse(&ev)
	return ev, ok
}
