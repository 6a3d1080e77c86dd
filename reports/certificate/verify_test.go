package certificate_test

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

func TestWhatWasSealedHolds(t *testing.T) {
	for _, role := range []spec.Role{spec.RoleServer, spec.RoleClient} {
		dir := t.TempDir()
		order := certificatetest.Order(certificatetest.Good(role))
		certificatetest.Write(t, dir, order)
		public := order.Key.Public().(ed25519.PublicKey)
		for _, path := range []string{dir, filepath.Join(dir, certificate.EnvelopeFile)} {
			for _, key := range []ed25519.PublicKey{nil, public} {
				f := verify(t, path, key)
				if !f.Holds() || len(f.Notes) > 0 {
					t.Errorf("%s: %+v %q", role, f.Faults, f.Notes)
				}
				if f.Trusted != (key != nil) || f.Key != certificate.Fingerprint(public) {
					t.Errorf("%s: trusted %v, key %s", role, f.Trusted, f.Key)
				}
			}
		}
	}
}

func verify(t *testing.T, path string, key ed25519.PublicKey) certificate.Finding {
	t.Helper()
	f, err := certificate.Verify(path, certificatetest.Suite(), key, certificatetest.Now)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLevelsAreWhatWasEarned(t *testing.T) {
	for role, want := range map[spec.Role]string{
		spec.RoleServer: "core", spec.RoleClient: "core retry cancel fail classify",
	} {
		dir := t.TempDir()
		certificatetest.Write(t, dir, certificatetest.Order(certificatetest.Good(role)))
		f := verify(t, dir, nil)
		got := strings.Join(f.Certificate.Claim.Levels, " ")
		if strings.Join(sorted(strings.Fields(got)), " ") != strings.Join(sorted(strings.Fields(want)), " ") {
			t.Errorf("%s: levels %q, want %q", role, got, want)
		}
	}
}

func TestNoCertificate(t *testing.T) {
	empty := t.TempDir()
	for _, path := range []string{empty, filepath.Join(empty, "nowhere")} {
		if _, err := certificate.Verify(path, certificatetest.Suite(), nil, certificatetest.Now); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if err := os.WriteFile(filepath.Join(empty, certificate.EnvelopeFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if f := verify(t, empty, nil); !f.Unreadable() {
		t.Errorf("an envelope that is cut off: %+v", f)
	}
}
