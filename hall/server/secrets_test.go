package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// secrets is what the clients of a test sent and were given that nobody else may know.
type secrets struct {
	mu   sync.Mutex
	list map[string]bool
}

// add remembers a secret, if it is long enough to stand in a log for no other reason.
func (s *secrets) add(text string) {
	if len(text) < 8 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		s.list = map[string]bool{}
	}
	s.list[text] = true
}

// sent remembers what a request brings, and leaves it as it was.
func (s *secrets) sent(r *http.Request) {
	if _, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok {
		s.add(token)
	}
	for _, k := range r.Cookies() {
		s.add(k.Value)
	}
	s.add(r.Header.Get("Idempotency-Key"))
	if _, code, ok := strings.Cut(r.URL.Path, "/challenges/"); ok {
		code, _, _ = strings.Cut(code, "/")
		s.add(code)
	}
	if code, ok := strings.CutPrefix(r.URL.Path, "/c/"); ok {
		code, _, _ = strings.Cut(code, "/")
		s.add(code)
	}
	if r.Body == nil {
		return
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	s.find(data)
}

// given remembers what an answer brings.
func (s *secrets) given(head http.Header, body []byte) {
	for _, line := range head.Values("Set-Cookie") {
		if k, err := http.ParseSetCookie(line); err == nil {
			s.add(k.Value)
		}
	}
	s.find(body)
}

// find looks for the fields that hold secrets, at any depth.
func (s *secrets) find(data []byte) {
	var v any
	if json.Unmarshal(data, &v) == nil {
		s.walk("", v)
	}
}

func (s *secrets) walk(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if k != "why" { // whose code is the name of a reason
				s.walk(k, x)
			}
		}
	case []any:
		for _, x := range v {
			s.walk(name, x)
		}
	case string:
		switch name {
		case "password", "old", "new", "token", "invitation", "code", "text", "steps":
			s.add(v)
		}
	}
}

// in returns the secrets that a text holds, as they are or as they are written in URLs
// and in JSON.
func (s *secrets) in(text string) (found []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for secret := range s.list {
		quoted, _ := json.Marshal(secret)
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(quoted[1 : len(quoted)-1])} {
			if strings.Contains(text, form) {
				found = append(found, secret)
				break
			}
		}
	}
	return found
}

// The search of each test's log finds what it is meant to find.
func TestSecretsAreFound(t *testing.T) {
	var s secrets
	s.find([]byte(`{"a":[{"password":"p\u00e4ss \"word\"/+"}],"name":"not a secret","token":"short"}`))
	for _, text := range []string{`"path":"/x?y=p%C3%A4ss+%22word%22%2F%2B"`, `"error":"päss \"word\"/+"`, "päss \"word\"/+"} {
		if len(s.in(text)) != 1 {
			t.Errorf("%s is not found", text)
		}
	}
	if len(s.in("not a secret, short")) != 0 {
		t.Error("what is no secret is found")
	}
}
