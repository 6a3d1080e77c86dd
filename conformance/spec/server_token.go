package spec

// serverToken is how tokens grow.
var serverToken = section{
	role:  RoleServer,
	topic: Topic{Key: "token", Title: "Fencing tokens"},
	requirements: []Requirement{
		{
			ID: S_TOK_01, Level: LevelMust,
			Sentence: "All ACQUIRED frames of one session carry one and the same token, be they the grant, " +
				"a promotion or an acknowledgement.",
			Sources: []Ref{{Page: WP}, {Page: FT}},
			Why: "The token is the name of the grant. If it changes on the way, the resource refuses " +
				"the rightful holder.",
			How: "The tokens of every session, in every scenario, are compared.",
			Breaks: "The counter is read at each answer, or the acknowledgement is built without the " +
				"token.",
		},
		{
			ID: S_TOK_02, Level: LevelMust,
			Sentence: "A later grant of the same lock carries a strictly larger token.",
			Sources:  []Ref{{Page: FT}},
			Why: "A resource refuses a token that is smaller than the last one. With equal or falling " +
				"tokens a stale holder still writes.",
			How: "One lock is granted many times, by a free lock, promotion and expiry. Each token " +
				"must be larger than the one before.",
			Breaks: "A random number, a hash or a clock that is too coarse for two quick grants.",
		},
		{
			ID: S_TOK_03, Level: LevelMust,
			Sentence: "A later grant of any lock at all carries a strictly larger token.",
			Sources:  []Ref{{Page: FT}},
			Why: "One resource may be guarded by several locks. Tokens must be comparable across all " +
				"of them.",
			How: "Grants on different names are made one after the other. The tokens must grow through " +
				"all of them.",
			Breaks: "One counter for each lock.",
		},
		{
			ID: S_TOK_04, Level: LevelMust,
			Sentence: "Tokens that are granted concurrently are unique and stand in the order of their " +
				"grants.",
			Sources: []Ref{{Page: FT}},
			Why:     "Two holders with one token cannot be told apart by the resource.",
			How: "Many grants are made at the same time. No token may occur twice, and grants that are " +
				"ordered in time must have ordered tokens.",
			Breaks: "The counter is read and written in two steps, or each worker draws from a range of " +
				"its own.",
		},
		{
			ID: S_TOK_05, Level: LevelMust,
			Features: []Feature{FeatureControl},
			Sentence: "Grants after a restart of the server that come more than a second after those before " +
				"it carry larger tokens.",
			Sources: []Ref{{Page: FT}},
			Why: "A restart that starts counting anew makes each stale holder from before look fresh, " +
				"and the resource lets it write.",
			How: "The server is started, grants, is restarted, and grants again more than a second " +
				"later. The tokens are compared.",
			Breaks: "A counter in memory that begins at 1.",
		},
	},
}
