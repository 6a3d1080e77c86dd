// Package certificate makes, reads and checks certificates: a signed statement that
// three runs of the whole suite found one subject conformant, beside the results
// that it speaks of. CERTIFICATE.md in this folder describes the files.
//
// [Seal] makes one, [Verify] checks a folder. Both ask [RunReasons] and [Reasons],
// so that nothing certifies which does not verify. Nothing here reads a clock.
package certificate
