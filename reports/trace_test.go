package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// captured is the capture of sessions of two clients on one lock.
type captured struct{ events []timeline.Event }

func (c *captured) open(at time.Duration, who string, port int) {
	c.events = append(c.events, timeline.Event{At: at, Who: who, By: timeline.Suite, What: timeline.Open, Ends: timeline.Ends{
		Suite: fmt.Sprintf("10.0.0.1:%d", port), Peer: "10.0.0.2:7070",
	}})
}

func (c *captured) client(at time.Duration, who string, f wire.Frame) {
	c.events = append(c.events, timeline.Event{At: at, Who: who, By: timeline.Suite, What: timeline.Send, Frame: &f, Bytes: wire.Bytes(f)})
}

func (c *captured) server(at time.Duration, who string, f wire.Frame) {
	c.events = append(c.events, timeline.Event{At: at, Who: who, By: timeline.Subject, What: timeline.Recv, Frame: &f, Bytes: wire.Bytes(f)})
}

func (c *captured) close(at time.Duration, who string) {
	c.events = append(c.events, timeline.Event{At: at, Who: who, By: timeline.Suite, What: timeline.FIN},
		timeline.Event{At: at, Who: who, By: timeline.Subject, What: timeline.FIN})
}

// session is a holder of a lock for two heartbeats. The second answer has the token last.
func (c *captured) session(at time.Duration, who string, port int, lock string, token, last uint64) {
	c.open(at, who, port)
	c.client(at, who, wire.AcquireFrame(lock, 1000))
	c.server(at+time.Millisecond, who, wire.AcquiredFrame(token))
	c.client(at+240*time.Millisecond, who, wire.HeartbeatFrame)
	c.server(at+241*time.Millisecond, who, wire.AcquiredFrame(token))
	c.client(at+480*time.Millisecond, who, wire.HeartbeatFrame)
	c.server(at+481*time.Millisecond, who, wire.AcquiredFrame(last))
	c.close(at+600*time.Millisecond, who)
}

