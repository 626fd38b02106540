package formats

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/ggf"
	"kibitz/record/obf"
	"kibitz/record/replay"
	"kibitz/record/wthor"
	"kibitz/rules"
)

func writeGGF(w io.Writer, list []*record.Game) error { return ggf.Write(w, list...) }

func readOBF(_ string, data []byte, _ game.Spec) ([]*record.Game, error) {
	list, err := obf.Read(data)
	var out []*record.Game
	for i := range list {
		out = append(out, &record.Game{Spec: "othello", Start: list[i].Text(), Line: list[i].Line})
	}
	return out, err
}

// writeOBF writes the last position of each game.
func (s *Set) writeOBF(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		end, err := s.finalState(g)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s;\n", end.Text()); err != nil {
			return err
		}
	}
	return nil
}

// readWthor reads a game base; names come from files beside it, those of its own name
// (x.jou, x.trn) or the WTH.JOU and WTH.TRN that all bases of a folder share.
func readWthor(name string, data []byte, _ game.Spec) ([]*record.Game, error) {
	base, err := wthor.ReadGames(data)
	if err != nil {
		return nil, err
	}
	players, tournaments := wthorNames(name, "jou", wthor.Players), wthorNames(name, "trn", wthor.Tournaments)
	out := make([]*record.Game, len(base.Games))
	for i := range out {
		if out[i], err = base.Record(i, players, tournaments); err != nil {
			return out[:i], err
		}
	}
	return out, nil
}

func wthorNames(name, ext string, kind wthor.Kind) *wthor.Names {
	if name == "-" {
		return nil
	}
	big := strings.ToUpper(ext)
	own := strings.TrimSuffix(name, filepath.Ext(name)) + "."
	shared := filepath.Dir(name) + string(filepath.Separator)
	for _, file := range []string{
		own + ext, own + big, shared + "WTH." + big, shared + "WTHOR." + big, shared + "wth." + ext,
		shared + "wthor." + ext,
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if n, err := wthor.ReadNames(data, kind); err == nil {
			return n
		}
	}
	return nil
}

// writeWthor writes the games; their names belong into files beside it.
func writeWthor(w io.Writer, list []*record.Game) error {
	base, _, _, err := wthor.FromRecords(list)
	if err == nil {
		_, err = w.Write(base.Append(nil))
	}
	return err
}

func namesOfWthor(list []*record.Game) (map[string][]byte, error) {
	_, players, tournaments, err := wthor.FromRecords(list)
	if err != nil {
		return nil, err
	}
	jou, err := players.Append(nil, wthor.Players)
	if err != nil {
		return nil, err
	}
	trn, err := tournaments.Append(nil, wthor.Tournaments)
	return map[string][]byte{".jou": jou, ".trn": trn}, err
}

// finalState returns the position at the end of a record.
func (s *Set) finalState(g *record.Game) (rules.State, error) {
	l, err := replay.Play(g, s.open)
	if err != nil {
		return nil, err
	}
	return l.State(l.Len())
}
