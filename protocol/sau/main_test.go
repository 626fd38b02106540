package sau_test

import (
	"os"
	"sync"
	"testing"

	"kibitz/catalog"
	"kibitz/protocol/sau"
)

var forms = catalog.FormsSAU()

func TestMain(m *testing.M) {
	sau.SetForms(forms)
	code := m.Run()
	if faultEngine.remove != nil {
		faultEngine.remove()
	}
	os.Exit(code)
}

var faultEngine struct {
	once   sync.Once
	path   string
	err    error
	remove func()
}
