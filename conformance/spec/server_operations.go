package spec

// serverOperations is what monitoring can read.
var serverOperations = section{
	role:  RoleServer,
	topic: Topic{Key: "operations", Title: "Operations"},
	requirements: []Requirement{
		{
			ID: S_OPS_01, Level: LevelMust,
			Features: []Feature{FeatureOps},
			Sentence: "/metrics parses as Prometheus text and contains every documented metric with its " +
				"type.",
			Sources: []Ref{{Page: OB}},
			Why: "Dashboards and alarms are built on these names. A missing metric is an alarm that " +
				"never rings.",
			How: "The page is fetched and parsed, and names, types and labels are compared with the " +
				"documented list.",
			Breaks: "A renamed metric, a missing TYPE line, or counters that appear only after their " +
				"first event.",
		},
		{
			ID: S_OPS_02, Level: LevelMust,
			Features: []Feature{FeatureOps},
			Sentence: "Each counter and each gauge moves when its event happens.",
			Sources:  []Ref{{Page: OB}},
			Why:      "A figure that stands still tells people that all is well.",
			How:      "Each event is provoked, and the figures before and after are compared.",
			Breaks:   "One path is not counted, a gauge is never lowered, or an event counts twice.",
		},
		{
			ID: S_OPS_03, Level: LevelMust,
			Features: []Feature{FeatureOps},
			Sentence: "/healthz answers 200 while the server serves, and /readyz is its alias.",
			Sources:  []Ref{{Page: OB}},
			Why: "Orchestrators restart what they take for dead. A wrong answer restarts a server that " +
				"holds locks.",
			How:    "Both addresses are fetched, and their answers are compared.",
			Breaks: "One of the two is missing, or checks something else.",
		},
	},
}
