package certificate

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"errors"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// PayloadType is the type of what the envelope holds: an in-toto statement.
const PayloadType = "application/vnd.in-toto+json"

// Fingerprint names a public key as ssh-keygen does: "SHA256:" and base64.
func Fingerprint(key ed25519.PublicKey) string {
	print, err := dsse.SHA256KeyID(key)
	if err != nil {
		panic("certificate: an ed25519 key has no fingerprint: " + err.Error())
	}
	return print
}

// signer signs as the library of the envelope wants it.
type signer struct{ key ed25519.PrivateKey }

func (s signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(s.key, data), nil
}
func (s signer) KeyID() (string, error) { return Fingerprint(publicOf(s.key)), nil }

func publicOf(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

// verifier verifies with one key.
type verifier struct{ key ed25519.PublicKey }

var errSignature = errors.New("the signature does not fit")

func (v verifier) Verify(_ context.Context, data, signature []byte) error {
	if !ed25519.Verify(v.key, data, signature) {
		return errSignature
	}
	return nil
}
func (v verifier) KeyID() (string, error)   { return Fingerprint(v.key), nil }
func (v verifier) Public() crypto.PublicKey { return v.key }

// sign puts a payload into a signed envelope.
func sign(payload []byte, key ed25519.PrivateKey) (*dsse.Envelope, error) {
	signs, err := dsse.NewEnvelopeSigner(signer{key})
	if err != nil {
		return nil, err
	}
	return signs.SignPayload(context.Background(), PayloadType, payload)
}

// signedBy reports whether key signed the envelope as it is.
func signedBy(e *dsse.Envelope, key ed25519.PublicKey) bool {
	verifies, err := dsse.NewEnvelopeVerifier(verifier{key})
	if err != nil {
		return false
	}
	_, err = verifies.Verify(context.Background(), e)
	return err == nil
}
