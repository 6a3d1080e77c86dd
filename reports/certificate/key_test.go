package certificate_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/monolock-dev/monolock-conform/reports/certificate"
)

func TestANewKeyIsItsOwnersAndNeverOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	public, err := certificate.NewKey(path)
	if err != nil {
		t.Fatal(err)
	}
	private, err := certificate.ReadKey(path)
	if err != nil || !public.Equal(private.Public()) {
		t.Errorf("the private part: %v", err)
	}
	if read, err := certificate.ReadPublic(path + ".pub"); err != nil || !read.Equal(public) {
		t.Errorf("the public part: %v", err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	before, _ := os.ReadFile(path)
	for _, gone := range []string{"", path, path + ".pub"} { // both there, and either
		if gone != "" {
			os.Rename(gone, gone+".away")
		}
		if _, err := certificate.NewKey(path); err == nil || !strings.Contains(err.Error(), "never overwritten") {
			t.Errorf("without %q: %v", gone, err)
		}
		if gone != "" {
			if _, err := os.Stat(gone); err == nil {
				t.Errorf("half a key was left at %s", gone)
			}
			os.Rename(gone+".away", gone)
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the key was overwritten")
	}
}

func TestWhatIsNoKey(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	if _, err := certificate.NewKey(path); err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(other)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	readKey := func(path string) error { _, err := certificate.ReadKey(path); return err }
	readPublic := func(path string) error { _, err := certificate.ReadPublic(path); return err }
	for _, row := range []struct {
		read func(string) error
		path string
		says string
	}{
		{readKey, filepath.Join(dir, "nowhere"), "nowhere"},
		{readKey, file("text", []byte("hello")), "is no key"},
		{readKey, path + ".pub", "is the public part of a key"},
		{readPublic, path, "is the private part of a key"},
		{readKey, file("ec", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "another kind of key than ed25519"},
		{readKey, file("locked", pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: der})), `a PEM block "ENCRYPTED PRIVATE KEY"`},
		{readKey, file("cut", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der[:9]})), "the key is damaged"},
	} {
		if err := row.read(row.path); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", row.path, err, row.says)
		}
	}
}
