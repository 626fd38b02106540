package site

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"kibitz/hall/refuse"
	"kibitz/hall/web/pages"
)

// refill puts what was sent by a form back into that form of a page, and what was wrong
// with it beside its field: a mistake costs nobody what he has typed. Without faults that know
// their field it is the one that the text begins with; a fault of no field of the form stays
// where the page has it.
func refill(page []byte, action string, sent url.Values, fault string, faults []pages.FieldFault) []byte {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil { // it was made by us: it is shown as it is
		return page
	}
	fault = strings.TrimPrefix(fault, refuse.ErrInvalid.Error()+": ")
	about := func(name string) pages.FieldFault {
		for _, f := range faults {
			if strings.EqualFold(strings.TrimSuffix(f.Field, "s"), strings.TrimSuffix(name, "s")) {
				return f
			}
		}
		if faults == nil && named(fault, name) {
			return pages.FieldFault{Text: fault, English: true}
		}
		return pages.FieldFault{}
	}
	form := formOf(doc, action, sent)
	if form == nil {
		return page
	}
	told := map[string]bool{}
	var wrong []*html.Node
	var texts []pages.FieldFault
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		fillField(n, sent, name)
		text := about(name)
		if text.Text != "" && !told[text.Text] && attribute(n, "type") != "hidden" && n.DataAtom != atom.Button {
			wrong, texts, told[text.Text] = append(wrong, n), append(texts, text), true
		}
	}
	for n := form.Parent; n != nil; n = n.Parent {
		if n.DataAtom == atom.Details {
			setAttribute(n, "open", "", true)
		}
	}
	for i, n := range wrong {
		pointOut(n, texts[i])
		setAttribute(n, "autofocus", "", i == 0)
	}
	if len(wrong) > 0 && len(told) >= len(faults) {
		dropDetail(doc)
	}
	var b bytes.Buffer
	if html.Render(&b, doc) != nil {
		return page
	}
	return b.Bytes()
}

// formOf finds the form that was sent: of those with its address the one with its command.
func formOf(doc *html.Node, action string, sent url.Values) (found *html.Node) {
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Form || attribute(n, "action") != action {
			continue
		}
		if !sent.Has("do") {
			return n
		}
		for x := range n.Descendants() {
			if attribute(x, "name") == "do" && attribute(x, "value") == sent.Get("do") {
				return n
			}
		}
	}
	return nil
}

// fillField gives a field what was sent for it. Secrets are never sent back.
func fillField(n *html.Node, sent url.Values, name string) {
	switch n.DataAtom {
	case atom.Input:
		switch attribute(n, "type") {
		case "password", "hidden", "file", "submit":
		case "checkbox", "radio":
			on := sent.Has(name)
			if v := attribute(n, "value"); v != "" {
				on = sent.Get(name) == v
			}
			setAttribute(n, "checked", "", on)
		default:
			if sent.Has(name) {
				setAttribute(n, "value", sent.Get(name), true)
			}
		}
	case atom.Textarea:
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		n.AppendChild(&html.Node{Type: html.TextNode, Data: sent.Get(name)})
	case atom.Select:
		if !sent.Has(name) {
			return
		}
		for x := range n.Descendants() {
			if x.DataAtom == atom.Option {
				setAttribute(x, "selected", "", attribute(x, "value") == sent.Get(name))
			}
		}
	}
}

// named reports whether a fault, which begins with the name of what is wrong, is about a
// field: "clocks: …", "engine "bot=12": …".
func named(fault, field string) bool {
	word := fault
	if i := strings.IndexFunc(word, func(c rune) bool { return c != '-' && (c < 'a' || c > 'z') }); i >= 0 {
		word = word[:i]
	}
	word = strings.ReplaceAll(word, "-", "")
	return word != "" && strings.TrimSuffix(word, "s") == strings.TrimSuffix(field, "s")
}

// dropDetail takes away what stands above the page of a fault.
func dropDetail(doc *html.Node) {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Span && attribute(n, "class") == "detail" {
			n.Parent.RemoveChild(n)
			break
		}
	}
}

// pointOut says what is wrong with a field, behind it.
func pointOut(field *html.Node, fault pages.FieldFault) {
	id := "fault-" + attribute(field, "name")
	setAttribute(field, "aria-invalid", "true", true)
	setAttribute(field, "aria-describedby", id, true)
	note := &html.Node{Type: html.ElementNode, DataAtom: atom.Span, Data: "span", Attr: []html.Attribute{
		{Key: "class", Val: "field-fault"}, {Key: "id", Val: id}, {Key: "role", Val: "alert"},
	}}
	if fault.English {
		setAttribute(note, "lang", "en", true)
	}
	note.AppendChild(&html.Node{Type: html.TextNode, Data: fault.Text})
	field.Parent.InsertBefore(note, field.NextSibling)
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// setAttribute sets an attribute, or takes it away.
func setAttribute(n *html.Node, key, value string, on bool) {
	for i, a := range n.Attr {
		if a.Key == key {
			n.Attr = append(n.Attr[:i], n.Attr[i+1:]...)
			break
		}
	}
	if on {
		n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
	}
}
