package client

import (
	"fmt"
	"strconv"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

var heartbeats = []conformance.Scenario{
	{
		ID: "client/heartbeats/holding", Role: spec.RoleClient,
		Title:  "heartbeats flow while holding, never further apart than a quarter of the lease",
		Judges: []spec.ID{spec.C_HB_01, spec.C_HB_07, spec.C_HB_08}, Leases: 6,
		Method: "The client holds for ten heartbeats, each answered ACQUIRED at once. No interval is longer than a quarter of the lease, and their mean is not far below it.",
		Run: func(t *conformance.T) {
			_, peer, _ := holding(t)
			judgePace(t, peer, spec.C_HB_01, "ACQUIRED")
		},
	},
	{
		ID: "client/heartbeats/waiting", Role: spec.RoleClient,
		Title:  "heartbeats flow while waiting",
		Judges: []spec.ID{spec.C_HB_02, spec.C_HB_07, spec.C_HB_08}, Leases: 6,
		Method: "The client waits for ten heartbeats, each answered WAITING at once. No interval is longer than a quarter of the lease, and their mean is not far below it.",
		Run: func(t *conformance.T) {
			_, peer, _ := waiting(t)
			judgePace(t, peer, spec.C_HB_02, "WAITING")
		},
	},
	{
		ID: "client/heartbeats/shrinks-with-round-trip", Role: spec.RoleClient,
		Title:  "the interval shrinks by two smoothed round trips",
		Judges: []spec.ID{spec.C_HB_03, spec.C_HB_09}, Leases: 16,
		Method: "Answers come 0, 40, 100 and 150 ms late, side by side, until a smoothed round trip has settled however it began. At 100 ms the interval must be shorter by about 200 ms; a plateau that more delay does not lower is the client's floor. The curve is recorded.",
		Run:    shrinks,
	},
	{
		ID: "client/heartbeats/one-in-flight", Role: spec.RoleClient,
		Title:  "never a second heartbeat before the first is answered",
		Judges: []spec.ID{spec.C_HB_04}, Leases: 4,
		Method: "An answer is held back for 0.4 of the lease, well over an interval, while holding and while waiting. No heartbeat comes before it.",
		Run: func(t *conformance.T) {
			t.Together(
				func(t *conformance.T) { _, peer, _ := holding(t); oneInFlight(t, peer) },
				func(t *conformance.T) { _, peer, _ := waiting(t); oneInFlight(t, peer) },
			)
		},
	},
	{
		ID: "client/heartbeats/send-to-send", Role: spec.RoleClient,
		Title:  "the interval runs from send to send, not from the answer",
		Judges: []spec.ID{spec.C_HB_05}, Leases: 8,
		Method: "One answer comes late by 0.4 of an interval, its neighbours at once. The next heartbeat must not be later than an interval after the one before.",
		Run: func(t *conformance.T) {
			base := longLease(t) / 4
			_, peer, _ := holding(t, conformance.ForLease(longLease(t)))
			peer.AnswerAs(func(n int) (time.Duration, bool) {
				if n == 3 {
					return base * 4 / 10, true
				}
				return 0, true
			})
			beats := collect(t, peer, 5, longLease(t))
			w := conformance.Window{From: beats[3], By: beats[3].Add(base + slack(longLease(t)))}
			t.JudgeInstant(peer.Who(), spec.C_HB_05, "the next heartbeat counts from the last one's send", "a HEARTBEAT", beats[4], w)
		},
	},
	{
		ID: "client/heartbeats/right-after-the-answer", Role: spec.RoleClient,
		Title:  "where two round trips are an interval or more, the next heartbeat goes right after the answer",
		Judges: []spec.ID{spec.C_HB_06}, Leases: 16,
		Method: "Every answer comes late by 0.6 of an interval. Once the smoothed round trip has settled, each heartbeat follows the answer before it at once.",
		Run: func(t *conformance.T) {
			base := longLease(t) / 4
			_, peer, _ := holding(t, conformance.ForLease(longLease(t)))
			delay := base * 6 / 10
			peer.AnswerLate(delay)
			beats := collect(t, peer, 11, longLease(t))
			for i := 8; i < 10; i++ {
				answered := beats[i].Add(delay)
				w := conformance.Window{From: answered, By: answered.Add(base / 5)}
				t.JudgeInstant(peer.Who(), spec.C_HB_06, "the next heartbeat goes right after the answer", "a HEARTBEAT", beats[i+1], w)
			}
		},
	},
	{
		ID: "client/heartbeats/below-the-floor", Role: spec.RoleClient,
		Title:  "what happens where a quarter of the lease is below the floor is recorded",
		Judges: []spec.ID{spec.C_HB_09},
		Method: "The client holds with a lease of 300 ms. Its interval is recorded.",
		Run: func(t *conformance.T) {
			const short = 300 * time.Millisecond
			_, peer, _ := holding(t, conformance.ForLease(short))
			t.Pause(2 * short)
			beats := peer.Beats()
			if len(beats) < 2 {
				t.Observe(spec.C_HB_09, "interval_ms_at_lease_300", "none: fewer than two heartbeats in two leases")
				return
			}
			t.Observe(spec.C_HB_09, "interval_ms_at_lease_300", strconv.FormatInt(mean(beats).Milliseconds(), 10))
		},
	},
	{
		ID: "client/heartbeats/afresh-after-reconnect", Role: spec.RoleClient, Needs: retry,
		Title:  "after a reconnect the schedule starts afresh",
		Judges: []spec.ID{spec.C_HB_10}, Notices: []spec.ID{spec.C_ACQ_01}, Leases: 6,
		Method: "A waiter's connection is reset while a heartbeat is unanswered, twice. On each new connection heartbeats flow from the start, at the right pace.",
		Run: func(t *conformance.T) {
			_, peer, server := waiting(t, conformance.Retrying())
			for range 2 {
				peer.AnswerAs(nil)
				peer.Drain()
				peer.WantHeartbeat(spec.C_HB_02, "a waiter heartbeats", interval(t, peer, lease(t)))
				peer.Reset()
				peer = server.AcceptWithin(spec.C_LOSS_02, "the client comes back", t.Within(comeBack))
				peer.WantAcquire(spec.C_LOSS_02, "with a new ACQUIRE")
				peer.Answer()
				from := peer.Wait()
				for range 3 {
					w := conformance.Window{From: from.Before, By: from.After.Add(pace(t, lease(t)))}
					at := peer.WantHeartbeat(spec.C_HB_10, "on a new connection heartbeats flow from the start", w)
					from = conformance.Stamp{Before: at, After: at}
				}
			}
		},
	},
}

// comeBack is how long a retrying client may take to come back: the documented
// backoff ends at 5 s.
const comeBack = 6 * time.Second

// slack is what an interval may be longer: timers of a language's own event loop
// and the way to the suite's socket.
func slack(lease time.Duration) time.Duration { return max(lease/20, 60*time.Millisecond) }

// pace is the longest interval between two heartbeats, slack included.
func pace(_ *conformance.T, lease time.Duration) time.Duration { return lease/4 + slack(lease) }

// interval is the window in which the next heartbeat comes, counted from now or
// from the last one.
func interval(t *conformance.T, peer *conformance.Peer, lease time.Duration) conformance.Window {
	from := peer.Last().Sent.After
	if beats := peer.Beats(); len(beats) > 0 && beats[len(beats)-1].After(from) {
		from = beats[len(beats)-1]
	}
	return conformance.Window{From: from, By: from.Add(pace(t, lease))}
}

// collect waits for that many heartbeats of a connection, from its first.
func collect(t *conformance.T, peer *conformance.Peer, count int, lease time.Duration) []time.Time {
	for range count {
		w := t.Within(2 * lease)
		peer.WantHeartbeat(spec.C_HB_01, "heartbeats go on", w)
	}
	return peer.Beats()[:count]
}

// judgePace judges the next ten heartbeats, which are answered at once.
func judgePace(t *conformance.T, peer *conformance.Peer, id spec.ID, answer string) {
	const beats = 10
	before := len(peer.Beats())
	peer.WantHeartbeat(id, "heartbeats begin within a quarter of the lease", interval(t, peer, lease(t)))
	for range beats - 1 {
		w := interval(t, peer, lease(t))
		at, ok := peer.NextHeartbeat(w.By.Add(lease(t)))
		if !ok {
			t.Fail(spec.C_HB_08, answer+" acknowledges, so heartbeats go on", "a further heartbeat", peer.Who()+": none, though the one before was answered "+answer)
		}
		t.JudgeInstant(peer.Who(), id, "the next heartbeat comes within a quarter of the lease", "a HEARTBEAT", at, w)
	}
	t.Pass(spec.C_HB_08, answer+" acknowledges, for heartbeats go on")
	if m := mean(peer.Beats()[before:]); m < lease(t)/4*6/10 {
		t.Fail(spec.C_HB_07, "on a fast link the interval stays near a quarter of the lease", fmt.Sprintf("a mean of about %v", lease(t)/4), m.String())
	} else {
		t.PassAfter(spec.C_HB_07, "on a fast link the interval stays near a quarter of the lease", m)
	}
}

func mean(beats []time.Time) time.Duration {
	return beats[len(beats)-1].Sub(beats[0]) / time.Duration(len(beats)-1)
}

// settled is how many heartbeats make an EWMA that began at 0 and one that began
// at the first sample agree within a tenth.
const settled = 11

// shrinks measures the interval at several round trips side by side.
func shrinks(t *conformance.T) {
	base := longLease(t) / 4
	delays := []time.Duration{0, 40 * time.Millisecond, 100 * time.Millisecond, 150 * time.Millisecond}
	intervals := make([]time.Duration, len(delays))
	var parts []func(*conformance.T)
	began := time.Now()
	for i, delay := range delays {
		parts = append(parts, func(t *conformance.T) {
			_, peer, _ := asked(t, conformance.ForLease(longLease(t)))
			t.Pause(delay)
			peer.AnswerLate(delay)
			peer.Grant(token)
			beats := collect(t, peer, settled+3, longLease(t))
			intervals[i] = mean(beats[settled-1:])
			t.Observe(spec.C_HB_09, fmt.Sprintf("interval_ms_at_round_trip_%d", delay.Milliseconds()), strconv.FormatInt(intervals[i].Milliseconds(), 10))
		})
	}
	t.Together(parts...)
	const why = "the interval shrinks by two smoothed round trips"
	if intervals[2] == 0 || intervals[3] == 0 {
		return // a part has judged what went wrong
	}
	rtt := delays[2]
	most := base - rtt*3/2 // half way between one round trip and two
	floor := intervals[2] < base-rtt/2 && intervals[3] > intervals[2]-rtt/5
	switch got := intervals[2]; {
	case got <= most || floor:
		t.PassAfter(spec.C_HB_03, why, got)
	case got-most <= t.Lateness(began):
		t.Doubt(spec.C_HB_03, why, "at most "+most.String(), got.String())
	default:
		t.Fail(spec.C_HB_03, why, fmt.Sprintf("about %v at a round trip of %v, at most %v", base-2*rtt, rtt, most), got.String())
	}
}

// oneInFlight holds one answer back and wants no heartbeat before it.
func oneInFlight(t *conformance.T, peer *conformance.Peer) {
	peer.WantHeartbeat(spec.C_HB_01, "the client heartbeats", interval(t, peer, lease(t)))
	peer.AnswerAs(nil)
	at := peer.WantHeartbeat(spec.C_HB_01, "the client heartbeats", interval(t, peer, lease(t)))
	peer.WantNothing(spec.C_HB_04, "no second heartbeat before the first is answered", at.Add(lease(t)*4/10))
	peer.Answer()
	peer.Again()
	peer.WantHeartbeat(spec.C_HB_01, "after the answer heartbeats go on", t.Within(pace(t, lease(t))))
}
