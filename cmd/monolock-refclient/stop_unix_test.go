//go:build unix

package main

import (
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// A process that is stopped for longer than its lease finds an answer in its
// buffers when it goes on. The claim ends all the same, and at once.
func TestStoppedAndContinued(t *testing.T) {
	p := start(t)
	p.send(wire.AcquiredFrame(1))
	p.wantLine("the grant", `"granted"`)
	beat := make([]byte, 1)
	if _, err := p.nc.Read(beat); err != nil {
		t.Fatal(err)
	}
	signal(t, p, syscall.SIGSTOP)
	time.Sleep(100 * time.Millisecond)
	p.send(wire.AcquiredFrame(1))
	time.Sleep(1100 * time.Millisecond)
	woken := time.Now()
	signal(t, p, syscall.SIGCONT)
	p.wantLine("on waking", `"event":"lost","cause":"lock lost: no confirmation`)
	if took := time.Since(woken); took > 100*time.Millisecond {
		t.Errorf("took %v, want at once", took)
	}
}

func signal(t *testing.T, p *program, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}
