package gamebase

// SetBatch sets how many positions are collected before they are written.
func (a *Adder) SetBatch(n int) { a.most = n }
