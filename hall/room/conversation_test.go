package room_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/room"
)

// The accounts of the conversations: g... are guests, arbiter is one.
var names = []string{"hall", "ann", "bob", "cec", "dan", "guest", "arbiter"}

func actor(name string) room.Actor {
	for i, n := range names {
		if n == name {
			return room.Actor{ID: int64(i), Name: name, Guest: name == "guest", Arbiter: name == "arbiter"}
		}
	}
	return room.Actor{ID: 99, Name: name}
}

// talk is a conversation at work.
type talk struct {
	t     *testing.T
	at    string
	state room.State
	now   time.Time
	ids   int
	last  []room.Effect
	err   error
}

// settings reads words such as games=2 rated delay=30s.
func settings(t *testing.T, words []string, set room.Settings) room.Settings {
	t.Helper()
	for _, w := range words {
		key, v, _ := strings.Cut(w, "=")
		n, _ := strconv.Atoi(v)
		d, _ := time.ParseDuration(v)
		switch key {
		case "game":
			set.Game = game.Spec(v)
		case "games":
			set.Games = n
		case "clock":
			set.Clocks = [2]string{v, v}
		case "begins":
			set.Begins = room.Begins(v)
		case "exchange":
			set.Exchange = v != "no"
		case "rated":
			set.Rated = v != "no"
		case "undo":
			set.Undo = true
		case "position":
			set.Position = v
		case "access":
			set.Access = room.Access(v)
		case "delay":
			set.Delay = d
		case "pause":
			set.Pause = d
		case "grace":
			set.Grace = d
		case "chat":
			set.Chat = room.Chat(v)
		case "pairs":
			set.Pairs = true
		case "hidden":
			set.Hidden = true
		case "auto":
			set.Auto = true
		default:
			t.Fatalf("unknown setting %q", w)
		}
	}
	return set
}

// command reads a command from words.
func (k *talk) command(words []string) room.Command {
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	n, _ := strconv.Atoi(arg(1))
	switch words[0] {
	case "enter":
		return room.Enter{Hash: arg(1)}
	case "leave":
		return room.Leave{}
	case "here":
		return room.Presence{Here: true}
	case "elsewhere":
		return room.Elsewhere{}
	case "gone":
		return room.Presence{}
	case "invite":
		return room.Invite{User: actor(arg(1)).ID}
	case "kick":
		return room.Kick{User: actor(arg(1)).ID}
	case "hand":
		return room.Hand{User: actor(arg(1)).ID}
	case "code":
		d, _ := time.ParseDuration(arg(2))
		c := room.AddCode{Hash: arg(1)}
		if d > 0 {
			c.Expires = k.now.Add(d)
		}
		return c
	case "uncode":
		return room.DropCodes{}
	case "sit":
		return room.Sit{Place: n, Kind: bus.SeatKind(arg(2)), Engine: arg(3), Name: arg(4)}
	case "join":
		return room.Join{}
	case "stand":
		return room.Stand{Place: n}
	case "set":
		return room.Set{Settings: settings(k.t, words[1:], k.state.Settings)}
	case "ready":
		return room.Ready{On: arg(1) != "no"}
	case "start":
		return room.Start{}
	case "rematch":
		return room.Rematch{On: arg(1) != "no"}
	case "begun":
		return room.Begun{Game: arg(1)}
	case "park":
		return room.Park{Game: arg(1)}
	case "pause":
		return room.Pause{}
	case "rule":
		return room.Rule{Result: arg(1), Note: arg(2)}
	case "aside":
		return room.Aside{}
	case "resume":
		return room.Resume{}
	case "together":
		return room.Together{Game: arg(1)}
	case "stop":
		return room.Stop{}
	case "close":
		return room.Close{}
	case "tick":
		return room.Tick{}
	case "over":
		r := game.Drawn("score", "")
		switch arg(2) {
		case "first":
			r = game.Win(game.First, "score", "")
		case "second":
			r = game.Win(game.Second, "score", "")
		case "abort":
			r = game.Result{Reason: game.ByAbort}
		}
		return room.Over{Game: arg(1), Result: r}
	}
	k.t.Fatalf("%s: unknown command %q", k.at, words)
	return nil
}

