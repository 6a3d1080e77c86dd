package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refclient"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
)

type (
	session  = refclient.Session
	decision = refclient.Decision
	ending   = refclient.Ending
	occasion = refclient.Occasion
	attempts = refclient.Attempts
	frame    = wire.Frame
	client   = adapter.Client
	config   = refclient.Config
)

// standard is what a changed rule falls back on.
var standard refclient.StandardRules

// changed are the standard rules, with those replaced that are set.
type changed struct {
	refclient.StandardRules
	check    func(name string, lease time.Duration) *refclient.Error
	acquire  func(name string, leaseMS uint32) []byte
	judge    func(s *session, f frame) decision
	confirms func(s *session, why occasion, sent, now time.Time) time.Time
	deadline func(s *session) time.Time
	smooth   func(s *session, sample time.Duration) time.Duration
	interval func(s *session) time.Duration
	due      func(s *session, interval time.Duration) time.Time
	allows   func(s *session) bool
	ends     func(s *session, why occasion) ending
	again    func(e *refclient.Error) bool
	pause    func(a *attempts, e *refclient.Error) time.Duration
	resets   func(why occasion) bool
}

// rules makes a client of the rules that change changes. Variables of change
// are the state of one client.
func rules(change func(*changed)) func(config) client {
	return func(cfg config) client {
		r := &changed{}
		change(r)
		cfg.Rules = r
		return refclient.New(cfg)
	}
}

func (c *changed) Check(name string, lease time.Duration) *refclient.Error {
	if c.check != nil {
		return c.check(name, lease)
	}
	return standard.Check(name, lease)
}

func (c *changed) Acquire(name string, leaseMS uint32) []byte {
	if c.acquire != nil {
		return c.acquire(name, leaseMS)
	}
	return standard.Acquire(name, leaseMS)
}

func (c *changed) Judge(s *session, f frame) decision {
	if c.judge != nil {
		return c.judge(s, f)
	}
	return standard.Judge(s, f)
}

func (c *changed) Confirms(s *session, why occasion, sent, now time.Time) time.Time {
	if c.confirms != nil {
		return c.confirms(s, why, sent, now)
	}
	return standard.Confirms(s, why, sent, now)
}

func (c *changed) Deadline(s *session) time.Time {
	if c.deadline != nil {
		return c.deadline(s)
	}
	return standard.Deadline(s)
}

func (c *changed) Smooth(s *session, sample time.Duration) time.Duration {
	if c.smooth != nil {
		return c.smooth(s, sample)
	}
	return standard.Smooth(s, sample)
}

func (c *changed) Interval(s *session) time.Duration {
	if c.interval != nil {
		return c.interval(s)
	}
	return standard.Interval(s)
}

func (c *changed) Due(s *session, interval time.Duration) time.Time {
	if c.due != nil {
		return c.due(s, interval)
	}
	return standard.Due(s, interval)
}

func (c *changed) Allows(s *session) bool {
	if c.allows != nil {
		return c.allows(s)
	}
	return standard.Allows(s)
}

func (c *changed) Ends(s *session, why occasion) ending {
	if c.ends != nil {
		return c.ends(s, why)
	}
	return standard.Ends(s, why)
}

func (c *changed) Again(e *refclient.Error) bool {
	if c.again != nil {
		return c.again(e)
	}
	return standard.Again(e)
}

func (c *changed) Pause(a *attempts, e *refclient.Error) time.Duration {
	if c.pause != nil {
		return c.pause(a, e)
	}
	return standard.Pause(a, e)
}

func (c *changed) Resets(why occasion) bool {
	if c.resets != nil {
		return c.resets(why)
	}
	return standard.Resets(why)
}

// holds reports whether s holds the lock, as far as it knows.
func holds(s *session) bool { return s.State() == refclient.Holding }

// waits reports whether s stands in the queue.
func waits(s *session) bool { return s.State() == refclient.Waiting }

// on makes a client that ends no more than how on these occasions, while it
// holds the lock.
func on(how ending, occasions ...occasion) func(config) client {
	return rules(func(r *changed) {
		r.ends = func(s *session, why occasion) ending {
			for _, o := range occasions {
				if o == why && holds(s) {
					return how
				}
			}
			return standard.Ends(s, why)
		}
	})
}

// What an ending can leave out.
var (
	nothing  = ending{}
	tellOnly = ending{Tell: true}
	shutOnly = ending{Close: true}
)
