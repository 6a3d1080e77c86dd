// Package clientlist makes the community's list of clients from a folder of
// certificates: one folder a client and version. What does not verify is listed as
// refused, with the reason, and never as certified.
package clientlist

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
)

// List is what a folder of certificates holds. Its order is fixed: by name, newest
// version first. Notes are sentences about the whole of it.
type List struct {
	Suite   certificate.Suite
	Entries []Entry
	Refused []Refused
	Notes   []string
	Servers int // certificates of servers, which are in no list of clients
}

// Entry is one certificate that holds.
type Entry struct {
	certificate.Certificate
	Folder   string // its path in the list's folder, with slashes
	Key      string // the fingerprint of the key in its folder, which signed
	Combined []certificate.Combined
	Behind   int // by how many versions its catalogue is older than the suite's
}

// staleAfter is how many versions of the catalogue a certificate may be behind.
const staleAfter = 1

// Stale reports whether too much has come since it was tested.
func (e Entry) Stale() bool { return e.Behind > staleAfter }

// Refused is a folder without a certificate that holds.
type Refused struct {
	Folder  string
	Reasons []string
}

// Read verifies every certificate below dir. Hidden folders and links are not
// followed. The error says that dir holds no certificate at all.
func Read(dir string, suite certificate.Suite, now time.Time) (List, error) {
	list := List{Suite: suite}
	folders, err := find(dir)
	if err != nil {
		return list, err
	}
	for _, folder := range folders {
		list.add(dir, folder, now)
	}
	empty, err := without(dir, folders)
	if err != nil {
		return list, err
	}
	list.Refused = append(list.Refused, empty...)
	for i := range list.Refused {
		list.Refused[i].Folder = reports.CleanLine(list.Refused[i].Folder)
	}
	slices.SortFunc(list.Entries, order)
	slices.SortFunc(list.Refused, func(a, b Refused) int { return cmp.Compare(a.Folder, b.Folder) })
	list.Notes = append(list.Notes, notes(list.Entries)...)
	return list, nil
}

// find lists the folders below dir that hold a certificate.
func find(dir string) ([]string, error) {
	var folders []string
	err := filepath.WalkDir(dir, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if at != dir && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if _, err := os.Lstat(filepath.Join(at, certificate.EnvelopeFile)); err != nil {
			return nil
		}
		relative, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		folders = append(folders, filepath.ToSlash(relative))
		return fs.SkipDir // what lies in a certificate's folder is the certificate's
	})
	if err != nil {
		return nil, err
	}
	if len(folders) == 0 {
		return nil, fmt.Errorf("%s holds no certificate: one folder a client and version is expected in it, each as certify wrote it", dir)
	}
	return folders, nil
}

// without lists the folders in dir in which nothing was found.
func without(dir string, folders []string) ([]Refused, error) {
	entries, err := os.ReadDir(dir)
	if err != nil || slices.Contains(folders, ".") {
		return nil, err
	}
	var all []Refused
	for _, entry := range entries {
		name := entry.Name()
		inside := slices.ContainsFunc(folders, func(f string) bool { return f == name || strings.HasPrefix(f, name+"/") })
		if inside || strings.HasPrefix(name, ".") {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case entry.Type()&fs.ModeSymlink != 0 && err == nil && info.IsDir():
			all = append(all, Refused{name, []string{"it is a link, and links are not followed"}})
		case entry.IsDir():
			all = append(all, Refused{name, []string{"it holds no " + certificate.EnvelopeFile}})
		}
	}
	return all, nil
}

// add verifies one certificate. No key is trusted beforehand: the list says which
// key signed.
func (l *List) add(dir, folder string, now time.Time) {
	found, err := certificate.Verify(filepath.Join(dir, filepath.FromSlash(folder)), l.Suite, nil, now)
	refuse := func(reasons ...string) { l.Refused = append(l.Refused, Refused{folder, reasons}) }
	switch {
	case err != nil:
		refuse(reports.CleanLine(err.Error()))
	case !found.Holds():
		var reasons []string
		for _, fault := range found.Faults {
			reasons = append(reasons, fault.Says)
		}
		refuse(reasons...)
	case found.Certificate.Claim.Role != spec.RoleClient:
		l.Servers++
		l.Notes = append(l.Notes, reports.CleanLine(folder+" certifies a server, and is not in this list of clients."))
	default:
		l.Entries = append(l.Entries, Entry{
			Certificate: found.Certificate, Folder: path.Clean(folder), Key: found.Key, Combined: found.Combined,
			Behind: l.Suite.CatalogueVersion - found.Certificate.Suite.CatalogueVersion,
		})
	}
}
