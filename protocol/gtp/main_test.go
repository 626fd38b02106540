package gtp_test

import (
	"os"
	"testing"

	"kibitz/catalog"
	"kibitz/protocol/gtp"
)

var forms = catalog.FormsGTP()

func TestMain(m *testing.M) {
	gtp.SetForms(forms)
	os.Exit(m.Run())
}
