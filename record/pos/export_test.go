package pos

import "kibitz/game"

// Parse reads a pos string.
func Parse(text string) ([]game.Point, error) {
	list, err := parse(text, 0)
	if err != nil { // which is typed
		return nil, err
	}
	return list, nil
}
