// Package capture turns timelines into packet captures and packet captures into
// timelines.
//
// [Write] writes the timeline of a scenario as pcapng, each connection as a TCP
// stream that a stack could have sent. [Read] reads what tcpdump wrote in
// production, follows the connections that speak monolock and tells their events in
// order; what it could not see it says, and never fills in. [Dissector] is a
// Wireshark dissector of the protocol.
//
// gopacket writes and checksums packets here and reads none. It is as fast
// (BenchmarkGopacket beside BenchmarkRead), but its link type has eight bits, which
// SLL2 (276) does not fit, it allocates what a hostile length says, and its assemblers
// wait at a hole for somebody to flush, where this package has to say what is missing.
package capture
