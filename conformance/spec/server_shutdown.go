package spec

// serverShutdown is how a server stops and comes back.
var serverShutdown = section{
	role:  RoleServer,
	topic: Topic{Key: "shutdown", Title: "Shutdown"},
	requirements: []Requirement{
		{
			ID: S_SHUT_01, Level: LevelMust,
			Features: []Feature{FeatureControl},
			Sentence: "On a controlled stop (SIGTERM) each holder and each waiter gets ERROR 0x01 and then " +
				"the close.",
			Sources: []Ref{{Page: HW}, {Page: ER}},
			Why: "The code tells clients to come back at once. Without it they back off, or take the " +
				"end for a fault of their own.",
			How: "The suite sends SIGTERM to a server with holders and waiters. Each of them must read " +
				"the code before the close.",
			Breaks: "The process exits before its last writes are out, or waiters are forgotten.",
		},
		{
			ID: S_SHUT_02, Level: LevelMust,
			Features: []Feature{FeatureControl, FeatureOps},
			Sentence: "/healthz answers 503 as soon as the shutdown begins, and the ops server lives longer " +
				"than the protocol port.",
			Sources: []Ref{{Page: OB}},
			Why:     "A load balancer must learn of the end before clients run into a closed port.",
			How: "The suite stops the server and asks /healthz all the while. The first 503 and the " +
				"end of both ports are compared.",
			Breaks: "All listeners are closed in one step, or the health answer is a constant.",
		},
		{
			ID: S_SHUT_03, Level: LevelMust,
			Features: []Feature{FeatureControl},
			Sentence: "After the restart clients can acquire again.",
			Sources:  []Ref{{Page: HW}},
			Why:      "A restart is routine. It must not leave locks that nobody can get.",
			How: "The suite stops the server and starts it again on the same address. Clients must be " +
				"granted.",
			Breaks: "State from before is loaded as if its sessions still lived, or the port is not free " +
				"yet.",
		},
	},
}
