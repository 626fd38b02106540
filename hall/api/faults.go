package api

import (
	"cmp"
	"net/http"
	"reflect"
	"strings"

	"kibitz/game"
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

// faultOf is a fault with its place, where that is in the body or in the query. Of a member that is missing that
// is its own, where huma names the object that lacks it.
func faultOf(e *huma.ErrorDetail) problem.Fault {
	f := problem.Fault{Detail: e.Message, Why: whyOf(e.Message)}
	where, in := strings.CutPrefix(e.Location, "body")
	if !in {
		where, in = strings.CutPrefix(e.Location, "query")
	}
	if !in {
		if e.Location != "" {
			f.Detail = e.Location + ": " + e.Message
		}
		return f
	}
	if where != "" {
		f.Pointer = "#" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(problem.Escaped(where))
	}
	if name, is := within(e.Message, validation.MsgExpectedRequiredProperty); is {
		f.Pointer = cmp.Or(f.Pointer, "#") + "/" + problem.Escaped(name)
	}
	return f
}

// whyOf is the reason of a message of huma where pages have words for it, the zero one otherwise.
func whyOf(message string) game.Why {
	for _, x := range []struct {
		form string
		why  func(value string) game.Why
	}{
		{validation.MsgExpectedOneOf, func(string) game.Why { return game.Because(game.WhyChoice) }},
		{validation.MsgExpectedMinimumNumber, func(n string) game.Why { return game.Because(game.WhyRange, "≥ "+n) }},
		{validation.MsgExpectedMaximumNumber, func(n string) game.Why { return game.Because(game.WhyRange, "≤ "+n) }},
	} {
		if value, is := within(message, x.form); is {
			return x.why(value)
		}
	}
	return game.Why{}
}

// within is the value that a message has, if it is of a form of huma's.
func within(message, form string) (value string, is bool) {
	before, after, _ := strings.Cut(form, "%")
	if value, is = strings.CutPrefix(message, before); is {
		value, is = strings.CutSuffix(value, after[1:])
	}
	return value, is
}

// describeFaults tells of the form of faults in the API's description.
func describeFaults(api *huma.OpenAPI) {
	all := api.Components.Schemas.Map()
	if all["ErrorDetail"] != nil {
		all["ErrorDetail"] = huma.SchemaFromType(api.Components.Schemas, reflect.TypeFor[problem.Fault]())
	}
}
