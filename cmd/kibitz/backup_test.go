package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kibitz/hall/store"
	"kibitz/hall/store/backup"
	"kibitz/hall/store/halldir"
	"kibitz/hall/store/storetest"
	"kibitz/internal/pgtest"
	"kibitz/internal/wholefile"
)

// fillHall writes accounts, games and a rating into an empty store.
func fillHall(t *testing.T, s store.Store) {
	t.Helper()
	err := s.Update(t.Context(), func(x store.Tx) error {
		for _, name := range []string{"Ann", "王小明"} {
			if err := x.AddUser(&store.User{Name: name, Kind: store.Person, Created: time.Unix(1_700_000_000, 0).UTC()}); err != nil {
				return err
			}
		}
		for i := range 30 {
			id := fmt.Sprint("game ", i)
			if err := x.AddGame(&store.Game{ID: id, State: store.Running, Room: "r", Index: i}); err != nil {
				return err
			}
			e := store.Ending{Game: id, Plies: i, Record: bytes.Repeat([]byte{byte(i), 0, '\n', ' '}, 1000), Positions: []store.Position{{Key: int64(-i)}}}
			if _, err := x.EndAttempt(&e); err != nil {
				return err
			}
		}
		return x.SetRating(&store.Rating{Subject: "user/1", Game: "othello", Speed: "blitz", Value: 1612.25, Games: 30})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// openTestStore opens the database of a folder, or a PostgreSQL one.
func openTestStore(t *testing.T, dir, url string) store.Store {
	t.Helper()
	s, err := halldir.Database{Dir: dir, URL: url}.Open(t.Context(), true)
	return storetest.Opened(t, s, err)
}

// dumped is all that a store holds, as text.
func dumped(t *testing.T, s store.Store) string {
	t.Helper()
	var b strings.Builder
	if err := s.Dump(t.Context(), rowsInto{&b}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type rowsInto struct{ w io.Writer }

// Row implements store.Writer.
func (r rowsInto) Row(table string, row []byte) error {
	_, err := fmt.Fprintf(r.w, "%s %s\n", table, row)
	return err
}

// kibitzWith runs a command line on a stdin and wants an exit status.
func kibitzWith(t *testing.T, status int, stdin string, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &o, stderr: &e, now: time.Now, ctx: t.Context()}
	if got := executeFull(a, args); got != status {
		t.Fatalf("kibitz %s: status %d, want %d\n%s%s", strings.Join(args, " "), got, status, o.String(), e.String())
	}
	return o.String(), e.String()
}

// TestBackup takes a hall from SQLite to SQLite, through files and pipes.
func TestBackup(t *testing.T) {
	dir := t.TempDir()
	from, to, piped := filepath.Join(dir, "from"), filepath.Join(dir, "to"), filepath.Join(dir, "piped")
	s := openTestStore(t, from, "") // it stays open, as with a hall that runs
	fillHall(t, s)
	want := dumped(t, s)
	file := filepath.Join(dir, "hall.kbak")
	kibitzWith(t, 0, "", "backup", file, "--data", from)
	if st, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v; want it for its owner alone", st, err)
	}
	if left, _ := filepath.Glob(file + ".part*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
	kibitzWith(t, 0, "", "restore", file, "--data", to)
	if got := dumped(t, openTestStore(t, to, "")); got != want {
		t.Errorf("restored\n%.2000s\nwant\n%.2000s", got, want)
	}
	checkPrivate(t, from)
	checkPrivate(t, to)
	text, _ := kibitzWith(t, 0, "", "backup", "-", "--data", from)
	kibitzWith(t, 0, text, "restore", "-", "--data", piped)
	if got := dumped(t, openTestStore(t, piped, "")); got != want {
		t.Errorf("through a pipe there is\n%.2000s\nwant\n%.2000s", got, want)
	}
	if _, errs := kibitzWith(t, 2, "", "restore", file, "--data", to); !strings.Contains(errs, "has a hall in it already, and restore fills an empty hall only") || strings.Count(errs, "\n") != 1 {
		t.Errorf("on a hall that is not empty: %q", errs)
	}
	if got := dumped(t, openTestStore(t, to, "")); got != want {
		t.Error("a refused restore has changed the hall")
	}
	none := filepath.Join(dir, "none")
	if _, errs := kibitzWith(t, 2, "", "backup", file, "--data", none); !strings.Contains(errs, "there is no hall") {
		t.Errorf("without a hall: %q", errs)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a backup has made a hall")
	}
	nowhere := filepath.Join(none, "file")
	if _, errs := kibitzWith(t, 2, "", "backup", nowhere, "--data", from); errs != "kibitz: open "+nowhere+": no such file or directory\n" {
		t.Errorf("into no folder: %q", errs)
	}
	for _, address := range []string{"mysql://kibitz:pass@db/hall", "sqlite:///hall.db?mode=rw", "hall"} {
		for _, command := range []string{"serve", "backup"} {
			_, errs := kibitzWith(t, 2, "", append(map[string][]string{"serve": {"serve", "--addr", "127.0.0.1:0"}, "backup": {"backup", file}}[command], "--data", piped, "--db", address)...)
			if strings.Contains(errs, "pass") || !strings.HasSuffix(errs, "want that of a PostgreSQL, postgres://USER@HOST/NAME; without one it is SQLite, in the hall's folder\n") {
				t.Errorf("%s --db %s: %q", command, address, errs)
			}
		}
	}
}

// TestBackupPostgres takes a hall from SQLite to PostgreSQL and back.
func TestBackupPostgres(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	url := pgtest.Start(t).Database(t, "")
	dir := t.TempDir()
	from, back := filepath.Join(dir, "from"), filepath.Join(dir, "back")
	s := openTestStore(t, from, "")
	fillHall(t, s)
	one, two := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	kibitzWith(t, 0, "", "backup", one, "--data", from)
	kibitzWith(t, 0, "", "restore", one, "--db", url)
	kibitzWith(t, 2, "", "restore", one, "--db", url)
	kibitzWith(t, 0, "", "backup", two, "--db", url)
	kibitzWith(t, 0, "", "restore", two, "--data", back)
	if got, want := dumped(t, openTestStore(t, back, "")), dumped(t, s); got != want {
		t.Errorf("back from PostgreSQL there is\n%.2000s\nwant\n%.2000s", got, want)
	}
}

// TestRestoreRefuses gives restore files that are no backup, or not all of one: none
// changes anything, and each is told in one line.
func TestRestoreRefuses(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from")
	fillHall(t, openTestStore(t, from, ""))
	whole, _ := kibitzWith(t, 0, "", "backup", "-", "--data", from)
	text := storetest.Unpack(t, []byte(whole))
	flipped := []byte(whole)
	flipped[len(flipped)/2] ^= 1
	last := strings.LastIndex(text, "sha256 ")
	before, _, _ := strings.Cut(text, "users {")
	_, after, _ := strings.Cut(text, "records {")
	for name, c := range map[string]struct{ data, want string }{
		"nothing":         {"", "no backup"},
		"another file":    {"PRAGMA foreign_keys=OFF;\n", "no backup"},
		"another zst":     {string(storetest.Pack(t, "hello\nthere\n")), "no backup"},
		"cut off":         {whole[:len(whole)/2], "cut off"},
		"cut by a byte":   {whole[:len(whole)-1], "cut off"},
		"no checksum":     {string(storetest.Pack(t, text[:last])), "cut off"},
		"half a checksum": {string(storetest.Pack(t, text[:last+20])), "cut off"},
		"a bit":           {string(flipped), "damaged"},
		"a changed row":   {string(storetest.Pack(t, strings.Replace(text, "Ann", "Eve", 1))), "checksum is wrong"},
		"a lost row":      {string(storetest.Pack(t, before+"records {"+after)), "nothing was restored"},
		"something after": {string(storetest.Pack(t, text+"x\n")), "follows its end"},
		"a newer format":  {string(storetest.Pack(t, `{"kibitz-backup":2,"program":"9.9","time":"2030-01-01T00:00:00Z","more":1}`+"\nx\n")), "kibitz 9.9 wrote it"},
		"no rows":         {string(storetest.Backup(t)), "cut off"},
		"strange rows":    {string(storetest.Backup(t, "{}")), "row 1"},
	} {
		to := filepath.Join(dir, name)
		_, errs := kibitzWith(t, 2, c.data, "restore", "-", "--data", to)
		if !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: told %q, want %q in one line", name, errs, c.want)
		}
		if _, err := os.Stat(filepath.Join(to, halldir.DatabaseFile)); err == nil {
			// What was refused later than at its head has left an empty hall, which
			// takes the right file.
			kibitzWith(t, 0, whole, "restore", "-", "--data", to)
		}
	}
}

// TestBackupDisk has a disk that is full: the earlier file stays, nothing else does.
func TestBackupDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hall.kbak")
	if err := os.WriteFile(file, []byte("earlier"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	if err := wholefile.Through(file, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, full)
	}); !errors.Is(err, full) {
		t.Fatalf("told %v", err)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "earlier" {
		t.Errorf("the earlier file is %q, %v", data, err)
	}
	if list, _ := os.ReadDir(filepath.Dir(file)); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
	s := openTestStore(t, t.TempDir(), "")
	fillHall(t, s)
	if _, err := backup.Write(context.Background(), brokenPipe{}, s, "test", time.Unix(0, 0)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("into a closed pipe: %v", err)
	}
}

type brokenPipe struct{}

// Write takes nothing.
func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestDamaged zeroes a page, and flips bits of another: neither a start nor a backup goes
// on as if nothing were wrong, and both say what to do.
func TestDamaged(t *testing.T) {
	for name, harm := range map[string]func([]byte){
		"a page of zeros": func(page []byte) { clear(page) },
		"flipped bits": func(page []byte) {
			for i := range page[:200] {
				page[i] ^= 0x55
			}
		},
		"no database": nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openTestStore(t, dir, "")
			fillHall(t, s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, halldir.DatabaseFile)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if harm == nil {
				copy(data, "this is no database")
			} else {
				harm(data[4096*(len(data)/4096/2):][:4096])
			}
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"backup", filepath.Join(dir, "x.kbak")}, {"serve", "--addr", "127.0.0.1:0"}, {"account", "unlock", "Ann"}} {
				_, errs := kibitzWith(t, 2, "", append(args, "--data", dir)...)
				if !strings.Contains(errs, "damaged") || !strings.Contains(errs, "restore the latest backup") || strings.Count(errs, "\n") != 1 {
					t.Errorf("%v says\n%s", args, errs)
				}
			}
		})
	}
}

