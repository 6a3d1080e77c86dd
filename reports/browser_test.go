package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browser is one tab of a headless Chromium, driven over a pair of pipes: the
// DevTools protocol, with a NUL behind each message.
type browser struct {
	t        *testing.T
	to       io.Writer
	messages chan browserMessage
	session  string
	last     int
	noted    []browserMessage // events that came between the answers
}

type browserMessage struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// patience is how long the browser may take for anything, on a busy machine too.
const patience = time.Minute

// startBrowser starts a browser that ends with the test, which is skipped where
// there is none.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := browserPath()
	if path == "" {
		t.Skip("no Chromium or Chrome is on the PATH, so no page was opened")
	}
	theirIn, ourOut := pipe(t)
	ourIn, theirOut := pipe(t)
	args := []string{"--headless=new", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=" + t.TempDir()}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // root has no sandbox in Chromium
	}
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, to: ourOut, messages: make(chan browserMessage, 64)}
	go readMessages(ourIn, b.messages)
	t.Cleanup(func() { b.stop(cmd) })
	b.open()
	return b
}

func browserPath() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// readMessages hands on what the browser says until it ends.
func readMessages(from io.Reader, to chan<- browserMessage) {
	defer close(to)
	for in := bufio.NewReader(from); ; {
		text, err := in.ReadString(0)
		if err != nil {
			return
		}
		var m browserMessage
		if json.Unmarshal([]byte(strings.TrimSuffix(text, "\x00")), &m) == nil {
			to <- m
		}
	}
}

// stop asks the browser to end, so that it removes what it made, and kills it where
// it does not.
func (b *browser) stop(cmd *exec.Cmd) {
	fmt.Fprintf(b.to, `{"id":%d,"method":"Browser.close"}`+"\x00", b.last+1)
	kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer kill.Stop()
	go func() {
		for range b.messages { // it may still speak
		}
	}()
	cmd.Wait()
}

// open makes the tab.
func (b *browser) open() {
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
}

// call asks for something and waits for the answer, which goes to result.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.last++
	message := map[string]any{"id": b.last, "method": method, "params": params}
	if params == nil {
		message["params"] = map[string]any{}
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	answer := b.await(method, func(m browserMessage) bool { return m.ID == b.last })
	if answer.Error != nil {
		b.t.Fatalf("%s: %s", method, answer.Error)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result, result); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

// await returns the first message that is wanted.
func (b *browser) await(what string, wanted func(browserMessage) bool) browserMessage {
	b.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case m, open := <-b.messages:
			switch {
			case !open:
				b.t.Fatalf("%s: the browser went away", what)
			case wanted(m):
				return m
			case m.Method != "":
				b.noted = append(b.noted, m)
			}
		case <-timeout.C:
			b.t.Fatalf("%s: the browser said nothing for %v", what, patience)
		}
	}
}

// show opens a page, at a name within it where there is one, and waits until it stands.
func (b *browser) show(page, fragment string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.noted = nil
	b.call("Page.navigate", map[string]any{"url": "file://" + filepath.ToSlash(path) + fragment}, nil)
	loaded := func(m browserMessage) bool { return m.Method == "Page.loadEventFired" }
	for _, m := range b.noted {
		if loaded(m) {
			return
		}
	}
	b.await("loading the page", loaded)
}

// window sets the size of the window; a narrow one is a phone's.
func (b *browser) window(width int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
}

// value is what an expression comes to in the page.
func value[T any](b *browser, expression string) T {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value T }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if e := answer.ExceptionDetails; e != nil {
		b.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	return answer.Result.Value
}

// complaints are what the browser had to say of the page: errors of scripts, what the
// page's policy forbade, and dialogs.
func (b *browser) complaints() []string {
	var all []string
	for _, m := range b.noted {
		switch m.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			all = append(all, m.Method+" "+string(m.Params))
		}
	}
	return all
}
