package site

import (
	"bytes"
	"net/http"

	"github.com/klauspost/compress/gzip"

	"kibitz/hall/web"
)

// worthPacking is the size from which a body is packed.
const worthPacking = 1 << 10

// writeBody writes a body, packed where the client takes that. Answers to forms are not:
// they can show a secret beside what was sent.
func (h *Site) writeBody(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if r.Method == http.MethodGet && len(body) >= worthPacking {
		w.Header().Add("Vary", "Accept-Encoding")
		if web.Accepts(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			body = h.packed(body)
		}
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone needs no answer
}

func (h *Site) packed(body []byte) []byte {
	z, ok := h.packers.Get().(*gzip.Writer)
	if !ok {
		z, _ = gzip.NewWriterLevel(nil, gzip.BestCompression) // which is a level
	}
	defer h.packers.Put(z)
	var out bytes.Buffer
	z.Reset(&out)
	_, _ = z.Write(body) // memory takes all
	_ = z.Close()
	return out.Bytes()
}
