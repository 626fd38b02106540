package site

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
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

// again shows the page of a form that was not taken once more, with all that was sent and what
// was wrong. It returns the error if that is not about the form.
func (h *Site) again(w http.ResponseWriter, r *http.Request, err error, page fill) error {
	p := h.newPage(r)
	x := problem.Of(err)
	if x.Status >= http.StatusInternalServerError || x.Code == "not-found" || page(r.Context(), r, p) != nil {
		return err
	}
	p.Title = p.Words.Text("form.check", "title", p.Title)
	p.Fault, p.Detail, p.Faults = strings.TrimPrefix(x.Code, "seat-"), x.Text, fieldFaults(p.Words, err)
	if x.Code == "login" {
		p.Detail = ""
	}
	if key := "refusal." + string(x.Why.Code); p.Words.Has(key) {
		p.Refusal = p.Words.Text(key, "name", pages.Called(p.Words, x.Why.Name), "n", x.Why.N)
	}
	if after := problem.Retry(err); after != "" {
		w.Header().Set("Retry-After", after)
		p.Detail, p.When = "", pages.WhenAgain(p.Words, after)
	}
	if p.Faults == nil {
		p.Faults = []pages.FieldFault{plainFault(p.Words, x)}
	}
	h.send(w, r, x.Status, p, "")
	return nil
}

// plainFault is the fault of a problem that points at no field: the one that its text begins
// with, or the one that such a problem is mostly about.
func plainFault(c *words.Catalogue, x problem.Problem) pages.FieldFault {
	field := map[string]string{"login": "password", "taken": "name"}[x.Code]
	if !slices.Contains([]string{"input", "not-now", "forbidden"}, x.Code) {
		return pages.FieldFault{Field: field, Text: c.Text("problem." + x.Code)}
	}
	text := plainText(x.Text)
	return inWords(c, x, pages.FieldFault{Field: begins(text), Text: text, English: true})
}

// plainText is a text of a fault without the kind of error that it begins with.
func plainText(text string) string {
	for _, kind := range []error{refuse.ErrInvalid, auth.ErrInput} {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	return text
}

// inWords says what is to be written into a field in the reader's words where the catalogue has
// them: for the reason of the problem, or for all that is wrong with the field.
func inWords(c *words.Catalogue, x problem.Problem, f pages.FieldFault) pages.FieldFault {
	if key := "field." + string(x.Why.Code); c.Has(key) {
		f.Text, f.English = c.Text(key, "name", x.Why.Name, "n", x.Why.N), false
		return f
	}
	field := strings.TrimSuffix(f.Field, "s")
	if field == "own" { // which is a clock
		field = "clock"
	}
	if key := "field." + field; c.Has(key) {
		f.Text, f.English = c.Text(key), false
	}
	return f
}

// begins is the name that a text begins with: that of what is wrong, as in "clocks: …" and
// "engine "bot=12": …".
func begins(text string) string {
	if i := strings.IndexFunc(text, func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') }); i >= 0 {
		text = text[:i]
	}
	return strings.ReplaceAll(text, "-", "")
}

// showSecret shows what is shown once.
func (h *Site) showSecret(w http.ResponseWriter, r *http.Request, s pages.Secret) {
	p := h.newPage(r)
	p.Name, p.Title, p.Data = "secret", p.Words.Text("secret."+s.What), s
	h.send(w, r, http.StatusOK, p, "")
}

// fieldFaults are the faults for the fields of a page's form.
func fieldFaults(c *words.Catalogue, err error) (out []pages.FieldFault) {
	x := problem.Of(err)
	for _, f := range problem.Faults(err) {
		out = append(out, inWords(c, x, pages.FieldFault{Field: fieldOf(f), Text: plainText(f.Detail), English: true}))
	}
	return out
}

// fieldOf is the field of a form that a fault is about; settings of rooms are in the form itself,
// and of the words for every engine of a tournament a form has the clock.
func fieldOf(f problem.Fault) string {
	f.Pointer = strings.NewReplacer("#/settings/", "#/", "#/each", "#/clock").Replace(f.Pointer)
	return f.Field()
}
