package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kibitz/hall/store/postgres"
	"kibitz/internal/pgtest"
)

// The judge finds what must not be: a game without a result, two results of a pairing, a
// result without a record, a game that was given up.
func TestJudge(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a PostgreSQL")
	}
	url := pgtest.Start(t).Database(t, "")
	st, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	do := func(text string, a ...any) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), text, a...); err != nil {
			t.Fatal(err)
		}
	}
	columns := map[string]string{}
	rows, err := conn.Query(t.Context(), `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'games' AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'`)
	if err != nil {
		t.Fatal(err)
	}
	var name, kind string
	if _, err := pgx.ForEachRow(rows, []any{&name, &kind}, func() error { columns[name] = kind; return nil }); err != nil {
		t.Fatal(err)
	}
	add := func(id, state, reason string, idx int, record bool) {
		t.Helper()
		values := map[string]string{"id": "'" + id + "'", "state": "'" + state + "'", "reason": "'" + reason + "'", "idx": fmt.Sprint(idx), "tournament": "'t'", "attempt": "1"}
		names, list := []string{}, []string{}
		for n, k := range columns {
			v, ok := values[n]
			switch {
			case ok:
			case k == "boolean":
				v = "false"
			case strings.Contains(k, "int") || strings.Contains(k, "double"):
				v = "0"
			case strings.Contains(k, "time"):
				v = "now()"
			case k == "bytea":
				v = "''::bytea"
			case k == "json" || k == "jsonb":
				v = "'{}'"
			default:
				v = "''"
			}
			names, list = append(names, n), append(list, v)
		}
		do("INSERT INTO games(" + strings.Join(names, ",") + ") VALUES (" + strings.Join(list, ",") + ")")
		if record {
			do(`INSERT INTO records(n, record, positions) SELECT n, '', '' FROM games WHERE id = $1`, id)
		}
	}
	judged := func(want string) {
		t.Helper()
		_, err := judge(t.Context(), url, 2)
		if got := fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	add("a", "over", "five", 1, true)
	judged("map[over:1] games by state; want 2 that are over")
	add("b", "over", "five", 2, true)
	judged("<nil>")
	add("c", "running", "", 3, false)
	judged("want 2 that are over")
	do("DELETE FROM games WHERE id = 'c'")
	do("UPDATE games SET idx = 1 WHERE id = 'b'")
	judged("1 pairings have a result, 1 more than one")
	do("UPDATE games SET idx = 2, reason = 'abort' WHERE id = 'b'")
	judged("games were aborted")
	do("DELETE FROM records WHERE n = (SELECT n FROM games WHERE id = 'b')")
	judged("1 of 2 results have a record")
}

// The director goes on with the server that answers, and takes its cookie along.
func TestDirector(t *testing.T) {
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	defer broken.Close()
	asked := 0
	works := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 1 && r.Header.Get("Cookie") != "kibitz=secret" {
			t.Errorf("cookie %q", r.Header.Get("Cookie"))
		}
		http.SetCookie(w, &http.Cookie{Name: "kibitz", Value: "secret"})
		fmt.Fprint(w, `{"id":"x"}`)
	}))
	defer works.Close()
	d := &director{o: &options{}, servers: []string{broken.URL, works.URL}}
	for range 2 {
		var out struct{ ID string }
		if err := d.ask(t.Context(), "GET", "/rooms", nil, &out); err != nil || out.ID != "x" || d.servers[0] != works.URL {
			t.Errorf("%v, %q from %v", err, out.ID, d.servers)
		}
	}
	d.servers = []string{broken.URL}
	if err := d.ask(t.Context(), "GET", "/rooms", nil, nil); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("no server answers: %v", err)
	}
}
