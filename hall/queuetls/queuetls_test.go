package queuetls

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/store/halldir"
)

// What a full disk left empty at the first start is made at the next one; what is there stays.
func TestMadeOnAFullDisk(t *testing.T) {
	f, err := halldir.Open(t.TempDir(), rand.Text)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range []string{CertificateFile, "worker.token"} {
		if err := os.WriteFile(filepath.Join(f.Dir, name), nil, ownersOnly); err != nil {
			t.Fatal(err)
		}
	}
	var texts, words [2]string
	for i := range texts {
		text, err := Certificate(f, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		_, pin, err := bus.ServerTLS(text, text)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
		if words[i], err = CommonToken(f, pin); err != nil {
			t.Fatal(err)
		}
	}
	if texts[0] != texts[1] || words[0] != words[1] || len(words[0]) < 20 {
		t.Errorf("tokens %q, the same certificate: %v", words, texts[0] == texts[1])
	}
}
