package main

import (
	"fmt"
	"strings"
)

// When packet captures are written.
const (
	traceOnFailure = "on-failure"
	traceAlways    = "always"
	traceNever     = "never"
)

// checkReports tells what is wrong with the flags about what is written.
func (o *options) checkReports() []error {
	var faults []error
	fault := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	single, std := o.reports.given(), o.reports.standardOutput()
	fault(len(o.roles()) == 1 || len(single) == 0, "without a subject both the reference server and the reference client are tested: %s takes one result, so add --role server or --role client, or write both with --out DIR", strings.Join(single, " and "))
	fault(len(o.roles()) == 1 || o.format == "text" || o.format == "github", "without a subject there are two results, and --format %s shows one: add --role server or --role client", o.format)
	fault(len(std) < 2, "%s all go to standard output; only one can", strings.Join(std, " and "))
	fault(len(std) == 0 || o.format == "text", "%s goes to standard output, and so does --format %s; name a file", strings.Join(std, ""), o.format)
	if o.trace != "" {
		faults = append(faults, oneOf("--trace", o.trace, traceOnFailure, traceAlways, traceNever))
	}
	json := o.reports.path("json")
	fault(o.out != "" || o.traces() == traceNever || json != "" && !isStandardOutput(json), "--trace %s needs a place: --out DIR, or --json FILE, beside which a folder %s is made", o.trace, traceFolder)
	return faults
}

// traces says when captures are written.
func (o *options) traces() string {
	switch {
	case o.trace != "":
		return o.trace
	case o.out != "":
		return traceOnFailure
	}
	return traceNever
}
