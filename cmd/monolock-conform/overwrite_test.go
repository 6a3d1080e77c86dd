package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestNoReportOverwritesAnother, nor the result that it is made of, by whatever name.
func TestNoReportOverwritesAnother(t *testing.T) {
	dir := t.TempDir()
	result, link := filepath.Join(dir, "result.json"), filepath.Join(dir, "link")
	if code, _, stderr := conform("--role", "server", "--run", fast, "--json", result); code != exitConformant {
		t.Fatal(stderr)
	}
	before, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(result, link); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"report", result, "--markdown", result}, "would be overwritten"},
		{[]string{"report", result, "--html", link}, "would be overwritten"},
		{[]string{"report", link, "--json", result}, "would be overwritten"},
		{[]string{"baseline", result, "--output", result}, "would be overwritten"},
		{[]string{"report", result, "--json", filepath.Join(dir, "new"), "--html", dir + "/./new"}, "another report goes to that file"},
		{[]string{"--role", "server", "--run", fast, "--out", dir, "--junit", filepath.Join(dir, "badge.svg")}, "another report goes to that file"},
	} {
		code, _, stderr := conform(row.args...)
		if code != exitUsage {
			t.Errorf("%q: exit %d, want %d", row.args, code, exitUsage)
		}
		wantText(t, stderr, row.says)
	}
	if after, err := os.ReadFile(result); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the result was changed: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAPipeGetsTheReportAlone: XML begins at the first byte.
func TestAPipeGetsTheReportAlone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/fd names the pipe on Linux")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	got := make(chan []byte)
	go func() {
		data := new(bytes.Buffer)
		data.ReadFrom(read)
		got <- data.Bytes()
	}()
	cmd := process(t, asCommand, "--role", "server", "--run", fast, "--junit", "/dev/fd/3")
	cmd.ExtraFiles = []*os.File{write}
	err = cmd.Run()
	write.Close()
	data := <-got
	if err != nil || !bytes.HasPrefix(data, []byte("<?xml")) || xml.Unmarshal(data, new(struct{})) != nil {
		t.Errorf("%v, and the pipe got %q", err, data[:min(len(data), 80)])
	}
}

// TestAnEditedResultIsNotShown: a file that contradicts itself is refused, and nothing
// is written.
func TestAnEditedResultIsNotShown(t *testing.T) {
	dir := t.TempDir()
	path, page := filepath.Join(dir, "result.json"), filepath.Join(dir, "page.html")
	if code, _, stderr := conform("--role", "server", "--run", fast, "--json", path); code != exitConformant {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := bytes.Replace(data, []byte(`"result": "conformant"`), []byte(`"result": "not-conformant"`), 1)
	if err := os.WriteFile(path, edited, 0o644); err != nil || bytes.Equal(edited, data) {
		t.Fatal("nothing was edited", err)
	}
	for _, args := range [][]string{{"report", path, "--html", page}, {"baseline", path}} {
		code, _, stderr := conform(args...)
		if code != exitUsage {
			t.Errorf("%q: exit %d, want %d", args, code, exitUsage)
		}
		wantText(t, stderr, "contradicts itself", "it says not-conformant")
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("a page was written")
	}
}
