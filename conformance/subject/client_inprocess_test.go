package subject

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// adapter makes an AdapterMain of what it writes and does.
func adapter(run func(ctx context.Context, in *bufio.Reader, out io.Writer) int) InProcessClient {
	return InProcessClient{Run: func(ctx context.Context, _ func(string) string, stdin io.Reader, stdout, _ io.Writer) int {
		return run(ctx, bufio.NewReader(stdin), stdout)
	}}
}

// writes is an adapter that writes something and waits for the end of input.
func writes(output string) InProcessClient {
	return adapter(func(_ context.Context, in *bufio.Reader, out io.Writer) int {
		io.WriteString(out, output)
		io.Copy(io.Discard, in)
		return 0
	})
}

// inBubble runs a test with one claim in virtual time, and closes the claim.
func inBubble(t *testing.T, c InProcessClient, claim Claim, do func(t *testing.T, r RunningClaim)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r, err := c.Start(t.Context(), claim)
		if err != nil {
			t.Fatal(err)
		}
		do(t, r)
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

func TestAWholeClaimInProcess(t *testing.T) {
	c := adapter(func(_ context.Context, in *bufio.Reader, out io.Writer) int { return converse(in, out) })
	inBubble(t, c, Claim{}, func(t *testing.T, r RunningClaim) {
		begun := time.Now()
		wantEvent(t, r, Hello)
		wantEvent(t, r, Granted)
		time.Sleep(time.Hour)
		if err := r.Say(Release); err != nil {
			t.Fatal(err)
		}
		if ev := wantEvent(t, r, Finished); ev.At.Sub(begun) != time.Hour {
			t.Errorf("finished after %v, want the instant of the word", ev.At.Sub(begun))
		}
		wantEvent(t, r, Result)
		if ev := wantEvent(t, r, Ended); ev.Exit != "exit code 0" || r.Exit() != ev.Exit {
			t.Errorf("Exit() = %q, and the event's is %q", r.Exit(), ev.Exit)
		}
		if err := r.Say(Release); err == nil {
			t.Error("Say after the exit succeeded")
		}
	})
}

// Each limit holds to the tick: nothing before it, an error at it.
func TestTimeLimitsInProcess(t *testing.T) {
	for _, test := range []struct {
		name, output string
		mode         Mode
		say          string
		limit        time.Duration
		want         string // "": none ever
	}{
		{"hello", "", Once, "", DefaultStartTimeout, "wrote no hello in 10s"},
		{"hello behind log text", "starting\n", Once, "", DefaultStartTimeout, "wrote no hello in 10s"},
		{"waiting has no limit", hello, Once, Release, 0, ""},
		{"holding has no limit", hello + granted, Once, "", 0, ""},
		{"cancelling has no limit", hello + granted, Once, Cancel, 0, ""},
		{"release", hello + granted, Once, Release, WordLimit, "wrote no finished within 5s of release"},
		{"fail after a loss", hello + granted + lost, Once, Fail, WordLimit, "wrote no finished within 5s of fail"},
		{"result", hello + granted + finished, Once, "", ResultLimit, "wrote no result within 5s of finished"},
		{"result after a loss", hello + granted + lost + finished, Once, "", ResultLimit, "wrote no result within 5s of finished"},
		{"result in retry mode", hello + granted + finished, Retry, "", ResultLimit, "wrote no result within 5s of finished"},
		{"queueing again after a loss", hello + granted + lost + finished, Retry, "", 0, ""},
		{"waiting again", hello + granted + finished + `{"event":"waiting"}` + "\n", Retry, "", 0, ""},
		{"exit", hello + resultOK, Once, "", ExitLimit, "did not exit within 5s of result"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, writes(test.output), Claim{Mode: test.mode}, func(t *testing.T, r RunningClaim) {
				synctest.Wait()
				if test.say != "" {
					if err := r.Say(test.say); err != nil {
						t.Fatal(err)
					}
				}
				if test.want == "" {
					time.Sleep(time.Hour)
					wantNoBroken(t, r)
					return
				}
				time.Sleep(test.limit - time.Nanosecond)
				wantNoBroken(t, r)
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				if ev := wantEvent(t, r, Broken); !strings.Contains(ev.Err.Error(), "the adapter in this program "+test.want+": ") {
					t.Errorf("the error is %v\nwant %q", ev.Err, test.want)
				}
			})
		})
	}
}

