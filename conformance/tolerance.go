package conformance

import "time"

// Every tolerance of the suite stands here, with its reason. Each widens with
// the measured round trip. What the suite itself was late is not in them: it
// is measured beside every scenario and turns a narrow miss into a doubt.
const (
	// AnswerTime is how long an answer may take. The documents set no limit, so
	// this is only where waiting ends: far above any working server's answer.
	AnswerTime = 3 * time.Second

	// AtOnceTime is what "at once" may take: scheduling on a busy machine, and yet
	// nothing beside the minutes of [patientLease] and its heartbeats, so that a
	// promotion that waits for one of these shows.
	AtOnceTime = 250 * time.Millisecond

	// minExpirySlack and expirySlackShare: a silent session is gone by
	// lease + max(0.25 lease, 250 ms) (S-HB-07).
	minExpirySlack   = 250 * time.Millisecond
	expirySlackShare = 4

	// clockGrain is how much too early an expiry may look: a server may read a
	// clock that ticks 64 times a second. It is a tenth of what S-HB-06 leaves.
	clockGrain = 16 * time.Millisecond

	// ioTimeoutSlack: io-timeout is a guard and not a promise of precision; one
	// sweep a second is as good as any.
	ioTimeoutSlack = 1250 * time.Millisecond

	// pieceGap is the pause between two pieces of a frame: long enough that
	// they travel as segments of their own and are read apart.
	pieceGap = 15 * time.Millisecond

	// LineTime is how long after it was written a line of an adapter may be read,
	// beyond what the suite measures of itself: the adapter's own scheduling.
	LineTime = 30 * time.Millisecond

	// startingTime is how long an adapter that starts keeps others from starting.
	startingTime = 500 * time.Millisecond

	// resultTime is how long a result may take: the contract's 5 s after the end
	// of the work, and some for a slow start.
	resultTime = 8 * time.Second

	// latePatience is how long something that did not come in time is still
	// waited for, so that a finding can say how late it was.
	latePatience = time.Second

	// machineLateShare: where the suite was late by a tenth of the base lease or more, or a
	// client's process waited so long for a processor, heartbeats, answers and frames may
	// have come too late to prove anything.
	machineLateShare = 10

	// patientLease is the lease of sessions whose lease is not the matter: no
	// scenario lasts so long, so they need no heartbeats.
	patientLease = 10 * time.Minute
)

// expirySlack is how long after its lease a silent session may still stand.
func expirySlack(lease time.Duration) time.Duration {
	return max(lease/expirySlackShare, minExpirySlack)
}

// Window is when something has to happen. A zero NotBefore or By is no bound.
type Window struct {
	NotBefore, By time.Time
	// Reveals is when a wrong subject would act at the earliest. A window that
	// reaches so far can tell nothing, whatever comes.
	Reveals time.Time
	// From is what the measured time counts from.
	From time.Time
}

// AtOnce is the window of what follows at once from the sending s.
func (t *T) AtOnce(s Stamp) Window {
	return Window{From: s.Before, By: s.After.Add(AtOnceTime + 2*t.params.RTT)}
}

// InAnswerTime is the window of an answer that is asked for now.
func (t *T) InAnswerTime() Window {
	now := time.Now()
	return Window{From: now, By: now.Add(AnswerTime + 4*t.params.RTT)}
}

// Expiry is the window in which a session ends whose last message was sent at s:
// not before its lease, for the server cannot have seen the message earlier than
// it was sent; and within the tolerance after it, counted from the answer, for a
// server on a busy machine may see it late. The lease is noted for the pictures.
func (t *T) Expiry(s Stamp, lease time.Duration) Window {
	seen := s.After
	if s.Seen.After(seen) {
		seen = s.Seen
	}
	t.band(bandOf("lease", s.who), s.Before, s.Before.Add(lease))
	return Window{
		From:      s.Before,
		NotBefore: s.Before.Add(lease - clockGrain),
		Reveals:   s.Before.Add(2 * lease),
		By:        seen.Add(lease + expirySlack(lease) + 2*t.params.RTT),
	}
}

// AfterIOTimeout is the window in which a connection ends that owes the rest of a
// message since s.
func (t *T) AfterIOTimeout(s Stamp) Window {
	return Window{From: s.Before, By: s.After.Add(t.params.IOTimeout + max(t.params.IOTimeout/4, ioTimeoutSlack) + 2*t.params.RTT)}
}

// Within is the window of the time d from now.
func (t *T) Within(d time.Duration) Window {
	now := time.Now()
	return Window{From: now, By: now.Add(d)}
}

// revocationShare is when a claim ends without a confirmation: at 0.8 of the lease.
func revocationShare(lease time.Duration) time.Duration { return lease * 8 / 10 }

// revocationSlack is how long after 0.8 lease a claim may still be said to stand:
// the timer of a language's event loop, and the line's way from the adapter. It is
// far below the 0.2 lease that are left to the server's lease.
func revocationSlack(lease time.Duration) time.Duration { return max(lease/16, 60*time.Millisecond) }

// Revocation is the window in which a claim ends after its last confirmation
// (C-TO-01). A client that counts from the send of what was confirmed ends
// earlier by up to a heartbeat interval. Both times are noted for the pictures.
func (t *T) Revocation(last Confirmation, lease time.Duration) Window {
	t.band(bandOf("lease", last.Sent.who), last.Sent.Before, last.Sent.Before.Add(lease))
	t.band(bandOf("0.8 lease", last.Sent.who), last.Sent.Before, last.Sent.Before.Add(revocationShare(lease)))
	return Window{
		From:      last.Sent.Before,
		NotBefore: last.Sent.Before.Add(lease * 11 / 20),
		By:        last.Sent.After.Add(revocationShare(lease) + revocationSlack(lease)),
	}
}
