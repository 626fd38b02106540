package engines

import (
	"slices"
	"strconv"
	"strings"

	"kibitz/catalog"
	"kibitz/protocol"
)

// OwnDepth says what becomes of a depth that an engine of NBoard seems to have from its
// own command line, empty if it has none or keeps it.
func (e *Spec) OwnDepth(id string) string {
	proto, err := catalog.ProtocolFor(id, e.Proto)
	if err != nil || len(e.Cmd) < 2 || proto.ID != "nboard" || e.Depth > 0 ||
		slices.ContainsFunc(e.Options, func(o protocol.Option) bool { return o.Key == "depth" }) || e.Dialect["setdepth"] == "own" {
		return ""
	}
	if !slices.ContainsFunc(e.Cmd[1:], seemsDepth) {
		return ""
	}
	return ` is told "set depth" by the protocol, over what its command says; dialect.setdepth=own leaves it its own depth (docs/protocols/nboard.md)`
}

// seemsDepth reports whether an argument of a command may be a depth or a level.
func seemsDepth(arg string) bool {
	text := strings.ToLower(strings.TrimLeft(arg, "-/"))
	_, err := strconv.Atoi(text)
	return err == nil || strings.HasPrefix(text, "depth") || strings.HasPrefix(text, "level")
}
