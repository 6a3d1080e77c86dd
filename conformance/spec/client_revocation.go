package spec

// clientRevocation is when a client must stop by itself.
var clientRevocation = section{
	role:  RoleClient,
	topic: Topic{Key: "revocation", Title: "Self-revocation"},
	requirements: []Requirement{
		{
			ID: C_TO_01, Level: LevelMust,
			Sentence: "A holder that gets no confirmation ends its claim by 0.8*lease after the last one " +
				"and gives its work the stop signal, and neither what it sends itself nor a write " +
				"that blocks puts that off.",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "3"}, {Page: WC, Rule: "8"}},
			Why: "The server will give the lock away. A client that is not the pessimist works beside " +
				"the next holder.",
			How: "Confirmations stop while the client holds. The end of the claim is measured from the " +
				"last one.",
			Breaks: "The timer is set back by each send, or stands behind a write that blocks.",
		},
		{
			ID: C_TO_02, Level: LevelMust,
			Sentence: "If the return path is fast (at most 0.1 lease) and the last confirmation was the " +
				"answer to a message, the claim ends before the server's lease can, namely before the " +
				"arrival of that message at the server plus the lease.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why:     "This is the safety of the lock. After that instant somebody else may hold it.",
			How: "The path back is kept fast, and the network stops. The claim's end is compared with " +
				"the arrival of the last confirmed message plus the lease.",
			Breaks: "The timer is started late, sleeps in coarse steps, or uses the whole lease.",
		},
		{
			ID: C_TO_03, Level: LevelMust,
			Sentence: "C-TO-01 and C-TO-02 hold alike for a network that loses the answers only, for one " +
				"that loses the heartbeats only, and for a frame that stops half way.",
			Sources: []Ref{{Page: WP}, {Page: WC}},
			Why: "Networks fail in one direction as often as in both. All of them look the same to the " +
				"lease.",
			How: "Each direction is stopped on its own, and a frame is stopped in its middle. The end " +
				"of the claim is measured each time.",
			Breaks: "A client that notices only a closed connection, or that hangs in the rest of a " +
				"frame.",
		},
		{
			ID: C_TO_04, Level: LevelMust,
			Sentence: "After that the client closes the connection.",
			Sources:  []Ref{{Page: WC, Rule: "7"}},
			Why: "The close hands the lock on at once, if the server can still be reached. An open one " +
				"makes others wait for the lease.",
			How:    "After the claim has ended, the client's close is looked for on the wire.",
			Breaks: "The work is stopped and the connection forgotten.",
		},
		{
			ID: C_TO_05, Level: LevelMust,
			Sentence: "A waiter that gets no confirmation gives up at 0.8*lease in the same way.",
			Sources:  []Ref{{Page: WC}, {Page: GO}},
			Why: "A waiter that hangs on a dead connection waits for ever for a place that is no " +
				"longer its own.",
			How:    "Confirmations stop while the client waits. The time of its close is measured.",
			Breaks: "Only a holder has a timer.",
		},
		{
			ID: C_TO_06, Level: LevelShould,
			Sentence: "A client whose ACQUIRE gets no answer gives up at 0.8*lease.",
			Sources:  []Ref{{Page: GO}},
			Why:      "A server that accepts and is silent must not hold a job for ever.",
			How: "The server takes the ACQUIRE and stays silent. The time at which the client gives up " +
				"is measured.",
			Breaks: "The first read has no deadline.",
		},
		{
			ID: C_TO_07, Level: LevelMust,
			Sentence: "A claim survives one answer that is up to 0.4 lease late between prompt ones, and " +
				"also a run in which every answer is up to 0.3 lease late.",
			Sources: []Ref{{Page: WP}},
			Why:     "A client that is too nervous drops good locks, and no long work ever ends.",
			How: "One answer, and then all answers, are delayed by these amounts. The claim must " +
				"stand.",
			Breaks: "One missed answer counts as a loss, or the time-out is set to the heartbeat " +
				"interval.",
		},
		{
			ID: C_TO_08, Level: LevelMust,
			Sentence: "An ACQUIRED that comes after the claim has ended revives nothing.",
			Sources:  []Ref{{Page: WC, Rule: "8"}},
			Why:      "The late frame was true when it was sent. Since then somebody else may hold.",
			How: "The server releases held-back ACQUIRED frames after the claim's end. No claim may " +
				"follow from them.",
			Breaks: "The reader still runs and sets the state again.",
		},
		{
			ID: C_TO_09, Level: LevelObserve,
			Sentence: "Recorded: the safety margin, which is the end of the server's lease minus the end of " +
				"the claim, on a slow return path and behind an ACQUIRED that was pushed (open points " +
				"1 and 6).",
			Sources: []Ref{{Page: WP}},
			Why: "Counting from receipt is what the documents allow, and it is not safe there. Users " +
				"should see how much margin is left.",
			How: "The return path is slowed, or the last confirmation is a push. The margin is " +
				"measured, recorded and never judged.",
			Breaks: "Nothing can break here. A negative margin shows a client that counts from the " +
				"receipt.",
		},
		{
			ID: C_TO_10, Level: LevelMust,
			Sentence: "A client whose process is stopped (SIGSTOP) for longer than its lease, on a " +
				"connection that stays open and silent, ends its claim within max(0.1 lease, 250 ms) " +
				"of being continued (SIGCONT).",
			Sources: []Ref{{Page: HW}, {Page: FT}},
			Why:     "Paused machines and long garbage collections are the classic way to two holders.",
			How: "The process is stopped for longer than its lease and continued, with no frame and no " +
				"close from the server. The time to the end of the claim is measured.",
			Breaks: "The timer counts only while the process runs, or heartbeats are sent first and the " +
				"clock is read later.",
		},
	},
}
