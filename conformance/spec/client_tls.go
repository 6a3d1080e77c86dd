package spec

// clientTLS is how a client protects its connection.
var clientTLS = section{
	role:  RoleClient,
	topic: Topic{Key: "client-tls", Title: "TLS"},
	requirements: []Requirement{
		{
			ID: C_TLS_01, Level: LevelMust,
			Features: []Feature{FeatureTLS},
			Sentence: "The client connects over TLS and verifies the server, so that a wrong name or an " +
				"unknown CA is refused.",
			Sources: []Ref{{Page: TL}, {Page: GO}},
			Why:     "A client that talks to anybody can be granted a lock by anybody.",
			How: "Servers with a good certificate, a wrong name and an unknown CA are offered. Only " +
				"the first may be used.",
			Breaks: "Verification is switched off for a test and stays off, or only the chain is checked.",
		},
		{
			ID: C_TLS_02, Level: LevelMust,
			Features: []Feature{FeatureMTLS},
			Sentence: "With mutual TLS the client shows its certificate.",
			Sources:  []Ref{{Page: TL}, {Page: GO}},
			Why:      "Without it the server refuses the client, or knows it by no name.",
			How:      "The server asks for a certificate and compares the one that it gets.",
			Breaks: "The certificate is loaded but not handed to the connection, or is left out when the " +
				"server's list of CAs does not name its issuer.",
		},
	},
}
