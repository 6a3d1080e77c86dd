package certificate_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/monolock-dev/monolock-conform/reports"
	"github.com/monolock-dev/monolock-conform/reports/certificate"
	"github.com/monolock-dev/monolock-conform/reports/certificate/certificatetest"
)

// forgery is a certificate in the hands of somebody who changes it.
type forgery struct {
	t   *testing.T
	dir string
	key ed25519.PrivateKey // the author's
	own ed25519.PrivateKey // the forger's
}

// forge writes a good certificate, of three runs.
func forge(t *testing.T, runs []reports.Result) *forgery {
	t.Helper()
	order := certificatetest.Order(runs)
	_, own, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f := &forgery{t: t, dir: t.TempDir(), key: order.Key, own: own}
	certificatetest.Write(t, f.dir, order)
	return f
}

func (f *forgery) read(name string) []byte {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.t.Fatal(err)
	}
	return data
}

func (f *forgery) write(name string, data []byte) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), data, 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *forgery) replace(name, old, new string) {
	f.t.Helper()
	data := f.read(name)
	if !bytes.Contains(data, []byte(old)) {
		f.t.Fatalf("%s lacks %q", name, old)
	}
	f.write(name, bytes.Replace(data, []byte(old), []byte(new), 1))
}

// result changes the n-th result, and nothing else.
func (f *forgery) result(n int, change func(r *reports.Result)) {
	f.t.Helper()
	r, err := reports.ReadJSON(bytes.NewReader(f.read(resultName(n))))
	if err != nil {
		f.t.Fatal(err)
	}
	change(&r)
	var out bytes.Buffer
	if err := reports.WriteJSON(&out, r); err != nil {
		f.t.Fatal(err)
	}
	f.write(resultName(n), out.Bytes())
}

// results changes all of them, and makes the statement name what they are now.
func (f *forgery) results(change func(n int, r *reports.Result)) {
	f.t.Helper()
	for n := 1; n <= certificate.Runs; n++ {
		f.result(n, func(r *reports.Result) { change(n, r) })
	}
	f.statement(func(object) {})
}

func resultName(n int) string { return certificate.RunFolder(n) + "/result.json" }

// object is a JSON object that a forger changes at will.
type object map[string]any

func (o object) in(keys ...string) object {
	for _, key := range keys {
		o = o[key].(map[string]any)
	}
	return o
}

// note returns the annotations of a descriptor of the configuration.
func (o object) note(name string) object {
	for _, d := range o.in("predicate")["configuration"].([]any) {
		if d := object(d.(map[string]any)); d["name"] == name {
			return d.in("annotations")
		}
	}
	panic("no descriptor " + name)
}

func (o object) subject(n int) object {
	return object(o["subject"].([]any)[n-1].(map[string]any))
}

// statement changes the statement, makes its digests right again, and signs it with
// the forger's own key, which it puts into the folder.
func (f *forgery) statement(change func(s object)) {
	f.t.Helper()
	var envelope dsse.Envelope
	if err := json.Unmarshal(f.read(certificate.EnvelopeFile), &envelope); err != nil {
		f.t.Fatal(err)
	}
	payload, err := envelope.DecodeB64Payload()
	if err != nil {
		f.t.Fatal(err)
	}
	var s object
	if err := json.Unmarshal(payload, &s); err != nil {
		f.t.Fatal(err)
	}
	for _, subject := range s["subject"].([]any) {
		subject := object(subject.(map[string]any))
		sum := sha256.Sum256(f.read(subject["name"].(string)))
		subject.in("digest")["sha256"] = hex.EncodeToString(sum[:])
	}
	change(s)
	payload, err = json.Marshal(s)
	if err != nil {
		f.t.Fatal(err)
	}
	f.sign(payload)
}

// sign puts a payload into an envelope of the forger's.
func (f *forgery) sign(payload []byte) {
	f.t.Helper()
	signs, err := dsse.NewEnvelopeSigner(ownSigner{f.own})
	if err != nil {
		f.t.Fatal(err)
	}
	envelope, err := signs.SignPayload(context.Background(), certificate.PayloadType, payload)
	if err != nil {
		f.t.Fatal(err)
	}
	data, err := json.Marshal(envelope)
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(certificate.EnvelopeFile, data)
	f.write(certificate.KeyFile, certificate.EncodePublic(f.own.Public().(ed25519.PublicKey)))
}

// envelope changes the envelope's own fields.
func (f *forgery) envelope(change func(e object)) {
	f.t.Helper()
	var e object
	if err := json.Unmarshal(f.read(certificate.EnvelopeFile), &e); err != nil {
		f.t.Fatal(err)
	}
	change(e)
	data, err := json.Marshal(e)
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(certificate.EnvelopeFile, data)
}

// payload changes the text of the statement under the old signature.
func (f *forgery) payload(old, new string) {
	f.t.Helper()
	f.envelope(func(e object) {
		data, err := base64.StdEncoding.DecodeString(e["payload"].(string))
		if err != nil || !strings.Contains(string(data), old) {
			f.t.Fatalf("the payload lacks %q: %v", old, err)
		}
		e["payload"] = base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(data), old, new, 1)))
	})
}

type ownSigner struct{ key ed25519.PrivateKey }

func (s ownSigner) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(s.key, data), nil
}
func (s ownSigner) KeyID() (string, error) {
	return certificate.Fingerprint(s.key.Public().(ed25519.PublicKey)), nil
}