// TestAccountAtMachine sets a password and unlocks an account beside a hall.
func TestAccountAtMachine(t *testing.T) {
	dir := t.TempDir()
	s := openTestStore(t, dir, "")
	fillHall(t, s)
	lock := func() {
		t.Helper()
		if err := s.Update(t.Context(), func(x store.Tx) error {
			u, err := x.UserNamed("Ann")
			if err != nil {
				return err
			}
			u.Failed, u.LockedUntil = 9, time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
			return x.SetUser(&u)
		}); err != nil {
			t.Fatal(err)
		}
	}
	ann := func() (u store.User) {
		t.Helper()
		if err := s.View(t.Context(), func(x store.Tx) (err error) { u, err = x.UserNamed("Ann"); return err }); err != nil {
			t.Fatal(err)
		}
		return u
	}
	lock()
	kibitzWith(t, 0, "", "account", "unlock", "Ann", "--data", dir)
	if u := ann(); u.Failed != 0 || !u.LockedUntil.IsZero() {
		t.Errorf("%+v", u)
	}
	lock()
	out, _ := kibitzWith(t, 0, "", "account", "set-password", "Ann", "--data", dir)
	first := ann()
	if len(strings.Fields(out)) < 8 || first.Password == "" || first.Failed != 0 {
		t.Errorf("%s\n%+v", out, first)
	}
	kibitzWith(t, 0, "a long enough password\n", "account", "set-password", "Ann", "--stdin", "--data", dir)
	if u := ann(); u.Password == first.Password {
		t.Error("the password is the same")
	}
	// So has the first account, whose name nobody else may have.
	if err := s.Update(t.Context(), func(x store.Tx) error {
		return x.AddUser(&store.User{Name: "admin", Kind: store.Person, Role: store.AdminRole})
	}); err != nil {
		t.Fatal(err)
	}
	kibitzWith(t, 0, "a long enough password\n", "account", "set-password", "admin", "--stdin", "--data", dir)
	for _, args := range [][]string{{"set-password", "Nobody"}, {"unlock", "Nobody"}} {
		if _, errs := kibitzWith(t, 2, "", append(append([]string{"account"}, args...), "--data", dir)...); !strings.Contains(errs, "no such account") {
			t.Error(errs)
		}
	}
	kibitzWith(t, 2, "short\n", "account", "set-password", "Ann", "--stdin", "--data", dir)
	empty := t.TempDir()
	kibitzWith(t, 2, "", "account", "unlock", "Ann", "--data", empty)
	if list, err := os.ReadDir(empty); err != nil || len(list) > 0 {
		t.Errorf("made %v, %v", list, err)
	}
}

