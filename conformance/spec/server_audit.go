package spec

// serverAudit is what is on record.
var serverAudit = section{
	role:  RoleServer,
	topic: Topic{Key: "audit", Title: "Audit log"},
	requirements: []Requirement{
		{
			ID: S_AUD_01, Level: LevelMust,
			Features: []Feature{FeatureAudit},
			Sentence: "Each line of the audit log is JSON with time (UTC, RFC 3339), event, lock, identity, " +
				"remote_addr and the fields of its own event.",
			Sources: []Ref{{Page: AU}},
			Why: "The log answers who held what and when. A line that no program can read answers " +
				"nothing.",
			How:    "Events are provoked, and each line is parsed and its fields are checked.",
			Breaks: "Local time, text mixed into the JSON, or lock names that are not escaped.",
		},
		{
			ID: S_AUD_02, Level: LevelMust,
			Features: []Feature{FeatureAudit},
			Sentence: "The events granted, released (with reason graceful, expired, io_timeout or force), " +
				"denied, force_release and kick_waiter are written when they happen.",
			Sources: []Ref{{Page: AU}},
			Why:     "A missing event is a gap in the evidence, most often where something went wrong.",
			How: "Each event and each reason is provoked as far as the subject's features allow, and " +
				"its line is looked for.",
			Breaks: "Only the good paths write lines, or a wrong reason is given for an expired lease.",
		},
		{
			ID: S_AUD_03, Level: LevelMust,
			Features: []Feature{FeatureAudit},
			Sentence: "Between two granted lines of one lock there is always a released, so that ownerships " +
				"never overlap in the log.",
			Sources: []Ref{{Page: AU}},
			Why:     "A log in which two owners overlap cannot show that the lock worked.",
			How:     "A lock changes hands many times under load. The order of its lines is checked.",
			Breaks:  "Lines are written by each session on its own, after the lock has been passed on.",
		},
		{
			ID: S_AUD_04, Level: LevelMust,
			Features: []Feature{FeatureAudit, FeatureControl},
			Sentence: "On SIGHUP the server opens the file of the audit log anew.",
			Sources:  []Ref{{Page: AU}},
			Why: "Log rotation moves the file. Without reopening all later events go where nobody " +
				"looks.",
			How:    "The file is moved away and SIGHUP sent. New events must appear under the old path.",
			Breaks: "The file stays open for the life of the process.",
		},
	},
}
