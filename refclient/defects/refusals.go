package defects

import "github.com/monolock-dev/monolock-conform/refclient"

// refusals are client errors that come elsewhere than at the first ACQUIRE, to a
// client that stops there as it should.
func refusals() []Defect {
	return []Defect{
		{
			ID:       "retries-client-errors-on-a-later-connection",
			Sentence: "It asks again after every code that comes on its second connection or a later one.",
			Must:     ids("C-ERR-03"),
			May:      ids("C-ERR-04"),
			New:      retryingRefusals(func(r refused) bool { return r.connection > 1 && !r.holding }),
		},
		{
			ID:       "retries-client-errors-in-the-queue",
			Sentence: "It asks again after every code that comes in the queue.",
			Must:     ids("C-ERR-03"),
			May:      ids("C-ERR-04"),
			New:      retryingRefusals(func(r refused) bool { return r.waiting }),
		},
		{
			ID:       "retries-client-errors-in-the-queue-of-a-later-connection",
			Sentence: "It asks again after every code that comes in the queue of its second connection or a later one.",
			Must:     ids("C-ERR-03"),
			May:      ids("C-ERR-04"),
			New:      retryingRefusals(func(r refused) bool { return r.connection > 1 && r.waiting }),
		},
		{
			ID:       "retries-client-errors-while-holding",
			Sentence: "It stops the work upon every code while it holds, and asks again when that has returned.",
			Must:     ids("C-ERR-03"),
			May:      ids("C-ERR-04"),
			New:      retryingRefusals(func(r refused) bool { return r.holding }),
		},
	}
}

// refused is where a refusal came.
type refused struct {
	connection       int // from 1
	waiting, holding bool
}

// retryingRefusals makes a client that asks again after refusals in some places.
func retryingRefusals(where func(r refused) bool) func(config) client {
	return rules(func(r *changed) {
		connections, waiting := counting(r), false
		r.ends = func(s *session, why occasion) ending {
			waiting = waits(s)
			return standard.Ends(s, why)
		}
		r.again = func(e *refclient.Error) bool {
			return standard.Again(e) || e.Refused && where(refused{connection: *connections, waiting: waiting, holding: e.Held})
		}
	})
}
