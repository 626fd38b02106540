package api

import (
	"reflect"
	"strings"

	"kibitz/game"
	"kibitz/hall/problem"

	"github.com/danielgtaylor/huma/v2"
)

// problemModel is a problem with its faults.
type problemModel struct {
	huma.ErrorModel
	Errors []problem.Fault `json:"errors,omitempty"`
	Why    game.Why        `json:"why,omitzero" doc:"the reason of a refusal as a code, where it has one"`
}

// pointed gives problems that huma found in a request the faults that ours have.
func pointed(_ huma.Context, _ string, v any) (any, error) {
	m, is := v.(*huma.ErrorModel)
	if !is || len(m.Errors) == 0 {
		return v, nil
	}
	out := &problemModel{ErrorModel: *m}
	for _, e := range m.Errors {
		f := problem.Fault{Detail: e.Message}
		if where, in := strings.CutPrefix(e.Location, "body."); in {
			f.Pointer = "#/" + strings.NewReplacer("~", "~0", "/", "~1", ".", "/", "[", "/", "]", "").Replace(where)
		} else if e.Location != "" && e.Location != "body" {
			f.Detail = e.Location + ": " + e.Message
		}
		out.Errors = append(out.Errors, f)
	}
	return out, nil
}

// describeFaults tells of the form of faults in the API's description.
func describeFaults(api *huma.OpenAPI) {
	all := api.Components.Schemas.Map()
	if all["ErrorDetail"] != nil {
		all["ErrorDetail"] = huma.SchemaFromType(api.Components.Schemas, reflect.TypeFor[problem.Fault]())
	}
}
