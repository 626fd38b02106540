package site

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"kibitz/hall/web/pages"
)

// refill puts what was sent by a form back into that form of a page, and what was wrong
// with it beside its field: a mistake costs nobody what he has typed. The first field that is wrong
// has the focus, the form's first one if what is wrong names none; what stands beside no field
// stays where the page has it.
func refill(page []byte, action string, sent url.Values, faults []pages.FieldFault) []byte {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil { // it was made by us: it is shown as it is
		return page
	}
	form := formOf(doc, action, sent)
	if form == nil {
		return page
	}
	left, named := slices.Clone(faults), namesOf(form)
	var first, focus *html.Node
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		fillField(n, sent, name)
		if attribute(n, "type") == "hidden" || hasAttribute(n, "hidden") || n.DataAtom == atom.Button {
			continue
		}
		first = cmp.Or(first, n)
		i := slices.IndexFunc(left, func(f pages.FieldFault) bool { return f.Is(name) && (f.Field == name || !named[f.Field]) })
		if i < 0 {
			continue
		}
		pointOut(n, left[i])
		focus = cmp.Or(focus, n)
		field := left[i].Field
		left = slices.DeleteFunc(left, func(x pages.FieldFault) bool { return x.Field == field })
	}
	if focus == nil && first != nil && len(left) > 0 {
		pointOut(first, left[0])
		focus, left = first, left[1:]
	}
	if focus != nil {
		setAttribute(focus, "autofocus", "", true)
	}
	if len(left) == 0 {
		dropDetail(doc)
	}
	moveAloud(doc)
	for n := form.Parent; n != nil; n = n.Parent {
		if n.DataAtom == atom.Details {
			setAttribute(n, "open", "", true)
		}
	}
	for n := focus; n != nil && n != form; n = n.Parent {
		if n.DataAtom == atom.Details {
			setAttribute(n, "open", "", true)
		}
	}
	var b bytes.Buffer
	if html.Render(&b, doc) != nil {
		return page
	}
	return b.Bytes()
}

// namesOf are the names of a form's fields.
func namesOf(form *html.Node) map[string]bool {
	named := map[string]bool{}
	for n := range form.Descendants() {
		named[attribute(n, "name")] = true
	}
	return named
}

// formOf finds the form that was sent: of those with its address the one with its command, rather
// one with the same in what nobody types.
func formOf(doc *html.Node, action string, sent url.Values) (found *html.Node) {
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Form || attribute(n, "action") != action {
			continue
		}
		does, same := !sent.Has("do"), true
		for x := range n.Descendants() {
			name, value := attribute(x, "name"), attribute(x, "value")
			does = does || name == "do" && value == sent.Get("do")
			if sent.Has(name) && (hasAttribute(x, "readonly") || attribute(x, "type") == "hidden") {
				same = same && value == sent.Get(name)
			}
		}
		if does && same {
			return n
		}
		if does && found == nil {
			found = n
		}
	}
	return found
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
				on = slices.Contains(sent[name], v)
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
				setAttribute(x, "selected", "", valueOf(x) == sent.Get(name))
			}
		}
	}
}

// valueOf is what an option sends: its text, where it names no value.
func valueOf(option *html.Node) string {
	if hasAttribute(option, "value") || option.FirstChild == nil {
		return attribute(option, "value")
	}
	return strings.TrimSpace(option.FirstChild.Data)
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

// moveAloud has the first fault beside a field read aloud, by itself or by the script of the page, in place of the
// notice above: two at once cut each other short.
func moveAloud(doc *html.Node) {
	find := func(class string) *html.Node {
		for n := range doc.Descendants() {
			if attribute(n, "class") == class {
				return n
			}
		}
		return nil
	}
	fault, notice := find("field-fault"), find("notice fault")
	if fault == nil {
		return
	}
	aloud := html.Attribute{Key: "role", Val: "alert"}
	if notice != nil {
		if i := slices.IndexFunc(notice.Attr, func(a html.Attribute) bool { return a.Key == "role" || a.Key == "data-aloud" }); i >= 0 {
			aloud = notice.Attr[i]
			notice.Attr = slices.Delete(notice.Attr, i, i+1)
		}
	}
	fault.Attr = slices.Insert(fault.Attr, 2, aloud)
}

// pointOut says what is wrong with a field, behind it.
func pointOut(field *html.Node, fault pages.FieldFault) {
	id := "fault-" + attribute(field, "name")
	setAttribute(field, "aria-invalid", "true", true)
	setAttribute(field, "aria-describedby", id, true)
	note := &html.Node{Type: html.ElementNode, DataAtom: atom.Span, Data: "span", Attr: []html.Attribute{
		{Key: "class", Val: "field-fault"}, {Key: "id", Val: id},
	}}
	if fault.English {
		setAttribute(note, "lang", "en", true)
	}
	note.AppendChild(&html.Node{Type: html.TextNode, Data: fault.Text})
	beside := field
	if attribute(field, "type") == "radio" { // the fault is the whole group's, and the first of it is in a label
		beside = cmp.Or(legendOf(field), field)
	}
	beside.Parent.InsertBefore(note, beside.NextSibling)
}

// legendOf is what names the group of fields that a field is in, nil for none.
func legendOf(field *html.Node) *html.Node {
	for n := field.Parent; n != nil; n = n.Parent {
		if n.DataAtom != atom.Fieldset {
			continue
		}
		for c := range n.ChildNodes() {
			if c.DataAtom == atom.Legend {
				return c
			}
		}
		return nil
	}
	return nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
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