// look returns what a conversation asks of the state.
func (k *talk) look(key string) string {
	s := &k.state
	switch key {
	case "phase":
		return string(s.Phase)
	case "score":
		return fmt.Sprintf("%g-%g", s.Score[0], s.Score[1])
	case "wdl":
		return fmt.Sprintf("%d-%d-%d", s.Wins[0], s.Draws, s.Wins[1])
	case "played":
		return strconv.Itoa(s.Played)
	case "host":
		return s.HostName
	case "people":
		return strconv.Itoa(len(s.People))
	case "places":
		return s.Places[0].Name + "," + s.Places[1].Name
	case "ready":
		return fmt.Sprint(s.Places[0].Ready, ",", s.Places[1].Ready)
	case "waits":
		return fmt.Sprint(s.Waits(k.now))
	case "game":
		if s.Game == nil {
			return "none"
		}
		return fmt.Sprintf("%s/%d", s.Game.ID, s.Game.First)
	case "last":
		if s.Last == nil {
			return "none"
		}
		return fmt.Sprintf("%s:%s:%s", s.Last.Result.Reason, s.Last.Why.Code, s.Last.Why.Name)
	case "paused":
		if s.Paused == nil {
			return "no"
		}
		return s.Paused.By
	case "clock":
		return s.Settings.Clocks[0]
	case "grace":
		return s.Grace().String()
	case "gone":
		return s.Gone
	case "due":
		if s.Due.IsZero() {
			return "never"
		}
		return s.Due.Sub(k.now).String()
	case "effects":
		var list []string
		for _, e := range k.last {
			switch {
			case e.Add != nil:
				add := fmt.Sprintf("add:%s:%s-%s:%s", e.Add.ID, e.Add.Places[0].Name, e.Add.Places[1].Name, e.Add.Grace[0])
				if e.Add.Dealt != "" {
					add += ":as-" + e.Add.Dealt
				}
				if e.Add.Kept {
					add += ":kept"
				}
				list = append(list, add)
			case e.Resume != "":
				list = append(list, "resume:"+e.Resume)
			case e.Drop != "":
				list = append(list, "drop:"+e.Drop)
			case e.Pause != "":
				list = append(list, "pause:"+e.Pause+":"+e.By)
			case e.Rule != nil:
				r := e.Rule.Result
				list = append(list, fmt.Sprintf("rule:%s:%s:%g-%g:%s:%s", e.Rule.Game, e.Rule.By, r.Points[0], r.Points[1], r.Reason, r.Detail))
			case e.Stop != "":
				list = append(list, "stop:"+e.Stop)
			case e.Park != "":
				list = append(list, "park:"+e.Park)
			}
		}
		return strings.Join(list, ",")
	}
	if who, ok := strings.CutPrefix(key, "reads:"); ok {
		return strings.Join(channels(s.MayRead(actor(who), false)), ",")
	}
	if who, ok := strings.CutPrefix(key, "may:"); ok {
		you := s.For(actor(who), false).You
		return fmt.Sprint(you.Pause, ",", you.Rule)
	}
	if who, ok := strings.CutPrefix(key, "writes:"); ok {
		return strings.Join(channels(s.For(actor(who), false).You.Write), ",")
	}
	if who, ok := strings.CutPrefix(key, "held:"); ok {
		v := s.For(actor(who), true)
		return fmt.Sprintf("%s,%g-%g,%t", v.Phase, v.Score[0], v.Score[1], v.Last != nil)
	}
	k.t.Fatalf("%s: nothing is called %q", k.at, key)
	return ""
}

func channels(list []room.Channel) (out []string) {
	for _, c := range list {
		out = append(out, string(c))
	}
	return out
}

// run takes a line: "? key=value...", "! part of the error", "wait 5s", or
// "who: command".
func (k *talk) run(line string) {
	words := strings.Fields(line)
	switch words[0] {
	case "?":
		for _, w := range words[1:] {
			key, want, _ := strings.Cut(w, "=")
			if got := k.look(key); got != want {
				k.t.Errorf("%s: %s is %q, want %q", k.at, key, got, want)
			}
		}
		return
	case "!":
		want := strings.Join(words[1:], " ")
		if k.err == nil || !strings.Contains(k.err.Error(), want) {
			k.t.Errorf("%s: error %v, want one with %q", k.at, k.err, want)
		}
		k.err = nil
		return
	}
	if k.err != nil {
		k.t.Fatalf("%s: the line before failed: %v", k.at, k.err)
	}
	if words[0] == "wait" {
		d, err := time.ParseDuration(words[1])
		if err != nil {
			k.t.Fatal(err)
		}
		k.now = k.now.Add(d)
		return
	}
	who := actor(strings.TrimSuffix(words[0], ":"))
	env := room.Env{By: who, Now: k.now, ID: fmt.Sprintf("g%d", k.ids+1), Coin: 1}
	if words[1] == "open" {
		k.state, k.err = room.Open(settings(k.t, words[2:], room.Defaults("othello")), env)
		return
	}
	before := string(k.state.JSON())
	next, effects, err := room.Apply(k.state, k.command(words[1:]), env)
	if now := string(k.state.JSON()); now != before {
		k.t.Errorf("%s: the old state was changed", k.at)
	}
	k.err, k.last = err, effects
	for _, e := range effects {
		if e.Add != nil {
			k.ids++
		}
	}
	// What is kept is what is read again.
	if next, err = room.Parse(next.JSON()); err != nil {
		k.t.Fatal(err)
	}
	k.state = next
}

func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			k := &talk{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
			for i, line := range strings.Split(string(data), "\n") {
				line, _, _ = strings.Cut(line, "#")
				k.at = fmt.Sprintf("%s:%d", f, i+1)
				if strings.TrimSpace(line) != "" {
					k.run(line)
				}
			}
			if k.err != nil {
				t.Errorf("the last line failed: %v", k.err)
			}
		})
	}
}
