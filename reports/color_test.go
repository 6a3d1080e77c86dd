package reports

import (
	"os"
	"testing"
)

func TestUseColor(t *testing.T) {
	pipe, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	env := func(name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
	}
	rows := []struct {
		mode   string
		getenv func(string) string
		want   bool
	}{
		{"always", env("NO_COLOR", "1"), true},
		{"never", env("", ""), false},
		{"auto", env("", ""), false}, // a pipe
		{"auto", env("TERM", "xterm"), false},
	}
	for _, row := range rows {
		if got := UseColor(row.mode, pipe, row.getenv); got != row.want {
			t.Errorf("%s: %v", row.mode, got)
		}
	}
	if UseColor("auto", nil, env("", "")) || IsTerminal(nil) {
		t.Error("no file is no terminal")
	}
}

func TestColourOnATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo terminal: ", err)
	}
	defer terminal.Close()
	for _, row := range []struct {
		name, value string
		want        bool
	}{{"TERM", "xterm", true}, {"TERM", "dumb", false}, {"NO_COLOR", "1", false}, {"NO_COLOR", "", true}} {
		got := UseColor("auto", terminal, func(asked string) string {
			if asked == row.name {
				return row.value
			}
			return ""
		})
		if got != row.want {
			t.Errorf("%s=%s: %v", row.name, row.value, got)
		}
	}
}
