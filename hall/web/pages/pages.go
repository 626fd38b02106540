// Package pages makes the pages of a hall: the values of a page go in, HTML comes out.
// It asks nobody anything; whoever fills the values decides what a reader may know.
package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"sync"

	"kibitz/game/look"
	"kibitz/hall/web"
	"kibitz/hall/web/words"
)

//go:embed html/*.html
var files embed.FS

// shared are the files that every page may use.
func shared() []string {
	return []string{
		"html/layout.html", "html/parts.html", "html/roomparts.html", "html/tournamentparts.html", "html/savedparts.html",
		"html/analysisparts.html", "html/stageparts.html", "html/playparts.html",
	}
}

// Pages renders. It is safe for any number of goroutines.
type Pages struct {
	assets *web.Assets
	words  *words.Set
	games  []look.Game
	mu     sync.Mutex
	made   map[string]*template.Template
}

// New reads the catalogues of words. Games are in the order in which they are shown.
// Templates are read when a page is first wanted in a language.
func New(assets *web.Assets, games []look.Game) (*Pages, error) {
	set, err := words.Open()
	if err != nil {
		return nil, err
	}
	return &Pages{assets: assets, words: set, games: games, made: map[string]*template.Template{}}, nil
}

// Words are the texts of all languages.
func (p *Pages) Words() *words.Set { return p.words }

// Kinds are the games, in the order in which they are shown.
func (p *Pages) Kinds() []string {
	return p.idsOf(func(look.Game) bool { return true })
}

// idsOf are the names of the games that a condition holds for.
func (p *Pages) idsOf(which func(look.Game) bool) []string {
	var out []string
	for _, g := range p.games {
		if which(g) {
			out = append(out, g.ID)
		}
	}
	return out
}

// Game is what pages know of a game.
func (p *Pages) Game(id string) (look.Game, bool) {
	i := slices.IndexFunc(p.games, func(g look.Game) bool { return g.ID == id })
	if i < 0 {
		return look.Game{}, false
	}
	return p.games[i], true
}

// game is what is known of a game by its name; of one that is not in the list, the name.
func (p *Pages) game(id string) look.Game {
	for _, g := range p.games {
		if g.ID == id {
			return g
		}
	}
	return look.Game{ID: id}
}

// Assets are the scripts and styles that pages name.
func (p *Pages) Assets() *web.Assets { return p.assets }

// Part writes a part of a page alone: the template of that name.
func (p *Pages) Part(w io.Writer, x *Page, part string) error {
	t, err := p.template(x)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, part, x); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// template returns the templates of a page in its language.
func (p *Pages) template(x *Page) (*template.Template, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := x.Words.ID + " " + x.Name
	if t := p.made[key]; t != nil {
		return t, nil
	}
	t, err := template.New(x.Name).Funcs(p.funcs(x.Words)).ParseFS(files, append(shared(), "html/"+x.Name+".html")...)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", x.Name, err)
	}
	p.made[key] = t
	return t, nil
}

// Icon is the mark of the hall, as an address.
const Icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
	"%3Crect width='32' height='32' rx='7' fill='%230b5d4f'/%3E" +
	"%3Ccircle cx='12' cy='16' r='7' fill='%23101413'/%3E%3Ccircle cx='20' cy='16' r='7' fill='%23f7f3ea'/%3E%3C/svg%3E"
