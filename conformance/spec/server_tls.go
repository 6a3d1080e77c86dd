package spec

// serverTLS is how connections are protected.
var serverTLS = section{
	role:  RoleServer,
	topic: Topic{Key: "tls", Title: "TLS"},
	requirements: []Requirement{
		{
			ID: S_TLS_01, Level: LevelMust,
			Features: []Feature{FeatureTLS},
			Sentence: "The core scenarios hold over TLS as they do over plain TCP.",
			Sources:  []Ref{{Page: TL}},
			Why: "Encryption changes how bytes arrive. A server that is correct in the clear only is " +
				"not correct in production.",
			How: "The core scenarios run again on TLS connections.",
			Breaks: "Bytes that are left in the TLS buffer are not read, or a close is missed because the " +
				"alert is taken for an error.",
		},
		{
			ID: S_TLS_02, Level: LevelMust,
			Features: []Feature{FeatureTLS},
			Sentence: "Where a TLS port receives plaintext, no lock is granted and the server keeps serving " +
				"others.",
			Sources: []Ref{{Page: TL}},
			Why: "A client without TLS must not slip past encryption and identity. Nor may it bring " +
				"the server down.",
			How: "A plain ACQUIRE is sent to the TLS port. No grant may come, and a TLS client must be " +
				"served afterwards.",
			Breaks: "A fallback to plaintext, or a handshake error that ends the accept loop.",
		},
		{
			ID: S_TLS_03, Level: LevelMust,
			Features: []Feature{FeatureMTLS},
			Sentence: "With mutual TLS a client that has no certificate, or one from another CA, is refused " +
				"at the handshake.",
			Sources: []Ref{{Page: TL}},
			Why: "The certificate is the identity. Whoever gets in without one acts under nobody's " +
				"name.",
			How: "Handshakes without a certificate and with a foreign one are tried. Neither may reach " +
				"a grant.",
			Breaks: "The certificate is asked for but not required, or is taken without verifying its " +
				"chain.",
		},
		{
			ID: S_TLS_04, Level: LevelShould,
			Features: []Feature{FeatureTLS},
			Sentence: "A handshake that gets stuck is dropped after the io-timeout.",
			Sources:  []Ref{{Page: TL}},
			Why:      "Half-done handshakes hold descriptors, and are the cheapest attack there is.",
			How: "A connection stops in the middle of its handshake. The time of the close is measured " +
				"against the io-timeout.",
			Breaks: "The deadline starts after the handshake, or the handshake runs in the accept loop.",
		},
		{
			ID: S_TLS_05, Level: LevelMust,
			Features: []Feature{FeatureTLS, FeatureControl},
			Sentence: "On SIGHUP new connections get the new certificate, while open sessions go on and no " +
				"lock is handed over.",
			Sources: []Ref{{Page: TL}, {Page: CF}},
			Why: "Certificates are renewed every few weeks. A renewal that drops sessions is a planned " +
				"outage.",
			How: "The certificate file is replaced and SIGHUP sent. A new connection's certificate is " +
				"read, and open sessions must keep their locks.",
			Breaks: "The certificate is loaded once at the start, or the reload restarts the listener and " +
				"its sessions.",
		},
		{
			ID: S_TLS_06, Level: LevelMust,
			Features: []Feature{FeatureTLS, FeatureControl},
			Sentence: "A certificate that does not load leaves the previous one in use.",
			Sources:  []Ref{{Page: TL}, {Page: CF}},
			Why:      "A half-written file must not lock all clients out.",
			How: "A broken certificate file is put in place and SIGHUP sent. New connections must " +
				"still get the previous certificate.",
			Breaks: "The old one is dropped before the new one is checked, or the error ends the process.",
		},
	},
}
