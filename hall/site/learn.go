package site

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/auth"
	"kibitz/hall/learn"
	"kibitz/hall/problem"
	"kibitz/hall/router"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
	"kibitz/report/board"
)

// Teacher plays by the rules what pages teach.
type Teacher interface {
	Lesson(g *learn.Game) (*learn.Lesson, error)
}

// learnPages are the rules and the lessons.
type learnPages struct {
	*Site
	// taught are the games by their identifiers: what is taught of one is read and played when it
	// is first wanted.
	taught map[string]func() (taught, error)
	// texts are those of what is taught; no board of them is played.
	texts map[string]func() (*learn.Game, error)
	live  bool
}

type taught struct {
	*learn.Game
	*learn.Lesson
}

func newLearnPages(h *Site, t Teacher, live bool) *learnPages {
	all, texts := map[string]func() (taught, error){}, map[string]func() (*learn.Game, error){}
	for _, id := range learn.IDs() {
		texts[id] = sync.OnceValues(func() (*learn.Game, error) { return learn.Read(id) })
		all[id] = sync.OnceValues(func() (taught, error) {
			g, err := texts[id]()
			if err != nil {
				return taught{}, err
			}
			l, err := t.Lesson(g)
			return taught{g, l}, err
		})
	}
	return &learnPages{Site: h, live: live, taught: all, texts: texts}
}

// tips say what options and words of a game mean, by their keys.
func (h *Site) tips(id, language string) (map[string]string, error) {
	read, ok := h.texts[id]
	if !ok {
		return nil, nil
	}
	g, err := read()
	if err != nil {
		return nil, err
	}
	t, out := g.Texts[language], map[string]string{}
	for _, o := range slices.Concat(t.Options, t.Words) {
		if o.Key != "" && o.Key != "size" { // which is plain
			out[o.Key] = o.Text
		}
	}
	return out, nil
}

// explain gives a page of a game the tips for what is said below its board, by the codes of notes.
func (h *Site) explain(p *pages.Page, id string) error {
	tips, err := h.tips(id, p.Words.ID)
	p.Tips = map[string]string{}
	for code, key := range map[game.NoteCode]string{
		game.NoteMove: "maxplies", game.NoteSwap2: "opening", game.NoteNoEat: "noeat", game.NoteNoCapture: "nocapture",
		game.NoteKo: "ko", game.NoteForbidden: "forbidden", "pass": "pass",
	} {
		if tips[key] != "" {
			p.Tips[string(code)] = tips[key]
		}
	}
	return err
}

func (h *learnPages) register() {
	h.page("/learn", auth.Look, "", h.list)
	h.page("/learn/{game}", auth.Look, "", h.lesson)
	h.router.Handle(router.Route{
		Method: "GET", Path: "/learn/{game}/{picture}", ID: "learn-picture", Summary: "a board of the rules or of a lesson", Need: auth.Look,
	}, http.HandlerFunc(h.picture))
}

// games are those that something is taught of.
func (h *learnPages) games() map[string]bool {
	out := map[string]bool{}
	for id := range h.taught {
		out[id] = true
	}
	return out
}

// find returns what is taught of the game that a request names.
func (h *learnPages) find(r *http.Request) (taught, error) {
	read, ok := h.taught[r.PathValue("game")]
	if !ok {
		return taught{}, problem.New(http.StatusNotFound, "not-found", "")
	}
	return read()
}

func (h *learnPages) list(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "learn", "learn", p.Words.Text("learn.title")
	var out []pages.LearnGame
	for _, id := range h.pages.Kinds() {
		if h.learn[id] {
			out = append(out, pages.LearnGame{ID: id, About: p.Words.Text("about." + id)})
		}
	}
	p.Data = out
	return nil
}

func (h *learnPages) lesson(_ context.Context, r *http.Request, p *pages.Page) error {
	g, err := h.find(r)
	if err != nil {
		return err
	}
	t := g.Texts[p.Words.ID]
	name := pages.GameName(p.Words, g.ID)
	p.Name, p.Nav, p.Title = "lesson", "learn", p.Words.Text("learn.of", "game", name)
	out := pages.Lesson{
		LearnGame: pages.LearnGame{ID: g.ID, About: p.Words.Text("about." + g.ID)}, Live: h.live,
		Options: terms(t.Options), Terms: terms(t.Words),
	}
	out.Pictures = map[string]any{}
	for key, v := range g.Pictures {
		out.Pictures[key] = wire.Of(v)
		out.Tall = v.Height > v.Width
	}
	explained := g.Explained(p.Words.ID)
	for _, x := range g.Page.Rules {
		out.Rules = append(out.Rules, pages.LearnRule{
			Key: x.Key, Title: t.Rules[x.Key].Title, Paragraphs: passages(x.Key, explained[x.Key]), Picture: t.Rules[x.Key].Picture,
		})
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		x := t.Steps[s.Key]
		out.Steps = append(out.Steps, pages.LearnStep{Key: s.Key, Do: x.Do, Right: x.Right, Shown: line(p.Words, s.Shown)})
		out.Boards = append(out.Boards, stepData{
			Key: s.Key, For: s.Learner.String(), Spec: string(s.Spec), Names: names(p.Words, s.Learner),
			Do: x.Do, Right: x.Right, Other: x.Other, Barred: x.Barred, Start: nodeOf(s.Start, x.Wrong),
		})
	}
	p.Data = out
	return nil
}

