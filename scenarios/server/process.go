package server

import (
	"errors"
	"fmt"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// process are the scenarios that need the server as a process of this machine.
var process = []conformance.Scenario{
	{
		ID: "server/process/out-of-descriptors", Role: spec.RoleServer, Needs: control, NeedsProcess: true,
		Title:  "out of file descriptors the server does not exit, and serves again when some are freed",
		Judges: []spec.ID{spec.S_ROB_07},
		Method: "The server's limit of open files is lowered to a few more than it has open, and more connections are made than that. It must live, and serve a new client once connections are closed.",
		Run:    outOfDescriptors,
	},
	{
		ID: "server/process/stopped-and-continued", Role: spec.RoleServer, Needs: control, NeedsProcess: true,
		Title:  "what a stopped and continued server does is recorded",
		Judges: []spec.ID{spec.S_ROB_08}, Leases: 3,
		Method: "The server is stopped for more than a lease (SIGSTOP, SIGCONT) while heartbeats go on arriving. Whether the holder still holds afterwards is recorded.",
		Run:    stoppedAndContinued,
	},
}

func outOfDescriptors(t *conformance.T) {
	const spare, crowd = 20, 60
	const why = "out of descriptors the server does not exit, and serves again when some are freed"
	server := t.Process()
	t.Acquire(t.Lock("before")) // what the server opens once, it has open now
	open, err := server.OpenFiles()
	if err == nil {
		err = server.LimitFiles(open + spare)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		t.Unsupported(spec.S_ROB_07, "this system cannot lower the limit of a running process")
		return
	} else if err != nil {
		t.Unclear(spec.S_ROB_07, why, err.Error())
		return
	}
	crowded := make([]*conformance.Session, 0, crowd)
	served := 0
	for range crowd {
		s, err := t.TryConnect()
		if err != nil {
			break // the backlog is full, too, or nobody listens any more
		}
		s.Ask(t.Lock("crowd"), time.Hour)
		crowded = append(crowded, s)
	}
	settled := time.Now().Add(t.Lease)
	for _, s := range crowded {
		if _, _, ok := s.FrameBy(settled); ok {
			served++
		}
	}
	t.Remark("suite", "%d of %d connections were served with %d descriptors to spare", served, len(crowded), spare)
	if served == crowd {
		t.Unsupported(spec.S_ROB_07, fmt.Sprintf("the limit did not bite, for all %d connections were served: a script around the server must exec it", served))
		return
	}
	for _, s := range crowded {
		s.Close()
	}
	if how, ended := t.Exited(); ended {
		t.Fail(spec.S_ROB_07, why, "a server that goes on", "it ended: "+how)
	}
	servesAgain(t, why)
}

// servesAgain asks until the server answers, for a server may wait a while before
// it accepts again.
func servesAgain(t *conformance.T, why string) {
	const patience = 5 * time.Second
	for end := time.Now().Add(patience); ; {
		s, err := t.TryAcquire(t.Lock("after"))
		if err == nil {
			t.Pass(spec.S_ROB_07, why)
			return
		}
		if s != nil {
			s.Close()
		}
		if how, ended := t.Exited(); ended || time.Now().After(end) {
			t.Fail(spec.S_ROB_07, why, "a new client served once connections are closed", fmt.Sprintf("%v %s", err, how))
			return
		}
		t.Pause(50 * time.Millisecond)
	}
}

func stoppedAndContinued(t *conformance.T) {
	server := t.Process()
	lock := t.Lock("job")
	holder := t.Acquire(lock, conformance.WithLease(t.Lease), conformance.BeatingEvery(t.Lease/4))
	waiter := t.Queue(lock)
	if err := server.Pause(); err != nil {
		t.Unsupported(spec.S_ROB_08, "the server cannot be stopped: "+err.Error())
		return
	}
	holder.Expendable()
	t.Pause(t.Lease * 3 / 2)
	if err := server.Continue(); err != nil {
		t.Unclear(spec.S_ROB_08, "the server goes on", err.Error())
		return
	}
	if _, _, ok := waiter.FrameBy(time.Now().Add(t.Lease)); ok {
		t.Observe(spec.S_ROB_08, "after_stop", "the holder was dropped, though its heartbeats waited in the buffers")
		return
	}
	t.Observe(spec.S_ROB_08, "after_stop", "the heartbeats in the buffers were honoured")
}
