package server

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/lobby"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/store/postgres"
	"kibitz/hall/store/sqlite"
	"kibitz/internal/pgtest"
)

const challengesPath = "/api/v1/challenges"

// challenge asks for a game of Othello with a clock, and of more by pairs of settings.
func (c *client) challenge(more ...any) lobby.ChallengeView {
	c.s.t.Helper()
	in := map[string]any{"game": "othello", "clock": "600+5"}
	for i := 0; i < len(more); i += 2 {
		in[more[i].(string)] = more[i+1]
	}
	var v lobby.ChallengeView
	c.do("POST", challengesPath, in).want(201).into(&v)
	c.s.secrets.add(v.Code)
	return v
}

// sees is a challenge as a client is shown it.
func (c *client) sees(code string) (v lobby.ChallengeView) {
	c.s.t.Helper()
	c.do("GET", challengesPath+"/"+code, nil).want(200).into(&v)
	return v
}

func (c *client) accept(code string) answer {
	return c.do("POST", challengesPath+"/"+code+"/accept", nil)
}

// A friend who has no account plays by one press: both sit, and the game begins.
func TestChallenge(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{})
	ann, bob, eve := h.register("ann"), h.client(), h.register("eve")
	v := ann.challenge("colour", "second")
	if !regexp.MustCompile("^[a-km-np-z2-9]{8}$").MatchString(v.Code) || v.Page != "/c/"+v.Code || v.State != lobby.OpenChallenge || !v.Mine || v.Begins != "second" || ann.challenge().Begins != "first" {
		t.Errorf("the challenge is %+v", v)
	}
	if got := bob.sees(strings.ToUpper(v.Code)); got.From != "ann" || got.Game != "othello" || got.Clock != "600+5" || got.Begins != "second" || got.Mine || got.Room != "" {
		t.Errorf("a friend sees %+v", got)
	}
	if len(bob.cookie) > 0 {
		t.Errorf("looking makes somebody: %v", bob.cookie)
	}
	waiting := h.tap(ann, challengesPath+"/"+v.Code+"/events", "")
	waiting.any()
	if a := ann.accept(v.Code).want(409); a.code() != "own-challenge" {
		t.Errorf("one's own: %s", a.body)
	}
	var out lobby.Quick
	bob.accept(v.Code).want(201).into(&out)
	var r lobby.RoomView
	ann.do("GET", roomsPath+"/"+out.Room, nil).want(200).into(&r)
	s := r.Room
	if s.Game == nil || s.Game.ID != out.Game || s.HostName != "ann" || s.Settings.Access != room.Private || s.Settings.Clocks != [2]string{"600+5", "600+5"} {
		t.Errorf("the room is %+v", s)
	}
	if s.Places[0].Name != "ann" || !strings.HasPrefix(s.Places[1].Name, "guest-") || s.Game.First != 1 {
		t.Errorf("the places are %+v", s.Places)
	}
	waiting.until("the room", func(list []event) bool { return strings.Contains(list[len(list)-1].data, out.Room) })
	for who, want := range map[*client]string{ann: out.Room, bob: out.Room, eve: ""} {
		if got := who.sees(v.Code); got.State != lobby.TakenChallenge || got.Room != want || who == eve && got.From+got.Game != "" {
			t.Errorf("afterwards %d sees %+v", who.id, got)
		}
	}
	if a := eve.accept(v.Code).want(409); a.code() != "taken-challenge" {
		t.Errorf("a second friend: %s", a.body)
	}
	ann.do("DELETE", challengesPath+"/"+v.Code, nil).want(409)
	// The game goes on to its first move without another press.
	bob.id = s.Places[1].User
	seat := h.tap(bob, "/api/v1/games/"+out.Game+"/events", "")
	h.tap(ann, "/api/v1/games/"+out.Game+"/events", "").any()
	if q := seat.asked(0); q.Seat != game.First || len(q.Legal) == 0 {
		t.Errorf("the friend is asked %+v", q)
	}
}

