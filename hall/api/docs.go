package api

import (
	"cmp"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kibitz/hall/auth"
	"kibitz/hall/router"
)

func describeAPI(version string) huma.Config {
	c := huma.DefaultConfig("Kibitz", version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.Transformers = append(c.Transformers, pointed)
	c.RejectUnknownQueryParameters = true
	c.Info.Description = "The HTTP API of a Kibitz hall. Errors are problem details (RFC 9457), " +
		"whose errors point at what is wrong in the body. " +
		"Lengths of time in settings are seconds, in what is told of a game milliseconds."
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token of a bot or a program (kib_…)."},
		"session": {
			Type: "apiKey", In: "cookie", Name: "kibitz",
			Description: "The cookie that POST /api/v1/account/login sets; __Host-kibitz over TLS.",
		},
	}
	return c
}

func (a *API) registerDocs() {
	a.handle(router.Route{Method: "GET", Path: "/api/v1/openapi.json", ID: "openapi", Summary: "this API as OpenAPI 3.1", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, err := a.huma.OpenAPI().MarshalJSON()
			if err != nil {
				a.router.SendError(w, r, err)
				return
			}
			w.Header().Set("Content-Type", "application/openapi+json")
			_, _ = w.Write(b) // a client that has gone needs no answer
		}))
	a.handle(router.Route{Method: "GET", Path: "/api/v1/docs", ID: "docs", Summary: "this API for people", Need: auth.Look},
		http.HandlerFunc(a.serveDocs))
	a.handle(router.Route{Method: "GET", Path: "/api/v1/docs.css", ID: "docs-style", Summary: "style of the page for people", Need: auth.Look},
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/css; charset=utf-8")
			_, _ = w.Write([]byte(docsStyle)) // a client that has gone needs no answer
		}))
}

const docsStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;color:#222;background:#fff}
h2{margin-top:2.5rem;border-bottom:1px solid #ccc}
article{margin:1.5rem 0}
code{background:#f2f2f2;padding:.1em .3em;border-radius:3px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
td,th{border:1px solid #ddd;padding:.25rem .5rem;text-align:left;vertical-align:top}
.about{white-space:pre-line}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#161616}code{background:#2a2a2a}td,th,h2{border-color:#444}a{color:#8ab4f8}}
`

const docsPage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Kibitz API</title><link rel="stylesheet" href="/api/v1/docs.css"></head><body>
<h1>Kibitz API {{.Version}}</h1>
<p>For programs: <a href="/api/v1/openapi.json">OpenAPI 3.1</a>. Errors are problem details (RFC 9457).</p>
<nav><ul>{{range .Groups}}<li><a href="#{{.Name}}">{{.Name}}</a></li>{{end}}</ul></nav>
{{range .Groups}}<section id="{{.Name}}"><h2>{{.Name}}</h2>
{{range .Ops}}<article id="{{.ID}}"><h3><code>{{.Method}} {{.Path}}</code></h3><p>{{.Summary}}</p><p class="about">{{.About}}</p>
{{if .Fields}}<table><tr><th>field</th><th>in</th><th>type</th><th>meaning</th></tr>
{{range .Fields}}<tr><td><code>{{.Name}}</code>{{if .Required}} *{{end}}</td><td>{{.In}}</td><td>{{.Type}}</td><td>{{.About}}</td></tr>
{{end}}</table>{{end}}</article>
{{end}}</section>
{{end}}</body></html>
`

type docsField struct {
	Name, In, Type, About string
	Required              bool
}

type docsOp struct {
	ID, Method, Path, Summary, About string
	Fields                           []docsField
}

type docsGroup struct {
	Name string
	Ops  []docsOp
}

// serveDocs makes the page for people from the description for programs.
func (a *API) serveDocs(w http.ResponseWriter, r *http.Request) {
	page, err := template.New("docs").Parse(docsPage)
	if err != nil {
		a.router.SendError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, map[string]any{"Version": a.version, "Groups": a.docsGroups()}) // a client that has gone needs no answer
}

func (a *API) docsGroups() []docsGroup {
	var groups []docsGroup
	for _, route := range a.router.Routes() {
		op := Operation(a.huma.OpenAPI(), route)
		if op == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g docsGroup) bool { return g.Name == route.Tag })
		if i < 0 {
			i = len(groups)
			groups = append(groups, docsGroup{Name: route.Tag})
		}
		groups[i].Ops = append(groups[i].Ops, docsOp{route.ID, route.Method, route.Path, route.Summary, op.Description, a.fields(op)})
	}
	return groups
}

// Operation returns the operation of a route in a description, nil if it has none.
func Operation(api *huma.OpenAPI, r router.Route) *huma.Operation {
	item := api.Paths[r.Path]
	if item == nil {
		return nil
	}
	switch r.Method {
	case http.MethodGet:
		return item.Get
	case http.MethodPost:
		return item.Post
	case http.MethodPut:
		return item.Put
	case http.MethodPatch:
		return item.Patch
	case http.MethodDelete:
		return item.Delete
	default:
		return nil
	}
}

// fields lists parameters and the fields of the body.
func (a *API) fields(op *huma.Operation) []docsField {
	var out []docsField
	for _, p := range op.Parameters {
		f := docsField{Name: p.Name, In: p.In, About: p.Description, Required: p.Required}
		if p.Schema != nil {
			f.Type = typeName(p.Schema)
			f.About = cmp.Or(f.About, p.Schema.Description)
		}
		out = append(out, f)
	}
	if op.RequestBody == nil {
		return out
	}
	for kind, media := range op.RequestBody.Content {
		s := media.Schema
		if s != nil && s.Ref != "" {
			s = a.huma.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref)
		}
		if s == nil || len(s.Properties) == 0 {
			out = append(out, docsField{Name: kind, In: "body"})
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			out = append(out, docsField{name, "body", typeName(p), p.Description, slices.Contains(s.Required, name)})
		}
	}
	return out
}

func typeName(s *huma.Schema) string {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case s.Type == "array" && s.Items != nil:
		return "list of " + typeName(s.Items)
	case len(s.Enum) > 0:
		var words []string
		for _, e := range s.Enum {
			if w, ok := e.(string); ok {
				words = append(words, w)
			}
		}
		return strings.Join(words, " | ")
	case s.Format != "":
		return s.Format
	default:
		return s.Type
	}
}
