package piskvork

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// hashVerbs are the commands of the Yixin dialect for the table of positions.
var hashVerbs = [...]Verb{
	player.HashClear: YxHashClear, player.HashLoad: YxHashLoad, player.HashDump: YxHashDump, player.HashUsage: YxShowHashUsage,
}

// hashLimit bounds the reading or writing of a table, which may have gigabytes.
const hashLimit = time.Minute

// Hash implements player.Hasher in the Yixin dialect. A file stands on a line of its own.
// Engines answer by a remark or not at all, so ABOUT is asked behind: its answer is the end.
func (h *Host) Hash(ctx context.Context, order player.HashOrder, file string) (said string, err error) {
	verb := hashVerbs[order]
	switch {
	case !h.opt.yixin:
		return "", fmt.Errorf("%w: %s can be sent only in the yixin dialect", player.ErrUnsupported, verb)
	case h.fail != nil:
		return "", h.fail
	case h.Conn() == nil:
		return "", player.Fail(game.ByProtocol, nil, "no game is running")
	case strings.ContainsAny(file, "\r\n"):
		return "", fmt.Errorf("%q: the name of a file is one line", file)
	}
	h.Watch(ctx)
	h.buf = AppendVerb(h.buf[:0], verb)
	if file != "" {
		h.buf = append(append(h.buf, file...), eol...)
	}
	h.buf = AppendVerb(h.buf, About)
	if err := h.write(h.buf); err != nil {
		return "", h.failed(h.Failed(err, game.ByProtocol, "sending "+verb.String()))
	}
	var refused string
	deadline := h.cfg.Now().Add(hashLimit)
	for {
		line, err := h.ReadLine(deadline)
		if refused != "" && errors.Is(err, os.ErrDeadlineExceeded) {
			return "", fmt.Errorf("%w: %s was answered %q", player.ErrUnsupported, verb, refused)
		}
		if err != nil {
			return "", h.failed(h.Failed(err, game.ByProtocol, "waiting for the end of "+verb.String()))
		}
		switch r := ParseReply(line); r.Kind {
		case Message:
			said = strings.ToValidUTF8(string(r.Text), "?")
		case Error, Unknown:
			refused = cmp.Or(refused, clip(line))
			deadline = h.cfg.Now().Add(aboutLimit)
		case Other:
			if refused != "" {
				return "", fmt.Errorf("%w: %s was answered %q", player.ErrUnsupported, verb, refused)
			}
			return said, nil
		}
	}
}
