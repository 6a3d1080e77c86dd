package spec

// serverACL is who may ask for which lock.
var serverACL = section{
	role:  RoleServer,
	topic: Topic{Key: "acl", Title: "Access control"},
	requirements: []Requirement{
		{
			ID: S_ACL_01, Level: LevelMust,
			Features: []Feature{FeatureACL},
			Sentence: "Access is denied by default and allowed if any matching rule allows it, and the " +
				"order of the rules means nothing.",
			Sources: []Ref{{Page: AC}},
			Why: "A missing rule must lock out and never let in. Rules that depend on order change " +
				"their meaning by an edit elsewhere.",
			How: "Identities and names with no rule, one rule and several rules are tried, with the " +
				"rules in different orders.",
			Breaks: "First match wins, or an empty file means that all is allowed.",
		},
		{
			ID: S_ACL_02, Level: LevelMust,
			Features: []Feature{FeatureACL},
			Sentence: "In a pattern \"*\" matches any substring, \"/\" included, \"?\" matches exactly one " +
				"character and everything else stands for itself, against the whole string and case " +
				"sensitively.",
			Sources: []Ref{{Page: AC}},
			Why: "A pattern that matches more than its author meant gives away locks. One that matches " +
				"less stops jobs.",
			How: "Names that each part of the language must match or must not match are tried.",
			Breaks: "Path globs, brackets and backslashes with a meaning, a match of a part, or \"?\" as " +
				"one byte.",
		},
		{
			ID: S_ACL_03, Level: LevelMust,
			Features: []Feature{FeatureACL},
			Sentence: "A denied ACQUIRE gets ERROR 0x18 and then the close.",
			Sources:  []Ref{{Page: AC}},
			Why: "The client must report a missing right and stop. A bare close makes it retry for " +
				"ever.",
			How: "A client asks for a lock that its rules do not allow. The code and the close are " +
				"read.",
			Breaks: "The connection is only closed, or the client waits in the queue first.",
		},
		{
			ID: S_ACL_04, Level: LevelMust,
			Features: []Feature{FeatureACL, FeatureControl},
			Sentence: "SIGHUP loads the rules anew, and a broken file leaves the old rules in force.",
			Sources:  []Ref{{Page: AC}, {Page: CF}},
			Why: "Rules change while work goes on. A typing error must neither open nor close " +
				"everything.",
			How: "The file is changed and SIGHUP sent, then broken and SIGHUP sent again. Access is " +
				"tried after each.",
			Breaks: "A failed load leaves no rules or half of them.",
		},
		{
			ID: S_ACL_05, Level: LevelMust,
			Features: []Feature{FeatureACL, FeatureControl},
			Sentence: "The server refuses to start, with an error, if one of its rules can permit nothing " +
				"or if it has an ACL but no -tls-client-ca.",
			Sources: []Ref{{Page: AC}, {Page: CF}},
			Why: "A rule without effect is a mistake that would show as a denied job at night. An ACL " +
				"without identities protects nothing.",
			How: "The server is started with each of these set-ups. It must exit with an error and not " +
				"serve.",
			Breaks: "Such set-ups are only logged, and the server starts.",
		},
	},
}
