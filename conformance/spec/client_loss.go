package spec

// clientLoss is what a loss must do to the work.
var clientLoss = section{
	role:  RoleClient,
	topic: Topic{Key: "loss", Title: "Loss"},
	requirements: []Requirement{
		{
			ID: C_LOSS_01, Level: LevelMust,
			Sentence: "Whatever takes the lock away, and however soon (even a close or an ERROR that shares " +
				"its segment with ACQUIRED), the work gets its stop signal or is never started.",
			Sources: []Ref{{Page: WC, Rule: "8"}},
			Why:     "Work that does not hear of the loss goes on beside the next holder.",
			How: "The lock is lost in each way, also right behind the grant. The stop signal, or work " +
				"that never starts, is looked for.",
			Breaks: "The signal is set up after the work has started, and a quick loss falls in between.",
		},
		{
			ID: C_LOSS_02, Level: LevelMust,
			Sentence: "To acquire again a client opens a new connection and sends a new ACQUIRE there, and " +
				"never uses the old one.",
			Sources: []Ref{{Page: WC, Rule: "8"}},
			Why: "The old session is over for the server. What is sent on it counts for nothing, or " +
				"for an ERROR.",
			How:    "After a loss the client's next attempt is read off the wire.",
			Breaks: "The connection is kept for reuse.",
		},
		{
			ID: C_LOSS_03, Level: LevelMust,
			Sentence: "A lock is never re-acquired silently, which means that work which lost it does not " +
				"go on as if it still held.",
			Sources: []Ref{{Page: WC, Rule: "8"}},
			Why:     "In between somebody else may have held the lock and changed the data.",
			How: "A loss is followed by a server that grants again. Work that runs on must have had " +
				"its stop signal.",
			Breaks: "The client reconnects behind the caller's back and swaps the token.",
		},
	},
}