// A challenge ends by being withdrawn, by time, and with the account that asks; each end has
// its state, and nothing of what was asked is shown any more.
func TestChallengeEnds(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	boss, ann, bob := h.admin(), h.register("ann"), h.register("bob")
	gone := func(code string, state lobby.ChallengeState) {
		t.Helper()
		if got := bob.sees(code); got.State != state || got.From+got.Game+got.Clock != "" {
			t.Errorf("%s is seen as %+v", state, got)
		}
		if a := bob.accept(code).want(410); a.code() != "over-challenge" {
			t.Errorf("%s: %s", state, a.body)
		}
	}
	v := ann.challenge()
	bob.do("DELETE", challengesPath+"/"+v.Code, nil).want(403)
	ann.do("DELETE", challengesPath+"/"+v.Code, nil).want(204)
	ann.do("DELETE", challengesPath+"/"+v.Code, nil).want(204)
	gone(v.Code, lobby.WithdrawnChallenge)

	v = ann.challenge()
	h.later(24*time.Hour - time.Minute)
	if got := bob.sees(v.Code); got.State != lobby.OpenChallenge {
		t.Errorf("before a day is over: %+v", got)
	}
	h.later(2 * time.Minute)
	gone(v.Code, lobby.LapsedChallenge)

	v = ann.challenge()
	boss.do("PATCH", fmt.Sprint("/api/v1/admin/users/", ann.id), map[string]any{"disabled": true}).want(200)
	gone(v.Code, lobby.WithdrawnChallenge)
	if games := h.count(); games != 0 {
		t.Errorf("%d games were begun", games)
	}
}

// count returns how many games there are.
func (s *testHall) count() (n int) {
	s.t.Helper()
	err := s.store.View(s.t.Context(), func(tx store.Tx) error {
		page, err := tx.FindGames(store.GameQuery{})
		n = len(page.Games)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// An account has ten open at once, a guest three; whoever withdraws one may ask again.
func TestChallengeLimits(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	for c, most := range map[*client]int{h.register("ann"): lobby.MostChallenges, h.guest(): lobby.MostOfGuest} {
		var last lobby.ChallengeView
		for range most {
			last = c.challenge()
		}
		if a := c.do("POST", challengesPath, map[string]any{"game": "othello"}).want(429); a.code() != "quota" {
			t.Errorf("one more than %d: %s", most, a.body)
		}
		var list []lobby.ChallengeView
		c.do("GET", challengesPath, nil).want(200).into(&list)
		if len(list) != most || list[0].Code != last.Code {
			t.Errorf("%d of %d are listed", len(list), most)
		}
		c.do("DELETE", challengesPath+"/"+last.Code, nil).want(204)
		c.challenge()
	}
}

// What cannot be played is refused when it is asked for, by its field; a rated game is
// between accounts.
func TestChallengeRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, guest, nobody := h.register("ann"), h.guest(), h.client()
	for in, at := range map[string]string{
		`{"game":"chess"}`:                   "#/game",
		`{"game":"othello","clock":"5 min"}`: "#/clock",
		`{"game":"othello","with":"bot=3"}`:  "",
	} {
		var p struct{ Errors []struct{ Pointer string } }
		if ann.do("POST", challengesPath, in).want(422).into(&p); len(p.Errors) == 0 || at != "" && p.Errors[0].Pointer != at {
			t.Errorf("%s: %+v", in, p)
		}
	}
	guest.do("POST", challengesPath, map[string]any{"game": "othello", "rated": true}).want(403)
	v := ann.challenge("rated", true)
	for _, c := range []*client{guest, nobody} {
		if a := c.accept(v.Code).want(403); a.code() != "rated-challenge" {
			t.Errorf("%s", a.body)
		}
	}
	if len(nobody.cookie) > 0 {
		t.Error("a guest was made for a game that guests do not play")
	}
	h.register("bob").accept(v.Code).want(201)
}

// Ten wrong codes lock an address for ten minutes, for right codes too: else it could go on
// guessing. Who asks sees his own.
func TestChallengeGuessing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, eve := h.register("ann"), h.client()
	v := ann.challenge()
	for i := range 10 {
		if a := eve.do("GET", challengesPath+fmt.Sprintf("/wrong%03d", i), nil).want(404); a.code() != "no-challenge" {
			t.Errorf("%s", a.body)
		}
	}
	eve.do("GET", challengesPath+"/"+v.Code, nil).want(429)
	eve.accept(v.Code).want(429)
	ann.do("GET", challengesPath+"/wrong000", nil).want(429)
	ann.sees(v.Code)
	eve.from = "198.51.100.7:1"
	eve.sees(v.Code)
	eve.from = ann.from
	h.later(10*time.Minute + time.Second)
	eve.accept(v.Code).want(201)
}

// Of fifty friends who press at once one is seated, at two halls of one database as at one;
// the others are told that it has begun. Both halls know it afterwards, and so does one that
// is started anew.
func TestChallengeOnce(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "hall.db")
		challengeOnce(t, func() (store.Store, error) { return sqlite.Open(t.Context(), name) })
	})
	t.Run("postgres", func(t *testing.T) {
		if testing.Short() {
			t.Skip("starts PostgreSQL")
		}
		url := pgtest.Start(t).Database(t, "")
		challengeOnce(t, func() (store.Store, error) { return postgres.Open(t.Context(), url) })
	})
}

