package spec

// serverHeartbeat is what keeps a session alive, and when it ends.
var serverHeartbeat = section{
	role:  RoleServer,
	topic: Topic{Key: "heartbeat", Title: "Heartbeats and leases"},
	requirements: []Requirement{
		{
			ID: S_HB_01, Level: LevelMust,
			Sentence: "A HEARTBEAT from a holder is answered with ACQUIRED and the same token.",
			Sources:  []Ref{{Page: WP}},
			Why: "The answer is all that a client has to know that it still holds. Without it, it must " +
				"stop its work.",
			How: "A holder sends heartbeats, and each answer and its token is compared with the " +
				"grant's.",
			Breaks: "A new token for each answer, a zero token, or no answer while nothing has changed.",
		},
		{
			ID: S_HB_02, Level: LevelMust,
			Sentence: "A HEARTBEAT from a waiter is answered with WAITING.",
			Sources:  []Ref{{Page: WP}},
			Why: "A waiter without an answer gives up its place in the queue, and a queue of such " +
				"clients never moves on.",
			How:    "A client in the queue sends heartbeats, and each answer is read.",
			Breaks: "Only holders are answered, as only they have a lease in the author's mind.",
		},
		{
			ID: S_HB_03, Level: LevelShould,
			Sentence: "Each heartbeat draws exactly one answer, and the only frames that come unasked are " +
				"the promotion and ERROR, as clients count on one answer.",
			Sources: []Ref{{Page: WP}},
			Why: "A client counts answers to know whether a heartbeat is open. An extra or a missing " +
				"one spoils its timing from then on.",
			How:    "Frames and heartbeats are counted on every connection, in every scenario.",
			Breaks: "A periodic status frame, a repeated ACQUIRED, or two answers merged into one.",
		},
		{
			ID: S_HB_04, Level: LevelMust,
			Sentence: "A holder that sends a heartbeat every quarter of its lease keeps the lock for many " +
				"leases.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "Work may last for as long as it must. A holder that did everything right and is " +
				"dropped has a second holder beside it.",
			How:    "A holder beats at lease/4 for many leases. It must keep the lock all the time.",
			Breaks: "A maximum hold time, or a timer that the heartbeats do not move.",
		},
		{
			ID: S_HB_05, Level: LevelMust,
			Sentence: "A waiter that sends its heartbeats stays in the queue for many leases and is " +
				"promoted after that.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why:     "Queues can be long. A waiter that is dropped for waiting never gets its turn.",
			How: "A waiter beats for many leases behind a holder. Then the holder leaves, and the " +
				"promotion must come.",
			Breaks: "A maximum wait time, or waiters whose clock is set only once.",
		},
		{
			ID: S_HB_06, Level: LevelMust,
			Sentence: "A session is not dropped while its silence is shorter than its lease, which is " +
				"checked at 0.9 of the lease.",
			Sources: []Ref{{Page: WP}},
			Why: "The lease is a promise to the client. A server that breaks it early gives the lock " +
				"away under a living holder.",
			How:    "A session is silent for 0.9 of its lease and then asks. It must still be there.",
			Breaks: "A safety margin taken off on the server's side, or a coarse sweep that rounds down.",
		},
		{
			ID: S_HB_07, Level: LevelMust,
			Sentence: "A holder that is silent for its lease is dropped and the waiter promoted, never " +
				"before the lease is over and at the latest at lease + max(0.25 lease, 250 ms), with " +
				"the measured lateness reported.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why:     "Too early gives two holders. Too late leaves everybody waiting behind a dead one.",
			How: "A holder falls silent with a waiter behind it. The time of the promotion is measured " +
				"from the last message that counted.",
			Breaks: "A sweep at a fixed interval, a timer that starts at the answer, or one that starts " +
				"at the connect.",
		},
		{
			ID: S_HB_08, Level: LevelMust,
			Sentence: "A waiter that is silent for its lease is dropped and never promoted, while the other " +
				"waiters keep their order.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "A grant for a dead waiter stalls the lock for one more lease. A mixed-up queue " +
				"breaks the promise of fairness.",
			How: "A waiter in mid-queue falls silent. Later the holder leaves, and the order of the " +
				"promotions is read.",
			Breaks: "Leases are watched for holders only, or the removal swaps the last waiter into the " +
				"gap.",
		},
		{
			ID: S_HB_09, Level: LevelMust,
			Sentence: "Each heartbeat starts the full lease again, so that the lease is a sliding window " +
				"and no deadline.",
			Sources: []Ref{{Page: HW}},
			Why: "With a deadline a busy holder is dropped in the middle of its work, whatever it " +
				"sends.",
			How: "A heartbeat comes late in the lease. The session must live for one whole lease from " +
				"that heartbeat, and no longer.",
			Breaks: "The end is computed once at the grant, or a heartbeat adds only what was used.",
		},
		{
			ID: S_HB_10, Level: LevelMust,
			Sentence: "Each connection has a lease of its own: sessions with different leases on one lock " +
				"each expire by theirs.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why:     "One client's choice must not change how fast another one's death is noticed.",
			How: "A holder and waiters with different leases fall silent. Each must go at its own " +
				"time.",
			Breaks: "The lease is kept with the lock and not with the session, so that the last ACQUIRE " +
				"decides.",
		},
		{
			ID: S_HB_11, Level: LevelMust,
			Sentence: "ACQUIRE itself starts the lease, so that a session that never sends a heartbeat is " +
				"dropped when the lease is over.",
			Sources: []Ref{{Page: WP}},
			Why:     "A client that dies right after its ACQUIRE would else hold the lock for ever.",
			How: "A client acquires and never sends a byte more. The waiter behind it must be promoted " +
				"at the lease.",
			Breaks: "The timer is created by the first heartbeat.",
		},
		{
			ID: S_HB_12, Level: LevelShould,
			Sentence: "A promotion does not set the silence clock back, since only ACQUIRE and HEARTBEAT " +
				"are said to do so.",
			Sources: []Ref{{Page: WP}},
			Why: "What the server sends proves nothing about the client. A dead waiter would hold the " +
				"lock for one lease more.",
			How: "A waiter falls silent and is promoted late in its lease. Its end is measured from " +
				"its own last message.",
			Breaks: "The promotion runs through the same code as a fresh grant and starts a new timer.",
		},
		{
			ID: S_HB_13, Level: LevelShould,
			Sentence: "A part of a message does not set the silence clock back: the session must be gone by " +
				"its lease, or at once with ERROR 0x12, whereas an end only by the larger of lease " +
				"and io-timeout is a warning, and an even later one is a warning that says so.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "A client that hangs in the middle of a message would keep its lock for ever with one " +
				"byte now and then.",
			How: "A session sends the beginning of a message and stops. The time of its end is " +
				"measured and placed in one of these ranges.",
			Breaks: "Each read resets the clock, or the blocked read hides the lease timer.",
		},
		{
			ID: S_HB_14, Level: LevelMust,
			Sentence: "When a session expires its connection is closed, and no HEARTBEAT that comes too " +
				"late draws an ACQUIRED or WAITING from it.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "A frozen holder that wakes up would hear that it still holds, while another one " +
				"works already.",
			How: "A session expires, then sends a heartbeat. Neither of the two frames may come, and " +
				"the connection must be closed.",
			Breaks: "The lock is freed and the connection forgotten, with its reading loop still " +
				"answering.",
		},
		{
			ID: S_HB_15, Level: LevelObserve,
			Sentence: "Recorded: whether a session that expires is closed silently or gets an ERROR first, " +
				"and with which code.",
			Sources: silent,
			Why:     "The documents leave it open. For a client both mean that the claim is over.",
			How:     "What arrives on an expired connection is recorded and never judged.",
			Breaks:  "Nothing can break here. Servers differ in how they say goodbye.",
		},
		{
			ID: S_HB_16, Level: LevelShould,
			Sentence: "A burst of heartbeats in one go is answered one by one and in order.",
			Sources:  []Ref{{Page: WP}},
			Why: "A stalled network delivers in bursts. A client that counts answers must be able to " +
				"count them.",
			How: "Several heartbeats are sent at once, and the answers are counted and compared in " +
				"order.",
			Breaks: "The burst is merged into one answer, or the answers overtake each other in parallel " +
				"writers.",
		},
		{
			ID: S_HB_17, Level: LevelMust,
			Sentence: "The end of one session, be it its close or its late timer, never ends the hold of " +
				"the session that follows it on that name.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "A new holder that loses its lock to a dead one's timer works on without it. This is " +
				"the fault that no log explains.",
			How: "Sessions on one name end in many ways, close to the handover. The next holder must " +
				"keep its lock for its full lease.",
			Breaks: "Timers and clean-ups look the lock up by name and release whoever holds it then.",
		},
		{
			ID: S_HB_18, Level: LevelMust,
			Sentence: "A short lease ends on time even if it was taken at a moment when all other running " +
				"leases were long.",
			Sources: []Ref{{Page: WP}, {Page: HW}},
			Why: "A dead client with a short lease would block its lock until a stranger's long lease " +
				"is over.",
			How: "Long leases run first, then a short one is taken and falls silent. Its expiry is " +
				"measured.",
			Breaks: "One timer sleeps until the earliest expiry known and is not woken by an earlier one.",
		},
	},
}
