package defects

import "github.com/monolock-dev/monolock-conform/refserver"

// sessionEnds are sessions that an ERROR does not end.
func sessionEnds() []Defect {
	return []Defect{
		{
			ID:       "error-keeps-session",
			Sentence: "After an ERROR the session goes on: connection open, lock held.",
			Must:     ids("S-ACQ-21"),
			May:      ids("S-ROB-01"),
			New: rules(func(r *changed) {
				r.hangsUp = func(_ *session, why occasion) bool { return why != refserver.OnRefusal }
				r.releases = func(_ *session, why occasion) bool { return why != refserver.OnRefusal }
			}),
		},
		{
			ID:       "error-keeps-connection",
			Sentence: "After an ERROR the lock is free, and the connection stays open.",
			Must:     ids("S-ACQ-21"),
			New: rules(func(r *changed) {
				r.hangsUp = func(_ *session, why occasion) bool { return why != refserver.OnRefusal }
			}),
		},
		{
			ID:       "error-keeps-hold",
			Sentence: "After an ERROR the connection is closed, and the lock held until the lease ends.",
			Must:     ids("S-ACQ-21"),
			New: rules(func(r *changed) {
				ended := make(map[*session]bool) // the close that follows changes nothing
				r.releases = func(s *session, why occasion) bool {
					ended[s] = ended[s] || why == refserver.OnRefusal && s.State() != refserver.Connected
					return !ended[s]
				}
			}),
		},
	}
}
