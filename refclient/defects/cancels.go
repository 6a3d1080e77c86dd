package defects

import "github.com/monolock-dev/monolock-conform/refclient"

// cancels are what a caller's cancellation does.
func cancels() []Defect {
	return []Defect{
		{
			ID:       "cancel-ignored-in-the-queue",
			Sentence: "In the queue it takes no notice of a cancellation.",
			Must:     ids("C-CAN-01"),
			New: rules(func(r *changed) {
				r.ends = func(s *session, why occasion) ending {
					if why == refclient.OnCancel && !holds(s) {
						return nothing
					}
					return standard.Ends(s, why)
				}
			}),
		},
		{
			ID:       "cancel-closes",
			Sentence: "A cancellation closes the connection while the work goes on.",
			Must:     ids("C-CAN-02"),
			New:      on(shutOnly, refclient.OnCancel),
		},
		{
			ID:       "cancel-is-a-loss",
			Sentence: "A cancellation closes the connection, and the work hears of a loss.",
			Must:     ids("C-CAN-02"),
			New:      on(ending{Tell: true, Close: true}, refclient.OnCancel),
		},
		{
			ID:       "cancel-stops-the-heartbeats",
			Sentence: "After a cancellation it sends no more heartbeats while the work goes on.",
			Must:     ids("C-CAN-02"),
			New: rules(func(r *changed) {
				cancelled := false
				r.ends = func(s *session, why occasion) ending {
					cancelled = cancelled || why == refclient.OnCancel
					return standard.Ends(s, why)
				}
				r.allows = func(s *session) bool { return !cancelled && standard.Allows(s) }
			}),
		},
	}
}
