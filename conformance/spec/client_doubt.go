package spec

// clientDoubt is when a client must let go.
var clientDoubt = section{
	role:  RoleClient,
	topic: Topic{Key: "doubt", Title: "Doubt"},
	requirements: []Requirement{
		{
			ID: C_DBT_01, Level: LevelMust,
			Sentence: "A message of an unknown type makes the client close the connection and end its " +
				"claim.",
			Sources: []Ref{{Page: WC, Rule: "7"}},
			Why: "After an unknown byte nothing on that connection can be trusted. To go on is never " +
				"safe.",
			How: "The server sends an unknown type to a client. The close and the end of the claim are " +
				"looked for.",
			Breaks: "Unknown types are skipped for the sake of the future.",
		},
		{
			ID: C_DBT_02, Level: LevelMust,
			Sentence: "The end of the stream and a reset end the claim at once and stop the work.",
			Sources:  []Ref{{Page: WC, Rule: "8"}},
			Why:      "The lock is free from that moment, and the next holder has it.",
			How: "The server closes, or resets, the connection of a holder. The time to the stop " +
				"signal is measured.",
			Breaks: "The end is noticed with the next heartbeat only, or leads to a silent reconnect.",
		},
		{
			ID: C_DBT_03, Level: LevelMust,
			Sentence: "WAITING after ACQUIRED is doubt and ends the claim, while the close that goes with " +
				"it is a SHOULD of its own (C-DBT-06).",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "7"}},
			Why: "The protocol knows no way back. A server that says so has lost track, and perhaps " +
				"granted the lock elsewhere.",
			How:    "The server sends WAITING to a holder. The end of the claim is looked for.",
			Breaks: "WAITING is taken for a plain acknowledgement, whatever came before.",
		},
		{
			ID: C_DBT_04, Level: LevelShould,
			Sentence: "An ACQUIRED with another token within one session is doubt, and the client closes.",
			Sources:  []Ref{{Page: WP}, {Page: WC, Rule: "7"}},
			Why: "Another token is another grant. The work runs under a token that may no longer " +
				"count.",
			How: "The server sends ACQUIRED with a different token to a holder. The close is looked " +
				"for.",
			Breaks: "The token of an acknowledgement is not read, or silently replaces the first.",
		},
		{
			ID: C_DBT_05, Level: LevelMust,
			Sentence: "A write that fails or blocks leads to the close and the end of the claim, which a " +
				"reset shows, and also a peer that stops reading (zero window).",
			Sources: []Ref{{Page: WC, Rule: "7"}},
			Why: "A heartbeat that did not leave is no heartbeat. A client that hangs in a write " +
				"cannot stop its work.",
			How: "The connection is reset, and in another case the peer stops reading. The end of the " +
				"claim and the close are looked for.",
			Breaks: "The error of the write is ignored, or the write holds the mutex that the timer " +
				"needs.",
		},
		{
			ID: C_DBT_06, Level: LevelShould,
			Sentence: "After a WAITING that follows ACQUIRED the client closes the connection.",
			Sources:  []Ref{{Page: WC, Rule: "7"}},
			Why:      "The close clears the doubt on both sides, and costs no more than the lock.",
			How:      "The server sends WAITING to a holder. The close is looked for on the wire.",
			Breaks:   "The claim ends and the client queues on, over the same connection.",
		},
	},
}
