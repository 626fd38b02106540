package movetext

import "kibitz/record"

// Parse reads one game from text, which may span lines.
func Parse(text string) (*record.Game, error) {
	g := &record.Game{Spec: spec}
	p := parser{text: text, line: 1}
	if err := p.game(g); err != nil {
		return nil, err
	}
	return g, nil
}
