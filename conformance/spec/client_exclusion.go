package spec

// clientExclusion is what all of it is for.
var clientExclusion = section{
	role:  RoleClient,
	topic: Topic{Key: "exclusion", Title: "Mutual exclusion"},
	requirements: []Requirement{
		{
			ID: C_EXC_01, Level: LevelMust,
			Sentence: "Two clients on one lock, behind a network with random faults that delays return " +
				"traffic by 0.1 lease at most, and with no process stopped, never both claim it at " +
				"one instant beyond the measured noise, as the checked history shows, while an " +
				"overlap that open points 1 or 6 explain is only observed.",
			Sources: []Ref{{Page: HW}},
			Why:     "This is what all the other rules are for. Two holders damage the data.",
			How: "Two clients compete through a network that fails at random. The recorded claims are " +
				"checked for a common instant.",
			Breaks: "Any of the faults above, or two of them together that no single test shows.",
		},
	},
}
