package service

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseNetworks(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", "10.0.0.0/8": "[10.0.0.0/8]", "127.0.0.1, ::1": "[127.0.0.1/32 ::1/128]", "10.0.0.0/8,fd00::/8": "[10.0.0.0/8 fd00::/8]",
		"hall.example": `"hall.example" is no network`, "10.0.0.0/33": `"10.0.0.0/33" is no network`,
	} {
		list, err := ParseNetworks(text)
		got := fmt.Sprint(list)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
