package spec

// DocumentedScenario is one of the five scenarios that the page on writing a
// client asks every author to script.
type DocumentedScenario struct {
	Key      string // "documented-1" to "documented-5", in the page's order
	Sentence string
	Roles    []Role // the roles that it concerns
	// Features are what a server must offer for it. A client needs none: these
	// scenarios run for each client.
	Features []Feature
}

// DocumentedFive returns the five scenarios. Their order is the page's, which
// puts those that find the most bugs first. The slice is the caller's own.
// Source: writing a client, "Testing against a real server".
func DocumentedFive() []DocumentedScenario {
	both := func() []Role { return []Role{RoleServer, RoleClient} }
	return []DocumentedScenario{
		{
			Key: "documented-1",
			Sentence: "Of two clients on one lock the second gets WAITING and, as soon as the first one " +
				"disconnects, ACQUIRED without having sent a message.",
			Roles: both(),
		},
		{
			Key: "documented-2",
			Sentence: "A client holds a lock for longer than several heartbeat intervals, and its " +
				"heartbeats keep to the schedule.",
			Roles: both(),
		},
		{
			Key: "documented-3",
			Sentence: "The network stops while a client holds, and the client ends its claim before the " +
				"lease is over and stops its work.",
			Roles: []Role{RoleClient},
		},
		{
			Key: "documented-4",
			Sentence: "The server restarts while a client is in the queue, and the client gets ERROR 0x01 " +
				"and connects again at once.",
			Roles:    both(),
			Features: []Feature{FeatureControl},
		},
		{
			Key:      "documented-5",
			Sentence: "A name of 300 bytes is answered with ERROR 0x15, and the client does not retry.",
			Roles:    both(),
		},
	}
}

// Untestable returns what the documents demand and no test from outside can
// show, one sentence each.
func Untestable() []string {
	return []string{
		"Whether both sides use monotonic time only cannot be shown from outside, because a step of the " +
			"clock needs the clock of the subject's host.",
	}
}
