// Package bench measures the fault proxy side by side with toxiproxy, in one
// run on one machine. It is a module of its own, so that nothing else depends
// on toxiproxy.
//
//	go test -v            the table, and whether the goals are reached
//	go test -bench .      the same as Go benchmarks
package bench
