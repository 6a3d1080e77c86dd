package reports

import "testing"

func TestRepeatCommand(t *testing.T) {
	rows := []struct {
		args []string
		want string
	}{
		{nil, "monolock-conform --run s --seed 7"},
		{[]string{"--server", "h:1", "--run", "server/*", "--skip=x", "--verbose", "--lease", "1s"}, "monolock-conform --server h:1 --lease 1s --run s --seed 7"},
		{[]string{"--json", "-", "--seed", "9", "--strict"}, "monolock-conform --seed 9 --strict --run s"},
		{[]string{"--seed=9", "--out=a", "--color", "never"}, "monolock-conform --seed=9 --run s"},
		{[]string{"--server-cmd", "it's {listen} $HOME"}, `monolock-conform --server-cmd 'it'\''s {listen} $HOME' --run s --seed 7`},
		{[]string{"--lock-prefix", ""}, "monolock-conform --lock-prefix '' --run s --seed 7"},
		{[]string{"--manual", "s", "--badge", "b.svg", "--lease=1s"}, "monolock-conform --lease=1s --manual s --seed 7"},
		{[]string{"--json"}, "monolock-conform --run s --seed 7"},
	}
	for _, row := range rows {
		if got := RepeatCommand(Run{Seed: 7, Args: row.args}, "s"); got != row.want {
			t.Errorf("%q:\n got %s\nwant %s", row.args, got, row.want)
		}
	}
}

// A capture is read as a whole, and its reports are no part of what is repeated.
func TestRepeatCommandOfACapture(t *testing.T) {
	run := Run{Args: []string{"trace", "locks.pcap", "--role", "server", "--html", "x.html", "--out=dir", "--strict"}}
	if got, want := RepeatCommand(run, traceOverall), "monolock-conform trace locks.pcap --role server --strict"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
