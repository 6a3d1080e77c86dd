package conformance

import (
	"fmt"
	"slices"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// promotedInstead tells which other session was granted the lock since the promotion
// of s was due, and the event that shows it. Words are to stand behind what was
// missed; they are empty where no grant of it was seen.
func (s *Session) promotedInstead(due time.Time) (words string, event int) {
	rivals := s.rivals()
	for _, e := range s.t.tl.Events() {
		at := s.t.tl.Start().Add(e.At)
		granted := e.What == timeline.Recv && e.Frame != nil && e.Frame.Type == wire.TypeAcquired
		if !granted || !slices.Contains(rivals, e.Who) {
			continue
		}
		rivals = slices.DeleteFunc(rivals, func(who string) bool { return who == e.Who }) // what follows only repeats it
		if at.Before(due) {
			continue
		}
		later := ""
		if s.t.askedBehind(e.Who, s.who) {
			later = ", which asked when " + s.who + " waited already,"
		}
		return fmt.Sprintf("; %s%s was granted the lock instead, %s into that time", e.Who, later, span(at.Sub(due))), e.Seq
	}
	return "", -1
}

// rivals are the other sessions that asked for the same lock.
func (s *Session) rivals() []string {
	s.t.mu.Lock()
	sessions := slices.Clone(s.t.sessions)
	s.t.mu.Unlock()
	var names []string
	for _, other := range sessions {
		if other != s && other.asksFor(s.lock) {
			names = append(names, other.who)
		}
	}
	return names
}

func (s *Session) asksFor(lock string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lock == lock
}

// askedBehind reports whether one session asked after another had been told WAITING.
func (a *attempt) askedBehind(later, first string) bool {
	waits := false
	for _, e := range a.tl.Events() {
		if e.Frame == nil {
			continue
		}
		switch {
		case e.Who == first && e.Frame.Type == wire.TypeWaiting:
			waits = true
		case e.Who == later && e.Frame.Type == wire.TypeAcquire:
			return waits
		}
	}
	return false
}

// due is the first instant at which what w is about may come.
func (w Window) due() time.Time {
	if w.NotBefore.After(w.From) {
		return w.NotBefore
	}
	return w.From
}