func challengeOnce(t *testing.T, open func() (store.Store, error)) {
	begin := func() *house {
		db, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return newHouse(t, build{idle: true, store: db})
	}
	first, second := begin(), begin()
	ann := first.register("ann")
	v := ann.challenge()
	friends := make([]*client, 50)
	for i := range friends {
		friends[i] = []*house{first, second}[i%2].client()
	}
	var mu sync.Mutex
	var seated []lobby.Quick
	counts := map[int]int{}
	start := make(chan struct{})
	var wait sync.WaitGroup
	for _, f := range friends {
		wait.Go(func() {
			<-start
			a := f.accept(v.Code)
			for n := 0; n < 10 && a.status == http.StatusServiceUnavailable; n++ {
				a = f.accept(v.Code) // fifty at once may take longer than a request may
			}
			mu.Lock()
			defer mu.Unlock()
			counts[a.status]++
			if a.status == http.StatusCreated {
				var out lobby.Quick
				if err := json.Unmarshal([]byte(a.body), &out); err != nil {
					t.Error(err)
				}
				seated = append(seated, out)
			}
		})
	}
	close(start)
	wait.Wait()
	if counts[201] != 1 || counts[409] != 49 {
		t.Errorf("the answers are %v", counts)
	}
	third := begin()
	for _, h := range []*house{first, second, third} {
		if n := h.count(); n != 1 {
			t.Errorf("%d games", n)
		}
		c := h.client()
		c.cookie = ann.cookie
		if got := c.sees(v.Code); len(seated) == 1 && got.Room != seated[0].Room || got.State != lobby.TakenChallenge {
			t.Errorf("who asked sees %+v", got)
		}
	}
}

// browser is a client that shows pages to a person, in a language.
func (s *testHall) browser(language string) *client {
	c := s.client()
	c.head["Accept"], c.head["Accept-Language"] = "text/html", language
	return c
}

