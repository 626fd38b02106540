package main

import (
	"fmt"
	"time"
)

// delays counts delays by tenths of a millisecond, up to ten seconds.
type delays struct {
	counts [100_000]uint32
	n      uint64
	most   time.Duration
}

func (d *delays) add(x time.Duration) {
	d.counts[min(int(x/(100*time.Microsecond)), len(d.counts)-1)]++
	d.n++
	d.most = max(d.most, x)
}

// at returns the delay that a part of all, from 0 to 1, do not exceed.
func (d *delays) at(part float64) time.Duration {
	want, sum := part*float64(d.n), uint64(0)
	for i, c := range &d.counts {
		if sum += uint64(c); c > 0 && float64(sum) >= want {
			return time.Duration(i+1) * 100 * time.Microsecond
		}
	}
	return 0
}

// Outcome is what came of a plan. Shares are parts of all processors of a machine, of
// the busiest of its kind; bytes of memory are of a machine, those of the network in a
// second.
type Outcome struct {
	Hall, Worker, Bus, Database float64
	P50, P99, Most              time.Duration
	Sent                        float64 // events to spectators in a second
	HallBytes, SocketBytes      int64
	WorkerBytes                 int64
	HallNet, BusNet             int64
	// Listened is how many games the hall with the most listens to.
	Listened int
	// Stored are bytes that a day adds to the database, on PostgreSQL.
	Stored int64
}

func (s *sim) outcome() *Outcome {
	o := &Outcome{P50: s.delays.at(0.5), P99: s.delays.at(0.99), Most: s.delays.most}
	seconds := (s.p.Length - s.p.Warm).Seconds()
	o.Sent = float64(s.sent) / seconds
	busiest := func(list []*pool) (most float64) {
		for _, p := range list {
			most = max(most, p.share(s.p.Length))
		}
		return most
	}
	o.Hall, o.Worker, o.Bus, o.Database = busiest(s.halls), busiest(s.workers), busiest(s.buses), busiest(s.bases)
	moves := 1 / s.p.Every.Seconds()
	viewers, shown := make([]int64, len(s.halls)), make([]int64, len(s.halls))
	links := int64(0)
	for g := range s.games {
		for h, n := range s.games[g].viewers {
			viewers[h] += int64(n)
			if n > 0 {
				shown[h]++
				links++
			}
		}
	}
	for h := range viewers {
		o.HallBytes = max(o.HallBytes, s.c.HallBytes+shown[h]*s.c.ShownBytes+viewers[h]*s.c.SpectatorBytes)
		o.SocketBytes = max(o.SocketBytes, viewers[h]*s.c.SocketBytes)
		o.HallNet = max(o.HallNet, int64(float64(viewers[h]*s.c.EventBytes+shown[h]*s.c.MoveBytes)*moves))
		o.Listened = max(o.Listened, int(shown[h]))
	}
	o.BusNet = int64(float64((int64(s.p.Games)+links)*s.c.MoveBytes) * moves / float64(len(s.buses)))
	o.WorkerBytes = s.c.WorkerBytes + int64((s.p.Games+len(s.workers)-1)/len(s.workers))*s.c.PlayedBytes
	perDay := 24 * time.Hour.Seconds() / (s.p.Every.Seconds() * float64(s.p.Decisions)) * float64(s.p.Games)
	o.Stored = int64(perDay * float64(s.c.StoredPostgres))
	return o
}

// overloaded names what has more to do than it can.
func (o *Outcome) overloaded() string {
	const full = 0.995
	switch {
	case o.Hall >= full:
		return "halls"
	case o.Bus >= full:
		return "bus"
	case o.Worker >= full:
		return "workers"
	case o.Database >= full:
		return "database"
	}
	return ""
}

// bytes writes a size for people.
func bytes(n int64) string {
	const k = 1 << 10
	switch {
	case n < 10*k:
		return fmt.Sprintf("%d B", n)
	case n < 10*k*k:
		return fmt.Sprintf("%.0f KiB", float64(n)/k)
	case n < 10*k*k*k:
		return fmt.Sprintf("%.0f MiB", float64(n)/k/k)
	}
	return fmt.Sprintf("%.0f GiB", float64(n)/k/k/k)
}
