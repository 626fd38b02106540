package site

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kibitz/hall/records"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// since is a time that may be absent.
func since(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// linkOfSeat is the page of who had a seat.
func linkOfSeat(s records.SeatView) string {
	switch {
	case s.Engine != "" && s.User == 0:
		return "/engines/" + url.PathEscape(s.Engine)
	case s.User != 0:
		return "/accounts/" + strconv.FormatInt(s.User, 10)
	}
	return ""
}

// subjectLink is the page of what a rating belongs to.
func subjectLink(subject string) string {
	var id int64
	if n, err := fmt.Sscanf(subject, "user/%d", &id); err == nil && n == 1 {
		return "/accounts/" + strconv.FormatInt(id, 10)
	}
	if name, ok := cutEngine(subject); ok {
		return "/engines/" + url.PathEscape(name)
	}
	return ""
}

func cutEngine(subject string) (string, bool) {
	const head = "engine/"
	if len(subject) > len(head) && subject[:len(head)] == head {
		return subject[len(head):], true
	}
	return "", false
}

// called are the names of seats as pages have them.
func called(w *words.Catalogue, names [2]string) [2]string {
	return [2]string{pages.Called(w, names[0]), pages.Called(w, names[1])}
}

// lineModel is a game in a list, of what the API says about it.
func lineModel(w *words.Catalogue, g *records.GameView) pages.GameLine {
	l := pages.GameLine{
		ID: g.ID, Spec: g.Spec, State: g.State, Plies: g.Plies, Opening: g.Opening, Rated: g.Rated, Room: g.Room, Tournament: g.Tournament,
		Begun: since(g.Begun), Ruled: g.Ruled, Note: g.Note, Worker: g.Worker,
		Hashes: [2]string{g.Seats[0].Hash, g.Seats[1].Hash},
		Page:   "/games/" + g.ID, Files: "/games/" + g.ID,
	}
	if l.Begun.IsZero() {
		l.Begun = since(g.Created)
	}
	for i, s := range g.Seats {
		l.Short[i] = pages.Short(w, s.Name)
		l.Names[i], l.Links[i], l.Hints[i] = pages.Called(w, s.Name), linkOfSeat(s), s.Hints
	}
	if g.Result == nil {
		return l
	}
	l.Over, l.Points, l.Board, l.Reason, l.Detail = true, g.Result.Points, g.Result.Board, g.Result.Reason, g.Result.Detail
	switch p := g.Result.Points; {
	case p[0] > p[1]:
		l.Won[0] = true
	case p[1] > p[0]:
		l.Won[1] = true
	default:
		l.Draw = p[0] > 0
	}
	return l
}

func lineModels(w *words.Catalogue, list []records.GameView) []pages.GameLine {
	var out []pages.GameLine
	for i := range list {
		out = append(out, lineModel(w, &list[i]))
	}
	return out
}

func ratingModels(w *words.Catalogue, list []records.RatingView) []pages.Rating {
	var out []pages.Rating
	for i, r := range list {
		out = append(out, pages.Rating{
			Rank: i + 1, Name: pages.Called(w, r.Name), Link: subjectLink(r.Subject), User: strings.HasPrefix(r.Subject, "user/"),
			Game: r.Game, Speed: r.Speed,
			Value: r.Value, Deviation: r.Deviation,
			Games: r.Games, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses,
		})
	}
	return out
}
