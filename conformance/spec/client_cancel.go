package spec

// clientCancel is what a cancelled client does.
var clientCancel = section{
	role:  RoleClient,
	topic: Topic{Key: "cancel", Title: "Cancellation"},
	requirements: []Requirement{
		{
			ID: C_CAN_01, Level: LevelShould,
			Features: []Feature{FeatureCancel},
			Sentence: "A client that is cancelled while it waits closes its connection promptly, and its " +
				"work never starts.",
			Sources: []Ref{{Page: GO}},
			Why:     "A cancelled client in the queue is later granted a lock that nobody wants.",
			How:     "A waiting client is cancelled. The close is timed, and the work must not start.",
			Breaks:  "The cancellation is looked at only between two attempts.",
		},
		{
			ID: C_CAN_02, Level: LevelShould,
			Features: []Feature{FeatureCancel},
			Sentence: "A client that is cancelled while it holds keeps its claim and its heartbeats until " +
				"the work returns, and closes then.",
			Sources: []Ref{{Page: GO}},
			Why: "The work needs time to end in order. Without the lock it would end beside another " +
				"holder.",
			How: "A holder is cancelled while its work goes on. Heartbeats and claim are watched until " +
				"the work returns, then the close.",
			Breaks: "The cancellation closes the connection at once.",
		},
	},
}
