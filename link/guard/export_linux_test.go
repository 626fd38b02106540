package guard

import "errors"

// Ungroup makes a warden behave as where no control groups can be made.
func (w *Warden) Ungroup() {
	_ = w.groups.close()
	vouchGroups(w.groups, false)
	w.groups, w.alone = nil, errors.New("this test wants none")
}

// Grouped reports whether control groups can be made.
func (w *Warden) Grouped() bool { return w.groups != nil }
