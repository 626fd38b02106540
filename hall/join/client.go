package join

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
)

// Client asks a hall elsewhere as one account.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
	// me is who the client is, once it is known.
	me account
}

// account is who somebody is in a hall.
type account struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// mostAnswer is most of what a hall may say to one question, in bytes.
const mostAnswer = 16 << 20

// hallTimeout is how long a hall may take for it.
const hallTimeout = 20 * time.Second

// refusal is a problem with which a hall answers.
type refusal struct {
	status int
	// code is the word of the problem, empty if whatever answered is no hall.
	code, text string
}

func (e *refusal) Error() string { return e.text }

// temporary reports whether the same question may be answered later.
func (e *refusal) temporary() bool {
	return e.status >= 500 || e.status == http.StatusTooManyRequests || e.status == http.StatusRequestTimeout
}

// NewClient reads the address of a hall. Without a token the client is nobody until
// it becomes a guest.
func NewClient(address, token string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a hall: write one such as http://localhost:8080 or https://hall.example",
			game.Shown(address, 100))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the address of a hall has no name, query or fragment: tokens stand in KIBITZ_TOKEN or in a file")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if at, room, ok := strings.Cut(u.Path, "/rooms/"); ok {
		u.Path = at
		return nil, fmt.Errorf("%q is the address of a room: write %s --room %s", game.Shown(address, 100), u, game.Shown(room, 60))
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &Client{base: u, token: token, http: &http.Client{Jar: jar, CheckRedirect: sameMethod}}, nil
}

// sameMethod follows where an address leads, unless what is sent would be lost on the way.
func sameMethod(r *http.Request, via []*http.Request) error {
	if r.Method != via[0].Method || len(via) >= 10 {
		return http.ErrUseLastResponse
	}
	return nil
}

func (h *Client) authorise(head http.Header) {
	if h.token != "" {
		head.Set("Authorization", "Bearer "+h.token)
	}
}

// Login makes the client the account of that name.
func (h *Client) Login(ctx context.Context, name, password string) error {
	err := h.post(ctx, "/api/v1/account/login", map[string]any{"name": name, "password": password}, &h.me)
	if err != nil {
		return fmt.Errorf("account %s: %w", game.Shown(name, 40), err)
	}
	return nil
}

// account is who the client is; without a login or a token it becomes a guest.
func (h *Client) account(ctx context.Context) (account, error) {
	if h.me.ID != 0 {
		return h.me, nil
	}
	var err error
	if h.token == "" {
		err = h.post(ctx, "/api/v1/account/guest", map[string]any{}, &h.me)
	} else {
		var data []byte
		if data, err = h.get(ctx, "/api/v1/account"); err == nil {
			err = json.Unmarshal(data, &h.me)
		}
	}
	if e := (*refusal)(nil); h.token == "" && errors.As(err, &e) && e.status == http.StatusForbidden {
		err = fmt.Errorf("%w (--token-file has the token of an account)", err)
	}
	if err != nil {
		return account{}, fmt.Errorf("%s: %w", h.base, err)
	}
	return h.me, nil
}

// Room is a room of the lobby.
type Room struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Game    game.Spec `json:"spec"`
	Host    string    `json:"host"`
	Players [2]string `json:"players"`
	Clocks  [2]string `json:"clocks"`
}

// Rooms are the listed rooms with a free place.
func (h *Client) Rooms(ctx context.Context, id string) (list []Room, err error) {
	data, err := h.get(ctx, "/api/v1/rooms?free=true&game="+url.QueryEscape(id))
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	return list, err
}

// Settings are what a room is to be, as the routes of rooms read it.
type Settings struct {
	Game     game.Spec `json:"game"`
	Clocks   [2]string `json:"clocks"`
	Games    int       `json:"games"`
	Begins   string    `json:"begins"`
	Exchange bool      `json:"exchange"`
	Auto     bool      `json:"auto"`
	Undo     bool      `json:"undo"`
	Access   string    `json:"access,omitempty"`
	Pause    float64   `json:"pause"`
	Position string    `json:"position,omitempty"`
	Opening  []string  `json:"opening,omitempty"`
	From     string    `json:"from,omitempty"`
}

// Open opens a room. A private one has a code, which is its password.
func (h *Client) Open(ctx context.Context, s *Settings) (id, code string, err error) {
	if _, err := h.account(ctx); err != nil {
		return "", "", err
	}
	var r struct {
		ID   string `json:"id"`
		Code string `json:"code"`
	}
	if err := h.post(ctx, "/api/v1/rooms", map[string]any{"settings": s}, &r); err != nil {
		return "", "", err
	}
	id = r.ID
	if s.Access == "private" {
		err = h.post(ctx, roomPath(id)+"/commands", map[string]any{"do": "code"}, &r)
	}
	return id, r.Code, err
}

func (h *Client) get(ctx context.Context, path string) ([]byte, error) {
	return h.do(ctx, http.MethodGet, path, nil)
}

// post sends in as JSON and reads the answer into out, if that is not nil.
func (h *Client) post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	data, err := h.do(ctx, http.MethodPost, path, body)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return fmt.Errorf("%s is no hall of Kibitz: its answer cannot be read: %w", h.base, err)
	}
	return nil
}

func (h *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, hallTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, h.base.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	h.authorise(req.Header)
	res, err := h.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() //nolint:errcheck // it was read to its end, or is of no use
	data, err := io.ReadAll(io.LimitReader(res.Body, mostAnswer))
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		return nil, h.refused(res, data)
	}
	return data, nil
}

// refused reads a problem (RFC 9457).
func (h *Client) refused(res *http.Response, data []byte) error {
	if to, err := res.Location(); err == nil {
		return &refusal{status: res.StatusCode, text: fmt.Sprintf("it leads to %s://%s: write that address", to.Scheme, to.Host)}
	}
	var p struct {
		Type   string `json:"type"`
		Detail string `json:"detail"`
		Errors []struct {
			Pointer string `json:"pointer"`
			Detail  string `json:"detail"`
		} `json:"errors"`
	}
	if json.Unmarshal(data, &p) != nil || p.Detail == "" {
		return &refusal{status: res.StatusCode, text: fmt.Sprintf("%s answers %q: is that a hall of Kibitz?", h.base, game.Shown(res.Status, 80))}
	}
	e := &refusal{status: res.StatusCode, text: p.Detail}
	for _, x := range p.Errors {
		if !strings.Contains(p.Detail, x.Detail) {
			e.text += "; " + strings.TrimPrefix(x.Pointer+" ", " ") + x.Detail
		}
	}
	e.text = game.Shown(e.text, 500)
	_, e.code, _ = strings.Cut(p.Type, "urn:kibitz:problem:")
	return e
}

func (h *Client) dial(ctx context.Context, room, socket string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, hallTimeout)
	defer cancel()
	head := http.Header{}
	h.authorise(head)
	address := h.base.String() + roomPath(room) + "/" + socket
	options := &websocket.DialOptions{HTTPClient: h.http, HTTPHeader: head, CompressionMode: websocket.CompressionDisabled}
	c, res, err := websocket.Dial(ctx, address, options) //nolint:bodyclose // the library has closed it
	if err == nil {
		return c, nil
	}
	if res == nil || res.StatusCode == http.StatusSwitchingProtocols {
		return nil, err
	}
	data, _ := io.ReadAll(res.Body) // the library keeps the beginning of it
	return nil, h.refused(res, data)
}

func roomPath(room string) string { return "/api/v1/rooms/" + url.PathEscape(room) }
