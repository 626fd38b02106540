// Package hallclient speaks to the API of a hall, for the programs and tests that measure
// and disturb one.
package hallclient

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
)

// RefusedError is an answer of the hall of 300 or more.
type RefusedError struct {
	Method, Path string
	Status       int
	// Body is the answer, which says why.
	Body string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s %s: %d %s: %s", e.Method, e.Path, e.Status, http.StatusText(e.Status), e.Body)
}

// Address is the n-th of many addresses of this machine, from 0, so that limits by
// address count as in the world: 127.100.0.1 and so on, 62,500 of them.
func Address(n int) net.IP { return net.IPv4(127, 100, byte(n/250), byte(1+n%250)) }

// From returns a transport whose connections come from an address of this machine.
func From(ip net.IP) *http.Transport {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: ip}}
	return &http.Transport{DialContext: dialer.DialContext}
}

// Client keeps a session. It is not for several goroutines at once.
type Client struct {
	// HTTP sends the requests, http.DefaultClient if it is nil.
	HTTP *http.Client
	// Cookie is that of the session, once there is one.
	Cookie string
}

// Ask sends in as JSON, unless it is nil, to a path of the API ("/rooms") of the hall at
// url, and reads the answer into out, unless that is nil. An answer of 300 or more is an
// error that quotes it.
func (c *Client) Ask(ctx context.Context, url, method, path string, in, out any) error {
	var text io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		text = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url+"/api/v1"+path, text)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.Cookie != "" {
		req.Header.Set("Cookie", c.Cookie)
	}
	client := cmp.Or(c.HTTP, http.DefaultClient)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	data, err := io.ReadAll(res.Body)
	if res.StatusCode >= http.StatusMultipleChoices {
		return errors.Join(err, &RefusedError{Method: method, Path: path, Status: res.StatusCode, Body: string(data)})
	}
	if err != nil {
		return err
	}
	for _, k := range res.Cookies() {
		c.Cookie = k.Name + "=" + k.Value
	}
	if out == nil || len(data) == 0 {
		return nil
	}
	return json.Unmarshal(data, out)
}
