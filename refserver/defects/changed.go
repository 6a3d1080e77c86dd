package defects

import (
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

type (
	session  = refserver.Session
	lock     = refserver.Lock
	message  = refserver.Message
	decision = refserver.Decision
	occasion = refserver.Occasion
	frame    = wire.Frame
)

// standard is what a changed rule falls back on.
var standard refserver.StandardRules

// changed are the standard rules, with those replaced that are set.
type changed struct {
	refserver.StandardRules
	judge     func(s *session, m message, now time.Time) decision
	check     func(a wire.Acquire) (wire.Code, bool)
	key       func(name string) string
	lease     func(a wire.Acquire) time.Duration
	refreshes func(s *session, why occasion) bool
	deadline  func(s *session, now time.Time) time.Time
	admits    func(l *lock, s *session) bool
	insert    func(queue []*session, s *session) []*session
	remove    func(queue []*session, s *session, why occasion) []*session
	next      func(l *lock, why occasion, now time.Time) *session
	token     func(l *lock, s *session, last uint64, now time.Time) uint64
	say       func(out []frame, s *session, f frame, why occasion) []frame
	releases  func(s *session, why occasion) bool
	hangsUp   func(s *session, why occasion) bool
}

// rules makes a server of the rules that change changes. Variables of change
// are the state of one server.
func rules(change func(*changed)) func(refserver.Config) Server {
	return func(cfg refserver.Config) Server {
		r := &changed{}
		change(r)
		cfg.Rules = r
		return refserver.New(cfg)
	}
}

func (c *changed) Judge(s *session, m message, now time.Time) decision {
	if c.judge != nil {
		return c.judge(s, m, now)
	}
	return standard.Judge(s, m, now)
}

func (c *changed) Check(a wire.Acquire) (wire.Code, bool) {
	if c.check != nil {
		return c.check(a)
	}
	return standard.Check(a)
}

func (c *changed) Key(name string) string {
	if c.key != nil {
		return c.key(name)
	}
	return standard.Key(name)
}

func (c *changed) Lease(a wire.Acquire) time.Duration {
	if c.lease != nil {
		return c.lease(a)
	}
	return standard.Lease(a)
}

func (c *changed) Refreshes(s *session, why occasion) bool {
	if c.refreshes != nil {
		return c.refreshes(s, why)
	}
	return standard.Refreshes(s, why)
}

func (c *changed) Deadline(s *session, now time.Time) time.Time {
	if c.deadline != nil {
		return c.deadline(s, now)
	}
	return standard.Deadline(s, now)
}

func (c *changed) Admits(l *lock, s *session) bool {
	if c.admits != nil {
		return c.admits(l, s)
	}
	return standard.Admits(l, s)
}

func (c *changed) Insert(queue []*session, s *session) []*session {
	if c.insert != nil {
		return c.insert(queue, s)
	}
	return standard.Insert(queue, s)
}

func (c *changed) Remove(queue []*session, s *session, why occasion) []*session {
	if c.remove != nil {
		return c.remove(queue, s, why)
	}
	return standard.Remove(queue, s, why)
}

func (c *changed) Next(l *lock, why occasion, now time.Time) *session {
	if c.next != nil {
		return c.next(l, why, now)
	}
	return standard.Next(l, why, now)
}

func (c *changed) Token(l *lock, s *session, last uint64, now time.Time) uint64 {
	if c.token != nil {
		return c.token(l, s, last, now)
	}
	return standard.Token(l, s, last, now)
}

func (c *changed) Say(out []frame, s *session, f frame, why occasion) []frame {
	if c.say != nil {
		return c.say(out, s, f, why)
	}
	return standard.Say(out, s, f, why)
}

func (c *changed) Releases(s *session, why occasion) bool {
	if c.releases != nil {
		return c.releases(s, why)
	}
	return standard.Releases(s, why)
}

func (c *changed) HangsUp(s *session, why occasion) bool {
	if c.hangsUp != nil {
		return c.hangsUp(s, why)
	}
	return standard.HangsUp(s, why)
}

// left reports whether the client itself ended the connection.
func left(why occasion) bool { return why == refserver.OnFIN || why == refserver.OnReset }
