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
		{[]string{"--json"}, "monolock-conform --run s --seed 7"},
	}
	for _, row := range rows {
		if got := RepeatCommand(Run{Seed: 7, Args: row.args}, "s"); got != row.want {
			t.Errorf("%q:\n got %s\nwant %s", row.args, got, row.want)
		}
	}
}
