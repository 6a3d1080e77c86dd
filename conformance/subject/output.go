package subject

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// outputKept is how much of a program's output is kept, in bytes: its tail, for
// the report.
const outputKept = 64 << 10

// tail keeps the last outputKept bytes written to it. It may be used by
// several goroutines; its lock is held only to copy memory.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-outputKept):]...)
	if len(t.buf) > 2*outputKept {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-outputKept:]...)
	}
	return len(p), nil
}

// String returns the bytes kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-outputKept):])
}

// drainTime is how long the rest of the output of a program that has ended is
// waited for. It lies in the pipe already; only a descendant that keeps the
// pipe open lets the time pass.
const drainTime = 200 * time.Millisecond

// capture copies what is written to a pipe into a tail until the pipe's last
// writer has closed it, or until close.
type capture struct {
	r    *os.File
	done chan struct{}
}

// startCapture returns a capture and the end that is written to, which the
// caller closes once a child has it.
func startCapture(to *tail) (*capture, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	c := &capture{r: r, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		io.Copy(to, r) // ends with the pipe or with close; a tail cannot fail
	}()
	return c, w, nil
}

// drained waits until all output has come, at most drainTime.
func (c *capture) drained() bool { return within(c.done, drainTime) }

// close ends the capture and waits for its goroutine. Output that came before
// is kept.
func (c *capture) close() error {
	c.drained()
	err := c.r.Close()
	<-c.done
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// within waits for done, at most limit.
func within(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// Limits of the output shown in an error: enough for a stack trace's head.
const (
	linesShown     = 12
	lineBytesShown = 300
)

// quoteTail shows the last lines of a foreign output, each escaped and on a
// line of its own.
func quoteTail(output string) string {
	if quoted := quoteLines(output); quoted != "" {
		return "its last output:" + quoted
	}
	return "it wrote nothing"
}

// quoteLines returns the last lines, each escaped and after a newline, and ""
// where there are none.
func quoteLines(output string) string {
	output = strings.TrimRight(output, "\r\n")
	if output == "" {
		return ""
	}
	lines := strings.Split(output, "\n")
	var b strings.Builder
	for _, line := range lines[max(0, len(lines)-linesShown):] {
		b.WriteString("\n  ")
		b.WriteString(quoteLine(strings.TrimSuffix(line, "\r")))
	}
	return b.String()
}

func quoteLine(line string) string {
	if len(line) <= lineBytesShown {
		return strconv.Quote(line)
	}
	return strconv.Quote(line[:lineBytesShown]) + "…"
}
