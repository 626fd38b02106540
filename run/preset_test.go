package run

import (
	"slices"
	"testing"

	"kibitz/catalog"
	"kibitz/games"
	"kibitz/run/engines"
)

func nothingGiven(string) bool { return false }

// preset returns what a preset makes of a game and the words for all engines.
func preset(t *testing.T, name, game, each string) (Settings, error) {
	t.Helper()
	s := Usual()
	words, err := engines.ParseWords(each)
	if err != nil {
		t.Fatal(err)
	}
	s.Preset, s.Game, s.Each = name, game, words
	return s, s.ApplyPreset(nothingGiven)
}

// TestPresets says what presets set, and what stays as it was given.
func TestPresets(t *testing.T) {
	for _, c := range []struct{ name, game, each, wantGame, wantEach string }{
		{"gomocup", "gomoku", "", "gomoku:drawempty=25,size=20", "tc=180 st=30 margin=1 memory=350M suspend=on restart=game"},
		{"gomocup", "gomoku:rule=renju", "", "gomoku:rule=renju,drawempty=25,size=15", "tc=180 st=30 margin=1 memory=350M suspend=on restart=game"},
		{"gomocup", "gomoku:size=19,drawempty=0", "st=5", "gomoku:size=19,drawempty=0", "margin=1 memory=350M suspend=on restart=game st=5"},
		{"gomocup", "gomoku:width=15,height=20", "margin=0.2 memory=1G", "gomoku:width=15,height=20,drawempty=25", "tc=180 st=30 suspend=on restart=game margin=0.2 memory=1G"},
		{"tcga", "darkchess", "", "darkchess:noeat=180,repetition=3", "tc=900"},
		{"tcga", "darkchess:noeat=60", "name=x tc=60+1", "darkchess:noeat=60,repetition=3", "name=x tc=60+1"},
		{"ccgc", "amazons", "option.X='a b'", "amazons", "tc=900 option.X='a b'"},
		{"sau", "surakarta", "", "surakarta:rulings=sau", "files=ro"},
		{"sau", "amazons:rulings=proper", "files=any st=5", "amazons:rulings=proper", "files=any st=5"},
		{"sau", "phantomgo", "", "phantomgo:size=9,rulings=sau", "files=ro"},
		{"ccgc", "phantomgo:komi=6.5", "", "phantomgo:komi=6.5,size=9", "tc=900"},
	} {
		s, err := preset(t, c.name, c.game, c.each)
		if err != nil || s.Game != c.wantGame || s.Each.String() != c.wantEach {
			t.Errorf("%s %s %q: %s %q, %v", c.name, c.game, c.each, s.Game, s.Each, err)
		}
	}
}

// Every preset of every game is one that the game and the engines take.
func TestPresetsCanBePlayed(t *testing.T) {
	for _, g := range catalog.All() {
		events, _ := g.Events.Get()
		for name := range events {
			s, err := preset(t, name, g.Rules.ID, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := games.Open(s.Game); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := engines.New(s.Each, engines.Words{{Key: "bot", Value: "1"}}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestPresetsThatDoNotFit(t *testing.T) {
	for want, c := range map[string][2]string{
		"--preset tcga: not an event of amazons; presets that fit: ccgc, sau":         {"tcga", "amazons"},
		"--preset ccgc: not an event of othello; no preset fits that game":            {"ccgc", "othello"},
		"--preset olympiad: unknown; write one of gomocup, tcga, ccgc, sau":           {"olympiad", "gomoku"},
		"--preset ccgc: not an event of gomoku; presets that fit: gomocup":            {"ccgc", "gomoku:rule=renju"},
		"--preset gomocup: not an event of darkchess; presets that fit: tcga":         {"gomocup", "darkchess"},
		"--preset tcga: not an event of phantomgo; presets that fit: ccgc, sau":       {"tcga", "phantomgo"},
		"--preset ccgc: not an event of darkchess; presets that fit: tcga":            {"ccgc", "darkchess:noeat=60"},
		"--preset gomocup: not an event of surakarta; presets that fit: ccgc, sau":    {"gomocup", "surakarta"},
		"--preset gomocup: not an event of dotsandboxes; presets that fit: ccgc, sau": {"gomocup", "dotsandboxes"},
	} {
		if _, err := preset(t, c[0], c[1], ""); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Settings that were given win over those of a preset.
func TestPresetSettings(t *testing.T) {
	for _, c := range []struct {
		given          map[string]any
		points, format string
		games          int
	}{
		{nil, "2/1/0", "double", 1},
		{map[string]any{"points": "1/0.5/0", "games": 6}, "1/0.5/0", "double", 6},
		{map[string]any{"format": "roundrobin"}, "2/1/0", "roundrobin", 1},
	} {
		s := Usual()
		s.Preset, s.Game = "ccgc", "nogo"
		var keys []string
		for key, value := range c.given {
			if err := s.Set(key, value); err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		if err := s.ApplyPreset(func(key string) bool { return slices.Contains(keys, key) }); err != nil {
			t.Fatal(err)
		}
		points, _ := s.Points.MarshalText()
		if string(points) != c.points || string(s.Format) != c.format || s.Games != c.games || s.Game != "nogo:size=9" || s.Each.String() != "tc=900" {
			t.Errorf("%v: %+v", c.given, s)
		}
	}
}
