package subject

import (
	"bytes"
	"fmt"
	"strconv"
)

// What to do about a server of another kind.
const (
	tryTLS = "this port speaks TLS; pass --tls-ca FILE, and --tls-cert and --tls-key for mutual TLS, " +
		"or give the plaintext port"
	tryHTTP = "is this an HTTP server? Give monolock's protocol port (-listen), not its ops or admin port"
)

// foreigners are servers that are met by mistake, known by how they begin.
var foreigners = []struct {
	begins func([]byte) bool
	try    string
}{
	{prefix("HTTP/"), tryHTTP},
	{isHTTP2, "is this an HTTP/2 or gRPC server? Give monolock's protocol port"},
	{prefix("\x15\x03"), "these bytes are a TLS alert: " + tryTLS},
	{prefix("SSH-"), "is this an SSH server? Give monolock's port; the documented one is 7070"},
	{prefix("-ERR"), "is this a redis server? Give monolock's port; the documented one is 7070"},
	{prefix("220"), "is this a mail or FTP server? Give monolock's port; the documented one is 7070"},
	{isMySQL, "is this a MySQL server? Give monolock's port; the documented one is 7070"},
	{prefix("\x01\x01"), "it sends back what it gets: is this an echo server?"},
}

func prefix(p string) func([]byte) bool {
	return func(seen []byte) bool { return bytes.HasPrefix(seen, []byte(p)) }
}

// isHTTP2 knows the SETTINGS frame that such a server begins with: a length of
// three bytes, the type 4, flags 0, stream 0.
func isHTTP2(seen []byte) bool {
	return len(seen) >= 9 && seen[0] == 0 && bytes.Equal(seen[3:9], []byte{4, 0, 0, 0, 0, 0})
}

// isMySQL knows the greeting: a length, packet 0, protocol 10.
func isMySQL(seen []byte) bool {
	return len(seen) >= 5 && bytes.Equal(seen[1:5], []byte{0, 0, 0, 10})
}

func tryForeign(seen []byte) string {
	for _, f := range foreigners {
		if f.begins(seen) {
			return f.try
		}
	}
	return "is this monolock's protocol port? The documented one is 7070"
}

// dumped is how many bytes a message shows.
const dumped = 32

// dump shows bytes in hex and as escaped text.
func dump(b []byte) string {
	more := ""
	if len(b) > dumped {
		b, more = b[:dumped], " …"
	}
	return fmt.Sprintf("% x%s %s%s", b, more, strconv.QuoteToASCII(string(b)), more)
}
