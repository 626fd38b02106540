package full

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/run/engines"
)

func TestCredentials(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kibitz.token"), []byte("hush\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	t.Setenv(engines.CredentialsVariable, dir)
	for name, want := range map[string]string{"token": "hush", "db": ""} {
		if got, err := credential(name); got != want || err != nil {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	given := "by flag"
	if err := fromCredential(&given, "token"); given != "by flag" || err != nil {
		t.Errorf("%q %v", given, err)
	}
	// Engines are not told where they lie.
	e := &engines.Spec{Cmd: []string{"/bin/true"}}
	if _, _, env := e.Process(); strings.Contains(strings.Join(env, "\n"), engines.CredentialsVariable) {
		t.Error("an engine learns where the credentials are")
	}
}
