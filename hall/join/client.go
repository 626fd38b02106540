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
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &Client{base: u, token: token, http: &http.Client{Jar: jar}}, nil
}

func (h *Client) authorise(head http.Header) {
	if h.token != "" {
		head.Set("Authorization", "Bearer "+h.token)
	}
}

// get returns what the hall has at a path.
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

// dial opens the websocket of a place.
func (h *Client) dial(ctx context.Context, room string, place int) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, hallTimeout)
	defer cancel()
	head := http.Header{}
	h.authorise(head)
	address := fmt.Sprintf("%s%s/seat?place=%d", h.base, roomPath(room), place)
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
