package link

import "bytes"

// minRoom is the least space that Splitter.Space offers.
const minRoom = 1024

// unended begins the remark about bytes that no line end has followed.
const unended = "came without a line end: "

// firstBuffer is the size a splitter starts with.
const firstBuffer = 4096

// Splitter cuts a stream of bytes into lines within bounded memory. Bytes are
// read into Space and made known by Commit; Next takes lines out. It is the
// common core of all connections and is not safe for concurrent use.
//
// Lines end with LF, CRLF or CR. Empty lines are skipped. A line beyond the
// maximum is cut there, also while it is still coming in, and the rest up to its
// end is dropped. When the buffer is full of lines that nobody takes, the oldest
// half goes. A byte order mark before the first line is no part of it.
type Splitter struct {
	buf []byte
	// buf[r:w] is unread; no line ends in buf[r:scan]; the unfinished line at
	// the end starts at or after tail.
	r, scan, tail, w int
	skip             bool // the rest of a cut line is coming in
	begun            bool // the first line was taken: no byte order mark comes any more
	// Preview has returned the lines before seen; early tells that the latest line
	// of Next was one of them.
	seen   int
	early  bool
	limits Limits
	turn   int64 // bytes since NewTurn
	counts Counts
}

// NewSplitter returns an empty splitter.
func NewSplitter(l Limits) *Splitter { return &Splitter{limits: l.withDefaults()} }

// NewTurn starts the count that Flooded compares with the limit anew.
func (s *Splitter) NewTurn() { s.turn = 0 }

// Flooded reports whether more than the limit came in since NewTurn.
func (s *Splitter) Flooded() bool { return s.turn > s.limits.Flood }

// roomy reports whether Space has room without dropping lines.
func (s *Splitter) roomy() bool { return s.limits.Backlog-s.buffered() >= minRoom }

// buffered is how many bytes are waiting to be taken.
func (s *Splitter) buffered() int { return s.w - s.r }

// Counts tells what came in and what was lost.
func (s *Splitter) Counts() Counts { return s.counts }

// Space returns room for input, never empty.
func (s *Splitter) Space() []byte {
	if s.r == s.w {
		s.r, s.scan, s.tail, s.w, s.seen = 0, 0, 0, 0, 0
	}
	if len(s.buf)-s.w >= minRoom {
		return s.buf[s.w:]
	}
	if s.r >= len(s.buf)/2 {
		s.shift(s.buf)
	}
	if len(s.buf)-s.w < minRoom {
		s.makeRoom()
	}
	return s.buf[s.w:]
}

// shift moves the unread bytes to the front of a buffer, which may be the present one.
func (s *Splitter) shift(to []byte) {
	copy(to, s.buf[s.r:s.w])
	s.buf = to
	s.scan -= s.r
	s.tail = max(0, s.tail-s.r)
	s.seen = max(0, s.seen-s.r)
	s.w -= s.r
	s.r = 0
}

// makeRoom grows the buffer, or drops the oldest lines once it may not grow.
func (s *Splitter) makeRoom() {
	if size := s.limits.Backlog + minRoom; len(s.buf) < size {
		s.shift(make([]byte, min(size, max(firstBuffer, 2*len(s.buf)))))
		return
	}
	if s.r > 0 {
		s.shift(s.buf)
	}
	if len(s.buf)-s.w >= minRoom {
		return
	}
	// No unfinished line is longer than a quarter of the buffer, so a line ends
	// in the second half.
	half := (s.w - s.r) / 2
	end := s.w
	if i := lineEnd(s.buf[s.r+half : s.w]); i >= 0 {
		end = s.r + half + i + 1
	}
	s.counts.Lost += countLines(s.buf[s.r:end])
	s.counts.Dropped += int64(end - s.r)
	s.r = end
	s.scan = max(s.scan, end)
	s.tail = max(s.tail, end)
	s.shift(s.buf)
}

