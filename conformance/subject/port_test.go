package subject

import "testing"

// TestNoPortIsChosenTwice: also where the first has closed it; and when nearly all were
// chosen, the search goes on all the same.
func TestNoPortIsChosenTwice(t *testing.T) {
	seen := map[int]bool{}
	for range 1000 {
		port := fresh()
		if port < firstPort || port > lastPort {
			t.Fatalf("port %d is none of %d to %d", port, firstPort, lastPort)
		}
		if seen[port] {
			t.Fatalf("port %d is chosen a second time", port)
		}
		seen[port] = true
	}
	for range 3 * (lastPort - firstPort) {
		fresh() // it does not run dry
	}
}
