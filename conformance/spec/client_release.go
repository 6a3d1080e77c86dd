package spec

// clientRelease is how a client gives a lock back.
var clientRelease = section{
	role:  RoleClient,
	topic: Topic{Key: "release", Title: "Release"},
	requirements: []Requirement{
		{
			ID: C_REL_01, Level: LevelMust,
			Sentence: "When the work is done the client closes the connection promptly, and that is the " +
				"release.",
			Sources: []Ref{{Page: WC, Rule: "7"}},
			Why:     "Until the close everybody else waits, for nothing.",
			How:     "The work returns, and the time to the close is measured.",
			Breaks: "The connection goes back to a pool or is left to a garbage collector, or the close " +
				"waits for the answer to a heartbeat.",
		},
		{
			ID: C_REL_02, Level: LevelMust,
			Sentence: "The close is all there is to a release, and no byte is sent for it.",
			Sources:  []Ref{{Page: WC, Rule: "7"}},
			Why: "There is no such message. The server takes any byte for an unknown type or a " +
				"heartbeat.",
			How:    "What the client sends between the end of its work and its close is read.",
			Breaks: "A farewell message from another protocol.",
		},
		{
			ID: C_REL_03, Level: LevelMust,
			Sentence: "When the client's process is killed its connection goes with it, as nothing keeps it " +
				"open.",
			Sources: []Ref{{Page: HW}},
			Why: "The closed connection tells the server of a crash. A helper that keeps it open keeps " +
				"the lock too.",
			How:    "The process is killed while it holds. The end of its connection is looked for.",
			Breaks: "A child process inherits the socket, or a sidecar owns it.",
		},
		{
			ID: C_REL_04, Level: LevelShould,
			Features: []Feature{FeatureFail},
			Sentence: "Work that ends with an error or an exception releases the lock all the same.",
			Sources:  []Ref{{Page: GO}},
			Why: "Errors are common. A lock that stays held after one stops everybody until the " +
				"process ends.",
			How:    "The work is made to fail. The close must come as promptly as after success.",
			Breaks: "The release stands after the work and not in a clean-up that always runs.",
		},
		{
			ID: C_REL_05, Level: LevelShould,
			Sentence: "Once the work is done (plus tolerance) the client sends no more heartbeats, and an " +
				"answer that arrives late has no effect.",
			Sources: []Ref{{Page: WP}},
			Why:     "A heartbeat after the end keeps a lock that nobody uses.",
			How: "The wire is watched after the end of the work, and a late answer is sent. Neither " +
				"heartbeat nor claim may follow.",
			Breaks: "The heartbeat loop is stopped later than the work, or not at all.",
		},
	},
}
