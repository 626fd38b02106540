package guard

// Ungroup makes a warden behave as where no control groups can be made.
func (w *Warden) Ungroup() {
	_ = w.groups.close()
	vouchGroups(w.groups, false)
	w.groups = nil
}

// Grouped reports whether control groups can be made.
func (w *Warden) Grouped() bool { return w.groups != nil }
