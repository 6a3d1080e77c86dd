package bench

import (
	"net"
	"slices"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/faultproxy"
)

// The goals, of the design's numbers.
const (
	roundTripShare = 0.5 // of the round trip that toxiproxy adds
	throughputGain = 2.0 // times toxiproxy's
	delayErrorP99  = time.Millisecond
)

// Rounds alternate between the paths, so that what else the machine does meets
// all of them alike.
const (
	rounds        = 10
	tripsARound   = 1000
	bytesARound   = 256 << 20
	delaysToCheck = 300
)

// TestSideBySide measures every path in one run and checks the goals.
func TestSideBySide(t *testing.T) {
	missed := judge(t)
	trips, rates := measureTrips(t), measureRates(t)
	direct := median(trips["direct"])
	t.Logf("%-22s %12s %12s %12s", "path", "round trip", "added", "throughput")
	for _, p := range paths {
		trip := median(trips[p.name])
		t.Logf("%-22s %12v %12v %9.2f GB/s", p.name, trip, trip-direct, slices.Max(rates[p.name]))
	}
	added := func(name string) float64 { return float64(median(trips[name]) - direct) }
	if share := added("faultproxy") / added("toxiproxy"); share > roundTripShare {
		missed("the added round trip is %.2f of toxiproxy's, want at most %.2f", share, roundTripShare)
	}
	if gain := slices.Max(rates["faultproxy"]) / slices.Max(rates["toxiproxy"]); gain < throughputGain {
		missed("throughput is %.2f times toxiproxy's, want at least %.2f", gain, throughputGain)
	}
}

func measureTrips(t *testing.T) map[string][]time.Duration {
	conns, trips := openAll(t, echo), make(map[string][]time.Duration)
	buf := make([]byte, frame)
	for range rounds {
		for _, p := range paths {
			for range tripsARound {
				start := time.Now()
				roundTrip(t, conns[p.name], buf)
				trips[p.name] = append(trips[p.name], time.Since(start))
			}
		}
	}
	return trips
}

// measureRates returns GB/s, one value a round.
func measureRates(t *testing.T) map[string][]float64 {
	rates, buf := make(map[string][]float64), make([]byte, chunk)
	for range rounds {
		for _, p := range paths {
			c := dial(t, p.open(t, serve(t, swallow)))
			start := time.Now()
			for range bytesARound / chunk {
				if _, err := c.Write(buf); err != nil {
					t.Fatal(err)
				}
			}
			awaitEnd(c)
			rates[p.name] = append(rates[p.name], bytesARound/1e9/time.Since(start).Seconds())
		}
	}
	return rates
}

func openAll(t *testing.T, handle func(*net.TCPConn)) map[string]*net.TCPConn {
	conns := make(map[string]*net.TCPConn)
	for _, p := range paths {
		conns[p.name] = dial(t, p.open(t, serve(t, handle)))
	}
	return conns
}

// TestDelayError checks how late a delayed frame is: one way, from the write
// to the arrival at the server.
func TestDelayError(t *testing.T) {
	const delay = 20 * time.Millisecond
	missed := judge(t)
	open := ours(faultproxy.Config{Rules: []faultproxy.Rule{{Fault: faultproxy.Delay, Delay: delay, Dir: faultproxy.Up}}})
	arrived := make(chan time.Time)
	c := dial(t, open(t, serve(t, func(c *net.TCPConn) {
		for buf := make([]byte, frame); ; {
			if n, err := c.Read(buf); n < frame || err != nil {
				return
			}
			arrived <- time.Now()
		}
	})))
	var late []time.Duration
	for i := range delaysToCheck {
		time.Sleep(time.Duration(i%7) * 300 * time.Microsecond)
		sent := time.Now()
		if _, err := c.Write(make([]byte, frame)); err != nil {
			t.Fatal(err)
		}
		late = append(late, (<-arrived).Sub(sent)-delay)
	}
	slices.Sort(late)
	p99 := late[len(late)*99/100]
	t.Logf("late by %v (p50), %v (p99), %v (most)", median(late), p99, late[len(late)-1])
	if late[0] < 0 {
		t.Errorf("one came %v too early", -late[0])
	}
	if p99 > delayErrorP99 {
		missed("late by %v (p99), want at most %v", p99, delayErrorP99)
	}
}

func median(of []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}
