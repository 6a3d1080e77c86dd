package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// reportFile is one kind of report that is written to a file.
type reportFile struct {
	flag, usage string
	name        string // in the folder of --out
	write       func(io.Writer, reports.Result) error
}

// reportFiles are all kinds.
var reportFiles = []reportFile{
	{"json", "write the result to `FILE`; - is standard output, here and below", "result.json", reports.WriteJSON},
	{"junit", "write JUnit XML to `FILE`", "junit.xml", reports.JUnit},
	{"html", "write a page with drawn timelines to `FILE`", "report.html", reports.HTML},
	{"markdown", "write a summary in Markdown to `FILE`, as for GITHUB_STEP_SUMMARY", "summary.md", reports.Markdown},
	{"badge", "write an SVG badge to `FILE`", "badge.svg", reports.Badge},
}

// reportPaths are where reports go, by the name of the flag. Without an entry none is written.
type reportPaths map[string]*string

func (p *reportPaths) register(f *pflag.FlagSet) {
	*p = reportPaths{}
	for _, r := range reportFiles {
		(*p)[r.flag] = f.String(r.flag, "", r.usage)
	}
}

// given lists the flags that name a file, in their order.
func (p reportPaths) given() []string {
	var flags []string
	for _, r := range reportFiles {
		if path := p[r.flag]; path != nil && *path != "" {
			flags = append(flags, "--"+r.flag)
		}
	}
	return flags
}

// path is where a report goes, or "".
func (p reportPaths) path(flag string) string {
	if path := p[flag]; path != nil {
		return *path
	}
	return ""
}

// standardOutput lists the reports that go there.
func (p reportPaths) standardOutput() []string {
	return slices.DeleteFunc(p.given(), func(flag string) bool { return !isStandardOutput(p.path(flag[2:])) })
}

func isStandardOutput(path string) bool { return path == "-" || path == "/dev/stdout" }

// outputs are the places of all reports of one result, reserved before the run.
type outputs struct {
	sinks []*sink
	write []func(io.Writer, reports.Result) error
	// folder is where evidence goes: captures and pictures. "" is nowhere.
	folder string
}

// reserveOutputs makes sure that all reports of a role can be written. Folder is
// that of --out, or "".
func reserveOutputs(p reportPaths, folder string, std io.Writer) (*outputs, error) {
	o := &outputs{folder: folder}
	if folder != "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, usage("--out: %w", err)
		}
	}
	for _, r := range reportFiles {
		if path := p.path(r.flag); path != "" {
			if err := o.add("--"+r.flag, path, std, r.write); err != nil {
				return nil, err
			}
		}
		if folder != "" {
			if err := o.add("--out", filepath.Join(folder, r.name), std, r.write); err != nil {
				return nil, err
			}
		}
	}
	if json := p.path("json"); o.folder == "" && json != "" && !isStandardOutput(json) {
		o.folder = filepath.Dir(json)
	}
	return o, nil
}

func (o *outputs) add(flag, path string, std io.Writer, write func(io.Writer, reports.Result) error) error {
	s, err := reserve(path, std)
	if err != nil {
		o.discard()
		return usage("%s: %w", flag, err)
	}
	o.sinks, o.write = append(o.sinks, s), append(o.write, write)
	for _, other := range o.sinks[:len(o.sinks)-1] {
		if other.overwrites(s.path) {
			o.discard()
			return usage("%s %s: another report goes to that file; name a file for each", flag, path)
		}
	}
	return nil
}

// spare refuses places that would overwrite what is read.
func (o *outputs) spare(inputs ...string) error {
	for _, s := range o.sinks {
		for _, input := range inputs {
			if s.overwrites(input) {
				return usage("%s is the file that is read, and would be overwritten; name another one for the report", input)
			}
		}
	}
	return nil
}

// commit writes all reports, also when one of them cannot be written.
func (o *outputs) commit(r reports.Result) error {
	var faults []error
	for i, s := range o.sinks {
		if err := s.commit(func(w writer) error { return o.write[i](w, r) }); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", s.path, err))
		}
	}
	return errors.Join(faults...)
}

// discard takes back what was reserved and not committed.
func (o *outputs) discard() {
	for _, s := range o.sinks {
		s.discard()
	}
}

// folderOf is the folder of --out for a role: a run of both roles has one each.
func (o *options) folderOf(role spec.Role) string {
	if o.out == "" || len(o.roles()) == 1 {
		return o.out
	}
	return filepath.Join(o.out, string(role))
}
