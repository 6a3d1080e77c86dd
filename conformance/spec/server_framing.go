package spec

// serverFraming is how bytes become messages.
var serverFraming = section{
	role:  RoleServer,
	topic: Topic{Key: "framing", Title: "Framing"},
	requirements: []Requirement{
		{
			ID: S_FRM_01, Level: LevelMust,
			Sentence: "The integers lease_ms, name_len and token travel in big-endian order.",
			Sources:  []Ref{{Page: WP}},
			Why: "One side that reads an integer backwards sees another lease, another name length or " +
				"another token. Leases then last for days or for no time at all, and a resource " +
				"refuses the rightful holder.",
			How: "Leases and name lengths that mean something else when read backwards are sent. The " +
				"expiry, the accepted name and the growth of the tokens show which order the server " +
				"used.",
			Breaks: "A struct is copied to the wire in the machine's own order. Only values that look the " +
				"same both ways were ever tested.",
		},
		{
			ID: S_FRM_02, Level: LevelMust,
			Sentence: "A message that arrives in two or more pieces, cut at any byte boundary and with " +
				"pauses in between, has the effect of the whole message.",
			Sources: []Ref{{Page: WP}},
			Why: "Networks cut messages wherever they like. A server that needs one piece fails some " +
				"clients at random, on bad links first.",
			How: "The same messages are sent once for each possible cut, with a pause at the cut. The " +
				"answers must be those of the uncut message.",
			Breaks: "One read call is taken for one message, or the rest of a short read is thrown away.",
		},
		{
			ID: S_FRM_03, Level: LevelMust,
			Sentence: "Where one segment carries several messages, the server handles each of them, in the " +
				"order sent.",
			Sources: []Ref{{Page: WP}},
			Why: "A message lost behind another is a heartbeat that never counted, and the holder is " +
				"dropped although it did its part.",
			How: "Several messages go out in one write. The answers must be complete and in the order " +
				"of the messages.",
			Breaks: "The buffer is emptied after the first message, or what follows in it waits for the " +
				"next read.",
		},
		{
			ID: S_FRM_04, Level: LevelMust,
			Sentence: "The server sends WAITING as 1 byte, ACQUIRED as 9, ERROR as 3 plus reason_len, and " +
				"not a single byte besides these.",
			Sources: []Ref{{Page: WP}},
			Why: "A client reads by these lengths. One byte too many or too few, and it takes a part " +
				"of a token for a message.",
			How: "Every byte that a server sends, in every scenario, is read as frames. What does not " +
				"add up is reported with its place.",
			Breaks: "A line break, a greeting, padding, or a reason whose length counts characters and " +
				"not bytes.",
		},
		{
			ID: S_FRM_05, Level: LevelMust,
			Sentence: "The reason inside an ERROR is valid UTF-8, and may be empty.",
			Sources:  []Ref{{Page: WP}, {Page: ER}},
			Why: "Reasons end up in logs and in exceptions. Bytes that are no text can break the " +
				"client at the moment in which it should report an error.",
			How: "The reason of every ERROR that is received, in every scenario, is checked for valid " +
				"UTF-8.",
			Breaks: "The reason is cut at 255 bytes in the middle of a character, or it echoes an " +
				"ill-formed lock name.",
		},
		{
			ID: S_FRM_06, Level: LevelObserve,
			Sentence: "Recorded: whether the reason of an ERROR contains the canonical text that belongs to " +
				"its code.",
			Sources: []Ref{{Page: WP}, {Page: ER}},
			Why: "People search logs for that text. No client may depend on it, since only the code " +
				"counts.",
			How: "Each reason received is compared with the canonical text of its code. The result is " +
				"recorded and never judged.",
			Breaks: "Nothing can break here. Servers differ in wording and in added detail.",
		},
	},
}
