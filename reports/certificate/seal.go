package certificate

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports"
)

// The names of the files in a certificate's folder.
const (
	EnvelopeFile = "certificate.json"
	KeyFile      = "key.pub"
	BadgeFile    = "badge.svg"
	resultFile   = "result.json"
)

// File is one file of a certificate's folder. Its name has slashes.
type File struct {
	Name string
	Data []byte
}

// RunFolder is the folder of the n-th run, counted from 1.
func RunFolder(n int) string { return fmt.Sprintf("run-%d", n) }

// RunFiles renders what is kept of the n-th run: the result first.
func RunFiles(n int, r reports.Result) ([]File, error) {
	var files []File
	for _, f := range []struct {
		name   string
		render func(io.Writer, reports.Result) error
	}{{resultFile, reports.WriteJSON}, {"junit.xml", reports.JUnit}, {"report.html", reports.HTML}} {
		file, err := rendered(path.Join(RunFolder(n), f.name), r, f.render)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func rendered(name string, r reports.Result, render func(io.Writer, reports.Result) error) (File, error) {
	var out bytes.Buffer
	if err := render(&out, r); err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	return File{Name: name, Data: out.Bytes()}, nil
}

// Order is what a certificate is made of.
type Order struct {
	About      About // an empty name or version is taken from the results
	Runs       []reports.Result
	IOTimeout  time.Duration
	LockPrefix string
	Issued     time.Time
	Key        ed25519.PrivateKey
}

// RefusedError says why there is no certificate: all of it.
type RefusedError struct{ Reasons []string }

func (e *RefusedError) Error() string { return strings.Join(e.Reasons, "\n") }

// Seal makes all files of a certificate's folder, the signed envelope last. What
// does not certify is a *[RefusedError], and no file.
func Seal(o Order) ([]File, error) {
	if reasons := o.reasons(); len(reasons) > 0 {
		return nil, &RefusedError{reasons}
	}
	var files []File
	for i, r := range o.Runs {
		run, err := RunFiles(i+1, r)
		if err != nil {
			return nil, err
		}
		files = append(files, run...)
	}
	badge, err := Badge(o.Runs)
	if err != nil {
		return nil, err
	}
	envelope, err := o.envelope(append(files, badge))
	if err != nil {
		return nil, err
	}
	return append(files, badge, File{KeyFile, EncodePublic(publicOf(o.Key))}, envelope), nil
}

// Badge is the badge of the run that says least good.
func Badge(runs []reports.Result) (File, error) {
	worst := runs[0]
	for _, r := range runs[1:] {
		if rank(r) < rank(worst) || rank(r) == rank(worst) && r.Counts[conformance.Pass] < worst.Counts[conformance.Pass] {
			worst = r
		}
	}
	return rendered(BadgeFile, worst, reports.Badge)
}

func rank(r reports.Result) int {
	return slices.Index([]reports.Conclusion{reports.NotConformant, reports.Undecided, reports.Conformant}, r.Result)
}

// reasons says why the order makes no certificate.
func (o Order) reasons() []string {
	var reasons []string
	for i, r := range o.Runs {
		for _, reason := range RunReasons(r) {
			reasons = append(reasons, fmt.Sprintf("run %d: %s", i+1, reason))
		}
	}
	reasons = append(reasons, Reasons(o.Runs)...)
	if len(o.Runs) == 0 {
		return reasons
	}
	about := o.about()
	if err := about.Check(); err != nil {
		reasons = append(reasons, strings.Split(err.Error(), "\n")...)
	}
	return append(reasons, OtherSubject(about, o.Runs[0].Subject)...)
}

// about is what the author says, and what the subject says where the author is silent.
func (o Order) about() About {
	about, subject := o.About, o.Runs[0].Subject
	if about.Name == "" {
		about.Name = subject.Name
	}
	if about.Version == "" {
		about.Version = subject.Version
	}
	return about
}

// OtherSubject says where what was tested calls itself otherwise than its author
// does. A server does not say what it is.
func OtherSubject(about About, subject reports.Subject) []string {
	var reasons []string
	if subject.Name != "" && subject.Name != about.Name {
		reasons = append(reasons, fmt.Sprintf("the adapter says that it tests %q, and the certificate would name %q", subject.Name, about.Name))
	}
	if subject.Version != "" && subject.Version != about.Version {
		reasons = append(reasons, fmt.Sprintf("the adapter says that its version is %q, and the certificate would name %q", subject.Version, about.Version))
	}
	return reasons
}

// envelope signs what the files show.
func (o Order) envelope(files []File) (File, error) {
	c := o.certificate(files)
	payload, err := c.encode()
	if err != nil {
		return File{}, err
	}
	signed, err := sign(payload, o.Key)
	if err != nil {
		return File{}, err
	}
	data, err := json.MarshalIndent(signed, "", "  ")
	return File{EnvelopeFile, append(data, '\n')}, err
}

func (o Order) certificate(files []File) Certificate {
	first := o.Runs[0]
	c := stated(o.Runs)
	c.Suite = first.Suite
	c.Numbers = Numbers{Runs: len(o.Runs), LeaseMS: first.Run.LeaseMS, LockPrefix: o.LockPrefix}
	if first.Subject.Role == spec.RoleServer {
		c.Numbers.IOTimeoutMS = o.IOTimeout.Milliseconds()
	}
	c.Claim.Schema, c.Claim.About, c.Claim.Issued = Schema, o.about(), o.Issued.UTC().Format(time.RFC3339)
	c.Claim.Files = map[string]string{}
	for _, file := range files {
		if path.Base(file.Name) == resultFile {
			c.Results = append(c.Results, Digest{file.Name, digest(file.Data)})
		} else {
			c.Claim.Files[file.Name] = digest(file.Data)
		}
	}
	return c
}

// stated is the part of a certificate that follows from the results alone.
func stated(runs []reports.Result) Certificate {
	first, all := runs[0], Combine(runs)
	c := Certificate{
		Result: Passed, Passed: with(all, conformance.Pass), Warned: with(all, conformance.Warn),
		Failed: append(with(all, conformance.Fail), with(all, conformance.Flaky)...),
	}
	if len(c.Warned) > 0 {
		c.Result = Warned
	}
	c.Claim = Claim{
		Role: first.Subject.Role, Language: first.Subject.Language, Offered: first.Features.Offered, Declined: first.Features.Declined,
		Levels: Levels(first.Subject.Role, all, first.Features.Offered),
	}
	return c
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