// The page of a link says what is asked, and is looked at without any effect, also by the
// machines that show what is behind a link; its button plays.
func TestChallengePage(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann := h.register("ann")
	ann.head["Accept"] = "text/html"
	to := ann.do("POST", "/play", url.Values{"game": {"othello"}, "with": {"friend"}, "clock": {"600+5"}, "sheet": {"1"}}).want(303).head.Get("Location")
	code := strings.TrimPrefix(to, "/c/")
	h.secrets.add(code)
	mine := ann.do("GET", to, nil).want(200)
	for _, part := range []string{"Waiting for your friend", "http://hall.example/c/" + code, `<svg class="qr"`, `data-act="copy"`, "you are Black"} {
		if !strings.Contains(mine.body, part) {
			t.Errorf("who asks does not see %q", part)
		}
	}
	if strings.Contains(mine.body, "/accept") {
		t.Error("who asks may take the other seat")
	}
	for language, want := range map[string][]string{
		"en": {"<title>ann asks you: Othello", "<h1>ann asks you: Othello, 10+5, you are White</h1>", ">Play</button>"}, "cs": {"ann vás zve: Othello, 10+5, vy máte bílé"},
		"es": {"ann te invita: Othello, 10+5, llevas blancas"}, "zh-TW": {"ann 邀你對弈：黑白棋，10+5，你執白"}, "zh-CN": {"ann 邀你对弈：黑白棋，10+5，你执白"},
	} {
		for _, agent := range []string{"Mozilla/5.0", "WhatsApp/2.23", "facebookexternalhit/1.1", "TelegramBot (like TwitterBot)"} {
			friend := h.browser(language)
			friend.head["User-Agent"] = agent
			a := friend.do("GET", to, nil).want(200)
			if a.head.Get("Referrer-Policy") != "no-referrer" || a.head.Get("Cache-Control") != "no-store" || len(friend.cookie) > 0 {
				t.Errorf("%s: %v", agent, a.head)
			}
			for _, part := range want {
				if !strings.Contains(html.UnescapeString(a.body), part) {
					t.Errorf("%s: there is no %q", language, part)
				}
			}
			friend.do("HEAD", to, nil).want(200)
		}
	}
	if got := ann.sees(code); got.State != lobby.OpenChallenge || h.count() != 0 {
		t.Errorf("looking has an effect: %+v, %d games", got, h.count())
	}
	bob, eve := h.browser("en"), h.browser("en")
	place := bob.do("POST", to+"/accept", nil).want(303).head.Get("Location")
	if !strings.HasPrefix(place, "/rooms/") || h.count() != 1 {
		t.Errorf("the friend goes to %s", place)
	}
	for _, c := range []*client{ann, bob} {
		if got := c.do("GET", to, nil).want(303).head.Get("Location"); got != place {
			t.Errorf("the link leads to %s", got)
		}
	}
	if got := eve.do("POST", to+"/accept", nil).want(303).head.Get("Location"); got != to {
		t.Errorf("who comes too late goes to %s", got)
	}
	if a := eve.do("GET", to, nil).want(200); !strings.Contains(a.body, "<h1>This game has already begun.</h1>") || strings.Contains(a.body, "ann") || strings.Contains(a.body, place) {
		t.Errorf("who comes too late sees %s", a.body)
	}
	// What everybody may look on is shown to whoever comes too late.
	v := ann.challenge("listed", true)
	program := h.client()
	var out lobby.Quick
	program.do("POST", v.Page+"/accept", nil).want(201).into(&out)
	if a := eve.do("GET", v.Page, nil).want(200); !strings.Contains(a.body, out.Page) || !strings.Contains(a.body, "Look on") {
		t.Errorf("who comes too late sees %s", a.body)
	}
	if got := ann.do("POST", v.Page+"/cancel", nil).want(303).head.Get("Location"); got != v.Page {
		t.Errorf("cancelled too late: %s", got)
	}
	v = ann.challenge()
	ann.do("POST", v.Page+"/cancel", nil).want(303)
	if a := bob.do("GET", v.Page, nil).want(200); !strings.Contains(a.body, "<h1>This invitation is over. Ask for another.</h1>") {
		t.Errorf("what was withdrawn: %s", a.body)
	}
	v = ann.challenge("rated", true)
	if a := bob.do("GET", v.Page, nil).want(200); strings.Contains(a.body, "/accept") || !strings.Contains(a.body, `href="/login?to=%2fc%2f`+v.Code) {
		t.Errorf("a guest is asked for a rated game: %s", a.body)
	}
}

