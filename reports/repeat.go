package reports

import (
	"slices"
	"strconv"
	"strings"
)

// flagsOfOneRun are the flags that say what runs and what is written, and not how
// a scenario runs. The value tells whether a word follows.
var flagsOfOneRun = map[string]bool{
	"run": true, "skip": true, "label-filter": true, "shard": true, "baseline": true, "jobs": true,
	"json": true, "junit": true, "html": true, "markdown": true, "badge": true, "out": true,
	"format": true, "color": true, "trace": true, "manual": true,
	"verbose": false,
}

// RepeatCommand is a command for a POSIX shell that repeats one scenario as it was
// run: with the same subject, seed, lease and other numbers.
func RepeatCommand(run Run, scenario string) string {
	if strings.HasPrefix(scenario, traceScenarios) {
		return shellLine(append([]string{"monolock-conform"}, howArgs(run.Args)...)) // a capture is read whole
	}
	which := "--run"
	if hasFlag(run.Args, "manual") {
		which = "--manual" // it names the subject, too: somebody starts it by hand
	}
	args := slices.Concat([]string{"monolock-conform"}, howArgs(run.Args), []string{which, scenario})
	if !hasFlag(args, "seed") {
		args = append(args, "--seed", strconv.FormatUint(run.Seed, 10))
	}
	return shellLine(args)
}

// shellLine is the line of a shell with these words.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellQuote(word)
	}
	return strings.Join(quoted, " ")
}

// howArgs leaves out the flags of one run with their values.
func howArgs(args []string) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		name, inline := flagName(args[i])
		valued, drop := flagsOfOneRun[name]
		if !drop {
			kept = append(kept, args[i])
			continue
		}
		if valued && !inline {
			i++
		}
	}
	return kept
}

// withoutFlag leaves out a flag that takes a value.
func withoutFlag(args []string, flag string) []string {
	kept := []string{}
	for i := 0; i < len(args); i++ {
		name, inline := flagName(args[i])
		if name != flag {
			kept = append(kept, args[i])
			continue
		}
		if !inline {
			i++
		}
	}
	return kept
}

// flagValues are the values that a flag was given.
func flagValues(args []string, flag string) []string {
	var values []string
	for i, arg := range args {
		name, inline := flagName(arg)
		switch {
		case name != flag:
		case inline:
			_, value, _ := strings.Cut(arg, "=")
			values = append(values, value)
		case i+1 < len(args):
			values = append(values, args[i+1])
		}
	}
	return values
}

// flagName takes a flag apart: "--run=x" is "run", with its value inside. It is ""
// for any other word.
func flagName(arg string) (name string, inline bool) {
	long, isFlag := strings.CutPrefix(arg, "--")
	if !isFlag {
		return "", false
	}
	name, _, inline = strings.Cut(long, "=")
	return name, inline
}

func hasFlag(args []string, flag string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _ := flagName(arg)
		return name == flag
	})
}

// shellQuote makes one word of any text for a POSIX shell.
func shellQuote(word string) string {
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"
	if word != "" && strings.Trim(word, bare) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
