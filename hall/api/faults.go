package api

import (
	"net/http"
	"reflect"
	"strings"

	"kibitz/hall/problem"
	"kibitz/hall/router"

	"github.com/danielgtaylor/huma/v2"
)

// pointed makes problems that huma found in a request of the form that ours have.
func pointed(c huma.Context, _ string, v any) (any, error) {
	m, is := v.(*huma.ErrorModel)
	if !is {
		return v, nil
	}
	out := &problem.Details{Type: m.Type, Title: m.Title, Status: m.Status, Detail: m.Detail, Instance: m.Instance}
	for _, e := range m.Errors {
		f := problem.Fault{Detail: e.Message}
		if where, in := strings.CutPrefix(e.Location, "body."); in {
			f.Pointer = "#/" + strings.NewReplacer("~", "~0", "/", "~1", ".", "/", "[", "/", "]", "").Replace(where)
		} else if e.Location != "" && e.Location != "body" {
			f.Detail = e.Location + ": " + e.Message
		}
		out.Errors = append(out.Errors, f)
	}
	code := "input"
	if m.Status == http.StatusRequestEntityTooLarge {
		code = "too-large"
	}
	var wrong error = problem.New(m.Status, code, m.Detail)
	if code == "input" && len(out.Errors) > 0 {
		wrong = &problem.FormError{Faults: out.Errors, Err: wrong}
	}
	out.Shown = router.Show(c.Context(), wrong)
	return out, nil
}

// describeFaults tells of the form of faults in the API's description.
func describeFaults(api *huma.OpenAPI) {
	all := api.Components.Schemas.Map()
	if all["ErrorDetail"] != nil {
		all["ErrorDetail"] = huma.SchemaFromType(api.Components.Schemas, reflect.TypeFor[problem.Fault]())
	}
}
