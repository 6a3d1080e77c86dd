// Package capture turns timelines into packet captures and packet captures into
// timelines.
//
// [Write] writes the timeline of a scenario as pcapng, each connection as a TCP
// stream that a stack could have sent. [Read] reads what tcpdump wrote in
// production, follows the connections that speak monolock and tells their events in
// order; what it could not see it says, and never fills in. [Dissector] is a
// Wireshark dissector of the protocol.
//
// gopacket writes and checksums packets here. It reads none: its link type has eight
// bits, which SLL2 (276) does not fit, it allocates what a hostile length says, and
// layer by layer it is many times slower than this package's own few offsets
// (BenchmarkGopacket beside BenchmarkRead).
package capture
