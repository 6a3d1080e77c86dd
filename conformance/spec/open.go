package spec

// OpenPoints returns the places where the documents are silent or at odds, for
// the protocol's authors to settle. Each begins with its number, by which
// requirements refer to it ("open point 7"). Numbers are stable as IDs are.
func OpenPoints() []string {
	return []string{
		"1. Self-revocation, counted from the receipt: a client that ends its claim at 0.8*lease after it " +
			"received a confirmation is not safe where the return path takes more than 0.2*lease, because " +
			"the server counts its lease from the heartbeat's arrival and is done first. Counted from the " +
			"send of the confirmed heartbeat it is safe. C-TO-02 therefore judges with a fast return path, " +
			"and C-TO-09 observes with a slow one.",
		"2. Short leases: where lease/4 is below the client's floor, the interval cannot be both at least " +
			"the floor and at most the base. C-HB-09 observes what a client does.",
		"3. The first sample of the average: the documents do not say whether the EWMA begins with the " +
			"first round trip or at 0. Both are accepted, and the interval is judged only after so many " +
			"samples that the two agree within the tolerance.",
		"4. Errors: the documents do not say which ERROR wins where several apply (S-ACQ-24), nor what " +
			"follows an ERROR other than 0x01, 0x02 and 0x18 (S-ACQ-21).",
		"5. Reconnecting after 0x01: the contract says immediately, but the documented retry of the Go " +
			"client begins its backoff at 100 ms then too. C-ERR-01 allows up to 250 ms.",
		"6. A pushed ACQUIRED as a confirmation: it is a frame from the server, but says nothing of the " +
			"last message that the server saw, which can be lease/4 old. A client that counts 0.8*lease " +
			"from the push can claim, at a round trip of zero, until 1.05*lease after that message. " +
			"Counted from the send of the last answered message it is safe. C-TO-09 observes it.",
		"7. A promotion that crosses a heartbeat: that any reply acknowledges does not go well with one " +
			"heartbeat in flight. A client that takes the push for the answer stays one ahead for ever on " +
			"a slow link; one that does not is starved by a server that merges the two frames. Both are " +
			"accepted.",
		"8. Repeated 0x01: reconnecting immediately has no bound, so that a server which answers 0x01 for " +
			"ever makes the hot loop that the page asks for. The suite sends at most three in a row.",
	}
}
