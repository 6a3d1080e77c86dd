package spec

// clientToken is what the work must be told.
var clientToken = section{
	role:  RoleClient,
	topic: Topic{Key: "client-token", Title: "Fencing token"},
	requirements: []Requirement{
		{
			ID: C_TOK_01, Level: LevelMust,
			Sentence: "The token reaches the work and equals the one on the wire.",
			Sources:  []Ref{{Page: WC, Rule: "5"}},
			Why: "The token is the resource's only defence against a stale holder. A token that nobody " +
				"sees protects nothing.",
			How:    "The server grants a known token, and the one that the work reports is compared.",
			Breaks: "The token stays inside the client, or is rounded on the way.",
		},
	},
}
