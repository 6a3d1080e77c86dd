package spec

// clientHeartbeats is how a client keeps its session alive.
var clientHeartbeats = section{
	role:  RoleClient,
	topic: Topic{Key: "heartbeats", Title: "Heartbeats"},
	requirements: []Requirement{
		{
			ID: C_HB_01, Level: LevelMust,
			Sentence: "A holder's heartbeats are never further apart than lease/4 plus tolerance, except " +
				"that after an answer which took longer than that the next one goes out right away.",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "3"}},
			Why: "Late heartbeats leave no room for a slow network. The server then drops a living " +
				"holder.",
			How: "The times between the heartbeats of a holder are measured at the server.",
			Breaks: "The interval is measured from the answer or begins anew with a promotion, or the " +
				"timer shares a thread with the work.",
		},
		{
			ID: C_HB_02, Level: LevelMust,
			Sentence: "The same heartbeats flow while the client waits.",
			Sources:  []Ref{{Page: WP}, {Page: HW}},
			Why: "The server drops a silent waiter as it does a silent holder. The client would lose " +
				"its place.",
			How:    "The times between the heartbeats of a waiting client are measured.",
			Breaks: "The heartbeat loop starts with the grant.",
		},
		{
			ID: C_HB_03, Level: LevelMust,
			Sentence: "On a slow link the interval shrinks by 2*EWMA(rtt, 0.2), down to the client's floor; " +
				"this is judged with leases of 2.4 s and more, and an interval that stays clearly " +
				"below lease/4 and that a longer RTT does not lower is taken for the floor (C-HB-09).",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "3"}},
			Why: "The time on the way is taken from the lease. Without the correction a slow link " +
				"costs the lock.",
			How: "The server delays its answers by known times, and later a single one among prompt ones. " +
				"Once the average has settled, the intervals are compared with the schedule.",
			Breaks: "The round trip is not measured, the last sample is used instead of the average, or " +
				"the factor is missing.",
		},
		{
			ID: C_HB_04, Level: LevelMust,
			Sentence: "A second heartbeat is never sent before the first is answered, where a pushed " +
				"ACQUIRED counts as an answer in the client's favour (open point 7).",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "3"}},
			Why:     "Heartbeats that pile up in a buffer keep a session alive after its client has gone.",
			How: "Heartbeats and answers are counted on every connection, in every scenario. Answers " +
				"are also held back on purpose.",
			Breaks: "A plain timer sends whether or not an answer came.",
		},
		{
			ID: C_HB_05, Level: LevelMust,
			Sentence: "The interval runs from send to send and not from the answer.",
			Sources:  []Ref{{Page: WP}},
			Why: "Counted from the answer, each round trip is added to the interval, and the margin " +
				"melts on slow links.",
			How:    "The server delays its answers. The times between the sends are measured.",
			Breaks: "The client sleeps for the interval after it has read the answer.",
		},
		{
			ID: C_HB_06, Level: LevelMust,
			Sentence: "Where safeRTT is at least the base interval, the next heartbeat goes out right after " +
				"the answer.",
			Sources: []Ref{{Page: WP}},
			Why:     "On such a link there is no time left to wait. A pause costs the lock.",
			How: "The answers are delayed until that point is reached. The time from answer to next " +
				"heartbeat is measured.",
			Breaks: "A negative interval is turned into the base interval, or the floor is added as a " +
				"pause.",
		},
		{
			ID: C_HB_07, Level: LevelShould,
			Sentence: "Where the link is fast, no interval is far below lease/4, so that no needless " +
				"traffic arises.",
			Sources: []Ref{{Page: WP}},
			Why:     "A thousand clients that beat ten times too often are a load that nobody planned.",
			How:     "On a fast link the intervals are measured and compared with lease/4.",
			Breaks:  "A fixed interval of a few milliseconds, or an average that starts far too high.",
		},
		{
			ID: C_HB_08, Level: LevelMust,
			Sentence: "WAITING and ACQUIRED both acknowledge, and the client waits for no other answer.",
			Sources:  []Ref{{Page: WC, Rule: "4"}},
			Why:      "A client that waits for a message that does not exist drops every lock.",
			How: "The server answers with the one or the other. Heartbeats must go on, and the claim " +
				"or the place must stand.",
			Breaks: "The client expects an answer of its own kind for a heartbeat.",
		},
		{
			ID: C_HB_09, Level: LevelObserve,
			Sentence: "Recorded: the floor that the client uses, and what it does where lease/4 is below " +
				"that floor.",
			Sources: []Ref{{Page: WP}},
			Why: "The two bounds cannot both hold there. Users of short leases should know what they " +
				"get.",
			How: "Short leases and slow answers are tried. The intervals seen are recorded and never " +
				"judged.",
			Breaks: "Nothing can break here. Clients differ in their floor and in which bound wins.",
		},
		{
			ID: C_HB_10, Level: LevelMust,
			Features: []Feature{FeatureRetry},
			Sentence: "Each new connection begins with a fresh schedule, even if the one before it was lost " +
				"with a heartbeat unanswered.",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "3"}},
			Why: "A client that still waits for the old answer never beats again, and loses the new " +
				"lock too.",
			How: "The connection is cut while a heartbeat is open. On the next connection the " +
				"heartbeats are measured from the start.",
			Breaks: "The flag for an open heartbeat or the average belongs to the client and not to the " +
				"connection.",
		},
	},
}
