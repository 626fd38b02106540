package guard

import "errors"

// Ungroup makes a supervisor behave as where no control groups can be made.
func (w *Supervisor) Ungroup() {
	_ = w.groups.close()
	allowGroups(w.groups, false)
	w.groups, w.alone = nil, errors.New("this test wants none")
}

// Grouped reports whether control groups can be made.
func (w *Supervisor) Grouped() bool { return w.groups != nil }

// Worsen makes a supervisor behave as where namespaces of PIDs, or all, are not to be had.
func (w *Supervisor) Worsen(all bool) {
	w.failed(isolated, errors.New("this test wants none"))
	if all {
		w.failed(parted, errors.New("this test wants none"))
		w.failed(private, errors.New("this test wants none"))
	}
}
