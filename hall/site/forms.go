package site

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/refuse"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// pathNumber is a number in a path; what is none is nobody's.
func pathNumber(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// formNumber is a number in a form, 0 for what is none.
func formNumber(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.PostForm.Get(name))
	if err != nil {
		return 0
	}
	return n
}

// atMost refuses a number of a form that is greater than most.
func atMost(name string, n, most int) error {
	if n <= most {
		return nil
	}
	return problem.At("#/"+name, problem.Input(fmt.Sprintf("%s: up to %d are possible", name, most)).
		Because(game.WhyRange, fmt.Sprintf("0 – %d", most)))
}

// problemOf is the problem of an error by a code that pages have words for: that it was said in
// a seat is for programs.
func problemOf(err error) problem.Problem {
	x := problem.Of(err)
	x.Code = strings.TrimPrefix(x.Code, "seat-")
	return x
}

// again shows the page of a form that was not taken once more, with all that was sent and what
// was wrong. It returns the error if that is not about the form.
func (h *Site) again(w http.ResponseWriter, r *http.Request, err error, page fill) error {
	p := h.newPage(r)
	x := problemOf(err)
	if x.Status >= http.StatusInternalServerError || x.Code == "not-found" || page(r.Context(), r, p) != nil {
		return err
	}
	p.Title = p.Words.Text("form.check", "title", p.Title)
	p.Fault, p.Faults = x.Code, fieldFaults(p.Words, err, ofForm)
	if p.Faults == nil {
		p.Faults = []pages.FieldFault{plainFault(p.Words, x)}
	}
	if isKind(p.Fault) {
		p.Detail, p.English = p.Faults[0].Text, p.Faults[0].English
	} else if text, ok := reason(p.Words, x.Why); ok {
		p.Refusal = text
	}
	if after := problem.Retry(err); after != "" {
		w.Header().Set("Retry-After", after)
		p.Detail, p.When = "", pages.WhenAgain(p.Words, after)
	}
	h.send(w, r, x.Status, p, "")
	return nil
}

// isKind reports whether the code of a problem says what kind of refusal it is, and not why.
func isKind(code string) bool {
	return slices.Contains([]string{"input", "body", "not-now", "forbidden"}, code)
}

// firstFault is the first fault of an error, without a field if the error names none.
func firstFault(c *words.Catalogue, err error, of source) pages.FieldFault {
	if faults := fieldFaults(c, err, of); len(faults) > 0 {
		return faults[0]
	}
	return plainFault(c, problemOf(err))
}

// source is what sent something.
type source bool

// A form of a page says what its fields want, whatever was written there. Requests of the API hold more
// than forms offer: only what is wrong is said of them.
const (
	ofForm source = true
	ofAPI  source = false
)

// plainFault is the fault of a problem that points at no field; what such a problem is mostly about
// has one.
func plainFault(c *words.Catalogue, x problem.Problem) pages.FieldFault {
	field := map[string]string{"login": "password", "taken": "name"}[x.Code]
	if !isKind(x.Code) {
		text, ok := reason(c, x.Why)
		if !ok {
			text = c.Text("problem." + x.Code)
		}
		return pages.FieldFault{Field: field, Text: text}
	}
	text := plainText(x.Text)
	return inWords(c, x.Why, pages.FieldFault{Text: text, English: text != ""}, ofForm)
}

// said is what is wrong as one text in the language of a request, and where, for the scripts of pages; programs
// with a token are told none.
func (h *Site) said(r *http.Request, err error) problem.Shown {
	if r.Header.Get("Authorization") != "" {
		return problem.Shown{}
	}
	c := h.pages.Words().Choose(lookOf(r).Language, r.Header.Get("Accept-Language"))
	return shown(c, err, source(!strings.HasPrefix(r.URL.Path, "/api/")))
}

// shown is what is wrong as one text, with its field.
func shown(c *words.Catalogue, err error, of source) problem.Shown {
	x, f := problemOf(err), firstFault(c, err, of)
	if x.Code == "login" { // scripts send no passwords
		return problem.Shown{Said: c.Text("problem.account")}
	}
	return problem.Shown{Said: saidText(c, &x, f), Field: f.Field}
}

