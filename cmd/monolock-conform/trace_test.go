package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/conformance/timeline"
	"github.com/monolock-dev/monolock-conform/conformance/timeline/capture"
	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/reports"
)

// captureFile is a capture of a holder whose second answer has another token.
func captureFile(t *testing.T, first, second uint64) string {
	t.Helper()
	events := []timeline.Event{{Who: "conn-1", By: timeline.Suite, What: timeline.Open}}
	say := func(what timeline.What, f wire.Frame) {
		at := time.Duration(len(events)) * 50 * time.Millisecond
		events = append(events, timeline.Event{At: at, Who: "conn-1", What: what, Frame: &f, Bytes: wire.Bytes(f)})
	}
	say(timeline.Send, wire.AcquireFrame("job", 1000))
	say(timeline.Recv, wire.AcquiredFrame(first))
	say(timeline.Send, wire.HeartbeatFrame)
	say(timeline.Recv, wire.AcquiredFrame(second))
	var file bytes.Buffer
	if err := capture.Write(&file, time.Unix(1e9, 0), events, capture.About{}); err != nil {
		t.Fatal(err)
	}
	return fileOf(t, file.String())
}

func fileOf(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "locks.pcap")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTraceCommand(t *testing.T) {
	good, bad := captureFile(t, 7, 7), captureFile(t, 7, 8)
	code, out, said := conform("trace", good)
	if code != exitConformant || said != "" {
		t.Errorf("exit %d, %s\n%s", code, said, out)
	}
	wantText(t, out, "The server\n", "The clients\n", "conformant in what ran (a capture, which shows", "4 frames of 1 connection")
	code, out, _ = conform("trace", bad)
	if code != exitNotConformant {
		t.Errorf("exit %d\n%s", code, out)
	}
	wantText(t, out, "FAIL  S-TOK-01", "trace/conn-1: the connection from 192.0.2.1:49152 to 192.0.2.2:7070", "-> HEARTBEAT")
	code, out, _ = conform("trace", bad, "--role", "client")
	if code != exitConformant || strings.Contains(out, "S-TOK-01") {
		t.Errorf("exit %d for the client\n%s", code, out)
	}
}

func TestTraceWritesTheResult(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	code, _, said := conform("trace", captureFile(t, 7, 8), "--role", "server", "--json", path)
	if code != exitNotConformant {
		t.Fatalf("exit %d, %s", code, said)
	}
	result := readResult(t, path)
	if result.Result != reports.NotConformant || result.Complete || result.Subject.Role != spec.RoleServer {
		t.Errorf("%+v", result)
	}
}

