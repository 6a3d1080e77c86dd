package main

import "time"

// byHand makes the run one scenario at a time, for a person at a debugger.
func (o *options) byHand() {
	const day = 24 * time.Hour
	o.run, o.jobs, o.repeat = []string{o.manual}, 1, 1
	o.params.Patience, o.timeout = day, 2*day
}
