package sqlstore

import "strings"

// column is a column of a table with the kind of its values: i for whole numbers, f
// for numbers, t for text, b for bytes.
type column struct {
	name string
	kind byte
}

// table is what a dump says of a table: its columns, and by which of them its rows
// are told apart.
type table struct {
	name string
	cols []column
	key  string
	// counter is the column that the database numbers, empty for none.
	counter string
}

// tables are what a dump holds, in an order in which they can be filled. What can be
// made again from others (positions) is not among them.
func tables() []table {
	list := []struct{ name, key, counter, cols string }{
		{"users", "id", "id", "id:i name:t name_key:t kind:t role:t password:t owner:i created:i seen:i disabled:i failed:i locked_until:i " +
			"settings:t"},
		{"tokens", "id", "id", "id:i user_id:i name:t hash:b created:i used:i expires:i"},
		{"sessions", "hash", "", "hash:b user_id:i data:b expires:i"},
		{"requests", "user_id, request_key", "", "user_id:i request_key:t hash:b status:i header:t body:b expires:i"},
		{"audit", "id", "id", "id:i at:i actor:i action:t subject:t detail:t origin:t"},
		{"rooms", "id", "", "id:t version:i name:t owner:i game:t listed:i is_open:i created:i changed:i state:t"},
		{"messages", "id", "id", "id:i room:t at:i user_id:i name:t channel:t body:t"},
		{"saved", "id", "", "id:t user_id:i name:t spec:t position:t moves:t created:i"},
		{"challenges", "id", "", "id:t version:i owner:i is_open:i room:t created:i expires:i state:t asked:i"},
		{"game_ids", "id", "", "id:t n:i"},
		{"game_places", "place, idx", "", "place:t idx:i n:i"},
		{"games", "n", "n", "n:i id:t spec:t game:t room:t tournament:t idx:i state:t attempt:i worker:t name1:t name2:t name1_key:t " +
			"name2_key:t " +
			"user1:i user2:i engine1:t engine2:t subject1:t subject2:t rated:i speed:t opening:t opening_key:t created:i begun:i ended:i played:i " +
			"hidden:i listed:i job:t points1:f points2:f board1:f board2:f has_board:i reason:t detail:t winner:i plies:i seconds1:f seconds2:f " +
			"ruled:i note:t"},
		{"openings", "opening_key", "", "opening_key:t"},
		{"records", "n", "", "n:i record:b positions:b"},
		{"consoles", "n, seat", "", "n:i seat:i data:b"},
		{"reviews", "n", "", "n:i data:b"},
		{"ratings", "subject, game, speed", "", "subject:t game:t speed:t name:t value:f deviation:f volatility:f games:i wins:i draws:i " +
			"losses:i at:i last_game:t"},
		{"rating_history", "id", "id", "id:i subject:t game:t speed:t at:i played:t value:f deviation:f"},
		{"tournaments", "id", "", "id:t version:i name:t owner:i game:t state:t listed:i created:i changed:i settings:t secret:b"},
		{"tournament_events", "tournament, seq", "", "tournament:t seq:i at:i kind:t by_user:i data:t"},
		{"worker_tokens", "name", "", "name:t hash:b made_by:i created:i"},
		{"engines", "name", "", "name:t spec:t hash:t games:t enabled:i added:i"},
	}
	out := make([]table, 0, len(list))
	for _, l := range list {
		t := table{name: l.name, key: l.key, counter: l.counter}
		for _, c := range strings.Fields(l.cols) {
			name, kind, _ := strings.Cut(c, ":")
			t.cols = append(t.cols, column{name, kind[0]})
		}
		out = append(out, t)
	}
	return out
}

// columns returns the names between commas.
func (t *table) columns() string {
	names := make([]string, len(t.cols))
	for i, c := range t.cols {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}
