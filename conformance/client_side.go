package conformance

import (
	"context"
	"net"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
)

// clientSide is what an attempt has where the subject is a client.
type clientSide struct {
	client   subject.Client                          // the client under test
	listen   func(addr string) (net.Listener, error) // for scripted servers; "" is a fresh address
	features []spec.Feature                          // what the client does not decline
	// dialServer connects to a server of the suite, for its proxy.
	dialServer func(ctx context.Context, addr string) (subject.Conn, error)
	// starting has room for the adapters that may start at a time, until their hello;
	// nil: any number.
	starting chan struct{}

	claims []*Claim
	peers  int
	links  int // connections through proxies
}
