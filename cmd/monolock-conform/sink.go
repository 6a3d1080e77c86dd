package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// writer is what a report is written to.
type writer = io.Writer

// sink is a report's place, reserved before the run so that a full disk or an
// unwritable path is found before and not after it.
type sink struct {
	path string
	std  io.Writer // for "-"
	temp *os.File  // beside the path; renamed over it when all is written
	dev  *os.File  // a path that is no regular file, such as a pipe
}

// reservedBytes are written at once and taken back, to see whether there is room.
const reservedBytes = 1 << 20

// reserve makes sure that path can be written; "" is no report, "-" is std.
func reserve(path string, std io.Writer) (*sink, error) {
	s := &sink{path: path}
	if path == "/dev/stdout" {
		path = "-"
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		s.path = target // what a link points to is written, and not the link replaced
	}
	switch info, err := os.Stat(path); {
	case path == "":
		return s, nil
	case path == "-":
		s.std = std
		return s, nil
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		return s, s.openDevice(info.Mode())
	}
	if err := s.openBeside(); err != nil {
		return nil, err
	}
	return s, s.tryRoom()
}

// writeWhole writes a file that nobody else waits for: whole, or not at all.
func writeWhole(path string, write func(writer) error) error {
	s := &sink{path: path}
	defer s.discard()
	if err := s.openBeside(); err != nil {
		return err
	}
	return s.commit(write)
}

// openDevice opens a path that cannot be replaced. A pipe without a reader is an
// error, not a wait; one with a reader gets the report and nothing before it, for XML
// begins at the first byte. Of a character device a blank line shows whether it
// takes bytes.
func (s *sink) openDevice(mode os.FileMode) (err error) {
	if s.dev, err = os.OpenFile(s.path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err != nil || mode&os.ModeCharDevice == 0 {
		return err
	}
	if _, err = s.dev.WriteString("\n"); err != nil {
		s.dev.Close()
	}
	return err
}

// openBeside creates the file that will be renamed to the path.
func (s *sink) openBeside() (err error) {
	if s.temp, err = os.CreateTemp(filepath.Dir(s.path), "."+filepath.Base(s.path)+"-*"); err != nil {
		return fmt.Errorf("%w; does the folder exist, and may you write there?", err)
	}
	return nil
}

// tryRoom tries whether there is room for a report, and gives it back.
func (s *sink) tryRoom() error {
	_, err := s.temp.Write(make([]byte, reservedBytes))
	if err == nil {
		_, err = s.temp.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = s.temp.Truncate(0)
	}
	if err != nil {
		s.discard()
	}
	return err
}

// commit writes the report. Nothing half-written is ever seen at the path.
func (s *sink) commit(write func(writer) error) error {
	switch {
	case s.std != nil:
		return write(s.std)
	case s.dev != nil:
		return errors.Join(write(s.dev), s.dev.Close())
	case s.temp == nil:
		return nil
	}
	if err := errors.Join(write(s.temp), s.temp.Chmod(0o644), s.temp.Close()); err != nil {
		return err
	}
	name := s.temp.Name()
	s.temp = nil
	return os.Rename(name, s.path)
}

// overwrites reports whether committing s would replace the file at path.
func (s *sink) overwrites(path string) bool {
	if s.temp == nil {
		return false
	}
	one, err := os.Stat(s.path)
	other, err2 := os.Stat(path)
	if err == nil && err2 == nil {
		return os.SameFile(one, other)
	}
	here, err := filepath.Abs(s.path)
	there, err2 := filepath.Abs(path)
	return err == nil && err2 == nil && here == there
}

// discard takes back what was reserved and not committed.
func (s *sink) discard() {
	if s.temp != nil {
		s.temp.Close()
		os.Remove(s.temp.Name())
		s.temp = nil
	}
}
