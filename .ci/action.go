//go:build ignore

// Command action runs the test step of action.yml as a runner would, on the built
// commands in a folder, and wants the verdict, the summary and the reports.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	if len(os.Args) != 2 {
		fail("usage: action FOLDER, which holds the built commands")
	}
	built := os.Args[1]
	server := filepath.Join(built, "monolock-refserver") + " -listen {listen}"
	broken := filepath.Join(built, "monolock-conform") + " defect lifo --listen {listen}"
	want(built, "0", map[string]string{"SERVER_CMD": server, "ARGS": "--run 'server/queue/*' --seed 7"})
	want(built, "1", map[string]string{"SERVER_CMD": broken, "ARGS": "--run server/queue/*"})
	want(built, "2", map[string]string{})
	fmt.Println("the action's test step tells a good server, a broken one and none apart")
}

// want runs the step and compares the exit code that it hands on.
func want(built, code string, env map[string]string) {
	dir, err := os.MkdirTemp("", "action-")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Symlink(built, filepath.Join(dir, "monolock-conform")))
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", step())
	cmd.Env = append(os.Environ(),
		"RUNNER_TEMP="+dir, "GITHUB_OUTPUT="+filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"), "OUT="+filepath.Join(dir, "out"))
	for _, name := range []string{"SERVER", "SERVER_CMD", "CLIENT", "ARGS", "BASELINE"} {
		cmd.Env = append(cmd.Env, name+"="+env[name])
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	check(cmd.Run())
	output, err := os.ReadFile(filepath.Join(dir, "output"))
	check(err)
	if !strings.Contains(string(output), "exit-code="+code+"\n") {
		fail("with %v: want exit-code=%s, got\n%s\n%s", env, code, output, log.String())
	}
	if code == "2" {
		return
	}
	summary, err := os.ReadFile(filepath.Join(dir, "summary"))
	check(err)
	if !strings.Contains(string(summary), "conformant") {
		fail("the summary names no verdict:\n%s", summary)
	}
	if code == "1" && !strings.Contains(log.String(), "::error ") {
		fail("nothing is annotated:\n%s", log.String())
	}
	for _, name := range []string{"result.json", "junit.xml", "report.html"} {
		_, err := os.Stat(filepath.Join(dir, "out", name))
		check(err)
	}
}

// step is the script of the action's step "run".
func step() string {
	data, err := os.ReadFile("action.yml")
	check(err)
	var action struct {
		Runs struct {
			Steps []struct{ ID, Run string }
		}
	}
	check(yaml.Unmarshal(data, &action))
	for _, s := range action.Runs.Steps {
		if s.ID == "run" {
			return s.Run
		}
	}
	fail("action.yml has no step with the id run")
	return ""
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "action: "+format+"\n", args...)
	os.Exit(1)
}
