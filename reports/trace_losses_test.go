package reports_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/subject"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/conformance/virtual"
	"github.com/monolock-dev/monolock-conform/refclient/adapter"
	"github.com/monolock-dev/monolock-conform/refserver"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/scenarios"
)

// packets are those of a capture that can be spoilt.
type packets []struct {
	info gopacket.CaptureInfo
	data []byte
}

// played is the capture of one scenario against the reference server or client.
func played(t *testing.T, s conformance.Scenario) (all packets) {
	t.Helper()
	var result conformance.Result
	t.Run(s.ID, func(t *testing.T) {
		if s.Role == spec.RoleClient {
			result = virtual.Client(t, s, conformance.DefaultParams(), referenceClient)
			return
		}
		result = virtual.Server(t, s, conformance.DefaultParams(), false, func() subject.Running { return refserver.New(refserver.Config{}) })
	})
	var file bytes.Buffer
	if err := capture.Write(&file, result.Started, result.Events, capture.About{}); err != nil {
		t.Fatal(err)
	}
	r, err := pcapgo.NewNgReader(&file, pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	for {
		data, info, err := r.ReadPacketData()
		if err != nil {
			return all
		}
		all = append(all, struct {
			info gopacket.CaptureInfo
			data []byte
		}{info, data})
	}
}

// spoilt is what a bad capture keeps: packets are lost at a rate, cut, told twice and
// out of order, and the beginning is missing.
func (p packets) spoilt(t *testing.T, random *rand.Rand, rate float64) []byte {
	t.Helper()
	kept := p[:0:0]
	for _, packet := range p[random.IntN(len(p)/4+1):] {
		switch {
		case random.Float64() < rate:
			continue
		case random.Float64() < rate/2:
			kept = append(kept, packet)
		case random.Float64() < rate/2:
			packet.data = packet.data[:min(len(packet.data), 40+random.IntN(20))]
			packet.info.CaptureLength = len(packet.data)
		}
		kept = append(kept, packet)
		if n := len(kept); n > 2 && random.Float64() < rate/2 {
			kept[n-1], kept[n-2] = kept[n-2], kept[n-1]
		}
	}
	var out bytes.Buffer
	w, err := pcapgo.NewNgWriter(&out, layers.LinkTypeRaw)
	if err != nil {
		t.Fatal(err)
	}
	for _, packet := range kept {
		if err := w.WritePacket(packet.info, packet.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func referenceClient(dial virtual.Dial) subject.Client {
	return subject.InProcessClient{Run: func(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
		return adapter.Run(ctx, adapter.Env{Getenv: getenv, Stdin: stdin, Stdout: stdout, Stderr: stderr, Dial: dial}, adapter.Standard)
	}}
}

// Whatever a capture lacks, a server that did nothing wrong is accused of nothing.
func TestLossesAccuseNoServer(t *testing.T) {
	lossesAccuseNobody(t, spec.RoleServer, "server/heartbeat/*", "server/queue/*", "server/token/grows-on-one-lock", "server/framing/*",
		"server/load/random-clients", "server/lease/sliding-window")
}

// Nor is a client, whatever its servers and networks do to it.
func TestLossesAccuseNoClient(t *testing.T) {
	lossesAccuseNobody(t, spec.RoleClient, "client/*")
}

func lossesAccuseNobody(t *testing.T, role spec.Role, patterns ...string) {
	selected, err := conformance.Select(scenarios.All(role), patterns, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range selected {
		if s.NeedsProcess {
			continue
		}
		all := played(t, s)
		for seed := range uint64(60) {
			rate := []float64{0, 0.01, 0.05, 0.2, 0.5}[seed%5]
			file := all.spoilt(t, rand.New(rand.NewPCG(seed, 1)), rate)
			found, err := reports.NewTrace(bytes.NewReader(file), reports.TraceInput{Roles: []spec.Role{role}})
			if err != nil {
				continue // nothing is left that speaks monolock
			}
			for _, q := range found.Results[0].Requirements {
				if q.Verdict == conformance.Fail || q.Verdict == conformance.Warn {
					t.Errorf("%s, seed %d, a loss of %v: %s %s: %s\n%s", s.ID, seed, rate, q.ID, q.Verdict, q.Detail, evidence(found.Results[0]))
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

func evidence(r reports.Result) (text string) {
	for _, s := range r.Scenarios[1:] {
		for _, e := range s.Timeline {
			text += fmt.Sprintln(s.ID, e.TUS, e.Who, e.What, e.Frame)
		}
	}
	return text
}
