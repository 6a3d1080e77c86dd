package spec

// serverRobustness is what one client cannot do to the others.
var serverRobustness = section{
	role:  RoleServer,
	topic: Topic{Key: "robustness", Title: "Robustness and capacity"},
	requirements: []Requirement{
		{
			ID: S_ROB_01, Level: LevelMust,
			Sentence: "Random bytes and random sequences of messages neither stop the server nor disturb " +
				"other sessions, and the server still serves after each negative case.",
			Sources: []Ref{{Page: WP}},
			Why:     "One broken or hostile client must not take the locks of all others with it.",
			How: "Random input is sent beside well-behaved sessions. After each negative case a fresh " +
				"client acquires and releases.",
			Breaks: "An unchecked length, a panic in one connection's code that ends the process, or an " +
				"endless loop on bad input.",
		},
		{
			ID: S_ROB_02, Level: LevelShould,
			Sentence: "A connection whose ACQUIRE never becomes complete is dropped after the io-timeout, " +
				"which is 5 s by default.",
			Sources: []Ref{{Page: HW}, {Page: CF}},
			Why:     "Half-open requests pile up until no descriptor is left. Then nobody gets a lock.",
			How: "A part of an ACQUIRE is sent and nothing after it. The time of the close is measured " +
				"against the io-timeout.",
			Breaks: "A read without a deadline, or one that each byte sets back.",
		},
		{
			ID: S_ROB_03, Level: LevelShould,
			Sentence: "A connection on which nothing is ever sent is dropped after the io-timeout.",
			Sources:  []Ref{{Page: HW}, {Page: CF}},
			Why: "Idle connections cost descriptors. Port scanners and health checks leave plenty of " +
				"them.",
			How: "A connection is opened and stays silent. The time of the close is measured against " +
				"the io-timeout.",
			Breaks: "The deadline starts with the first byte.",
		},
		{
			ID: S_ROB_04, Level: LevelMust,
			Sentence: "The other clients are served as fast as ever while one client reads nothing at all.",
			Sources:  []Ref{{Page: HW}},
			Why:      "One hung process must not stall everybody's heartbeats and cost them their locks.",
			How: "A client sends and never reads until its buffers are full. The others' answers must " +
				"keep their pace.",
			Breaks: "A blocking write under a shared lock, or one writer for all connections.",
		},
		{
			ID: S_ROB_05, Level: LevelShould,
			Sentence: "The server serves 1,000 sessions at once (more with \"--sessions N\"), where the suite " +
				"has first checked that its own descriptor limit allows it.",
			Sources: []Ref{{Page: CP}},
			Why: "A fleet connects all at once after an outage. A server that gives in then prolongs " +
				"the outage.",
			How: "The suite checks its own descriptor limit, opens that many sessions and has each of " +
				"them served.",
			Breaks: "A thread for each connection, a small listen backlog, or work that grows with the " +
				"square of the sessions.",
		},
		{
			ID: S_ROB_06, Level: LevelShould,
			Sentence: "The server serves 200 waiters on one lock and promotes them in order.",
			Sources:  []Ref{{Page: CP}, {Page: HW}},
			Why:      "A popular lock is where order and speed count most.",
			How: "200 clients queue for one lock and leave as soon as they hold it. All must be " +
				"promoted, in order.",
			Breaks: "A queue that is searched from the front for each step, or a limit on waiters.",
		},
		{
			ID: S_ROB_07, Level: LevelMust,
			Features: []Feature{FeatureControl},
			Sentence: "A server that has run out of file descriptors does not exit, and serves again as " +
				"soon as some are free.",
			Sources: []Ref{{Page: CP}},
			Why: "A server that exits drops every lock that it has granted, because of somebody else's " +
				"connections.",
			How: "The suite starts the server with few descriptors, uses them all up, and frees some. " +
				"A fresh client must then be served.",
			Breaks: "A failed accept ends the accept loop or the process.",
		},
		{
			ID: S_ROB_08, Level: LevelObserve,
			Features: []Feature{FeatureControl},
			Sentence: "Recorded: whether a server that was stopped and continued (SIGSTOP, SIGCONT) honours " +
				"the heartbeats waiting in its buffers before it lets leases expire.",
			Sources: silent,
			Why: "A paused machine wakes with timers that are overdue and heartbeats that are unread. " +
				"The documents do not say which come first.",
			How: "The server is stopped while clients keep sending, then continued. Who keeps the lock " +
				"is recorded and never judged.",
			Breaks: "Nothing can break here. Servers differ in whether timers or sockets come first.",
		},
	},
}
