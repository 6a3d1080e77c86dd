package certificate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// largestFile bounds what is read of one file, in bytes: many times the largest
// result, and little enough for any machine.
const largestFile = 256 << 20

// folder is a certificate's folder. Nothing is read outside of it, whatever its
// files, its links and the statement's names say.
type folder struct {
	root     *os.Root
	envelope string // the envelope's name in it
}

// open finds the folder of path, which is the folder or the envelope in it.
func open(path string) (folder, error) {
	info, err := os.Stat(path)
	if err != nil {
		return folder{}, err
	}
	dir, name := path, EnvelopeFile
	if !info.IsDir() {
		dir, name = filepath.Split(path)
		if dir == "" {
			dir = "."
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return folder{}, err
	}
	if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		root.Close()
		return folder{}, fmt.Errorf("%s holds no %s: this is no certificate's folder", path, name)
	}
	return folder{root, name}, nil
}

// read returns the content of a file in the folder. The error is a sentence about it.
func (f folder) read(name string) ([]byte, error) {
	if fault := nameFault(name); fault != "" {
		return nil, fmt.Errorf("%q %s", name, fault)
	}
	info, err := f.root.Stat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is missing", name)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, reason(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > largestFile:
		return nil, fmt.Errorf("%s has %d bytes, and at most %d are read", name, info.Size(), largestFile)
	}
	file, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, reason(err))
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, largestFile))
}

// reason is what the system says, without the path, which the caller says.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// nameFault says why a name is none of a file within the folder.
func nameFault(name string) string {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`) {
		return "is no name of a file in the certificate's folder, and nothing outside of it is read"
	}
	return ""
}

// repeatedKey returns a key that an object in data has twice, or "". Programs read
// such an object differently; case does not tell keys apart, since it does not to all
// programs. Broken JSON is left to the caller.
func repeatedKey(data []byte) string {
	return repeatedIn(json.NewDecoder(bytes.NewReader(data)))
}

// repeatedIn reads one value.
func repeatedIn(d *json.Decoder) string {
	token, err := d.Token()
	if err != nil {
		return ""
	}
	opening, nested := token.(json.Delim)
	if !nested {
		return ""
	}
	keys := map[string]bool{}
	for d.More() {
		if opening == '{' {
			key, err := d.Token()
			if err != nil {
				return ""
			}
			name := key.(string)
			folded := strings.ToLower(name)
			if keys[folded] {
				return name
			}
			keys[folded] = true
		}
		if found := repeatedIn(d); found != "" {
			return found
		}
	}
	d.Token() // the closing one
	return ""
}
