package server

import (
	"fmt"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/scenarios/server/history"
)

var load = []conformance.Scenario{
	{
		ID: "server/load/random-clients", Role: spec.RoleServer,
		Title:  "many clients on some locks: one holder at a time, first in first out, tokens unique and ordered",
		Judges: []spec.ID{spec.S_Q_10, spec.S_Q_01, spec.S_TOK_04}, Leases: 8,
		Method: "From the seed, 32 clients ask for eight locks again and again. They hold for moments and end by close, by reset or in silence, and some leave while they wait. The history of all claims is checked for mutual exclusion, order and tokens; on failure its picture is kept.",
		Run:    randomClients,
	},
}

const (
	loadClients = 32
	loadLocks   = 8
	loadRounds  = 12
)

func randomClients(t *conformance.T) {
	locks := make([]string, loadLocks)
	for i := range locks {
		locks[i] = t.Lock(fmt.Sprintf("load-%d", i))
	}
	var mu sync.Mutex
	var claims []history.Claim
	start := time.Now().Add(-time.Nanosecond) // so that no instant of the history is 0
	t.ForEach(loadClients, loadClients, func(t *conformance.T, client int) {
		for range loadRounds {
			claim := oneClaim(t, locks[t.Rand.IntN(loadLocks)], start)
			claim.Client = client
			mu.Lock()
			claims = append(claims, claim)
			mu.Unlock()
		}
	})
	judgeHistory(t, claims, start)
}

// oneClaim asks for a lock, waits for its grant, holds it and ends it in one of
// the ways in which clients end.
func oneClaim(t *conformance.T, lock string, start time.Time) history.Claim {
	silent := t.Rand.IntN(8) == 0
	lease := time.Hour
	if silent {
		lease = t.Lease / 2
	}
	s := t.Connect()
	s.Expendable()
	asked := s.Ask(lock, lease)
	c := history.Claim{Lock: lock, Who: s.Who(), Asked: asked.Before.Sub(start)}
	first, at := s.WantPlace(spec.S_ACQ_01, "an ACQUIRE is granted or queued")
	if !first {
		c.Waiting = at.Sub(start)
		if t.Rand.IntN(8) == 0 {
			t.Pause(time.Duration(t.Rand.IntN(4)) * time.Millisecond)
			return c.Ended(end(t, s).Before.Sub(start))
		}
		if silent {
			return expire(t, s, c, start, lease)
		}
		at = s.WantTurn(spec.S_Q_06, "a waiter's turn comes, for nobody stalls the lock", loadPatience(t))
	}
	c.Granted, c.Token = at.Sub(start), s.Token()
	if silent {
		return expire(t, s, c, start, lease)
	}
	t.Pause(time.Duration(t.Rand.IntN(4)) * time.Millisecond)
	return c.Ended(end(t, s).Before.Sub(start))
}

// expire lets a client fall silent until its lease is surely over. From the
// earliest legal end on, its claim counts for nothing. Whether and how the server
// ends it is S-HB-07's and S-HB-14's matter; here it leaves.
func expire(t *conformance.T, s *conformance.Session, c history.Claim, start time.Time, lease time.Duration) history.Claim {
	expiry := t.Expiry(s.Last(), lease)
	if c.Granted == 0 {
		if frame, at, ok := s.FrameBy(expiry.NotBefore); ok && frame.Type == wire.TypeAcquired { // promoted while it waits in silence
			c.Granted, c.Token = at.Sub(start), s.Token()
		}
	}
	t.PauseUntil(expiry.By)
	s.Close()
	return c.Ended(expiry.NotBefore.Sub(start))
}

// loadPatience is how long a turn may take: every client before could be a silent
// one with a lease to run out.
func loadPatience(t *conformance.T) time.Duration { return loadClients * t.Lease }

// end leaves by a close or a reset.
func end(t *conformance.T, s *conformance.Session) conformance.Stamp {
	if t.Rand.IntN(3) == 0 {
		return s.Reset()
	}
	return s.Close()
}

// pictured tells where the whole of a history is seen.
const pictured = "the claims of these locks are drawn in the file history.html that this run keeps"

// judgeHistory gives each requirement its verdict, and keeps the picture of a
// history that breaks one.
func judgeHistory(t *conformance.T, claims []history.Claim, start time.Time) {
	problems := history.Check(claims)
	if len(problems) > 0 {
		t.Attach("history.html", history.Picture(claims, problems...))
	}
	for _, id := range []spec.ID{spec.S_Q_10, spec.S_Q_01, spec.S_TOK_04} {
		judged := false
		for _, p := range problems {
			if p.ID == id && !judged {
				judged = true
				t.Case("", func(t *conformance.T) {
					t.FailAt(p.Who, start.Add(p.At), id, p.Sentence, p.Sentence, p.Actual+"\n"+pictured)
				})
			}
		}
		if !judged {
			t.Pass(id, fmt.Sprintf("the history of %d claims holds", len(claims)))
		}
	}
}
