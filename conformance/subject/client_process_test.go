//go:build unix

package subject

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// short is a time limit for an adapter that hangs.
const short = 200 * time.Millisecond

// childClient is the client whose adapter is a child of a kind.
func childClient(t *testing.T, kind string) ProcessClient {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseClient("'" + exe + "'")
	if err != nil {
		t.Fatal(err)
	}
	c.Env = []string{adapterKey + "=" + kind, "GORACE=atexit_sleep_ms=0"} // an exit under -race sleeps a second
	return c
}

// startClaim starts a claim and closes it at the test's end. Nothing of it may
// be left then.
func startClaim(t *testing.T, c Client, claim Claim) RunningClaim {
	t.Helper()
	r, err := c.Start(t.Context(), claim)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if pid, ok := pidOf(r); ok && lives(pid) {
			t.Errorf("process %d lives after Close", pid)
		}
	})
	return r
}

func pidOf(r RunningClaim) (int, bool) {
	a, ok := r.(*claimRun).body.(*adapterProcess)
	if !ok {
		return 0, false
	}
	return a.pid(), true
}

func TestEachWayToMisbehaveIsToldApart(t *testing.T) {
	for _, test := range []struct {
		kind   string
		limits clientLimits
		say    string // after the grant
		want   string
		events string
	}{
		{"silent", clientLimits{start: short}, "", "wrote no hello in 200ms: ", ""},
		{"floods", clientLimits{start: 5 * short}, "", "wrote no hello in 1s: ", ""},
		{"exits-0-early", clientLimits{}, "", "exited with code 0 before hello: ", ""},
		{"exits-3-early", clientLimits{}, "", "exited with code 3 before hello: ", ""},
		{"exits-0-without-result", clientLimits{}, "", "exited with code 0 without result: ", "hello"},
		{"exits-7-without-result", clientLimits{}, "", "exited with code 7 without result: ", "hello"},
		{"exits-1-after-result", clientLimits{}, "", "exited with code 1 after result: ", "hello result"},
		{"half-a-line", clientLimits{}, "", "exited with code 0 without result, with no newline after what it wrote last, " +
			`in line 2 of its output, "{\"event\":\"gran": `, "hello"},
		{"no-last-newline", clientLimits{}, "", "with no newline after what it wrote last, in line 2", "hello"},
		{"long-log", clientLimits{}, "", `wrote more than 1024 KiB without a newline in line 2 of its output, "xxx`, "hello"},
		{"long-object", clientLimits{}, "", `wrote more than 1024 KiB without a newline in line 2 of its output, "{{{`, "hello"},
		{"second-hello", clientLimits{}, "", `wrote a second hello in line 2 of its output, "{\"event\":\"hello\"`, "hello"},
		{"dies-by-SIGKILL", clientLimits{}, "", "was killed by SIGKILL without result: ", "hello"},
		{"dies-by-SIGTERM", clientLimits{}, "", "was killed by SIGTERM without result: ", "hello"},
		{"ignores-release", clientLimits{word: short}, Release, "wrote no finished within 200ms of release: ", "hello granted"},
		{"ignores-release", clientLimits{word: short}, Fail, "wrote no finished within 200ms of fail: ", "hello granted"},
		{"hangs-unfinished", clientLimits{result: short}, "", "wrote no result within 200ms of finished: ", "hello granted finished"},
		{"hangs-at-exit", clientLimits{exit: short}, "", "did not exit within 200ms of result: ", "hello granted finished result"},
		{"closes-its-output", clientLimits{exit: short}, "", "closed its standard output without result and did not exit within 200ms: ", "hello"},
	} {
		t.Run(test.kind+test.say, func(t *testing.T) {
			c := childClient(t, test.kind)
			c.limits = test.limits
			begun := time.Now()
			r := startClaim(t, c, Claim{})
			kinds, err := readUntilBroken(t, r, test.say)
			if err == nil || !strings.Contains(err.Error(), " "+test.want) || !strings.HasPrefix(err.Error(), "the adapter /") {
				t.Errorf("the adapter's error is\n%v\nwant %q", err, test.want)
			}
			if got := strings.Join(kinds, " "); got != test.events {
				t.Errorf("events before it: %q, want %q", got, test.events)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if after := rest(r); len(after) != 1 || after[0].Kind != Ended || after[0].Exit != r.Exit() {
				t.Errorf("after the error came %+v, want the end alone", after)
			}
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// readUntilBroken returns the kinds before a Broken and its error. It says a
// word at the grant.
func readUntilBroken(t *testing.T, r RunningClaim, word string) (kinds []string, err error) {
	t.Helper()
	for {
		switch ev := nextEvent(t, r); {
		case ev.Kind == Broken:
			return kinds, ev.Err
		case ev.Kind == Ended:
			t.Fatalf("the adapter ended (%s) without an error", ev.Exit)
		case ev.Kind == Granted && word != "":
			if err := r.Say(word); err != nil {
				t.Fatal(err)
			}
			fallthrough
		default:
			kinds = append(kinds, string(ev.Kind))
		}
	}
}

func TestStandardErrorIsKeptAndShownEscaped(t *testing.T) {
	r := startClaim(t, childClient(t, "exits-3-early"), Claim{})
	_, err := readUntilBroken(t, r, "")
	e, ok := errors.AsType[*AdapterError](err)
	if !ok || e.Stderr != "ModuleNotFoundError: \x1b[31mmonolock\n" || r.Stderr() != e.Stderr {
		t.Errorf("the error is %#v and standard error %q", err, r.Stderr())
	}
	if want := "\nThe end of standard error:\n  \"ModuleNotFoundError: \\x1b[31mmonolock\""; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("the error is\n%v\nwant at its end %q", err, want)
	}
}

func TestAWholeClaim(t *testing.T) {
	for _, test := range []struct {
		words string
		want  Outcome
	}{{Release, OutcomeOK}, {Fail, OutcomeFailed}, {Cancel + " " + Release, OutcomeCancelled}} {
		t.Run(test.words, func(t *testing.T) {
			r := startClaim(t, childClient(t, "good"), Claim{})
			begun := time.Now()
			hello := wantEvent(t, r, Hello)
			if h := hello.Hello; h.Client != "child" || h.Version != "1" || h.Language != "Go" || !slices.Equal(h.Lacks, []string{"tls"}) {
				t.Errorf("hello is %+v", hello)
			}
			if granted := wantEvent(t, r, Granted); granted.Token != 42 || granted.Line != 2 || granted.At.Before(hello.At) {
				t.Errorf("granted is %+v", granted)
			}
			if r.Exit() != "" {
				t.Errorf("Exit() = %q while it runs", r.Exit())
			}
			for word := range strings.FieldsSeq(test.words) {
				if err := r.Say(word); err != nil {
					t.Fatal(err)
				}
			}
			wantEvent(t, r, Finished)
			if result := wantEvent(t, r, Result); result.Outcome != test.want || result.Code != nil {
				t.Errorf("result is %+v, want %s", result, test.want)
			}
			if ended := wantEvent(t, r, Ended); ended.Exit != "exit code 0" || ended.At.Sub(begun) > 10*time.Second {
				t.Errorf("ended is %+v", ended)
			}
			if _, more := <-r.Events(); more {
				t.Error("an event after the end")
			}
			if err := r.Say(Release); err == nil || !strings.Contains(err.Error(), "has ended (exit code 0)") {
				t.Errorf("Say after the exit: %v, want an error", err)
			}
			if err := errors.Join(r.EndInput(), r.Close(), r.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnExitThatWasAskedForIsNoError(t *testing.T) {
	for _, test := range []struct {
		name, kind, exit string
		ask              func(RunningClaim) error
	}{
		{"end of input", "good", "exit code 0", RunningClaim.EndInput},
		{"end of input, not heard", "deaf", "killed by SIGKILL", RunningClaim.EndInput},
		{"kill", "good", "killed by SIGKILL", RunningClaim.Kill},
		{"close", "good", "exit code 0", RunningClaim.Close},
		{"close, not heard", "deaf", "killed by SIGKILL", RunningClaim.Close},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := childClient(t, test.kind)
			if test.kind == "deaf" {
				c.limits.end = short
			}
			r := startClaim(t, c, Claim{})
			wantEvent(t, r, Hello)
			if err := test.ask(r); err != nil {
				t.Fatal(err)
			}
			for _, ev := range rest(r) {
				if ev.Kind == Broken || ev.Kind == Ended && ev.Exit != test.exit {
					t.Errorf("%s %q %v, want the end, %s", ev.Kind, ev.Exit, ev.Err, test.exit)
				}
			}
			if err := r.Kill(); err == nil {
				t.Error("Kill of an adapter that has ended succeeded")
			}
		})
	}
}

func TestADescendantIsNoErrorAndGoneAfterClose(t *testing.T) {
	r := startClaim(t, childClient(t, "forks"), Claim{})
	wantEvent(t, r, Hello)
	wantEvent(t, r, Granted)
	pid, err := strconv.Atoi(regexp.MustCompile(`sleeper (\d+)`).FindStringSubmatch(r.Log())[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Say(Release); err != nil {
		t.Fatal(err)
	}
	wantEvent(t, r, Finished)
	wantEvent(t, r, Result)
	wantEvent(t, r, Ended)
	if !lives(pid) {
		t.Error("the descendant is gone before Close")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if lives(pid) {
		t.Error("the descendant lives after Close")
	}
}

func TestKillReachesTheAdapterAlone(t *testing.T) {
	r := startClaim(t, childClient(t, "forks"), Claim{})
	wantEvent(t, r, Hello)
	pid, _ := strconv.Atoi(regexp.MustCompile(`sleeper (\d+)`).FindStringSubmatch(r.Log())[1])
	if err := r.Kill(); err != nil {
		t.Fatal(err)
	}
	<-r.Exited()
	if r.Exit() != "killed by SIGKILL" || !lives(pid) {
		t.Errorf("Exit() = %q, and the descendant lives: %v", r.Exit(), lives(pid))
	}
}

func TestAWordToAClosedInputIsAnError(t *testing.T) {
	r := startClaim(t, childClient(t, "closes-its-input"), Claim{})
	wantEvent(t, r, Hello)
	if err := r.Say(Release); err == nil || !strings.Contains(err.Error(), "it has closed its standard input") {
		t.Errorf("Say: %v, want an error", err)
	}
	if err := r.Say("relaese"); err == nil || !strings.Contains(err.Error(), "release, fail or cancel") {
		t.Errorf("an unknown word: %v, want an error", err)
	}
}

func TestAPausedAdapterKeepsItsTime(t *testing.T) {
	c := childClient(t, "good")
	c.limits.word = 3 * short
	r := startClaim(t, c, Claim{})
	wantEvent(t, r, Hello)
	wantEvent(t, r, Granted)
	if err := errors.Join(r.Pause(), r.Say(Release)); err != nil {
		t.Fatal(err)
	}
	select {
	case ev := <-r.Events():
		t.Fatalf("a paused adapter gave %+v (%v)", ev, ev.Err)
	case <-time.After(4 * short):
	}
	if err := r.Continue(); err != nil {
		t.Fatal(err)
	}
	wantEvent(t, r, Finished)
	wantEvent(t, r, Result)
	wantEvent(t, r, Ended)
	if err := r.Pause(); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("Pause after the exit: %v, want an error", err)
	}
}

func TestAPausedAdapterIsClosed(t *testing.T) {
	r := startClaim(t, childClient(t, "good"), Claim{})
	wantEvent(t, r, Hello)
	if err := errors.Join(r.Pause(), r.Close()); err != nil {
		t.Error(err)
	}
	if r.Exit() != "exit code 0" {
		t.Errorf("Exit() = %q, want that of an adapter that was let go on", r.Exit())
	}
}

func TestTheEnvironmentIsTheContracts(t *testing.T) {
	t.Setenv(envTLSCA, "/leaked")
	t.Setenv(envName, "leaked")
	r := startClaim(t, childClient(t, "environment"), Claim{Addr: "h:1", Name: "a\x00b", Lease: 1500 * time.Millisecond,
		Mode: Retry, Case: "client/x", TLS: ClaimTLS{ServerName: "s"}})
	wantEvent(t, r, Hello)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(r.Log()), "\n")
	slices.Sort(lines)
	want := []string{"MONOLOCK_ADDR=h:1", "MONOLOCK_CASE=client/x", "MONOLOCK_CONTRACT=1", "MONOLOCK_LEASE_MS=1500",
		"MONOLOCK_MODE=retry", "MONOLOCK_NAME_HEX=610062", "MONOLOCK_TLS_SERVER_NAME=s", "in " + dir}
	if !slices.Equal(lines, want) {
		t.Errorf("the adapter sees\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestAnAdapterInheritsNoPipeOfAnother(t *testing.T) {
	before := filesOfThisProgram(t) // it may have inherited some itself
	startClaim(t, childClient(t, "good"), Claim{})
	r := startClaim(t, childClient(t, "files"), Claim{})
	wantEvent(t, r, Hello)
	for line := range strings.Lines(r.Log()) {
		fd, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		foreign := strings.HasPrefix(to, "pipe:") || strings.HasPrefix(to, "socket:")
		if foreign && !slices.Contains([]string{"0", "1", "2"}, fd) && !slices.Contains(before, to) {
			t.Errorf("descriptor %s of the adapter is %s", fd, to)
		}
	}
}

func filesOfThisProgram(t *testing.T) (files []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("needs /proc")
	}
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			files = append(files, to)
		}
	}
	return files
}

func TestAClientCommandThatCannotRun(t *testing.T) {
	dir := t.TempDir()
	plain, script := filepath.Join(dir, "plain"), filepath.Join(dir, "script")
	if err := errors.Join(os.WriteFile(plain, nil, 0o600), os.WriteFile(script, []byte("echo hello\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ cmd, want string }{
		{"", "the command is empty"},
		{"python3 'adapter.py", "close every quote"},
		{"no-such-program adapter", "was not found in PATH"},
		{"./no-such-program", "check the path"},
		{plain, "is not executable"},
		{dir, "is a directory"},
		{"A=1 true", "env A=1 PROGRAM"},
	} {
		if _, err := ParseClient(test.cmd); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("ParseClient(%q): %v, want %q", test.cmd, err, test.want)
		}
	}
	for _, test := range []struct{ program, want string }{
		{dir + "/gone", "could not be started: the program"},
		{plain, "could not be started: the program"},
		{script, "is it a script without a #! line"},
	} {
		_, err := ProcessClient{Words: []string{test.program}}.Start(t.Context(), Claim{})
		if _, ok := errors.AsType[*AdapterError](err); !ok || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("Start of %s: %v, want %q", test.program, err, test.want)
		}
	}
	if _, err := (ProcessClient{}).Start(t.Context(), Claim{}); err == nil {
		t.Error("Start of no command succeeded")
	}
}

func TestTheTargetIsTheCommand(t *testing.T) {
	c, err := ParseClient(`true  adapter.py 'a b'`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Target(), `true adapter.py "a b"`; got != want {
		t.Errorf("Target() = %s, want %s", got, want)
	}
}
