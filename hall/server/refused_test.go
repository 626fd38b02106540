package server

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"kibitz/hall/auth"
	"kibitz/hall/web/words"
)

// What is wrong with a name, a password or an invitation is said beside its field, in the language of
// the page: each reason has its sentence in all five.
func TestRefusedInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, full)
	invited := newSite(t, func(c *Config) { full(c); c.Options.Registration = auth.Invited })
	closed := newSite(t, func(c *Config) { full(c); c.Options.Registration = auth.Closed })
	s.register("Walter")
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	name := func(x string) []string { return []string{"name", x, "password", "long enough"} }
	password := func(x string) []string { return []string{"name", "somebody", "password", x} }
	rows := []struct {
		at   *testHall
		path string
		form []string
		// field is where it is said, key which text, with what is put in.
		field, key string
		put        []any
	}{
		{s, "/register", name(strings.Repeat("y", 25)), "name", "field.namelength", []any{"n", 25}},
		{s, "/register", name("y"), "name", "field.namelength", []any{"n", 1}},
		{s, "/register", name("ａｂ"), "name", "field.nameform", nil},
		{s, "/register", name(".ab"), "name", "field.namemarks", nil},
		{s, "/register", name("ab-"), "name", "field.namemarks", nil},
		{s, "/register", name("a b"), "name", "field.nameblank", nil},
		{s, "/register", name("a/b"), "name", "field.namesign", []any{"name", "/"}},
		{s, "/register", name("abみ"), "name", "field.namemixed", nil},
		{s, "/register", name("admin"), "name", "field.namereserved", nil},
		{s, "/register", name("adm1n"), "name", "field.namereserved", nil},
		{s, "/register", name("ab\xff"), "name", "field.namenotext", nil},
		{s, "/register", name("walter"), "name", "problem.taken", nil},
		{s, "/register", name("wa1ter"), "name", "problem.taken", nil},
		{s, "/register", password("seven77"), "password", "field.passwordshort", []any{"n", auth.MinPassword}},
		{s, "/register", password(strings.Repeat("z", auth.MaxPassword+1)), "password", "field.passwordlong", nil},
		{s, "/register", password("not text \xff"), "password", "field.passwordnotext", nil},
		{s, "/register", []string{"name", "somebody", "password", "Somebody"}, "password", "field.passwordisname", nil},
		{s, "/account/name", name(strings.Repeat("y", 25)), "name", "field.namelength", []any{"n", 25}},
		{s, "/account/name", name("guest-x"), "name", "field.namereserved", nil},
		{s, "/account/name", name("WALTER"), "name", "problem.taken", nil},
		{s, "/account/password", []string{"old", secret, "new", "seven77"}, "new", "field.passwordshort", []any{"n", auth.MinPassword}},
		{s, "/account/password", []string{"old", secret, "new", secret}, "new", "field.passwordsame", nil},
		{invited, "/register", name("somebody"), "invitation", "field.invitation", nil},
		{closed, "/register", name("somebody"), "name", "field.registration", nil},
	}
	said := map[string]bool{}
	english := set.Choose("en", "")
	for _, lang := range []string{"en", "zh-Hant", "zh-Hans", "cs", "es"} {
		guest, person := s.guest(), s.register("person"+strings.ToLower(strings.ReplaceAll(lang, "-", "")))
		catalogue := set.Choose(lang, "")
		for _, x := range rows {
			by := x.at.client()
			switch x.path {
			case "/account/name":
				by = guest
			case "/account/password":
				by = person
			}
			by.head["Accept"], by.head["Accept-Language"] = "text/html", lang
			form := url.Values{}
			for i := 0; i < len(x.form); i += 2 {
				form.Set(x.form[i], x.form[i+1])
			}
			a := by.do("POST", x.path, form)
			_, main, _ := strings.Cut(a.body, "<main")
			main, _, _ = strings.Cut(main, "</main>")
			note := regexp.MustCompile(`<span class="field-fault" id="fault-(\w+)" role="alert"([^>]*)>([^<]*)</span>`).FindStringSubmatch(main)
			want := catalogue.Text(x.key, x.put...)
			if a.status < 400 || a.status > 499 || note == nil || note[1] != x.field || note[2] != "" || html.UnescapeString(note[3]) != want {
				t.Errorf("%s, %s %q: %d with %q, want %q beside %s", lang, x.path, x.form, a.status, note, want, x.field)
			}
			if strings.Contains(main, `lang="en"`) && lang != "en" || lang != "en" && want == english.Text(x.key, x.put...) {
				t.Errorf("%s, %s %q: the page has English", lang, x.path, x.form)
			}
			said[x.key] = true
		}
	}
	for _, code := range auth.Faults() {
		if !said["field."+string(code)] {
			t.Errorf("%s stands in no row", code)
		}
	}
}
