package api

import (
	"cmp"
	"net/http"
	"reflect"
	"strings"

	"kibitz/hall/problem"
	"kibitz/hall/router"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// pointed makes problems that huma found in a request of the form that ours have.
func pointed(c huma.Context, _ string, v any) (any, error) {
	m, is := v.(*huma.ErrorModel)
	if !is {
		return v, nil
	}
	var faults []problem.Fault
	for _, e := range m.Errors {
		faults = append(faults, faultOf(e))
	}
	var wrong error = problem.New(m.Status, codeOf(m.Status), m.Detail)
	if len(faults) > 0 {
		wrong = &problem.FormError{Faults: faults, Err: wrong}
	}
	return router.Told(c.Context(), wrong), nil
}

// codeOf is the code of what is found wrong before a request is read.
func codeOf(status int) string {
	switch status {
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusRequestTimeout:
		return "body"
	case http.StatusRequestEntityTooLarge:
		return "too-large"
	case http.StatusInternalServerError:
		return "fault"
	}
	return "input"
}

// faultOf is a fault with its place. Of a member that is missing that is its own, where huma names
// the object that lacks it.
func faultOf(e *huma.ErrorDetail) problem.Fault {
	f := problem.Fault{Detail: e.Message}
	where, in := strings.CutPrefix(e.Location, "body")
	if !in {
		if e.Location != "" {
			f.Detail = e.Location + ": " + e.Message
		}
		return f
	}
	if where != "" {
		f.Pointer = "#" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(problem.Escaped(where))
	}
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	if name, is := strings.CutPrefix(e.Message, before); is {
		if name, is = strings.CutSuffix(name, after); is {
			f.Pointer = cmp.Or(f.Pointer, "#") + "/" + problem.Escaped(name)
		}
	}
	return f
}

// describeFaults tells of the form of faults in the API's description.
func describeFaults(api *huma.OpenAPI) {
	all := api.Components.Schemas.Map()
	if all["ErrorDetail"] != nil {
		all["ErrorDetail"] = huma.SchemaFromType(api.Components.Schemas, reflect.TypeFor[problem.Fault]())
	}
}