// TestFirstPasswordLast starts halls that cannot serve: the account is made, and its
// password shown, by the first one that does.
func TestFirstPasswordLast(t *testing.T) {
	dir := t.TempDir()
	engines := filepath.Join(dir, "engines.toml")
	if err := os.WriteFile(engines, []byte("not = [toml"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	hall := filepath.Join(dir, "hall")
	for _, args := range [][]string{{"--addr", taken.Addr().String()}, {"--addr", "127.0.0.1:0", "--engines", engines}} {
		if _, errs := kibitzWith(t, 2, "", append([]string{"serve", "--data", hall}, args...)...); strings.Contains(errs, "has the password") {
			t.Errorf("%v: %s", args, errs)
		}
		s := openTestStore(t, hall, "")
		if err := s.View(t.Context(), func(x store.Tx) error {
			if list, err := x.Users(store.UserQuery{}); err != nil || len(list) > 0 {
				t.Errorf("%v: accounts %v, %v", args, list, err)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	h := openHall(t, hall)
	if !strings.Contains(h.stderr.String(), "the account admin has the password") {
		t.Error("the hall that serves tells no password")
	}
}

// checkPrivate looks whether a folder of a hall and its database are their owner's alone.
func checkPrivate(t *testing.T, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	files, err := filepath.Glob(filepath.Join(dir, halldir.DatabaseFile+"*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no database in %s: %v", dir, err)
	}
	for _, file := range append(files, dir) {
		if st, err := os.Stat(file); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s may be used by others: %v %v", file, st.Mode(), err)
		}
	}
}

// A hall that others could read is closed to them when it is opened.
func TestHallIsClosedToOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	dir := filepath.Join(t.TempDir(), "hall")
	s := openTestStore(t, dir, "")
	fillHall(t, s)
	files, err := filepath.Glob(filepath.Join(dir, halldir.DatabaseFile+"*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := halldir.Database{Dir: dir}.Open(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	checkPrivate(t, dir)
}
