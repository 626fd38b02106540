package archive

import (
	"errors"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kibitz/hall/bus"
)

// One large record is looked at at a time, and small ones beside it.
func TestLargeRecords(t *testing.T) {
	v, err := NewVerifier(Archive{})
	if err != nil {
		t.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(size int) error {
		record := make([]byte, size)
		for i := range record {
			record[i] = ',' // too many values in any case
		}
		_, err := v.Verify(t.Context(), &bus.Play{}, &bus.Result{Record: enc.EncodeAll(record, nil)})
		return err
	}
	v.large <- struct{}{}
	if err := verify(MostValues + largeRecord); !errors.Is(err, bus.ErrNotNow) {
		t.Errorf("two large records at a time: %v", err)
	}
	<-v.large
	if err := verify(MostValues + largeRecord); err == nil || errors.Is(err, bus.ErrNotNow) {
		t.Errorf("a large record alone: %v", err)
	}
	if len(v.large) != 0 {
		t.Error("the place for a large record is still taken")
	}
}

// Whatever a record is, what it holds is counted at most.
func TestValues(t *testing.T) {
	for text, want := range map[string]int{
		`{}`: 1, `[1,2]`: 2, `{"a":[1,2],"b":"[,{"}`: 4, `"a\\",1`: 1, `"a\",1`: 0, ``: 0,
	} {
		if got := values([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
