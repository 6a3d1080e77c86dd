//go:build ignore

// Command image runs what the Dockerfile runs, without a container: the commands of its
// first stage, in a copy of what is committed. What comes of them must do in an image
// that holds nothing else: programs that need no library.
package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// result is where the Dockerfile's commands put what the image holds.
const result = "/out"

func main() {
	data, err := os.ReadFile("Dockerfile")
	fail(err)
	commands, entry, err := read(string(data))
	fail(err)
	fail(try(commands, entry))
	fmt.Printf("the %d commands of the Dockerfile make an image that starts %s\n", len(commands), entry)
}

var entryPoint = regexp.MustCompile(`^ENTRYPOINT \["(/[^"]+)"\]$`)

// read takes the commands of the first stage, and what the image starts.
func read(dockerfile string) (commands []string, entry string, err error) {
	stages := 0
	for line := range strings.Lines(dockerfile) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasSuffix(line, `\`):
			return nil, "", fmt.Errorf("the Dockerfile has a line that goes on, which this check does not read: %s", line)
		case word == "FROM":
			stages++
		case word == "RUN" && stages == 1:
			commands = append(commands, rest)
		case word == "RUN":
			return nil, "", fmt.Errorf("the Dockerfile runs %q in an image without a shell", rest)
		case word == "ENTRYPOINT":
			if found := entryPoint.FindStringSubmatch(line); found != nil {
				entry = found[1]
			}
		}
	}
	if stages != 2 || len(commands) == 0 || entry == "" {
		return nil, "", fmt.Errorf("the Dockerfile has %d stages, %d commands and the entry point %q; two stages, some commands and a program were expected", stages, len(commands), entry)
	}
	return commands, entry, nil
}

// try builds in a temporary folder, which goes.
func try(commands []string, entry string) error {
	work, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := build(work, commands); err != nil {
		return err
	}
	return check(filepath.Join(work, "out"), entry)
}

// build runs the commands in a clone, with a folder of their own for the result.
func build(work string, commands []string) error {
	src, out := filepath.Join(work, "src"), filepath.Join(work, "out")
	if err := run(exec.Command("git", "clone", "--quiet", ".", src)); err != nil {
		return err
	}
	for _, command := range commands {
		cmd := exec.Command("sh", "-euc", strings.ReplaceAll(command, result+"/", out+"/"))
		cmd.Dir = src
		if err := run(cmd); err != nil {
			return fmt.Errorf("RUN %s: %w", command, err)
		}
	}
	return nil
}

// check wants the entry point to be there, static, and to run with nothing around it.
func check(out, entry string) error {
	program := filepath.Join(out, entry)
	binary, err := elf.Open(program)
	if err != nil {
		return fmt.Errorf("the entry point: %w", err)
	}
	defer binary.Close()
	for _, part := range binary.Progs {
		if part.Type == elf.PT_INTERP {
			return errors.New("the entry point needs a loader and libraries, and the image has none")
		}
	}
	version := exec.Command(program, "version")
	version.Env, version.Dir = []string{}, out
	if err := run(version); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(out, "tmp"))
	if err != nil || info.Mode().Perm() != 0o777 || info.Mode()&os.ModeSticky == 0 {
		return fmt.Errorf("the image's /tmp is not one that any user may write to: %v, %v", info, err)
	}
	return nil
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, strings.TrimSpace(string(out)))
	}
	return nil
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}
