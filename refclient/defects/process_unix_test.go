//go:build unix

package defects

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/wire"
)

// holder is a process that holds the lock of a server that a test plays.
type holder struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string
	nc    net.Conn
	ended chan struct{} // closed: the connection has ended
}

// hold starts a client as a process, grants it the lock for a lease of two seconds,
// and answers all that it says.
func hold(t *testing.T, id string) *holder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asDefect+"="+id, "MONOLOCK_CONTRACT=1", "MONOLOCK_ADDR="+l.Addr().String(),
		"MONOLOCK_NAME_HEX=78", "MONOLOCK_LEASE_MS=2000", "MONOLOCK_MODE=once")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := &holder{t: t, cmd: cmd, lines: make(chan string, 100), ended: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(h.lines)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			h.lines <- lines.Text()
		}
	}()
	if h.nc, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	go h.answer()
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
		_ = h.nc.Close()
		<-h.ended
	})
	if !h.says("granted", 5*time.Second) {
		t.Fatal("the grant does not reach the work")
	}
	return h
}

// answer answers the ACQUIRE and the heartbeats until the connection ends.
func (h *holder) answer() {
	defer close(h.ended)
	for frames := wire.NewReader(h.nc); ; {
		if _, err := frames.ReadClient(); err != nil {
			return
		}
		_, _ = h.nc.Write(wire.Bytes(wire.AcquiredFrame(1)))
	}
}

// says reports whether the process says that event within d.
func (h *holder) says(event string, d time.Duration) bool {
	limit := time.After(d)
	for {
		select {
		case line, ok := <-h.lines:
			if !ok || strings.Contains(line, `"event":"`+event+`"`) {
				return ok
			}
		case <-limit:
			return false
		}
	}
}

// closes reports whether the connection ends within d.
func (h *holder) closes(d time.Duration) bool {
	select {
	case <-h.ended:
		return true
	case <-time.After(d):
		return false
	}
}

func (h *holder) signal(s syscall.Signal) {
	if err := h.cmd.Process.Signal(s); err != nil {
		h.t.Error(err)
	}
}

func TestAStoppedProcess(t *testing.T) {
	for id, right := range map[string]bool{"standard": true, "sleeps-through-its-lease": false} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			h := hold(t, id)
			h.signal(syscall.SIGSTOP)
			time.Sleep(2200 * time.Millisecond)
			h.signal(syscall.SIGCONT)
			if got := h.says("lost", 700*time.Millisecond); got != right {
				t.Errorf("the claim ends upon waking: %t, want %t", got, right)
			}
		})
	}
}

func TestAKilledProcess(t *testing.T) {
	for id, right := range map[string]bool{"standard": true, "child-keeps-the-connection": false} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			h := hold(t, id)
			h.signal(syscall.SIGKILL)
			if got := h.closes(2 * time.Second); got != right {
				t.Errorf("the connection goes with the process: %t, want %t", got, right)
			}
		})
	}
}
