package spec

// serverAdmin is what operators can see and do.
var serverAdmin = section{
	role:  RoleServer,
	topic: Topic{Key: "admin", Title: "Admin API"},
	requirements: []Requirement{
		{
			ID: S_ADM_01, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "GET /api/info gives version, uptime_ms, config with listen, ops_listen, tls, mtls, " +
				"acl_file, audit_log and io_timeout_ms, and also locks and sessions.",
			Sources: []Ref{{Page: AD}},
			Why:     "People check with it what runs where, above all when something is wrong.",
			How: "The document is fetched, and each field and its type is checked against what the " +
				"suite knows.",
			Breaks: "Fields that are renamed, missing when empty, or in other units.",
		},
		{
			ID: S_ADM_02, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "GET /api/locks shows each lock that has an owner or a queue, with its name, its " +
				"holder (identity, remote_addr, since in RFC 3339, lease_ms, token) and its waiters " +
				"(identity, remote_addr, queued_at) in FIFO order.",
			Sources: []Ref{{Page: AD}},
			Why: "Who holds a lock and who waits is the first question in an incident. A wrong answer " +
				"leads to the wrong process being killed.",
			How:    "A known set of holders and waiters is built up, and the listing is compared with it.",
			Breaks: "Waiters in map order, a token that a JSON number rounds, or times in local format.",
		},
		{
			ID: S_ADM_03, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "The query \"?match=GLOB\" filters the listing by the glob language of the ACL.",
			Sources:  []Ref{{Page: AD}, {Page: AC}},
			Why: "One pattern must mean one set of locks everywhere. People test an ACL pattern by " +
				"this filter.",
			How: "Locks with telling names are held, and the listing is fetched with patterns whose " +
				"result is known.",
			Breaks: "Path globs in which \"*\" stops at \"/\", prefix search, or regular expressions.",
		},
		{
			ID: S_ADM_04, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "GET /api/locks/{name} gives the same shape for one lock, with a \"/\" in the name " +
				"written as %2F.",
			Sources: []Ref{{Page: AD}},
			Why: "Names with slashes are common. A lock that the API cannot name cannot be released by " +
				"it.",
			How: "Locks with and without a slash in their names are fetched one by one, and compared " +
				"with the listing.",
			Breaks: "A router that decodes the path before it splits it.",
		},
		{
			ID: S_ADM_05, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "A lock that is idle does not appear in the listing.",
			Sources:  []Ref{{Page: AD}},
			Why:      "Stale entries hide the living ones. Over months they also fill the memory.",
			How:      "A lock is acquired and released. The listing must no longer have it.",
			Breaks:   "The entry for a name is made once and never removed.",
		},
		{
			ID: S_ADM_06, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "POST /api/locks/{name}/release gives the owner ERROR 0x02 and then the close, and " +
				"promotes the next waiter at once with a larger token.",
			Sources: []Ref{{Page: AD}},
			Why: "This is the emergency exit. The old owner must learn that it lost, and the new token " +
				"must shut it out.",
			How: "A lock with an owner and a waiter is released by the API. The owner's frames, the " +
				"promotion and its token are read.",
			Breaks: "The owner is left connected, the token is reused, or the release waits for the " +
				"lease.",
		},
		{
			ID: S_ADM_07, Level: LevelMust,
			Features: []Feature{FeatureAdmin},
			Sentence: "DELETE /api/locks/{name}/waiters/{remote_addr} gives that waiter ERROR 0x02 and then " +
				"the close, while the other waiters keep their order.",
			Sources: []Ref{{Page: AD}},
			Why:     "One hung client is taken out of a queue by it. Nobody else may lose a turn.",
			How: "One waiter in mid-queue is removed by the API. Its frames and the order of the other " +
				"promotions are read.",
			Breaks: "The address is matched without its port, or the gap is filled from the end.",
		},
		{
			ID: S_ADM_08, Level: LevelShould,
			Features: []Feature{FeatureAdmin},
			Sentence: "A lock or waiter that does not exist gives 404 and changes nothing, and a wrong " +
				"method gives 405.",
			Sources: []Ref{{Page: AD}},
			Why: "Scripts act on these codes. A mistyped name that answers 200 looks like a done " +
				"release.",
			How: "Unknown names and wrong methods are tried beside living sessions. The codes are " +
				"read, and the sessions must be untouched.",
			Breaks: "Everything answers 200, or a lookup creates the lock that it looks for.",
		},
	},
}
