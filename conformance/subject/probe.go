package subject

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
)

// probe finds out what a target speaks that gave nothing in answer to a frame:
// "TLS", "HTTP" or "". It takes one connection and at most probeLimit each.
func probe(ctx context.Context, s Server, kind Kind) string {
	if kind != Slammed && kind != Mute {
		return ""
	}
	if probeWith(ctx, s, answersTLS) {
		return speaksTLS
	}
	if probeWith(ctx, s, answersHTTP) {
		return speaksHTTP
	}
	return ""
}

func probeWith(ctx context.Context, s Server, answers func(context.Context, Conn) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		return false
	}
	defer conn.Close()
	defer interruptOn(ctx, conn)()
	return answers(ctx, conn)
}

// answersTLS tries a handshake. An alert shows TLS as well as a success does.
func answersTLS(ctx context.Context, conn Conn) bool {
	client := tls.Client(conn, &tls.Config{
		InsecureSkipVerify: true, // nothing is sent: only whether it speaks TLS is asked
		MinVersion:         tls.VersionTLS10,
	})
	err := client.HandshakeContext(ctx)
	return err == nil || isAlert(err)
}

// answersHTTP sends a request and looks for the beginning of a response. A
// server that reads lines stays mute on a frame, which has no line's end.
func answersHTTP(ctx context.Context, conn Conn) bool {
	if limit, ok := ctx.Deadline(); ok && conn.SetDeadline(limit) != nil {
		return false
	}
	if _, err := io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n"); err != nil {
		return false
	}
	const want = "HTTP/"
	got := make([]byte, len(want))
	_, err := io.ReadFull(conn, got)
	return err == nil && bytes.Equal(got, []byte(want))
}