// A capture is reported on as a run is.
func TestTraceWritesEveryReport(t *testing.T) {
	dir := t.TempDir()
	code, _, said := conform("trace", captureFile(t, 7, 8), "--out", dir)
	if code != exitNotConformant {
		t.Fatalf("exit %d, %s", code, said)
	}
	for role, want := range map[string]reports.Conclusion{"server": reports.NotConformant, "client": reports.Conformant} {
		for _, r := range reportFiles {
			if info, err := os.Stat(filepath.Join(dir, role, r.name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s was not written (%v)", role, r.name, err)
			}
		}
		if got := readResult(t, filepath.Join(dir, role, "result.json")).Result; got != want {
			t.Errorf("%s: %s, want %s", role, got, want)
		}
	}
	page := filepath.Join(dir, "page.html")
	if code, _, said := conform("trace", captureFile(t, 7, 8), "--role", "server", "--html", page, "--junit", filepath.Join(dir, "junit.xml"), "--markdown", filepath.Join(dir, "summary.md"), "--badge", filepath.Join(dir, "badge.svg")); code != exitNotConformant {
		t.Errorf("exit %d, %s", code, said)
	}
	if data, err := os.ReadFile(page); err != nil || !strings.Contains(string(data), "trace/conn-1") {
		t.Errorf("the page lacks the connection (%v)", err)
	}
	code, out, _ := conform("trace", captureFile(t, 7, 8), "--role", "server", "--format", "tap")
	if code != exitNotConformant || !strings.HasPrefix(out, "TAP version") {
		t.Errorf("exit %d, %.80q", code, out)
	}
	if code, out, said := conform("trace", captureFile(t, 7, 8), "--role", "server", "--junit", "-"); code != exitNotConformant || !strings.HasPrefix(out, "<?xml") || !strings.Contains(said, "S-TOK-01") {
		t.Errorf("exit %d, %.80q", code, out)
	}
}

func TestTraceOfWhatIsNoCapture(t *testing.T) {
	whole, err := os.ReadFile(captureFile(t, 7, 7))
	if err != nil {
		t.Fatal(err)
	}
	var web bytes.Buffer
	get := []byte("GET / HTTP/1.1\r\n\r\n")
	capture.Write(&web, time.Unix(1e9, 0), []timeline.Event{
		{Who: "conn-1", By: timeline.Suite, What: timeline.Open, Ends: timeline.Ends{Suite: "10.0.0.1:5000", Peer: "10.0.0.2:80"}},
		{Who: "conn-1", What: timeline.Send, Bytes: get, Size: len(get)},
	}, capture.About{})
	var nothing bytes.Buffer
	capture.Write(&nothing, time.Unix(1e9, 0), nil, capture.About{})
	for _, test := range []struct{ name, content, want string }{
		{"empty", "", "the file is empty"},
		{"text", "this is no capture", "is no capture"},
		{"half a header", string(whole[:20]), "inside the header of a pcapng"},
		{"another protocol", web.String(), "no connection speaks monolock"},
		{"no packets", nothing.String(), "holds no packets"},
	} {
		code, out, said := conform("trace", fileOf(t, test.content))
		if code != exitUsage || out != "" || !strings.Contains(said, test.want) {
			t.Errorf("%s: exit %d, %q, %q; want %q", test.name, code, out, said, test.want)
		}
	}
	// A capture that was cut counts as far as it goes, and says so.
	code, out, said := conform("trace", fileOf(t, string(whole[:len(whole)-7])), "--role", "server")
	if code != exitConformant {
		t.Errorf("exit %d of a cut capture: %s", code, said)
	}
	wantText(t, out, "the file ends inside a packet")
}

func TestTraceUsage(t *testing.T) {
	good := captureFile(t, 7, 7)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"trace"}, "one file"},
		{[]string{"trace", good, good}, "one file"},
		{[]string{"trace", filepath.Join(t.TempDir(), "none")}, "no such file"},
		{[]string{"trace", t.TempDir()}, "is a folder"},
		{[]string{"trace", good, "--json", "x.json"}, "add --role"},
		{[]string{"trace", good, "--html", "x.html"}, "add --role"},
		{[]string{"trace", good, "--format", "tap"}, "add --role"},
		{[]string{"trace", good, "--role", "server", "--json", good}, "would be overwritten"},
		{[]string{"trace", good, "--role", "server", "--json", "-", "--junit", "-"}, "only one can"},
		{[]string{"trace", good, "--role", "server", "--json", "-", "--format", "tap"}, "name a file"},
		{[]string{"trace", good, "--html", ""}, "without a value"},
		{[]string{"trace", good, "--role", "servre"}, "did you mean server"},
		{[]string{"trace", good, "--prt", "7"}, "did you mean --port"},
	} {
		if code, _, said := conform(test.args...); code != exitUsage || !strings.Contains(said, test.want) {
			t.Errorf("%v: exit %d, %q; want %q", test.args, code, said, test.want)
		}
	}
}

func TestTraceInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, said bytes.Buffer
	code := run(ctx, []string{"trace", captureFile(t, 7, 7)}, console{out: &out, err: &said, getenv: func(string) string { return "" }})
	if code != exitInterrupted || !strings.Contains(said.String(), "interrupted") {
		t.Errorf("exit %d, %q", code, said.String())
	}
}

func TestDissectorCommand(t *testing.T) {
	code, out, _ := conform("dissector")
	if code != exitConformant || out != capture.Dissector || !strings.Contains(out, `Proto("monolock"`) {
		t.Errorf("exit %d, %d bytes", code, len(out))
	}
}
