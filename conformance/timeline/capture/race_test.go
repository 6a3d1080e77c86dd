//go:build race

package capture

// underRace says that the race detector runs, which makes all ten times slower.
const underRace = true
