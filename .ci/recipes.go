//go:build ignore

// Command recipes checks the syntax of what people copy: the recipes of the README
// and the scripts of action.yml. Workflows go through actionlint.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7"

var fence = regexp.MustCompile("(?ms)^```(yaml|sh)\n(.*?)^```$")

func main() {
	readme, err := os.ReadFile("README.md")
	fail(err)
	blocks := fence.FindAllStringSubmatch(string(readme), -1)
	if len(blocks) < 3 {
		fail(fmt.Errorf("README.md holds %d recipes; GitHub Actions, GitLab CI and a plain shell were expected", len(blocks)))
	}
	var faults []error
	for _, block := range blocks {
		if err := check(block[1], block[2]); err != nil {
			faults = append(faults, fmt.Errorf("README.md, the recipe that begins with %q: %w", firstLine(block[2]), err))
		}
	}
	faults = append(faults, checkAction())
	fail(errors.Join(faults...))
	fmt.Printf("%d recipes and action.yml are well-formed\n", len(blocks))
}

func check(kind, text string) error {
	if kind == "sh" {
		return shell("sh", text)
	}
	var doc map[string]any
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if _, workflow := doc["jobs"]; workflow {
		return lint(text)
	}
	return gitlab(doc)
}

// gitlab checks the jobs of a .gitlab-ci.yml: each has a script of commands.
func gitlab(doc map[string]any) error {
	for name, job := range doc {
		fields, ok := job.(map[string]any)
		if !ok {
			return fmt.Errorf("the job %s is no mapping", name)
		}
		script, ok := fields["script"].([]any)
		if !ok || len(script) == 0 {
			return fmt.Errorf("the job %s has no script", name)
		}
		for _, line := range script {
			command, ok := line.(string)
			if !ok {
				return fmt.Errorf("the job %s: %v is no command", name, line)
			}
			if err := shell("sh", command); err != nil {
				return err
			}
		}
	}
	return nil
}

func lint(workflow string) error {
	dir, err := os.MkdirTemp("", "recipes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "workflow.yml")
	if err := os.WriteFile(path, []byte(workflow), 0o644); err != nil {
		return err
	}
	return run(exec.Command("go", "run", actionlint, path))
}

// checkAction parses the action and the scripts of its steps.
func checkAction() error {
	data, err := os.ReadFile("action.yml")
	if err != nil {
		return err
	}
	var action struct {
		Runs struct {
			Using string
			Steps []struct{ Uses, Run, Shell string }
		}
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		return fmt.Errorf("action.yml: %w", err)
	}
	if action.Runs.Using != "composite" || len(action.Runs.Steps) == 0 {
		return errors.New("action.yml is no composite action with steps")
	}
	for i, step := range action.Runs.Steps {
		switch {
		case step.Run == "" && step.Uses == "":
			return fmt.Errorf("action.yml: step %d does nothing", i+1)
		case step.Run == "":
			continue
		case step.Shell != "bash":
			return fmt.Errorf("action.yml: step %d names no shell, which a composite action needs", i+1)
		case strings.Contains(step.Run, "${{"):
			return fmt.Errorf("action.yml: step %d puts an expression into a script, where its text would be run", i+1)
		}
		if err := shell("bash", step.Run); err != nil {
			return fmt.Errorf("action.yml: step %d: %w", i+1, err)
		}
	}
	return nil
}

// shell parses a script and runs nothing.
func shell(name, script string) error {
	cmd := exec.Command(name, "-n")
	cmd.Stdin = strings.NewReader(script)
	return run(cmd)
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "recipes:", err)
		os.Exit(1)
	}
}