// passages are the paragraphs of a section for its page.
func passages(key string, paragraphs [][]learn.Passage) (out [][]pages.LearnPassage) {
	for i, list := range paragraphs {
		out = append(out, nil)
		for k, x := range list {
			y := pages.LearnPassage{Text: x.Text}
			if x.Word != nil {
				y.Tip, y.ID = x.Word.Text, fmt.Sprintf("tip-%s-%d-%d", key, i, k)
			}
			out[i] = append(out[i], y)
		}
	}
	return out
}

// line writes decisions one after the other.
func line(c *words.Catalogue, decisions []string) string {
	out := slices.Clone(decisions)
	for i, name := range out {
		if name == "pass" {
			out[i] = c.Text("script.pass")
		}
	}
	return strings.Join(out, " ")
}

// names are those of the seats in a lesson.
func names(c *words.Catalogue, learner game.Seat) [2]string {
	out := [2]string{pages.Character(c, 1), pages.Character(c, 1)}
	out[learner] = c.Text("learn.you")
	return out
}

func terms(list []learn.Term) []pages.LearnTerm {
	var out []pages.LearnTerm
	for _, t := range list {
		out = append(out, pages.LearnTerm{Name: t.Name, Text: t.Text})
	}
	return out
}

// stepData is a step of a lesson as the page's script reads it.
type stepData struct {
	Key    string    `json:"key"`
	For    string    `json:"for"`
	Spec   string    `json:"spec"`
	Names  [2]string `json:"names"`
	Do     string    `json:"do"`
	Right  string    `json:"right"`
	Other  string    `json:"other"`
	Barred string    `json:"barred"`
	Start  *nodeData `json:"start"`
}

// nodeData is a board of it. Why is the sentence for who comes to a wrong end.
type nodeData struct {
	By      string      `json:"by,omitempty"`
	Step    string      `json:"step,omitempty"`
	Ended   bool        `json:"ended,omitempty"`
	Refused bool        `json:"refused,omitempty"`
	View    *wire.View  `json:"view,omitempty"`
	Legal   []string    `json:"legal,omitempty"`
	Next    []*nodeData `json:"next,omitempty"`
	End     bool        `json:"end,omitempty"`
	Why     string      `json:"why,omitempty"`
}

func nodeOf(n *learn.Node, why map[string]string) *nodeData {
	out := &nodeData{Step: n.Step, Ended: n.Ended, Refused: n.Refused, End: n.End, Why: why[n.Why]}
	if n.Step != "" {
		out.By = n.By.String()
	}
	if n.View != nil {
		out.View = wire.Of(n.View)
	}
	if !n.End {
		out.Legal = n.Legal
	}
	for _, x := range n.Next {
		out.Next = append(out.Next, nodeOf(x, why))
	}
	return out
}

func styleOf(l pages.Look) board.Style { return board.Style{Chinese: l.Pieces != "latin"} }

// pictureAge is how long a browser keeps a picture of the rules, in seconds.
const pictureAge = "3600"

// picture draws a board: of a section of the rules, "KEY.svg", or of a step, "step-KEY.svg".
func (h *learnPages) picture(w http.ResponseWriter, r *http.Request) {
	g, err := h.find(r)
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	key, _ := strings.CutSuffix(r.PathValue("picture"), ".svg")
	v := g.Pictures[key]
	if step, ok := strings.CutPrefix(key, "step-"); ok {
		for i := range g.Steps {
			if g.Steps[i].Key == step {
				v = g.Steps[i].Start.View
			}
		}
	}
	if v == nil {
		h.router.SendError(w, r, problem.New(http.StatusNotFound, "not-found", ""))
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age="+pictureAge)
	svg := board.SVG(v, styleOf(lookOf(r)))
	h.writeBody(w, r, http.StatusOK, []byte(svg))
}
