package sqlstore

import (
	"fmt"

	"kibitz/hall/store"
)

func (x games) AddPlayed(list []store.Played) ([]bool, error) {
	added, err := x.unknown(list)
	if err != nil {
		return nil, err
	}
	fresh := make([]*store.Played, 0, len(list))
	for i := range list {
		if added[i] {
			fresh = append(fresh, &list[i])
		}
	}
	var placed []indexed
	for batch := range batches(fresh) {
		if placed, err = x.addPlayed(batch, placed); err != nil {
			return nil, err
		}
	}
	return added, x.positions.addMany(placed)
}

// unknown tells which games have no identifier of the store or of one before them.
func (x games) unknown(list []store.Played) ([]bool, error) {
	known := map[string]bool{}
	for batch := range batches(list) {
		args := make([]any, len(batch))
		for i := range batch {
			g := &batch[i].Game
			if g.Room != "" || g.Tournament != "" || g.State != store.Over {
				return nil, fmt.Errorf("%w: game %.60q belongs to a room or a tournament, or is not over", store.ErrInvalid, g.ID)
			}
			args[i] = ident(g.ID)
		}
		ids, err := rows(x.tx, func(id *string) []col { return []col{{"id", id}} }, "FROM game_ids WHERE id IN ("+marks(len(args))+")", args...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			known[id] = true
		}
	}
	out := make([]bool, len(list))
	for i := range list {
		id := clean(list[i].Game.ID)
		out[i], known[id] = !known[id], true
	}
	return out, nil
}

// addPlayed adds games that the store does not have, and appends those that have positions.
func (x games) addPlayed(list []*store.Played, to []indexed) ([]indexed, error) {
	games, ids, records := make([][]col, len(list)), make([][]col, len(list)), make([][]col, len(list))
	openings := map[string]bool{}
	for i, p := range list {
		games[i] = gameRow(&p.Game)
		if key := fold(p.Game.Opening); key != "" && !openings[key] {
			openings[key] = true
			if _, err := x.insertNew("openings", col{"opening_key", key}); err != nil {
				return nil, err
			}
		}
	}
	query, args := insertionOf("games", games, " RETURNING n, id")
	var row numbered
	cols := func(g *numbered) []col { return []col{{"n", &g.n}, {"id", (*ident)(&g.ID)}} }
	numbers, err := answers(x.tx, &row, cols, query, x.queryKept, args)
	if err != nil {
		return nil, err
	}
	n := make(map[string]int64, len(list))
	for _, g := range numbers {
		n[g.ID] = g.n
	}
	for i, p := range list {
		n := n[clean(p.Game.ID)]
		positions := firsts(p.Positions)
		if len(positions) > 0 {
			to = append(to, indexed{n, positions})
		}
		ids[i] = []col{{"id", ident(p.Game.ID)}, {"n", n}}
		records[i] = []col{{"n", n}, {"record", p.Record}, {"positions", packPositions(positions)}}
	}
	if err := x.insertAll("game_ids", ids, ""); err != nil {
		return nil, err
	}
	return to, x.insertAll("records", records, "")
}
