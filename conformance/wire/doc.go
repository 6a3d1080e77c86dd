// Package wire is monolock's protocol as bytes and nothing else: the five
// frames, the error codes and their ranges, lock names.
//
//	ACQUIRE    0x01 | version u8 | lease_ms u32 | name_len u16 | name     client to server
//	HEARTBEAT  0x02                                                       client to server
//	WAITING    0x11                                                       server to client
//	ACQUIRED   0x12 | token u64                                           server to client
//	ERROR      0x13 | code u8 | reason_len u8 | reason                    server to client
//
// All integers are big endian. Reading takes exactly one frame and never a
// byte more; appending allocates nothing that the destination can hold. What
// a frame means, and whether it is allowed, is for others to say: this package
// reads an ACQUIRE for version 9 with an empty name as readily as a good one.
// [Acquire.Check] tells which code such a frame deserves.
//
// Source: wire protocol, "Messages".
package wire
