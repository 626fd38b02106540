package main

import "kibitz/link/procfs"

// machineLoad is how many threads of the machine could have run over the last minute.
func machineLoad() (float64, bool) { return procfs.Load() }
