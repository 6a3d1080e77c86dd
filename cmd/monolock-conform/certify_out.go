package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
)

// outFolder is where certify writes.
type outFolder string

// newOutFolder makes the folder, or takes an empty one, or one of an attempt that
// did not certify, which is cleared. A certificate is never overwritten, and
// nothing goes that certify did not write.
func newOutFolder(dir string) (outFolder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		switch {
		case entry.Name() == certificate.EnvelopeFile:
			return "", fmt.Errorf("%s holds a certificate already: name another folder, one for each version", dir)
		case !ofAnAttempt(dir, entry.Name()):
			return "", fmt.Errorf("%s holds %q, which certify did not write: name an empty folder", dir, entry.Name())
		}
	}
	for _, entry := range entries {
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return "", err
		}
	}
	// Whether the folder takes files shows before the runs, and not after them.
	room, err := reserve(filepath.Join(dir, certificate.EnvelopeFile), nil)
	if err != nil {
		return "", err
	}
	room.discard()
	return outFolder(dir), nil
}

// ofAnAttempt reports whether certify wrote the entry of a folder.
func ofAnAttempt(dir, name string) bool {
	for n := range certificate.Runs {
		if name == certificate.RunFolder(n+1) {
			_, err := os.Stat(filepath.Join(dir, name, "result.json"))
			return err == nil
		}
	}
	return name == certificate.BadgeFile || name == certificate.KeyFile
}

// keep writes what there is of a run, certified or not, with the pictures of its
// scenarios and captures of those that did not pass, which the result names: who reads
// why it failed needs them, and those of a whole run would make a folder that nobody
// publishes. The result comes first, since it shows later whose the folder is.
func (o outFolder) keep(n int, r reports.Result, outcome *conformance.Outcome) error {
	files, err := certificate.RunFiles(n, r)
	if err != nil {
		return err
	}
	if outcome != nil {
		for _, result := range outcome.Results {
			for _, a := range result.Attachments {
				files = append(files, certificate.File{Name: certificate.RunFolder(n) + "/" + attachmentName(result, a), Data: a.Data})
			}
		}
	}
	for _, file := range files {
		if err := o.write(file); err != nil {
			return err
		}
	}
	_, err = keepTraces(outcome, traceOnFailure, filepath.Join(string(o), certificate.RunFolder(n)))
	return err
}

// write writes a whole file or none.
func (o outFolder) write(file certificate.File) error {
	path := filepath.Join(string(o), filepath.FromSlash(file.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return writeWhole(path, func(w writer) error { _, err := w.Write(file.Data); return err })
}
