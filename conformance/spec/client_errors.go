package spec

// clientErrors is when a client tries again.
var clientErrors = section{
	role:  RoleClient,
	topic: Topic{Key: "errors", Title: "Errors"},
	requirements: []Requirement{
		{
			ID: C_ERR_01, Level: LevelMust,
			Features: []Feature{FeatureRetry},
			Sentence: "After code 0x01 the client connects again at once, with a new ACQUIRE on a new " +
				"connection.",
			Sources: []Ref{{Page: WC, Rule: "6"}, {Page: ER}},
			Why:     "A server that restarts says so. Clients that wait too long leave the locks idle.",
			How: "The server answers with the code and goes on listening. The time to the next " +
				"connection and its first bytes are read.",
			Breaks: "All codes get the same backoff, or the client gives up.",
		},
		{
			ID: C_ERR_02, Level: LevelMust,
			Features: []Feature{FeatureRetry},
			Sentence: "After codes 0x02 to 0x0f the client connects again with backoff: its first three " +
				"pauses are at least 20 ms on average, as jitter may make single ones short.",
			Sources: []Ref{{Page: WC, Rule: "6"}, {Page: ER}},
			Why:     "Clients that come back in a tight loop turn a small trouble into an outage.",
			How: "The server answers each attempt with such a code. The pauses between the attempts " +
				"are measured.",
			Breaks: "A retry without any pause.",
		},
		{
			ID: C_ERR_03, Level: LevelMust,
			Sentence: "Codes 0x10 to 0xff, whether known or not, are shown and lead to no new attempt, " +
				"though after 0x10 one with another version on a new connection is legal.",
			Sources: []Ref{{Page: WC, Rule: "6"}, {Page: ER}, {Page: WP}},
			Why:     "These faults lie with the client. Retrying cannot help, and hides the cause.",
			How: "The server answers with such codes. An error must be shown, and further connections " +
				"are watched for.",
			Breaks: "A list of known codes, with retry as the rule for all others.",
		},
		{
			ID: C_ERR_04, Level: LevelMust,
			Sentence: "Codes that are not assigned yet go by their range: 0x00, 0x03 and 0x0f are retried, " +
				"while 0x19, 0x7f, 0x80 and 0xff are not.",
			Sources: []Ref{{Page: WC, Rule: "6"}, {Page: ER}},
			Why:     "Servers will get new codes. Clients in the field must already do the right thing.",
			How: "The server answers with each of these codes. Whether the client tries again, or says " +
				"that it would make sense, is read.",
			Breaks: "A list of codes, or a signed byte that makes 0x80 negative.",
		},
		{
			ID: C_ERR_05, Level: LevelMust,
			Sentence: "The code alone decides: reasons that mislead, are empty, have 255 bytes or are " +
				"otherwise odd change nothing.",
			Sources: []Ref{{Page: WC, Rule: "6"}, {Page: ER}},
			Why: "Reasons are for people and change with each release. A client that reads them breaks " +
				"with the next one.",
			How: "The same code is sent with different reasons. The client must behave in the same way " +
				"each time.",
			Breaks: "The text is searched for words, or a long or odd reason breaks the reader.",
		},
		{
			ID: C_ERR_06, Level: LevelShould,
			Features: []Feature{FeatureClassify},
			Sentence: "The caller learns the code, and also whether trying again makes sense.",
			Sources:  []Ref{{Page: WC, Rule: "6"}, {Page: GO}},
			Why:      "The caller must decide between trying again and calling for help.",
			How: "The server answers with different codes. The code and the classification that the " +
				"client reports are compared.",
			Breaks: "All errors become one exception with a text.",
		},
		{
			ID: C_ERR_07, Level: LevelMust,
			Sentence: "A holder that receives an ERROR gives up its claim at once, and its work is stopped.",
			Sources:  []Ref{{Page: WC, Rule: "8"}},
			Why: "The server has taken the lock away. Each moment of further work is a moment beside " +
				"another holder.",
			How:    "The server sends an ERROR to a holder. The time to the stop signal is measured.",
			Breaks: "Errors are only looked at while connecting.",
		},
		{
			ID: C_ERR_08, Level: LevelShould,
			Features: []Feature{FeatureRetry},
			Sentence: "Where the server cannot be reached, the client backs off and runs no busy loop.",
			Sources:  []Ref{{Page: GO}},
			Why: "A fleet that hammers a dead address burns its own machines, and hits the server when " +
				"it returns.",
			How:    "Connections are refused for a while. The attempts and their pauses are counted.",
			Breaks: "The backoff applies to ERROR frames only.",
		},
		{
			ID: C_ERR_09, Level: LevelShould,
			Features: []Feature{FeatureRetry},
			Sentence: "Against a server that each time accepts and then closes, or at once answers ERROR " +
				"0x02, pauses 4 to 6 together are longer than pauses 1 to 3 or stand at a cap, as a " +
				"bare TCP connect does not reset them.",
			Sources: []Ref{{Page: GO}},
			Why: "A sick server often still accepts connections. Backoff that starts anew each time is " +
				"no backoff.",
			How:    "The server behaves so for several attempts. The pauses are measured and compared.",
			Breaks: "The counter is reset as soon as the connect succeeds.",
		},
	},
}
