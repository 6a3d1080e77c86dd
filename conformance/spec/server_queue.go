package spec

// serverQueue is who gets the lock next, and how fast.
var serverQueue = section{
	role:  RoleServer,
	topic: Topic{Key: "queue", Title: "Queue and promotion"},
	requirements: []Requirement{
		{
			ID: S_Q_01, Level: LevelMust,
			Sentence: "Waiters of one lock are served strictly first in, first out, in the order of their " +
				"WAITING answers.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why:     "Without order some client waits for ever, while others pass it.",
			How: "Many waiters queue up one after the other. The order of their promotions must be " +
				"that of their WAITING.",
			Breaks: "A map or a set as the queue, all waiters woken at once, or a mutex without fairness.",
		},
		{
			ID: S_Q_02, Level: LevelMust,
			Sentence: "A promotion is pushed: ACQUIRED reaches the waiter without any message from it.",
			Sources:  []Ref{{Page: WP}, {Page: WC}},
			Why: "A grant that waits for a question is lost time for everybody. With a short lease the " +
				"lock may pass unused.",
			How:    "A waiter sends nothing while the holder leaves. ACQUIRED must arrive all the same.",
			Breaks: "The new state is told with the next heartbeat's answer only.",
		},
		{
			ID: S_Q_03, Level: LevelMust,
			Sentence: "When the owner closes its connection with a FIN, the next waiter is promoted at " +
				"once, far sooner than any lease or heartbeat interval.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "The close is the release. A server that lets the lease run out makes each handover " +
				"cost seconds.",
			How: "The holder closes with a waiter behind it that has a long lease. The time to the " +
				"promotion is measured.",
			Breaks: "The end of the stream is noticed only when the server writes, or a sweep frees locks " +
				"at intervals.",
		},
		{
			ID: S_Q_04, Level: LevelMust,
			Sentence: "When the owner's connection is reset, as by a killed process, the next waiter is " +
				"promoted just as quickly.",
			Sources: []Ref{{Page: HW}},
			Why: "Crashes are when a lock service earns its keep. Everybody waits if only a polite " +
				"goodbye counts.",
			How:    "The holder's connection ends with a RST. The time to the promotion is measured.",
			Breaks: "A read error other than end of stream takes a path without the release.",
		},
		{
			ID: S_Q_05, Level: LevelMust,
			Sentence: "A waiter that leaves from the middle of the queue does not change the order of the " +
				"others.",
			Sources: []Ref{{Page: HW}},
			Why: "Clients come and go all the time. Each departure must not cost somebody else the " +
				"turn.",
			How: "A waiter in mid-queue closes. Then the holders leave one by one, and the order of " +
				"promotions is read.",
			Breaks: "The gap is filled with the last waiter, or an index into the queue is stale.",
		},
		{
			ID: S_Q_06, Level: LevelMust,
			Sentence: "A waiter that has left is never granted the lock, so that the lock does not stall.",
			Sources:  []Ref{{Page: HW}},
			Why: "A lock that is granted to nobody stays busy until a lease runs out, and all others " +
				"wait for nothing.",
			How: "Waiters leave in different ways before their turn. The next living one must be " +
				"promoted at once.",
			Breaks: "The queue is cleaned only at the promotion, and the write to a dead connection " +
				"counts as a success.",
		},
		{
			ID: S_Q_07, Level: LevelMust,
			Sentence: "A session that got ACQUIRED never gets WAITING afterwards.",
			Sources:  []Ref{{Page: WP}},
			Why: "A client would hear that it holds and then that it does not, with its work half " +
				"done.",
			How:    "The order of states on every connection, in every scenario, is checked.",
			Breaks: "An answer to an old heartbeat is made before the promotion and sent after it.",
		},
		{
			ID: S_Q_08, Level: LevelMust,
			Sentence: "Locks with different names do not affect each other.",
			Sources:  []Ref{{Page: WP}},
			Why:      "One busy lock must not stop unrelated work.",
			How: "A lock is held and has a queue. Clients of other names must be granted at once and " +
				"keep their locks.",
			Breaks: "One global queue, or a hash that two names share.",
		},
		{
			ID: S_Q_09, Level: LevelMust,
			Sentence: "There is no re-entrancy: a second connection that asks for the same name waits, " +
				"whoever opened it.",
			Sources: []Ref{{Page: WP}},
			Why: "Two connections are two claims. A server that recognises \"the same client\" runs one " +
				"job twice.",
			How: "Two connections from one host, with one identity, ask for one name. The second must " +
				"get WAITING.",
			Breaks: "The owner is compared by address or by certificate and not by connection.",
		},
		{
			ID: S_Q_10, Level: LevelMust,
			Sentence: "Under concurrent load with random closes, resets and silences a lock has one holder " +
				"at a time, as the checked history shows.",
			Sources: []Ref{{Page: HW}},
			Why: "This is what a lock is for. Two holders at once damage the data that the lock " +
				"protects.",
			How: "Many clients fight for a few locks and leave in random ways. The recorded history is " +
				"checked for two holders at one instant.",
			Breaks: "A race between expiry, close and grant, which no quiet test hits.",
		},
		{
			ID: S_Q_11, Level: LevelMust,
			Sentence: "A client that comes back on a new connection stands at the end of the queue.",
			Sources:  []Ref{{Page: WC}},
			Why:      "A client that reconnects often would else pass all those that wait patiently.",
			How: "A waiter leaves and asks again while others wait. It must be promoted after all of " +
				"them.",
			Breaks: "A place is kept for an address or an identity.",
		},
		{
			ID: S_Q_12, Level: LevelObserve,
			Sentence: "Recorded: the time that a handover takes, as p50, p99 and maximum.",
			Sources:  []Ref{{Page: HW}},
			Why:      "Users choose a server and a lease by it. The documents give no bound.",
			How: "Many handovers are measured, from the owner's close to the next one's ACQUIRED, and " +
				"the figures are recorded.",
			Breaks: "Nothing can break here. Delayed writes and sweeps show up as large figures.",
		},
		{
			ID: S_Q_13, Level: LevelObserve,
			Sentence: "Recorded: whether an owner that half-closes, with a FIN sent and its reading side " +
				"open, is released or not.",
			Sources: silent,
			Why: "The documents leave it open. Some clients and proxies half-close without meaning to " +
				"leave.",
			How: "A holder shuts its sending side and reads on. What happens to the lock is recorded " +
				"and never judged.",
			Breaks: "Nothing can break here. Runtimes differ in how they show a half-close.",
		},
		{
			ID: S_Q_14, Level: LevelMust,
			Sentence: "When the owner and the first waiter vanish in the same instant, the second waiter is " +
				"promoted at once.",
			Sources: []Ref{{Page: HW}},
			Why: "Processes on one machine die together. The lock must not be handed to one of the " +
				"dead.",
			How: "The holder and the first waiter end in the same moment. The time to the second " +
				"waiter's promotion is measured.",
			Breaks: "The grant goes to the first waiter while its end is already on the way, and nobody " +
				"looks again.",
		},
	},
}
