package dctp

// SplitReply is splitReply, for the fuzz target of the engine side.
func SplitReply(line []byte) (ok bool, number int, text []byte, is bool) { return splitReply(line) }
