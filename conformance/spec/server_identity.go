package spec

// serverIdentity is whose name a certificate carries.
var serverIdentity = section{
	role:  RoleServer,
	topic: Topic{Key: "identity", Title: "Identity"},
	requirements: []Requirement{
		{
			ID: S_ID_01, Level: LevelMust,
			Features: []Feature{FeatureMTLS},
			Sentence: "A client's identity is the first URI SAN of its certificate, without one the first " +
				"DNS SAN, and without that the Common Name.",
			Sources: []Ref{{Page: TL}},
			Why: "Rules and audit lines speak of identities. The wrong field lets somebody act under " +
				"another's name.",
			How: "Certificates with each combination of these fields are used. The identity that the " +
				"server shows or acts on is compared.",
			Breaks: "The Common Name comes first, the last SAN is taken, or the SANs are sorted.",
		},
	},
}