// Commit makes known that n bytes were written to what Space returned.
func (s *Splitter) Commit(n int) {
	before := s.Flooded()
	s.turn += int64(n)
	s.counts.Bytes += int64(n)
	if !before && s.Flooded() {
		s.counts.Floods++
	}
	if s.skip && n > 0 {
		i := lineEnd(s.buf[s.w : s.w+n])
		if i < 0 {
			s.counts.Dropped += int64(n)
			return
		}
		copy(s.buf[s.w:], s.buf[s.w+i:s.w+n])
		s.counts.Dropped += int64(i)
		n -= i
		s.skip = false
	}
	s.w += n
	if s.w-s.tail > s.limits.Line {
		s.cutTail()
	}
}

// cutTail finds the unfinished line and cuts it if it is too long already.
func (s *Splitter) cutTail() {
	if i := lastLineEnd(s.buf[s.tail:s.w]); i >= 0 {
		s.tail += i + 1
	}
	if s.w-s.tail <= s.limits.Line {
		return
	}
	end := s.tail + s.limits.Line
	s.counts.Dropped += int64(s.w - end)
	s.counts.Cut++
	s.buf[end] = '\n'
	s.w = end + 1
	s.tail = s.w
	s.skip = true
}

// Next returns the next complete line without its end. The slice is valid until
// the next call of any method.
func (s *Splitter) Next() ([]byte, bool) {
	for s.r < s.w && (s.buf[s.r] == '\n' || s.buf[s.r] == '\r') {
		s.r++
	}
	s.scan = max(s.scan, s.r)
	s.tail = max(s.tail, s.r)
	i := lineEnd(s.buf[s.scan:s.w])
	if i < 0 {
		s.scan = s.w
		return nil, false
	}
	line := s.buf[s.r : s.scan+i]
	s.early = s.r < s.seen
	s.r = s.scan + i + 1
	s.scan = s.r
	s.tail = max(s.tail, s.r)
	if len(line) > s.limits.Line {
		s.counts.Dropped += int64(len(line) - s.limits.Line)
		s.counts.Cut++
		line = line[:s.limits.Line]
	}
	if !s.begun {
		if s.begun = true; bytes.HasPrefix(line, byteOrderMark) {
			if line = line[len(byteOrderMark):]; len(line) == 0 {
				return s.Next()
			}
		}
	}
	return line, true
}

// Preview returns the next complete line that neither Next nor Preview has returned,
// and leaves it for Next. The slice is valid until the next call of any method.
func (s *Splitter) Preview() ([]byte, bool) {
	at := max(s.seen, s.r)
	for at < s.w && (s.buf[at] == '\n' || s.buf[at] == '\r') {
		at++
	}
	i := lineEnd(s.buf[at:s.w])
	if i < 0 {
		return nil, false
	}
	s.seen = at + i + 1
	line := s.buf[at : at+min(i, s.limits.Line)]
	if !s.begun {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	return line, true
}

// Previewed reports whether the latest line of Next was returned by Preview before.
func (s *Splitter) Previewed() bool { return s.early }

// byteOrderMark is what some runtimes print first on a pipe that they think a file.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Rest returns what came in after the last complete line.
func (s *Splitter) Rest() []byte {
	b := s.buf[s.r:s.w]
	if i := lastLineEnd(b); i >= 0 {
		b = b[i+1:]
	}
	return b
}

// Write appends p, so that a Splitter is an io.Writer that never fails.
func (s *Splitter) Write(p []byte) (int, error) {
	all := len(p)
	for len(p) > 0 {
		n := copy(s.Space(), p)
		s.Commit(n)
		p = p[n:]
	}
	return all, nil
}

// lineEnd returns the index of the first CR or LF, -1 if there is none.
func lineEnd(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	if i >= 0 {
		b = b[:i]
	}
	if j := bytes.IndexByte(b, '\r'); j >= 0 {
		return j
	}
	return i
}

// lastLineEnd returns the index of the last CR or LF, -1 if there is none.
func lastLineEnd(b []byte) int {
	return max(bytes.LastIndexByte(b, '\n'), bytes.LastIndexByte(b, '\r'))
}

// countLines counts the lines in b, which ends with a line end; empty ones count
// as none.
func countLines(b []byte) int64 {
	var n int64
	for len(b) > 0 {
		i := lineEnd(b)
		if i < 0 {
			return n + 1
		}
		if i > 0 {
			n++
		}
		b = b[i+1:]
	}
	return n
}
