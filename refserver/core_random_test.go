package refserver

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestInvariants plays random events and looks after each whether the state
// still makes sense.
func TestInvariants(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		r := newRig(t)
		for range 2000 {
			r.now = r.now.Add(time.Duration(random.IntN(20)) * time.Millisecond)
			playOne(r, random)
			if problem := r.core.problem(r.now); problem != "" {
				t.Fatalf("seed %d, after %v: %s", seed, r.now.Sub(r.start), problem)
			}
		}
	}
}

// playOne plays one event of one of thirty clients on three locks.
func playOne(r *rig, random *rand.Rand) {
	name := fmt.Sprint(random.IntN(30))
	s := r.sessions[name]
	if s == nil {
		r.acquire(name, fmt.Sprint(random.IntN(3)), time.Duration(1+random.IntN(300))*time.Millisecond)
		return
	}
	switch random.IntN(8) {
	case 0:
		r.close(name)
		delete(r.sessions, name)
	case 1:
		r.say(name, Message{Kind: Unknown, Type: 0x7f})
	case 2:
		r.say(name, Message{Kind: AcquireBegun})
	case 3:
		r.tick()
	default:
		r.heartbeat(name)
	}
}

// problem says what is wrong with the state, or "".
func (c *core) problem(now time.Time) string {
	for key, l := range c.locks {
		switch {
		case l.key != key:
			return "a lock under another's name"
		case l.owner == nil:
			return "a free lock that is not promoted or forgotten"
		case l.owner.state != Acquired || l.owner.lock != l:
			return "an owner that does not hold"
		}
		for _, s := range l.queue {
			if s.state != Waiting || s.lock != l {
				return "someone in the queue that does not wait"
			}
		}
	}
	for i, s := range c.sessions {
		switch {
		case s.state == Ended || s.slot != i:
			return "an ended session on the list"
		case c.leases[s.leaseAt] != s:
			return "a session that the heap does not know"
		case now.After(s.deadline):
			return "a session that should have expired"
		}
	}
	if len(c.leases) != len(c.sessions) {
		return "a deadline without a session"
	}
	return ""
}
