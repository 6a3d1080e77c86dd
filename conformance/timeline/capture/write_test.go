package capture

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)

const ms = time.Millisecond

// tale numbers events as a timeline does.
func tale(events ...timeline.Event) []timeline.Event {
	for i := range events {
		events[i].Seq = i
		events[i].Size = max(events[i].Size, len(events[i].Bytes))
	}
	return events
}

func opens(at time.Duration, who string, by timeline.Side, suite, peer string) timeline.Event {
	return timeline.Event{At: at, Who: who, By: by, What: timeline.Open, Ends: timeline.Ends{Suite: suite, Peer: peer}}
}

func says(at time.Duration, who string, f wire.Frame) timeline.Event {
	what, by := timeline.Recv, timeline.Subject
	if f.Type == wire.TypeAcquire || f.Type == wire.TypeHeartbeat {
		what, by = timeline.Send, timeline.Suite
	}
	return timeline.Event{At: at, Who: who, By: by, What: what, Frame: &f, Bytes: wire.Bytes(f)}
}

func ends(at time.Duration, who string, by timeline.Side, what timeline.What) timeline.Event {
	return timeline.Event{At: at, Who: who, By: by, What: what}
}

func notes(at time.Duration, who string, what timeline.What, note string) timeline.Event {
	return timeline.Event{At: at, Who: who, By: timeline.Suite, What: what, Note: note}
}

// everything is a timeline with all that a scenario may hold.
func everything() []timeline.Event {
	flood := bytes.Repeat([]byte{2}, 100)
	return tale(
		opens(1*ms, "conn-1", timeline.Suite, "127.0.0.1:40001", "127.0.0.1:7070"),
		says(1*ms, "conn-1", wire.AcquireFrame("job", 500)),
		says(1*ms+60*time.Microsecond, "conn-1", wire.AcquiredFrame(7)),
		opens(2*ms, "conn-2", timeline.Suite, "[::1]:40002", "[::1]:7070"),
		says(2*ms, "conn-2", wire.AcquireFrame("jöb", 500)),
		says(3*ms, "conn-2", wire.WaitingFrame),
		notes(4*ms, "proxy", timeline.Fault, "partition of conn-1"),
		says(126*ms, "conn-1", wire.HeartbeatFrame),
		says(127*ms, "conn-1", wire.AcquiredFrame(7)),
		says(128*ms, "conn-2", wire.HeartbeatFrame),
		says(128*ms, "conn-2", wire.HeartbeatFrame),
		says(128*ms, "conn-2", wire.HeartbeatFrame),
		says(329*ms, "conn-2", wire.WaitingFrame),
		ends(330*ms, "conn-1", timeline.Suite, timeline.FIN),
		ends(331*ms, "conn-1", timeline.Subject, timeline.FIN),
		says(331*ms, "conn-2", wire.AcquiredFrame(1<<64-1)),
		opens(340*ms, "conn-3", timeline.Subject, "", "no address"),
		timeline.Event{At: 341 * ms, Who: "conn-3", By: timeline.Subject, What: timeline.Recv, Bytes: []byte("GET /\r\n"), Note: "no frame"},
		timeline.Event{At: 342 * ms, Who: "conn-3", By: timeline.Suite, What: timeline.Send, Bytes: flood, Size: 70000, Note: "over and over"},
		timeline.Event{At: 343 * ms, Who: "conn-3", By: timeline.Subject, What: timeline.Recv, Size: 5, Note: "cut"},
		notes(343*ms, "client-1", timeline.Remark, "granted token 7 \x1b[31m"),
		ends(344*ms, "conn-3", timeline.Suite, timeline.RST),
		ends(344*ms, "conn-3", timeline.Subject, timeline.RST),
		says(400*ms, "conn-2", wire.ErrorFrame(wire.CodeShuttingDown, "server shutting down")),
		ends(400*ms, "conn-2", timeline.Subject, timeline.FIN),
		ends(401*ms, "conn-2", timeline.Suite, timeline.FIN),
		notes(500*ms, "verdict", timeline.Remark, "S-Q-02 fail"),
	)
}

func written(t *testing.T, events []timeline.Event) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := Write(&file, epoch, events, About{Scenario: "server/queue/owner-closes", Suite: "monolock-conform test"}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// tshark runs tshark over a capture with all checks of checksums on. Where it is not
// installed, the test is skipped.
func tshark(t *testing.T, file []byte, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed: what it says of our captures is not tested here")
	}
	path := filepath.Join(t.TempDir(), "capture.pcapng")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"-n", "-r", path, "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"}, args...)
	cmd := exec.Command(program, args...)
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Run(); err != nil {
		t.Fatalf("tshark: %v: %s", err, complained.String())
	}
	return said.String()
}

// complaints is a display filter for all that tshark holds against a packet.
const complaints = `_ws.malformed || tcp.checksum.status == "Bad" || ip.checksum.status == "Bad" || tcp.analysis.flags || ` +
	`_ws.expert.severity == "Error" || tcp.bogus_header_length || tcp.segment.error`

func wantNoComplaint(t *testing.T, file []byte) {
	t.Helper()
	if said := tshark(t, file, "-Y", complaints, "-V"); said != "" {
		t.Errorf("tshark complains:\n%s", said)
	}
}

