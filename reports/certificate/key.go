package certificate

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

// The kinds of PEM blocks.
const (
	privateBlock = "PRIVATE KEY" // PKCS#8
	publicBlock  = "PUBLIC KEY"  // PKIX
)

// NewKey makes an ed25519 key: the private part in path, for its owner's eyes
// only, the public part in path with ".pub" behind it. It overwrites neither.
func NewKey(path string) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	data, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	if err := writeNew(path+".pub", 0o644, EncodePublic(public)); err != nil {
		return nil, err
	}
	if err := writeNew(path, 0o600, pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: data})); err != nil {
		os.Remove(path + ".pub") // ours, and of no use alone
		return nil, err
	}
	return public, nil
}

// writeNew writes a file that must not exist, or none.
func writeNew(path string, mode os.FileMode, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists, and a key is never overwritten: name another file", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// EncodePublic is the PEM of a public key.
func EncodePublic(key ed25519.PublicKey) []byte {
	data, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		panic("certificate: an ed25519 key does not encode: " + err.Error())
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: data})
}

// ReadKey reads the private key that [NewKey] or `openssl genpkey -algorithm
// ed25519` wrote. The error says what the file holds instead.
func ReadKey(path string) (ed25519.PrivateKey, error) {
	block, err := readPEM(path, privateBlock)
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(block)
	if err != nil {
		return nil, fmt.Errorf("%s: the key is damaged: %w", path, err)
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s holds another kind of key than ed25519: make one with --new-key", path)
	}
	return private, nil
}

// ReadPublic reads a public key from a file.
func ReadPublic(path string) (ed25519.PublicKey, error) {
	block, err := readPEM(path, publicBlock)
	if err != nil {
		return nil, err
	}
	return parsePublic(path, block)
}

func parsePublic(path string, block []byte) (ed25519.PublicKey, error) {
	key, err := x509.ParsePKIXPublicKey(block)
	if err != nil {
		return nil, fmt.Errorf("%s: the key is damaged: %w", path, err)
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("%s holds another kind of key than ed25519", path)
	}
	return public, nil
}

// readPEM returns the content of the one block that a file must hold.
func readPEM(path, kind string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return decodePEM(path, kind, data)
}

func decodePEM(path, kind string, data []byte) ([]byte, error) {
	block, _ := pem.Decode(data)
	switch {
	case block == nil:
		return nil, fmt.Errorf("%s is no key: a PEM block %q belongs there", path, kind)
	case block.Type == publicBlock:
		if kind == privateBlock {
			return nil, fmt.Errorf("%s is the public part of a key; the private part signs", path)
		}
	case block.Type == privateBlock:
		if kind == publicBlock {
			return nil, fmt.Errorf("%s is the private part of a key; name its public part, and let nobody see this one", path)
		}
	}
	if block.Type != kind {
		return nil, fmt.Errorf("%s holds a PEM block %q, and %q belongs there", path, block.Type, kind)
	}
	return block.Bytes, nil
}