func (c *captured) file(t testing.TB) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := capture.Write(&file, epoch, c.events, capture.About{}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func traced2(t testing.TB, file []byte) (server, client Result) {
	t.Helper()
	found, err := NewTrace(bytes.NewReader(file), TraceInput{
		Suite: Suite{Version: "0.1.0", Commit: "abc"}, File: "locks.pcap", Args: []string{"trace", "locks.pcap"},
		Roles: []spec.Role{spec.RoleServer, spec.RoleClient},
	})
	if err != nil {
		t.Fatal(err)
	}
	return found.Results[0], found.Results[1]
}

func textOf(t testing.TB, r Result) string {
	t.Helper()
	var out strings.Builder
	if err := Text(&out, r, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func tracedVerdict(r Result, id spec.ID) conformance.Verdict {
	for _, q := range r.Requirements {
		if q.ID == id {
			return q.Verdict
		}
	}
	return ""
}

// A good capture is conformant in what it shows, and never complete.
func TestTraceOfAGoodCapture(t *testing.T) {
	var c captured
	c.session(0, "conn-1", 40001, "job", 7, 7)
	c.session(time.Second, "conn-2", 40002, "job", 8, 8)
	server, client := traced2(t, c.file(t))
	for _, r := range []Result{server, client} {
		if r.Result != Conformant || r.Complete || r.ExitCode(false) != exitConformant {
			t.Errorf("%s: %s, complete %v", r.Subject.Role, r.Result, r.Complete)
		}
		if words := r.Words(); !strings.Contains(words, "conformant in what ran (a capture, which shows") {
			t.Errorf("the words are %q", words)
		}
		if r.Run.DurationMS < 1500 || r.Run.Started != "2026-03-01T11:59:59Z" {
			t.Errorf("the run is %+v", r.Run)
		}
	}
	for id, want := range map[spec.ID]conformance.Verdict{
		spec.S_TOK_01: conformance.Pass, spec.S_TOK_02: conformance.Pass, spec.S_FRM_04: conformance.Pass, spec.S_HB_03: conformance.Pass,
		spec.S_Q_02: conformance.Unsupported, spec.S_HB_07: conformance.Unsupported,
	} {
		if got := tracedVerdict(server, id); got != want {
			t.Errorf("%s: %s; want %s", id, got, want)
		}
	}
	for id, want := range map[spec.ID]conformance.Verdict{
		spec.C_HB_01: conformance.Pass, spec.C_HB_04: conformance.Pass, spec.C_HB_09: conformance.Observed, spec.C_TO_01: conformance.Unsupported,
	} {
		if got := tracedVerdict(client, id); got != want {
			t.Errorf("%s: %s; want %s", id, got, want)
		}
	}
}

// A finding stands in a scenario of its connection, with the events around it, and
// the file says as much as the run did.
func TestTraceOfAWrongServer(t *testing.T) {
	var c captured
	c.session(0, "conn-1", 40001, "job", 7, 7)
	c.session(time.Second, "conn-2", 40002, "job", 3, 4)
	server, client := traced2(t, c.file(t))
	if server.ExitCode(false) != exitNotConformant || client.ExitCode(false) != exitConformant {
		t.Errorf("server %s, client %s", server.Result, client.Result)
	}
	for _, id := range []spec.ID{spec.S_TOK_01, spec.S_TOK_02} {
		if got := tracedVerdict(server, id); got != conformance.Fail {
			t.Errorf("%s: %s; want fail", id, got)
		}
	}
	text := textOf(t, server)
	for _, want := range []string{
		"FAIL  S-TOK-01", "trace/conn-2: the connection from 10.0.0.1:40002 to 10.0.0.2:7070",
		"token 3, as granted", "conn-2 then received token 4", "monolock-conform trace locks.pcap",
		"<- ACQUIRED token=4", "12 frames of 2 connections", "requirements were not tested: a capture cannot show it", "S-ACQ-08 and ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	var file bytes.Buffer
	if err := WriteJSON(&file, server); err != nil {
		t.Fatal(err)
	}
	again, err := ReadJSON(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	Judge(&again)
	var second bytes.Buffer
	WriteJSON(&second, again)
	if !bytes.Equal(file.Bytes(), second.Bytes()) {
		t.Error("judged again, the saved result is another one")
	}
	if !json.Valid(file.Bytes()) {
		t.Error("the result is no JSON")
	}
}

// Both roles see the events from the other's end.
func TestTraceTurnsTheEventsForAClient(t *testing.T) {
	var c captured
	c.open(0, "conn-1", 40001)
	c.client(0, "conn-1", wire.AcquireFrame("job", 1000))
	c.server(time.Millisecond, "conn-1", wire.AcquiredFrame(7))
	c.client(2*time.Millisecond, "conn-1", wire.AcquireFrame("job\x1b[31m", 1000))
	c.server(3*time.Millisecond, "conn-1", wire.ErrorFrame(wire.CodeDuplicateAcquire, "\x1b]0;no\a"))
	c.close(4*time.Millisecond, "conn-1")
	server, client := traced2(t, c.file(t))
	if tracedVerdict(client, spec.C_ACQ_02) != conformance.Fail || server.Result != Conformant {
		t.Errorf("C-ACQ-02 %s, server %s", tracedVerdict(client, spec.C_ACQ_02), server.Result)
	}
	text := textOf(t, client)
	for _, want := range []string{"open by the subject", "<- ACQUIRE version=1", "-> ACQUIRED token=7"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\a") {
		t.Error("what a subject sent reaches the terminal raw")
	}
}

// What a capture leaves in doubt is inconclusive: exit 3, never a false accusation.
func TestTraceInDoubt(t *testing.T) {
	var c captured
	c.open(0, "conn-1", 40001)
	c.client(0, "conn-1", wire.AcquireFrame("job", 1000))
	c.server(time.Millisecond, "conn-1", wire.AcquiredFrame(7))
	for i := range 4 {
		at := time.Duration(i) * 200 * time.Millisecond
		if i == 3 {
			at += 300 * time.Millisecond
		}
		c.client(at+10*time.Millisecond, "conn-1", wire.HeartbeatFrame)
		c.server(at+11*time.Millisecond, "conn-1", wire.AcquiredFrame(7))
	}
	c.close(time.Second, "conn-1")
	_, client := traced2(t, c.file(t))
	if tracedVerdict(client, spec.C_HB_01) != conformance.Inconclusive || client.ExitCode(false) != exitUndecided {
		t.Errorf("C-HB-01 %s, %s", tracedVerdict(client, spec.C_HB_01), client.Result)
	}
	if words := client.Words(); !strings.Contains(words, "the report says what the capture leaves in doubt") {
		t.Errorf("the words are %q", words)
	}
}

// Findings without end are counted, and as much evidence kept as people read.
func TestTraceOfManyFindings(t *testing.T) {
	var c captured
	const sessions = 3 * keptTraced
	for i := range sessions {
		c.session(time.Duration(i)*time.Second, fmt.Sprintf("conn-%d", i+1), 20000+i, "job", uint64(2*i+1), uint64(2*i+2))
	}
	server, _ := traced2(t, c.file(t))
	if len(server.Scenarios) != 1+keptTraced {
		t.Errorf("%d scenarios; want %d", len(server.Scenarios), 1+keptTraced)
	}
	j, _ := judgementOf(server.Scenarios[0], spec.S_TOK_01)
	if j.Verdict != conformance.Fail || !strings.HasPrefix(j.Actual, fmt.Sprintf("%d places in all", sessions)) {
		t.Errorf("the whole capture says %+v", j)
	}
}

func TestTraceRefusesOtherFiles(t *testing.T) {
	for _, file := range [][]byte{nil, []byte("no capture, this is")} {
		_, err := NewTrace(bytes.NewReader(file), TraceInput{Roles: []spec.Role{spec.RoleServer}})
		if format := (*capture.FormatError)(nil); !errors.As(err, &format) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

func TestTraceLimitsAndForeign(t *testing.T) {
	said := strings.Join(TraceLimits(capture.Summary{
		Cut: true, Packets: 5, Unstarted: 1, Holes: 2, Missing: 9, Shortened: 1, Fragments: 3, Dropped: 4, Foreign: 6, TLS: 2, OtherPort: 1,
		Links: map[uint32]int{147: 2},
	}), "\n")
	for _, want := range []string{
		"ends inside a packet, behind 5 packets", "1 connection began before", "2 places where bytes are missing, 9 in all", "tcpdump -s 0",
		"3 fragments", "4 packets were dropped", "3 connections speak something else", "2 connections are encrypted", "2 packets of link type 147",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q:\n%s", want, said)
		}
	}
	for want, s := range map[string]capture.Summary{
		"no packets": {}, "link type 147": {Packets: 1, Links: map[uint32]int{147: 1}}, "TCP": {Packets: 3, NotTCP: 3},
		"encrypted": {Packets: 9, Segments: 9, Foreign: 2, TLS: 1}, "of that port": {Packets: 9, Segments: 9, Foreign: 2, OtherPort: 2},
		"--port": {Packets: 9, Segments: 9, Foreign: 2},
	} {
		if got := TraceForeign(s); !strings.Contains(got, want) {
			t.Errorf("%+v: %q; want %q", s, got, want)
		}
	}
}

// busyCapture is a capture of a million frames.
func busyCapture(b *testing.B, frames int) []byte {
	const sessions, lease = 200, 60000
	var c captured
	for i := range sessions {
		who := fmt.Sprintf("conn-%d", i)
		c.open(0, who, 20000+i)
		c.client(0, who, wire.AcquireFrame(fmt.Sprintf("job-%d", i), lease))
		c.server(time.Millisecond, who, wire.AcquiredFrame(uint64(i+1)))
	}
	for n := 2 * sessions; n < frames; n += 2 {
		i, at := n/2%sessions, time.Duration(n)*100*time.Microsecond
		who := fmt.Sprintf("conn-%d", i)
		c.client(at, who, wire.HeartbeatFrame)
		c.server(at+100*time.Microsecond, who, wire.AcquiredFrame(uint64(i+1)))
	}
	return c.file(b)
}

// BenchmarkTrace is the way of a million frames through reading, reassembly and the
// monitors of both roles.
func BenchmarkTrace(b *testing.B) {
	const frames = 1_000_000
	file := busyCapture(b, frames)
	for b.Loop() {
		found, err := NewTrace(bytes.NewReader(file), TraceInput{Roles: []spec.Role{spec.RoleServer, spec.RoleClient}})
		if err != nil || found.Summary.Frames != frames || found.Results[0].Result != Conformant {
			b.Fatal(found.Summary, err, found.Results[0].Words())
		}
	}
	b.ReportMetric(float64(frames*b.N)/b.Elapsed().Seconds(), "frames/s")
}
