// Package reports turns what a run came to into the result, a file of JSON, and
// the result into what people read.
//
// The result is the one model: every report is computed from it alone, so that a
// saved file says as much as the run did. Nothing here reads a clock or the
// environment, and nothing that a subject sent reaches a file or a terminal raw.
package reports
