package formats

import (
	"io"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/ccgc"
)

func readCCGC(_ string, data []byte, spec game.Spec) ([]*record.Game, error) {
	list, err := ccgc.Read(data)
	for _, g := range list {
		withRule(g, spec)
	}
	return list, err
}

func writeCCGC(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		b, err := ccgc.Append(nil, g)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// writeCCGCinGBK writes for programs that know no other charset.
func writeCCGCinGBK(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		in := *g
		in.Tags = append([]record.Tag{{Key: ccgc.TagCharset, Value: "gbk"}}, g.Tags...)
		if err := writeCCGC(w, []*record.Game{&in}); err != nil {
			return err
		}
	}
	return nil
}

// asGame takes the game that the user named for a file that says no more than
// that it is Go: board and komi are the file's, all else is the user's word.
func asGame(g *record.Game, spec game.Spec) {
	id := spec.ID()
	if g.Spec.ID() != "go" || id != "phantomgo" && id != "nogo" {
		withRule(g, spec)
		return
	}
	said := map[string]bool{}
	var options []string
	for _, key := range []string{"size", "width", "height", "komi"} {
		if v, ok := g.Spec.Option(key); ok && (key != "komi" || id == "phantomgo") {
			options = append(options, key+"="+v)
			said[key] = true
		}
	}
	_, rest, _ := strings.Cut(string(spec), ":")
	for o := range strings.SplitSeq(rest, ",") {
		if key, _, _ := strings.Cut(o, "="); key != "" && !said[key] {
			options = append(options, o)
		}
	}
	g.Spec = game.Spec(id + ":" + strings.Join(options, ","))
}
