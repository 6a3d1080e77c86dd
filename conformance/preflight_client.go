package conformance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// PreflightClient asks the client for one claim from its hello to its exit, grants
// it, and returns the hello and how long it took to come. The error of an adapter that breaks its contract, or of
// a client that does not ask for the lock, says what was seen. It blocks for some
// seconds at most beyond the adapter's start timeout.
func PreflightClient(ctx context.Context, target Target, p Params) (hello subject.ClientHello, startUp time.Duration, err error) {
	l, err := target.Listen("")
	if err != nil {
		return hello, 0, err
	}
	defer l.Close()
	asked := make(chan error, 1)
	go func() { asked <- grantOne(l) }()
	began := time.Now()
	claim, err := target.Client.Start(ctx, subject.Claim{
		Addr: l.Addr().String(), Name: p.LockPrefix + p.Nonce + "/preflight", Lease: patientLease, Mode: subject.Once, Case: "preflight",
	})
	if err != nil {
		l.Close()
		<-asked
		return hello, 0, err
	}
	hello, came, err := firstClaim(ctx, claim, asked, l)
	if closed := claim.Close(); err == nil && closed != nil {
		err = closed
	}
	l.Close()
	return hello, max(came.Sub(began), 0), err
}

// grantOne plays a server that grants one ACQUIRE and waits for the close.
func grantOne(l net.Listener) error {
	conn, err := l.Accept()
	if err != nil {
		return errNotAsked
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(2 * resultTime))
	r := wire.NewReader(conn)
	frame, err := r.ReadClient()
	if err != nil {
		return fmt.Errorf("it connected, but its first bytes are no message of a client: %w", err)
	}
	if frame.Type != wire.TypeAcquire {
		return fmt.Errorf("it connected, but its first message is %v and no ACQUIRE", frame)
	}
	if _, err = conn.Write(wire.Bytes(wire.AcquiredFrame(1))); err != nil {
		return nil // scenarios judge a client that goes away early
	}
	for err == nil {
		_, err = r.ReadClient()
	}
	return nil
}

var errNotAsked = errors.New("the client did not connect to MONOLOCK_ADDR: once it has written hello, the adapter lets its client ask for MONOLOCK_NAME there")

// firstClaim leads a claim to its result. Only what the adapter breaks, and a client
// that never asks, is an error; the rest is for scenarios.
func firstClaim(ctx context.Context, claim subject.RunningClaim, asked <-chan error, l net.Listener) (hello subject.ClientHello, came time.Time, err error) {
	giveUp := time.NewTimer(2 * resultTime)
	defer giveUp.Stop()
	for {
		select {
		case e, open := <-claim.Events():
			switch {
			case !open:
				l.Close()
				return hello, came, <-asked
			case e.Kind == subject.Hello:
				hello, came = e.Hello, e.At
				giveUp.Reset(resultTime)
			case e.Kind == subject.Granted:
				claim.Say(subject.Release)
			case e.Kind == subject.Broken:
				return hello, came, e.Err
			}
		case <-giveUp.C:
			l.Close()
			return hello, came, <-asked
		case <-ctx.Done():
			return hello, came, context.Cause(ctx)
		}
	}
}
