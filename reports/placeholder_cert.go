package reports

import "io"

// Placeholders until the reports of these names are merged; then this file goes.

func JUnit(w io.Writer, r Result) error { _, err := io.WriteString(w, "<testsuites/>\n"); return err }
func HTML(w io.Writer, r Result) error  { _, err := io.WriteString(w, "<!doctype html>\n"); return err }
func Badge(w io.Writer, r Result) error { _, err := io.WriteString(w, "<svg/>\n"); return err }
