package full

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/run/engines"
)

// credential returns a secret that systemd keeps for this service under a name such as
// kibitz.db; empty if there is none.
func credential(name string) (string, error) {
	dir := os.Getenv(engines.CredentialsVariable)
	if dir == "" {
		return "", nil
	}
	b, err := os.ReadFile(filepath.Join(dir, "kibitz."+name))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("the credential kibitz.%s: %w", name, err)
	}
	return strings.TrimSpace(string(b)), nil
}

// fromCredential sets what no flag or variable gives from a credential.
func fromCredential(value *string, name string) (err error) {
	if *value == "" {
		*value, err = credential(name)
	}
	return err
}

// readable says that the file of a flag cannot be read, before something is waited for; no file can.
func readable(flag, file string) error {
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return f.Close()
}

// tokenIn reads the token of somebody from the file of a flag, which holds nothing else; without a
// file it is empty.
func tokenIn(flag, file, of string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	words := strings.Fields(string(data))
	if len(words) != 1 {
		return "", fmt.Errorf("%s %s: want the token of %s, one word", flag, file, of)
	}
	return words[0], nil
}
