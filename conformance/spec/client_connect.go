package spec

// clientConnect is how a client asks for a lock.
var clientConnect = section{
	role:  RoleClient,
	topic: Topic{Key: "connect", Title: "Connecting and asking"},
	requirements: []Requirement{
		{
			ID: C_ACQ_01, Level: LevelMust,
			Sentence: "The first bytes that a client sends are one ACQUIRE with version 1 and with lease_ms " +
				"and name exactly as asked for, big endian, and nothing around it.",
			Sources: []Ref{{Page: WP}, {Page: WC}},
			Why: "A wrong field is another lock or another lease. The client then guards its data with " +
				"the wrong promise.",
			How: "A scripted server reads the client's first bytes on every connection and compares " +
				"them with the expected frame.",
			Breaks: "The lease goes out in seconds, in the machine's byte order or cut to 31 bits, the " +
				"name's length counts characters, or only a retry asks for something else.",
		},
		{
			ID: C_ACQ_02, Level: LevelMust,
			Sentence: "A client sends exactly one ACQUIRE on each connection.",
			Sources:  []Ref{{Page: WP}},
			Why:      "A second one is answered with an ERROR and ends the claim.",
			How:      "The ACQUIRE frames of every connection, in every scenario, are counted.",
			Breaks:   "A retry on the same connection, or a second lock over a pooled one.",
		},
		{
			ID: C_ACQ_03, Level: LevelMust,
			Sentence: "The name is sent byte for byte, without trimming, case folding or normalising, so " +
				"that NFD stays NFD and 255 bytes pass.",
			Sources: []Ref{{Page: WP}},
			Why: "A changed name is a different lock. Two clients that change it differently both " +
				"hold.",
			How: "Telling names are given to the client, and the bytes on the wire are compared.",
			Breaks: "A trim on the input, a text library that normalises, or a limit that counts " +
				"characters.",
		},
		{
			ID: C_ACQ_04, Level: LevelMust,
			Sentence: "A name of 300 bytes is either refused locally or sent and its ERROR 0x15 taken, and " +
				"in both cases an error is shown and nothing is retried.",
			Sources: []Ref{{Page: WC}},
			Why: "A retry cannot make a name shorter. A client that keeps trying hides the cause and " +
				"loads the server.",
			How: "The client is asked for such a name. An error must be shown, and no further attempt " +
				"may come.",
			Breaks: "The name is cut silently, or each ERROR leads to a retry.",
		},
		{
			ID: C_ACQ_05, Level: LevelMust,
			Sentence: "There is no claim before ACQUIRED: neither WAITING, nor silence, nor an open " +
				"connection is one.",
			Sources: []Ref{{Page: WC}},
			Why:     "Work that starts in the queue runs beside the real holder.",
			How:     "The server answers WAITING, or nothing, for a while. The work must not start.",
			Breaks:  "Any answer counts as a grant, or a time-out counts as success.",
		},
		{
			ID: C_ACQ_06, Level: LevelMust,
			Sentence: "After ACQUIRE a client sends HEARTBEAT bytes and nothing else, ever.",
			Sources:  []Ref{{Page: WP}},
			Why: "Any other byte is an unknown message. The server answers it with an ERROR, and the " +
				"lock is gone.",
			How:    "All that a client sends after its ACQUIRE, in every scenario, is read byte by byte.",
			Breaks: "A farewell message, a line break, or a keep-alive of the library.",
		},
		{
			ID: C_ACQ_07, Level: LevelMust,
			Sentence: "A lease of 0 is either refused locally or sent and its ERROR 0x17 taken, and an " +
				"error is shown and nothing is retried.",
			Sources: []Ref{{Page: WP}, {Page: ER}},
			Why:     "A lease of 0 is a mistake in the settings. It must be seen, not retried for ever.",
			How: "The client is asked for a lease of 0. An error must be shown, and no further attempt " +
				"may come.",
			Breaks: "Zero is replaced by a default that nobody asked for, or the ERROR leads to a retry.",
		},
	},
}