func saidText(c *words.Catalogue, x *problem.Problem, f pages.FieldFault) string {
	switch english := c.ID == "en"; {
	case english && slices.Contains(records.Unreads(), x.Why.Code): // whoever reads it is English
		return f.Text + " " + strings.ToUpper(x.Text[:1]) + x.Text[1:]
	case f.Text != "" && f.Text != "problem."+x.Code && (english || !f.English):
		return f.Text
	case x.Code == "away": // which has a page of its own
		return c.Text("problem.busy")
	case c.Has("problem." + x.Code):
		return c.Text("problem." + x.Code)
	}
	return c.Text("problem.input")
}

// plainText is a text of a fault without the kind of error that it begins with.
func plainText(text string) string {
	for _, kind := range []error{refuse.ErrInvalid, refuse.ErrPhase, refuse.ErrForbidden, auth.ErrInput} {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	if text == auth.ErrForbidden.Error() {
		return "" // which pages say themselves
	}
	return text
}

// inWords says what is to be written into a field in the reader's words where the catalogue has
// them: for the reason, or for all that can be wrong with a field of a form.
func inWords(c *words.Catalogue, why game.Why, f pages.FieldFault, of source) pages.FieldFault {
	if text, ok := reason(c, why); ok {
		f.Text, f.English = text, false
		return f
	}
	if of == ofAPI {
		return f
	}
	field := strings.TrimSuffix(f.Field, "s")
	switch {
	case field == "own": // which is a clock
		field = "clock"
	case slices.ContainsFunc(choices(), f.Is):
		field = string(game.WhyChoice)
	}
	if key := "field." + field; c.Has(key) {
		f.Text, f.English = c.Text(key), false
	}
	return f
}

// reason says a reason in the reader's words, where the catalogue has them.
func reason(c *words.Catalogue, why game.Why) (text string, ok bool) {
	for _, group := range []string{"refusal.", "field.", "problem."} {
		if key := group + string(why.Code); c.Has(key) {
			return c.Text(key, "name", pages.Called(c, why.Name), "n", why.N), true
		}
	}
	return "", false
}

// choices are the fields in which one of a few is chosen.
func choices() []string {
	return []string{
		"access", "act", "begin", "channel", "chat", "entry", "format", "kibitzer", "opening", "opponent", "place", "point", "remaining",
		"result", "role", "seat", "sprt", "tiebreak", "user",
	}
}

// showSecret shows what is shown once.
func (h *Site) showSecret(w http.ResponseWriter, r *http.Request, s pages.Secret) {
	p := h.newPage(r)
	p.Name, p.Title, p.Data = "secret", p.Words.Text("secret."+s.What), s
	h.send(w, r, http.StatusOK, p, "")
}

// fieldFaults are the faults for the fields of a page's form, one for each field.
func fieldFaults(c *words.Catalogue, err error, of source) (out []pages.FieldFault) {
	for _, f := range problem.Faults(err) {
		x := inWords(c, f.Why, pages.FieldFault{Field: fieldOf(f), Text: plainText(f.Detail), English: true}, of)
		if option, is := strings.CutPrefix(x.Field, "option."); is && !x.English && c.Has("choice."+option) {
			x.Text = c.Text("choice."+option) + " · " + x.Text // the form may be that of another game
		}
		same := func(y pages.FieldFault) bool { return x.Field != "" && y.Field == x.Field }
		if i := slices.IndexFunc(out, same); i < 0 {
			out = append(out, x)
		} else if out[i].Text != x.Text { // a field with several lines, say
			out[i].Text, out[i].English = out[i].Text+" "+x.Text, out[i].English || x.English
		}
	}
	return out
}

// fieldOf is the field of a form that a fault is about; settings of rooms are in the form itself,
// and of the words for every engine of a tournament a form has the clock.
func fieldOf(f problem.Fault) string {
	f.Pointer = strings.Replace(f.Pointer, "#/settings/", "#/", 1)
	f.Pointer = strings.NewReplacer("#/each", "#/clock", "#/with", "#/engine", "#/options/", "#/option.").Replace(f.Pointer)
	return f.Field()
}
