package server

import (
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kibitz/hall/web/pages"
)

// Fault is what is wrong with one value of a request: an entry of a problem's errors, as in
// section 3 of RFC 9457.
type Fault struct {
	// Pointer is a JSON pointer (RFC 6901) to the value, as a fragment: "#/engines/1".
	Pointer string `json:"pointer,omitempty" doc:"JSON pointer to what is wrong in the body; empty if it is not in the body"`
	Detail  string `json:"detail" doc:"what is wrong with it and what would be right"`
}

// Field is the field of the body that the fault is in: "engines".
func (f *Fault) Field() string {
	field, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "#/"), "/")
	return field
}

// FormError is a form whose values cannot be meant.
type FormError struct {
	Faults []Fault
	// Err is what its reader said.
	Err error
}

func (e *FormError) Error() string {
	out := make([]string, len(e.Faults))
	for i := range e.Faults {
		out[i] = e.Faults[i].Detail
	}
	return strings.Join(out, "; ")
}

// Unwrap returns Err.
func (e *FormError) Unwrap() []error { return []error{e.Err} }

// formError makes an error one of the value at a pointer of a form ("#/engines/1"), unless it
// says itself where it belongs.
func formError(pointer string, err error) error {
	var known *FormError
	if errors.As(err, &known) {
		return err
	}
	return &FormError{[]Fault{{pointer, oneLine(err)}}, err}
}

// faultsOf are the values that an error is about, none if it is about something else.
func faultsOf(err error) []Fault {
	var form *FormError
	if errors.As(err, &form) {
		return form.Faults
	}
	return nil
}

// fieldFaults are the faults for the fields of a page's form.
func fieldFaults(err error) (out []pages.FieldFault) {
	for _, f := range faultsOf(err) {
		out = append(out, pages.FieldFault{Field: f.Field(), Text: f.Detail})
	}
	return out
}

// problemModel is a problem with its faults.
type problemModel struct {
	huma.ErrorModel
	Errors []Fault `json:"errors,omitempty"`
}

// pointed gives problems that huma found in a request the faults that ours have.
func pointed(_ huma.Context, _ string, v any) (any, error) {
	m, is := v.(*huma.ErrorModel)
	if !is || len(m.Errors) == 0 {
		return v, nil
	}
	out := &problemModel{ErrorModel: *m}
	for _, e := range m.Errors {
		f := Fault{Detail: e.Message}
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
		all["ErrorDetail"] = huma.SchemaFromType(api.Components.Schemas, reflect.TypeFor[Fault]())
	}
}