func TestTsharkHasNoComplaint(t *testing.T) {
	wantNoComplaint(t, written(t, everything()))
}

func TestTsharkFollowsTheStreams(t *testing.T) {
	file := written(t, everything())
	for stream, want := range []string{
		"0101000001f400036a6f62" + "120000000000000007" + "02" + "120000000000000007",
		"0101000001f400046ac3b662" + "11" + "020202" + "11" + "12ffffffffffffffff" + "130114" + "736572766572207368757474696e6720646f776e",
	} {
		said := tshark(t, file, "-q", "-z", "follow,tcp,raw,"+string(rune('0'+stream)))
		lines := strings.Split(strings.TrimSpace(said), "\n")
		var got string
		for _, line := range lines {
			if line = strings.TrimSpace(line); len(line)%2 == 0 && strings.Trim(line, "0123456789abcdef") == "" {
				got += line
			}
		}
		if got != want {
			t.Errorf("stream %d is %s; want %s", stream, got, want)
		}
	}
}

func TestTsharkShowsCommentsAndEnds(t *testing.T) {
	file := written(t, everything())
	said := tshark(t, file, "-T", "fields", "-e", "frame.number", "-e", "frame.comment", "-Y", "frame.comment")
	for _, want := range []string{"proxy: fault partition of conn-1", `client-1: event granted token 7 \x1b[31m`, "verdict: event S-Q-02 fail"} {
		if !strings.Contains(said, want) {
			t.Errorf("no comment says %q:\n%s", want, said)
		}
	}
	for filter, packets := range map[string]int{
		"tcp.flags.syn == 1 && tcp.flags.ack == 0": 3, "tcp.flags.fin == 1": 4, "tcp.flags.reset == 1": 1,
		"tcp.flags.syn == 1 && tcp.flags.ack == 0 && ip.src == 192.0.2.2 && tcp.dstport == 7070": 1,
		"ipv6.src == ::1 && tcp.len > 0":                8,
		"frame.cap_len < frame.len && tcp.len == 16384": 4,
	} {
		got := strings.Count(tshark(t, file, "-Y", filter), "\n")
		if got != packets {
			t.Errorf("%d packets are %s; want %d", got, filter, packets)
		}
	}
}

// The file is what another reader takes it for: nanoseconds, raw IP, in order.
func TestWrittenFileIsOrdered(t *testing.T) {
	r, err := pcapgo.NewNgReader(bytes.NewReader(written(t, everything())), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	if r.LinkType() != layers.LinkTypeRaw || r.SectionInfo().Comment != "server/queue/owner-closes" {
		t.Errorf("link type %v, comment %q", r.LinkType(), r.SectionInfo().Comment)
	}
	var last time.Time
	for n := 0; ; n++ {
		data, info, err := r.ReadPacketData()
		if err != nil {
			if n < 30 {
				t.Errorf("only %d packets: %v", n, err)
			}
			break
		}
		if info.Timestamp.Before(last) {
			t.Errorf("packet %d is stamped %v, before the one before it", n, info.Timestamp)
		}
		last = info.Timestamp
		if p := gopacket.NewPacket(data, r.LinkType(), gopacket.Default); p.ErrorLayer() != nil && info.CaptureLength == info.Length {
			t.Errorf("packet %d: %v", n, p.ErrorLayer().Error())
		}
	}
	if last.Nanosecond()%1000 != 789 {
		t.Errorf("the last stamp %v lost its nanoseconds", last)
	}
}

// With nothing on the wire, what was said stands in the section's header.
func TestRemarksWithoutPackets(t *testing.T) {
	file := written(t, tale(notes(ms, "client-1", timeline.Remark, "no such file")))
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.SectionInfo().Comment; !strings.Contains(got, "client-1: event no such file") {
		t.Errorf("the header says %q", got)
	}
	wantNoComplaint(t, file)
}

// Bytes that were stamped behind their own end still go before it.
func TestBytesStampedBehindTheEnd(t *testing.T) {
	for _, what := range []timeline.What{timeline.FIN, timeline.RST} {
		file := written(t, tale(
			opens(2*ms, "conn-1", timeline.Suite, "", ""),
			says(1*ms, "conn-1", wire.AcquireFrame("job", 500)),
			ends(3*ms, "conn-1", timeline.Subject, what),
			says(4*ms, "conn-1", wire.WaitingFrame),
		))
		wantNoComplaint(t, file)
		if said := tshark(t, file, "-Y", "tcp.len == 1", "-T", "fields", "-e", "tcp.payload"); strings.TrimSpace(said) != "11" {
			t.Errorf("%s: the answer is %q", what, said)
		}
	}
}

type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, os.ErrClosed
	}
	return len(p), nil
}

func TestWriteTellsTheWritersError(t *testing.T) {
	size := len(written(t, everything()))
	for left := 0; left < size; left += 97 {
		if err := Write(&brokenWriter{left}, epoch, everything(), About{Scenario: "server/queue/owner-closes", Suite: "monolock-conform test"}); err == nil {
			t.Fatalf("no error with room for %d of %d bytes", left, size)
		}
	}
}
