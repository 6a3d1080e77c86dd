package spec

// clientReading is how a client takes what arrives.
var clientReading = section{
	role:  RoleClient,
	topic: Topic{Key: "reading", Title: "Reading"},
	requirements: []Requirement{
		{
			ID: C_RD_01, Level: LevelMust,
			Sentence: "A client claims a pushed ACQUIRED at once and without sending a heartbeat first, as " +
				"only a permanent reader can.",
			Sources: []Ref{{Page: WC, Rule: "1"}},
			Why: "A grant that nobody reads blocks everybody behind it. With a short lease it may be " +
				"over before it is seen.",
			How: "A waiting client gets ACQUIRED pushed between two heartbeats. The claim must follow " +
				"without a further message.",
			Breaks: "The client reads only after it has sent.",
		},
		{
			ID: C_RD_02, Level: LevelMust,
			Sentence: "Frames that arrive one byte at a time are read as the frames that they are.",
			Sources:  []Ref{{Page: WC, Rule: "2"}},
			Why: "Networks cut where they like. A client that takes the pieces for messages drops good " +
				"locks at random.",
			How: "The server sends its frames byte by byte, with pauses. The client must behave as " +
				"with whole ones.",
			Breaks: "One read call is taken for one message.",
		},
		{
			ID: C_RD_03, Level: LevelMust,
			Sentence: "Where one segment carries several frames, the client reads each of them.",
			Sources:  []Ref{{Page: WC, Rule: "2"}},
			Why: "The second frame may be the grant or the ERROR. Lost, it leaves the client with the " +
				"wrong state.",
			How:    "The server sends two frames in one write. The client must act on both.",
			Breaks: "The rest of the buffer is thrown away after the first frame.",
		},
		{
			ID: C_RD_04, Level: LevelMust,
			Sentence: "The whole unsigned 64-bit token arrives intact, as shown by 1, 2^53+1, 2^63 and " +
				"2^64-1.",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "5"}},
			Why: "A rounded or negative token does not fence. The resource refuses the holder, or lets " +
				"a stale one in.",
			How: "The server grants each of these tokens, and the token that reaches the work is " +
				"compared.",
			Breaks: "A floating-point number, a signed integer, or a library that reads 32 bits twice in " +
				"the wrong order.",
		},
		{
			ID: C_RD_05, Level: LevelMust,
			Sentence: "An incomplete frame confirms nothing.",
			Sources:  []Ref{{Page: WC, Rule: "2"}, {Page: WC, Rule: "3"}},
			Why: "A server that hangs in mid-frame has confirmed nothing. The client would claim a " +
				"lock that is gone.",
			How: "The server sends a part of a frame and stops. The claim must end as if nothing had " +
				"come.",
			Breaks: "The timer is set back by each read, whatever it returned.",
		},
		{
			ID: C_RD_06, Level: LevelMust,
			Sentence: "When a promotion and a heartbeat cross, the client takes both frames for what they " +
				"are, keeps its claim and goes on with heartbeats at the right pace, whether or not " +
				"the push also counts as the answer (open point 7).",
			Sources: []Ref{{Page: WP}, {Page: WC, Rule: "4"}},
			Why: "The crossing happens in every busy queue. A client that stumbles over it loses the " +
				"lock in the moment in which it gets it.",
			How: "The server pushes ACQUIRED while a heartbeat is under way, and sends the answer too. " +
				"The claim and the pace of heartbeats are watched.",
			Breaks: "The extra frame is taken for garbage, or the count of open heartbeats goes wrong " +
				"from then on.",
		},
	},
}
