package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// dissected runs tshark with the dissector and returns the fields, a line a packet.
func dissected(t *testing.T, file []byte, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "monolock.lua")
	if err := os.WriteFile(path, []byte(Dissector), 0o600); err != nil {
		t.Fatal(err)
	}
	return tshark(t, file, append([]string{"-X", "lua_script:" + path}, args...)...)
}

func fields(names ...string) []string {
	args := []string{"-Y", "monolock", "-T", "fields", "-E", "separator=|", "-E", "aggregator=,"}
	for _, name := range names {
		args = append(args, "-e", "monolock."+name)
	}
	return args
}

func wantLines(t *testing.T, said string, want ...string) {
	t.Helper()
	got := strings.Split(strings.TrimSpace(said), "\n")
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("tshark shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDissectorNamesEveryField(t *testing.T) {
	file := written(t, everything())
	said := dissected(t, file, fields("type", "version", "lease_ms", "name_len", "name", "token", "code", "reason_len", "reason")...)
	flood := strings.Repeat("0x02,", 99) + "0x02||||||||"
	wantLines(t, said,
		"0x01|1|500|3|job||||", "0x12|||||7|||",
		"0x01|1|500|4|jöb||||", "0x11||||||||",
		"0x02||||||||", "0x12|||||7|||", "0x02||||||||", "0x02||||||||", "0x02||||||||", "0x11||||||||",
		"0x12|||||18446744073709551615|||", "||||||||", flood, "0x13||||||0x01|20|server shutting down")
}

// A frame cut at any byte, in two segments or in as many as it has bytes, is one
// frame; so is one that shares a segment with others.
func TestDissectorReassembles(t *testing.T) {
	frames := []wire.Frame{wire.AcquireFrame("job/ü", 1500), wire.AcquiredFrame(1<<63 + 9), wire.ErrorFrame(wire.CodeClosedByAdmin, "by hand")}
	var events []timeline.Event
	at := time.Duration(0)
	open := func() string {
		who := fmt.Sprintf("conn-%d", len(events))
		at += time.Millisecond
		events = append(events, opens(at, who, timeline.Suite, "", ""))
		return who
	}
	say := func(who string, f wire.Frame, part []byte) {
		at += time.Millisecond
		e := says(at, who, f)
		e.Frame, e.Bytes = nil, part
		events = append(events, e)
	}
	for _, f := range frames {
		whole := wire.Bytes(f)
		for cut := 1; cut < len(whole); cut++ {
			who := open()
			say(who, f, whole[:cut])
			say(who, f, whole[cut:])
		}
		who := open()
		for i := range whole {
			say(who, f, whole[i:i+1])
		}
	}
	who := open()
	var together []byte
	for _, f := range []wire.Frame{wire.WaitingFrame, frames[1], wire.WaitingFrame, frames[2]} {
		together = wire.Append(together, f)
	}
	say(who, wire.WaitingFrame, together)
	file := written(t, tale(events...))
	said := dissected(t, file, fields("type", "name", "token", "reason")...)
	count := map[string]int{}
	for line := range strings.Lines(said) {
		count[strings.TrimSpace(line)]++
	}
	for line, n := range map[string]int{
		"0x01|job/ü||":               len(wire.Bytes(frames[0])),
		"0x12||9223372036854775817|": len(wire.Bytes(frames[1])),
		"0x13|||by hand":             len(wire.Bytes(frames[2])),
		"0x11,0x12,0x11,0x13||9223372036854775817|by hand": 1,
	} {
		if count[line] != n {
			t.Errorf("%q stands %d times; want %d, in\n%s", line, count[line], n, said)
		}
	}
	if malformed := dissected(t, file, "-Y", complaints+" || monolock.bad_type || monolock.cut_off"); malformed != "" {
		t.Errorf("tshark complains:\n%s", malformed)
	}
}

func TestDissectorMarksWhatIsWrong(t *testing.T) {
	file := written(t, tale(
		opens(0, "conn-1", timeline.Suite, "", ""),
		timeline.Event{At: ms, Who: "conn-1", What: timeline.Send, Bytes: []byte{0x7f, 1, 2}},
		opens(2*ms, "conn-2", timeline.Suite, "", ""),
		says(3*ms, "conn-2", wire.Frame{Type: wire.TypeAcquire, Acquire: wire.Acquire{Version: 9}}),
	))
	for filter, packets := range map[string]int{"monolock.bad_type": 1, "_ws.expert.severity == error": 1, "monolock.bad_value": 1} {
		if got := strings.Count(dissected(t, file, "-Y", filter), "\n"); got != packets {
			t.Errorf("%d packets are %s; want %d", got, filter, packets)
		}
	}
}

// On a port that is not the documents' the bytes themselves show what it is, or the
// preference does.
func TestDissectorFindsOtherPorts(t *testing.T) {
	file := written(t, tale(
		opens(0, "conn-1", timeline.Suite, "10.0.0.1:40100", "10.0.0.2:17171"),
		says(ms, "conn-1", wire.AcquireFrame("job", 500)),
		says(2*ms, "conn-1", wire.WaitingFrame),
		says(3*ms, "conn-1", wire.HeartbeatFrame),
		opens(10*ms, "conn-2", timeline.Suite, "10.0.0.1:40101", "10.0.0.2:17172"),
		says(11*ms, "conn-2", wire.HeartbeatFrame),
		opens(20*ms, "conn-3", timeline.Suite, "10.0.0.1:40102", "10.0.0.2:80"),
		timeline.Event{At: 21 * ms, Who: "conn-3", What: timeline.Send, Bytes: []byte("GET / HTTP/1.1\r\n\r\n")},
	))
	wantLines(t, dissected(t, file, fields("type")...), "0x01", "0x11", "0x02")
	with := append([]string{"-o", "monolock.port:17172"}, fields("type")...)
	wantLines(t, dissected(t, file, with...), "0x01", "0x11", "0x02", "0x02")
}

func TestDissectorOfCutPackets(t *testing.T) {
	file := written(t, tale(
		opens(0, "conn-1", timeline.Suite, "", ""),
		timeline.Event{At: ms, Who: "conn-1", What: timeline.Send, Bytes: wire.Bytes(wire.AcquireFrame(strings.Repeat("n", 60000), 500))[:512], Size: 60008},
	))
	if got := dissected(t, file, "-Y", complaints); got != "" {
		t.Errorf("tshark complains:\n%s", got)
	}
	if got := strings.Count(dissected(t, file, "-Y", "monolock.cut_off"), "\n"); got == 0 {
		t.Error("nothing says that the frame is cut off")
	}
}
