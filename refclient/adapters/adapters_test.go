package adapters

import (
	"net"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
	"github.com/monolock-dev/monolock-conform/refserver"
)

// serve starts a reference server. stop ends it as kill -9 does.
func serve(t *testing.T) (addr string, stop func()) {
	t.Helper()
	l, addr := listen(t)
	s := refserver.New(refserver.Config{})
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.Serve(l)
	}()
	stop = func() {
		_ = s.Close()
		<-served
	}
	t.Cleanup(stop)
	return addr, stop
}

func TestAcquireHoldPromoteRelease(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		addr, _ := serve(t)
		owner := start(t, argv, addr)
		token := owner.want("granted")["token"].(string)
		waiter := start(t, argv, addr)
		time.Sleep(2 * lease)
		owner.say("release")
		owner.want("finished")
		owner.wantResult("ok", nil)
		if next := waiter.want("granted")["token"].(string); len(next) < len(token) || next <= token {
			t.Errorf("token %s after %s, want a larger one", next, token)
		}
		waiter.say("fail")
		waiter.want("finished")
		waiter.wantResult("failed", nil)
	})
}

func TestLosses(t *testing.T) {
	for name, lose := range map[string]func(p *peer){
		"FIN":     func(p *peer) { _ = p.nc.(*net.TCPConn).CloseWrite() },
		"reset":   func(p *peer) { _ = p.nc.(*net.TCPConn).SetLinger(0); _ = p.nc.Close() },
		"ERROR":   func(p *peer) { p.send(wire.ErrorFrame(0x80, "")) },
		"doubt":   func(p *peer) { _, _ = p.nc.Write([]byte{0x7f}) },
		"step":    func(p *peer) { p.send(wire.WaitingFrame) },
		"token":   func(p *peer) { p.send(wire.AcquiredFrame(2)) },
		"silence": func(*peer) {},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, argv []string) {
				l, addr := listen(t)
				a := start(t, argv, addr, "MONOLOCK_MODE=retry")
				p := accept(t, l)
				begun := time.Now()
				p.send(wire.AcquiredFrame(1))
				a.want("granted")
				lose(p)
				a.want("lost")
				took := time.Since(begun)
				if name == "silence" && took > lease || name != "silence" && took > lease/2 {
					t.Errorf("the stop signal came after %v", took)
				}
				if name != "reset" {
					p.wantClosed()
				}
				a.say("release")
				a.want("finished")
				var code any
				if name == "ERROR" {
					code = 128.
				}
				a.wantResult("lost", code)
			})
		})
	}
}

func TestFramesTokensAndHeartbeats(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		l, addr := listen(t)
		a := start(t, argv, addr)
		p := accept(t, l)
		for _, b := range wire.Bytes(wire.AcquiredFrame(1<<64 - 1)) {
			_, _ = p.nc.Write([]byte{b})
			time.Sleep(time.Millisecond)
		}
		if got := a.want("granted")["token"]; got != "18446744073709551615" {
			t.Errorf("token %v", got)
		}
		last := time.Now()
		for range 6 {
			p.want(wire.TypeHeartbeat)
			now := time.Now()
			if d := now.Sub(last); d > lease/4+100*time.Millisecond || d < lease/8 {
				t.Errorf("a heartbeat after %v, want about %v", d, lease/4)
			}
			last = now
			p.send(wire.AcquiredFrame(1<<64 - 1))
		}
		a.say("cancel")
		p.want(wire.TypeHeartbeat)
		p.send(wire.AcquiredFrame(1<<64 - 1))
		p.want(wire.TypeHeartbeat)
		p.send(wire.AcquiredFrame(1<<64 - 1))
		a.say("release")
		a.want("finished")
		p.wantClosed()
		a.wantResult("ok", nil)
	})
}

func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		for code, outcome := range map[wire.Code]string{0x00: "retry", 0x0f: "retry", 0x10: "stop", 0xff: "stop"} {
			l, addr := listen(t)
			a := start(t, argv, addr)
			p := accept(t, l)
			p.send(wire.ErrorFrame(code, "server shutting down"))
			p.wantClosed()
			a.wantResult(outcome, float64(code))
		}
	})
}

func TestRefusedBeforeAsking(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		for _, env := range []string{"MONOLOCK_NAME_HEX=", "MONOLOCK_NAME_HEX=ff", "MONOLOCK_LEASE_MS=0"} {
			_, addr := listen(t)
			start(t, argv, addr, env).wantResult("stop", nil)
		}
	})
}

func TestRetries(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		l, addr := listen(t)
		a := start(t, argv, addr, "MONOLOCK_MODE=retry")
		p := accept(t, l)
		p.send(wire.WaitingFrame, wire.ErrorFrame(wire.CodeShuttingDown, ""))
		refused := time.Now()
		p.wantClosed()
		p = accept(t, l)
		if d := time.Since(refused); d > 90*time.Millisecond {
			t.Errorf("asked again %v after a shutdown, want at once", d)
		}
		p.send(wire.ErrorFrame(wire.CodeClosedByAdmin, ""))
		refused = time.Now()
		p.wantClosed()
		p = accept(t, l)
		if d := time.Since(refused); d < 90*time.Millisecond {
			t.Errorf("asked again %v after an ERROR 0x02, want a pause", d)
		}
		p.send(wire.WaitingFrame)
		a.want("waiting")
		a.say("cancel")
		p.wantClosed()
		a.wantResult("cancelled", nil)
	})
}

func TestEndOfInput(t *testing.T) {
	each(t, func(t *testing.T, argv []string) {
		l, addr := listen(t)
		a := start(t, argv, addr)
		p := accept(t, l)
		p.send(wire.AcquiredFrame(1))
		a.want("granted")
		begun := time.Now()
		_ = a.stdin.Close()
		a.wantExit()
		p.wantClosed()
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("the exit took %v", took)
		}
	})
}