// wantNoBroken takes the events that are there.
func wantNoBroken(t *testing.T, r RunningClaim) {
	t.Helper()
	synctest.Wait()
	for len(r.Events()) > 0 {
		if ev := <-r.Events(); ev.Kind == Broken {
			t.Errorf("an error too early: %v", ev.Err)
		}
	}
}

func TestAWordBeforeTheGrantWaitsForIt(t *testing.T) {
	c := adapter(func(_ context.Context, in *bufio.Reader, out io.Writer) int {
		io.WriteString(out, hello)
		time.Sleep(time.Minute)
		io.WriteString(out, granted)
		time.Sleep(WordLimit - 1)
		io.WriteString(out, finished+resultOK)
		return 0
	})
	inBubble(t, c, Claim{}, func(t *testing.T, r RunningClaim) {
		if err := r.Say(Release); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []EventKind{Hello, Granted, Finished, Result, Ended} {
			wantLateEvent(t, r, kind)
		}
	})
}

// wantLateEvent is wantEvent without a limit: a bubble has its own.
func wantLateEvent(t *testing.T, r RunningClaim, want EventKind) ClientEvent {
	t.Helper()
	ev, ok := <-r.Events()
	if !ok || ev.Kind != want {
		t.Fatalf("the next event is %+v (%v), want %s", ev, ev.Err, want)
	}
	return ev
}

func TestEndOfInputInProcess(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(ctx context.Context, in *bufio.Reader)
		exit string
		took time.Duration
	}{
		{"heard", func(_ context.Context, in *bufio.Reader) { io.Copy(io.Discard, in) }, "exit code 4", 0},
		{"heard late", func(context.Context, *bufio.Reader) { time.Sleep(EndLimit - 1) }, "exit code 4", EndLimit - 1},
		{"not heard", func(ctx context.Context, _ *bufio.Reader) { <-ctx.Done() }, "killed", EndLimit},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := adapter(func(ctx context.Context, in *bufio.Reader, _ io.Writer) int {
				test.run(ctx, in)
				return 4
			})
			inBubble(t, c, Claim{}, func(t *testing.T, r RunningClaim) {
				begun := time.Now()
				if err := r.EndInput(); err != nil {
					t.Fatal(err)
				}
				if ev := wantLateEvent(t, r, Ended); ev.Exit != test.exit || time.Since(begun) != test.took {
					t.Errorf("%q after %v, want %q after %v", ev.Exit, time.Since(begun), test.exit, test.took)
				}
			})
		})
	}
}

func TestTheDeadWriteNothing(t *testing.T) {
	var late error
	c := adapter(func(ctx context.Context, _ *bufio.Reader, out io.Writer) int {
		io.WriteString(out, hello+granted)
		<-ctx.Done()
		_, late = io.WriteString(out, finished)
		return 0
	})
	inBubble(t, c, Claim{}, func(t *testing.T, r RunningClaim) {
		wantEvent(t, r, Hello)
		wantEvent(t, r, Granted)
		if err := r.Kill(); err != nil {
			t.Fatal(err)
		}
		if ev := wantEvent(t, r, Ended); ev.Exit != "killed" || !errors.Is(late, io.ErrClosedPipe) {
			t.Errorf("%q, and the late write gave %v", ev.Exit, late)
		}
	})
}

