package main

import (
	"errors"
	"time"
)

// Costs are what was measured. Processor times are of one processor of the machine on
// which they were.
type Costs struct {
	// WorkerMove is a worker's for a decision: referee, events, publishing; WorkerGame
	// what a game costs it in a second beside.
	WorkerMove, WorkerGame time.Duration
	// HallMove is a hall's for a decision of a game that it shows: taking it from the
	// bus, what changes of the board, encoding. HallGame is what each running game costs
	// the halls together in a second beside: signs of life, its lease.
	HallMove, HallGame time.Duration
	// Unseen is for a decision that nobody looks at, where the NATS server is within the
	// hall.
	Unseen time.Duration
	// View is a hall's for sending one event to one spectator, Idle for a spectator who
	// is sent nothing, in a second, Arrive for one that comes.
	View, Idle, Arrive time.Duration
	// BusIn is a NATS server's for the messages of a decision that come to it, BusOut
	// for those that go to one hall.
	BusIn, BusOut time.Duration
	// Game is a hall's for beginning a game and taking its result, Store the database's.
	Game, Store time.Duration
	// Read is a spectator's own, where it shares the machine.
	Read time.Duration

	// Memory in bytes: of a hall, of a game that it shows, of a spectator, of a
	// spectator in the kernel; of a worker and of a game with built-in engines.
	HallBytes, ShownBytes, SpectatorBytes, SocketBytes, WorkerBytes, PlayedBytes int64
	// EventBytes are on the wire to a spectator, MoveBytes on the bus for one decision.
	EventBytes, MoveBytes int64
	// StoredSQLite and StoredPostgres are of a game with record and positions.
	StoredSQLite, StoredPostgres int64
}

// Plan is what is simulated.
type Plan struct {
	Games, Spectators int
	// Every is the time between two decisions of a game, Decisions how many it has.
	Every     time.Duration
	Decisions int
	// Halls, Workers and Buses are machines of Processors each. With Halls of 0
	// everything is on one machine, the spectators too, as when it is measured.
	Halls, Workers, Buses, Databases, Processors int
	// Near lets all spectators of a game look on at one hall, as where a proxy chooses
	// by the game; else they are spread over all.
	Near bool
	// Together lets all games move at the same moment: the worst case.
	Together bool
	// Warm is what is not counted at the beginning, Length all of it.
	Warm, Length time.Duration
	Seed         uint64
}

func (p *Plan) check() error {
	switch {
	case p.Games < 1 || p.Spectators < 0 || p.Processors < 1 || p.Every <= 0 || p.Decisions < 1:
		return errors.New("a plan needs games, processors, decisions and the time between them")
	case p.Halls > 0 && (p.Workers < 1 || p.Buses < 1 || p.Databases < 1):
		return errors.New("a plan with halls needs workers, buses and databases")
	case p.Warm < 0 || p.Length <= p.Warm:
		return errors.New("a plan must be longer than what is not counted of it")
	}
	return nil
}
