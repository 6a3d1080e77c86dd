package adapter

import (
	"bytes"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

func TestAClaimFromHelloToResult(t *testing.T) {
	run(t, nil, func(p *process) {
		p.want("first of all", map[string]any{"event": "hello", "client": "monolock-refclient", "lacks": nil})
		nc := p.accept()
		p.send(nc, wire.WaitingFrame)
		p.wantEvent("in the queue", "waiting")
		p.send(nc, wire.AcquiredFrame(1<<64-1))
		p.want("whole", map[string]any{"event": "granted", "token": "18446744073709551615"})
		p.wantIdle("until a word comes")
		p.say("release")
		p.wantEvent("the last statement of the work", "finished")
		p.wantClosed(nc)
		p.wantResult("ok", nil)
	})
}

func TestAWordWaitsForTheGrant(t *testing.T) {
	for word, outcome := range map[string]string{"release": "ok", "fail": "failed", "  release\r": "ok", "nonsense\nfail": "failed"} {
		run(t, nil, func(p *process) {
			p.wantEvent("first", "hello")
			p.say(word)
			nc := p.accept()
			p.send(nc, wire.WaitingFrame)
			p.wantEvent("in the queue", "waiting")
			p.wantIdle("the word waits")
			p.send(nc, wire.AcquiredFrame(1))
			p.wantEvent("the grant", "granted")
			p.wantEvent("and the word", "finished")
			p.wantClosed(nc)
			p.wantResult(outcome, nil)
		})
	}
}

func TestALossIsASignalAndNotAnEnd(t *testing.T) {
	for _, word := range []string{"release", "fail"} {
		run(t, map[string]string{"MONOLOCK_MODE": "retry"}, func(p *process) {
			p.wantEvent("first", "hello")
			nc := p.accept()
			p.send(nc, wire.AcquiredFrame(1), wire.ErrorFrame(0x02, ""))
			p.wantEvent("the grant", "granted")
			p.want("the signal", map[string]any{"event": "lost", "cause": "lock lost: the server says ERROR 0x02 (closed by administrator)"})
			p.wantClosed(nc)
			p.wantIdle("the work goes on")
			p.say(word)
			p.wantEvent("until the word", "finished")
			p.wantResult("lost", 2.)
		})
	}
}

func TestSilenceIsALoss(t *testing.T) {
	run(t, nil, func(p *process) {
		p.wantEvent("first", "hello")
		nc := p.accept()
		p.send(nc, wire.AcquiredFrame(1))
		p.wantEvent("the grant", "granted")
		p.wantEvent("the signal", "lost")
		p.wantAt("0.8 of the lease", lease*4/5)
		p.wantClosed(nc)
		p.say("release")
		p.wantEvent("the word", "finished")
		p.wantResult("lost", nil)
	})
}

func TestRefusals(t *testing.T) {
	for code, outcome := range map[wire.Code]string{0x00: "retry", 0x01: "retry", 0x0f: "retry", 0x10: "stop", 0x15: "stop", 0xff: "stop"} {
		run(t, nil, func(p *process) {
			p.wantEvent("first", "hello")
			nc := p.accept()
			p.send(nc, wire.ErrorFrame(code, "\x00\"\n"))
			p.wantClosed(nc)
			p.wantResult(outcome, float64(code))
		})
	}
}

func TestLocalRefusalsAndLostDials(t *testing.T) {
	for _, row := range []struct {
		env     map[string]string
		outcome string
	}{
		{map[string]string{"MONOLOCK_NAME_HEX": ""}, "stop"},
		{map[string]string{"MONOLOCK_NAME_HEX": strings.Repeat("6e", 300), "MONOLOCK_MODE": "retry"}, "stop"},
		{map[string]string{"MONOLOCK_LEASE_MS": "0"}, "stop"},
		{map[string]string{"MONOLOCK_ADDR": "127.0.0.1:1"}, "retry"},
	} {
		run(t, row.env, func(p *process) {
			p.wantEvent("first", "hello")
			p.wantResult(row.outcome, nil)
		})
	}
}

func TestCancelInTheQueue(t *testing.T) {
	for _, mode := range []string{"once", "retry"} {
		run(t, map[string]string{"MONOLOCK_MODE": mode}, func(p *process) {
			p.wantEvent("first", "hello")
			nc := p.accept()
			p.send(nc, wire.WaitingFrame)
			p.wantEvent("in the queue", "waiting")
			p.say("cancel")
			p.wantClosed(nc)
			p.wantAt("at once", 0)
			p.wantResult("cancelled", nil)
		})
	}
}

func TestCancelWhileHolding(t *testing.T) {
	run(t, nil, func(p *process) {
		p.wantEvent("first", "hello")
		nc := p.accept()
		p.send(nc, wire.AcquiredFrame(1))
		p.wantEvent("the grant", "granted")
		p.say("cancel")
		p.wantIdle("the claim goes on")
		beat := make([]byte, 1)
		for range 9 {
			if _, err := nc.Read(beat); err != nil || beat[0] != 2 {
				t.Fatalf("got %x and %v, want a heartbeat", beat, err)
			}
			p.send(nc, wire.AcquiredFrame(1))
		}
		p.say("release")
		p.wantEvent("the word", "finished")
		p.wantClosed(nc)
		p.wantResult("ok", nil)
	})
}

func TestALossAfterACancellationIsToldToo(t *testing.T) {
	run(t, nil, func(p *process) {
		p.wantEvent("first", "hello")
		nc := p.accept()
		p.send(nc, wire.AcquiredFrame(1))
		p.wantEvent("the grant", "granted")
		p.say("cancel")
		p.wantIdle("the claim goes on")
		_ = nc.Close()
		p.wantEvent("the claim has ended", "lost")
		p.say("release")
		p.wantEvent("the word", "finished")
		p.wantResult("lost", nil)
	})
}

// Both ends of a process: nothing more is said and the connection goes with it.
func TestEndOfInputAndKill(t *testing.T) {
	for _, state := range []string{"dialling", "asking", "waiting", "holding", "lost", "pausing"} {
		for code, end := range map[int]func(p *process){
			exitOK:     func(p *process) { _ = p.stdin.Close() },
			exitKilled: func(p *process) { p.kill() },
		} {
			run(t, map[string]string{"MONOLOCK_MODE": "retry"}, func(p *process) {
				p.wantEvent("first", "hello")
				if state == "dialling" {
					end(p)
					p.wantExit(code)
					return
				}
				nc := p.accept()
				switch state {
				case "waiting":
					p.send(nc, wire.WaitingFrame)
					p.wantEvent("in the queue", "waiting")
				case "holding":
					p.send(nc, wire.AcquiredFrame(1))
					p.wantEvent("the grant", "granted")
				case "lost":
					p.send(nc, wire.AcquiredFrame(1), wire.WaitingFrame)
					p.wantEvent("the grant", "granted")
					p.wantEvent("the signal", "lost")
				case "pausing":
					_ = nc.Close()
					p.wantIdle("a pause")
				}
				end(p)
				p.wantExit(code)
				p.wantAt(state+": at once", 0)
				p.wantClosed(nc)
			})
		}
	}
}

func TestEnvironmentsThatMakeNoSense(t *testing.T) {
	for want, env := range map[string]map[string]string{
		`MONOLOCK_CONTRACT is "2"`:    {"MONOLOCK_CONTRACT": "2"},
		"MONOLOCK_ADDR: ":             {"MONOLOCK_ADDR": "host"},
		"MONOLOCK_NAME_HEX: ":         {"MONOLOCK_NAME_HEX": "6"},
		"MONOLOCK_LEASE_MS: ":         {"MONOLOCK_LEASE_MS": "4294967296"},
		"MONOLOCK_MODE: ":             {"MONOLOCK_MODE": ""},
		"MONOLOCK_TLS_CA: ":           {"MONOLOCK_TLS_CA": "no/such/file"},
		"MONOLOCK_TLS_CA: no certifi": {"MONOLOCK_TLS_CA": "adapter_test.go"},
	} {
		run(t, env, func(p *process) {
			p.wantExit(exitUsage)
			if !strings.Contains(p.stderr.String(), want) {
				t.Errorf("said %q, want %q in it", &p.stderr, want)
			}
		})
	}
}

func TestALineIsOneObjectOnOneLine(t *testing.T) {
	code := 0
	got := encode(line{Event: "result", Outcome: "retry", Code: &code, Message: "a\nb<\x00"})
	want := `{"event":"result","outcome":"retry","code":0,"message":"a\nb<\u0000"}` + "\n"
	if !bytes.Equal(got, []byte(want)) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWordsGoToTheWorkThatHasNone(t *testing.T) {
	var w words
	first := w.listen()
	w.deliver("release")
	w.deliver("fail")
	if got := <-first; got != "release" || len(first) != 0 {
		t.Errorf("the first work hears %q and %d more", got, len(first))
	}
	w.forget(first)
	if got := <-w.listen(); got != "fail" {
		t.Errorf("the next one hears %q, want the word that waited", got)
	}
}