func TestAPanicIsAnExit(t *testing.T) {
	for _, test := range []struct {
		name       string
		end        func()
		exit, want string
	}{
		{"panic", func() { panic("no \x1b[2Jlock") }, `panic: no \x1b[2Jlock`, `panicked (no \x1b[2Jlock) without result`},
		{"Goexit", runtime.Goexit, "ended by runtime.Goexit", "ended by runtime.Goexit without result"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := adapter(func(_ context.Context, _ *bufio.Reader, out io.Writer) int {
				io.WriteString(out, hello)
				test.end()
				return 0
			})
			inBubble(t, c, Claim{}, func(t *testing.T, r RunningClaim) {
				wantEvent(t, r, Hello)
				if ev := wantEvent(t, r, Broken); !strings.Contains(ev.Err.Error(), test.want) {
					t.Errorf("the error is %v, want %q", ev.Err, test.want)
				}
				if ev := wantEvent(t, r, Ended); ev.Exit != test.exit {
					t.Errorf("Exit is %q, want %q", ev.Exit, test.exit)
				}
				if stack := strings.Contains(r.Stderr(), "goroutine"); stack != (test.name == "panic") {
					t.Errorf("standard error is %q", r.Stderr())
				}
			})
		})
	}
}

func TestAnAdapterWithoutEndIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		c := adapter(func(context.Context, *bufio.Reader, io.Writer) int { <-let; return 0 })
		r, err := c.Start(t.Context(), Claim{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err == nil || !strings.Contains(err.Error(), "left running") {
			t.Errorf("Close: %v, want an error", err)
		}
		if events := rest(r); len(events) != 0 {
			t.Errorf("events: %v", describe(events))
		}
		close(let)
		<-r.Exited()
	})
}

func TestTwoCloseAtOnce(t *testing.T) {
	inBubble(t, adapter(func(ctx context.Context, _ *bufio.Reader, _ io.Writer) int { <-ctx.Done(); return 0 }), Claim{},
		func(t *testing.T, r RunningClaim) {
			other := make(chan error)
			go func() { other <- r.Close() }()
			if err := errors.Join(r.Close(), <-other); err != nil {
				t.Error(err)
			}
			if !r.(*claimRun).hasExited() {
				t.Error("Close returned before the exit")
			}
		})
}

func TestEventsThatNobodyTakes(t *testing.T) {
	inBubble(t, writes(hello+strings.Repeat(granted+finished, eventsKept)), Claim{Mode: Retry}, func(t *testing.T, r RunningClaim) {
		synctest.Wait()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		events := rest(r)
		if n := len(events); n != eventsKept || events[n-1].Kind != Ended ||
			!strings.Contains(describe(events[n-2:n-1]), "wrote more than 1024 events that nobody took") {
			t.Errorf("%d events that end in %s", n, describe(events[max(0, n-3):]))
		}
	})
}

func TestTheClaimReachesTheAdapter(t *testing.T) {
	c := InProcessClient{Name: "mine", Run: func(_ context.Context, getenv func(string) string, _ io.Reader, stdout, stderr io.Writer) int {
		fmt.Fprintf(stdout, "%s %s %q\n", getenv(envAddr), getenv(envNameHex), getenv("HOME"))
		fmt.Fprint(stderr, "to stderr")
		return 0
	}}
	inBubble(t, c, Claim{Addr: "h:1", Name: "é"}, func(t *testing.T, r RunningClaim) {
		if ev := wantEvent(t, r, Broken); !strings.Contains(ev.Err.Error(), "the adapter mine exited with code 0 before hello") ||
			!strings.Contains(ev.Err.Error(), "\nThe end of its log text:\n  \"h:1 c3a9 \\\"\\\"\"") {
			t.Errorf("the error is %v", ev.Err)
		}
		if r.Log() != "h:1 c3a9 \"\"\n" || r.Stderr() != "to stderr" || c.Target() != "mine" {
			t.Errorf("the log is %q, standard error %q", r.Log(), r.Stderr())
		}
	})
}

func TestNoSignalReachesAGoroutine(t *testing.T) {
	inBubble(t, writes(hello), Claim{}, func(t *testing.T, r RunningClaim) {
		if err := r.Pause(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Pause: %v", err)
		}
		if err := r.Continue(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Continue: %v", err)
		}
	})
}

func TestStartAfterItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := writes(hello).Start(ctx, Claim{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Start: %v", err)
	}
}
