package site

import (
	"net/http"
	"strconv"
	"strings"

	"kibitz/hall/problem"
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

// again shows a form once more with what was wrong.
func (h *Site) again(w http.ResponseWriter, r *http.Request, err error, fn fill) (string, error) {
	p := h.newPage(r)
	problem := problem.Of(err)
	if problem.Status >= http.StatusInternalServerError {
		return "", err
	}
	p.Fault, p.Detail, p.Faults = problem.Code, problem.Text, fieldFaults(p.Words, err)
	if problem.Code == "login" {
		p.Detail = ""
	}
	if err := fn(r.Context(), r, p); err != nil {
		return "", err
	}
	h.send(w, r, problem.Status, p, "")
	return "", nil
}

// showSecret shows what is shown once.
func (h *Site) showSecret(w http.ResponseWriter, r *http.Request, s pages.Secret) {
	p := h.newPage(r)
	p.Name, p.Title, p.Data = "secret", p.Words.Text("secret."+s.What), s
	h.send(w, r, http.StatusOK, p, "")
}

// fieldFaults are the faults for the fields of a page's form. What is to be written into a field
// is said in the reader's words where the catalogue has them.
func fieldFaults(c *words.Catalogue, err error) (out []pages.FieldFault) {
	for _, f := range problem.Faults(err) {
		fault := pages.FieldFault{Field: fieldOf(f), Text: f.Detail, English: true}
		if key := "field." + strings.TrimSuffix(fault.Field, "s"); c.Has(key) {
			fault.Text, fault.English = c.Text(key), false
		}
		out = append(out, fault)
	}
	return out
}

// fieldOf is the field of a form that a fault is about; settings of rooms are in the form itself.
func fieldOf(f problem.Fault) string {
	f.Pointer = strings.Replace(f.Pointer, "#/settings/", "#/", 1)
	return f.Field()
}