// Who is asked by name sees it on every page, for a minute, and accepts or declines; nobody else
// hears of it. Who asks waits on his page, which then tells what came of it, and has a list of
// what is open.
func TestChallengeByName(t *testing.T) {
	t.Parallel()
	h := newHouse(t, build{idle: true})
	ann, bob, eve := h.register("ann"), h.register("bob"), h.register("eve")
	for _, c := range []*client{ann, bob, eve} {
		c.head["Accept"] = "text/html"
	}
	if page := ann.do("GET", "/players/bob", nil).want(200).body; !strings.Contains(page, `href="/play/othello?to=bob"`) || strings.Contains(ann.do("GET", "/players/ann", nil).want(200).body, "?to=") {
		t.Error("a profile does not ask, or one's own does")
	}
	if sheet := html.UnescapeString(ann.do("GET", "/play/othello?to=bob", nil).want(200).body); !strings.Contains(sheet, `name="to" value="bob"`) || !strings.Contains(sheet, "Ask bob (as Black, 10+5)") || strings.Contains(sheet, `name="level"`) {
		t.Errorf("the options: %s", sheet)
	}
	ask := func() string {
		t.Helper()
		to := ann.do("POST", "/play", url.Values{"game": {"othello"}, "with": {"friend"}, "to": {"bob"}, "clock": {"600+5"}, "sheet": {"1"}}).want(303).head.Get("Location")
		h.secrets.add(strings.TrimPrefix(to, "/c/"))
		return to
	}
	told := func(c *client, path string) bool {
		return strings.Contains(html.UnescapeString(c.do("GET", path, nil).want(200).body), "ann asks you: Othello, 10+5, you are White")
	}
	to := ask()
	for _, path := range []string{"/", "/own", "/settings", "/games"} {
		if !told(bob, path) || told(eve, path) || told(ann, path) {
			t.Errorf("%s: it is not told to bob alone", path)
		}
	}
	if page := ann.do("GET", to, nil).want(200).body; !strings.Contains(page, "Waiting for bob") || strings.Contains(page, "<svg class=\"qr\"") {
		t.Errorf("who asks sees %s", page)
	}
	if page := ann.do("GET", "/rooms", nil).want(200).body; !strings.Contains(page, `action="`+to+`/cancel"`) {
		t.Error("what is open is not listed")
	}
	ann.do("POST", "/play", url.Values{"game": {"othello"}, "with": {"friend"}, "to": {"bob"}}).want(429)
	ann.do("POST", "/play", url.Values{"game": {"othello"}, "with": {"friend"}, "to": {"ann"}}).want(422)
	ann.do("POST", "/play", url.Values{"game": {"othello"}, "with": {"friend"}, "to": {"nobody"}}).want(422)
	eve.do("GET", to, nil).want(404)
	eve.do("POST", to+"/accept", nil).want(404)
	if at := bob.do("POST", to+"/cancel", url.Values{"to": {"/settings"}}).want(303).head.Get("Location"); at != "/settings" || told(bob, "/") {
		t.Errorf("who declines goes to %s", at)
	}
	if page := ann.do("GET", to, nil).want(200).body; !strings.Contains(page, "<h1>bob would rather not play now.") || !strings.Contains(page, "<title>bob would rather not play now.") || !strings.Contains(page, `href="/play/othello?to=bob"`) {
		t.Errorf("who was declined sees %s", page)
	}
	to = ask()
	h.later(61 * time.Second)
	if told(bob, "/") || !strings.Contains(ann.do("GET", to, nil).want(200).body, "<title>bob did not answer in time.") {
		t.Error("it has not lapsed after a minute")
	}
	to = ask()
	ann.do("POST", to+"/cancel", nil).want(303)
	if page := ann.do("GET", to, nil).want(200).body; !strings.Contains(page, "This invitation is over.") || strings.Contains(page, "bob") {
		t.Errorf("who withdrew sees %s", page)
	}
	to = ask()
	place := bob.do("POST", to+"/accept", nil).want(303).head.Get("Location")
	if !strings.HasPrefix(place, "/rooms/") || h.count() != 1 || ann.do("GET", to, nil).want(303).head.Get("Location") != place {
		t.Errorf("they play at %s", place)
	}
}
