//go:build unix

package subject

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func restart(t *testing.T, text string) RestartCommand {
	t.Helper()
	c, err := ParseRestart(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRestart(t *testing.T) {
	t.Parallel()
	good, silent := serve(t, answerLocks), serve(t, mute)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	background := context.Background() // the test's own ends before its parallel parts
	for _, test := range []struct {
		name, text string
		ctx        context.Context
		s          Server
		want       string
	}{
		{"success", "sh -c 'echo done'", background, good, ""},
		{"a child keeps the output", "sh -c 'sleep 1 & echo done'", background, good, ""},
		{"it fails", `sh -c 'printf "no\033 container\n"; exit 3'`, background, good,
			"exited with code 3; exit code 0 was expected; of the command, its last output:\n  \"no\\x1b container\""},
		{"it is killed", "sh -c 'kill -9 $$'", background, good, "was killed by SIGKILL"},
		{"it hangs", "sh -c 'sleep 60 & wait'", background, good, "ran for 300ms without an end and was killed"},
		{"cancelled", "sleep 60", ended, good, "was stopped: context canceled"},
		{"no answer afterwards", "true", background, silent, "did not answer again within 300ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // one waits for its probes
			c := restart(t, test.text)
			c.Timeout, c.StartTimeout = 5*time.Second, 300*time.Millisecond
			if test.name == "it hangs" {
				c.Timeout = 300 * time.Millisecond
			}
			output, err := c.Run(test.ctx, test.s)
			if test.want == "" {
				if err != nil || !strings.HasPrefix(output, "done") {
					t.Errorf("Run: %q, %v, want success", output, err)
				}
				return
			}
			if _, ok := errors.AsType[*RestartError](err); !ok || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Run: %v\nwant %q", err, test.want)
			}
		})
	}
}

func TestParseRestartErrors(t *testing.T) {
	for text, want := range map[string]string{"": "empty", "no-such-program": "not found", "'x": "close every quote"} {
		if _, err := ParseRestart(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseRestart(%q): %v, want %q", text, err, want)
		}
	}
}
