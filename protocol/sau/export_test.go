package sau

// forms are those of the catalog, for the tests that see the inside of the package.
var forms Forms

// SetForms is how the tests outside, which may import the catalog, pass them on.
func SetForms(l Forms) { forms = l }
