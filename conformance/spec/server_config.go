package spec

// serverConfig is which setting counts.
var serverConfig = section{
	role:  RoleServer,
	topic: Topic{Key: "config", Title: "Configuration"},
	requirements: []Requirement{
		{
			ID: S_CFG_01, Level: LevelMust,
			Features: []Feature{FeatureConfig, FeatureControl},
			Sentence: "A flag wins over the environment variable, and the environment variable over the " +
				"default.",
			Sources: []Ref{{Page: CF}},
			Why: "People override one setting for one start. The wrong order runs production with a " +
				"test's settings.",
			How: "The server is started with a setting in one and in both places. The value in force " +
				"is read from its behaviour.",
			Breaks: "The environment is read last, or an unset flag's default overwrites it.",
		},
		{
			ID: S_CFG_02, Level: LevelMust,
			Features: []Feature{FeatureConfig, FeatureControl},
			Sentence: "Starting with -tls-client-ca but without certificate and key is an error at the " +
				"start.",
			Sources: []Ref{{Page: TL}},
			Why: "The author meant mutual TLS. A server that starts in the clear has dropped the " +
				"protection without a word.",
			How:    "The server is started so. It must exit with an error and not serve.",
			Breaks: "The setting is ignored where TLS is off.",
		},
	},
}
