package main

import "time"

// measuredCosts are from runs of make load and make cluster; docs/measured/scale.md says which.
// None of them is from the run that the model is checked against.
func measuredCosts() *Costs {
	const us = time.Microsecond
	return &Costs{
		WorkerMove: 170 * us, WorkerGame: 100 * us,
		HallMove: 330 * us, HallGame: 240 * us, Unseen: 80 * us,
		View: 20700 * time.Nanosecond, Idle: 3 * us, Arrive: 450 * us,
		BusIn: 100 * us, BusOut: 70 * us,
		Game: 2 * time.Millisecond, Store: 3400 * us, Read: 6200 * time.Nanosecond,
		HallBytes: 24 << 20, ShownBytes: 217 << 10, SpectatorBytes: 48 << 10, SocketBytes: 5 << 10, WorkerBytes: 10 << 20, PlayedBytes: 180 << 10,
		EventBytes: 328, MoveBytes: 1400, StoredSQLite: 4300, StoredPostgres: 12_000,
	}
}

// measured is the run that the model is checked against: 200 games with a decision a
// second, 10,000 spectators, everything on one machine of two processors.
func measured() (*Plan, *Outcome) {
	p := &Plan{
		Games: 200, Spectators: 10_000, Every: time.Second, Decisions: 200, Processors: 2,
		Warm: 5 * time.Second, Length: 35 * time.Second, Seed: 1,
	}
	return p, &Outcome{
		Hall: 0.437 / 2, P50: 3 * time.Millisecond, P99: 10 * time.Millisecond, Most: 37 * time.Millisecond, Sent: 10_003,
		HallBytes: 648597504, SocketBytes: 196608,
	}
}
