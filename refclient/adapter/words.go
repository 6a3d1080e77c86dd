package adapter

import (
	"slices"
	"sync"
)

// words brings words to the work. A word goes to the work that runs and has
// none yet; without one it waits for the next.
type words struct {
	mu      sync.Mutex // never held across I/O
	waiting []string
	ears    []chan string // of the work that runs, each with room for one word
}

func (w *words) deliver(word string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	heard := false
	for _, ear := range w.ears {
		select {
		case ear <- word:
			heard = true
		default:
		}
	}
	if !heard {
		w.waiting = append(w.waiting, word)
	}
}

// listen returns where the work hears its word. forget ends it.
func (w *words) listen() (ear chan string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ear = make(chan string, 1)
	if len(w.waiting) > 0 {
		ear <- w.waiting[0]
		w.waiting = w.waiting[1:]
	}
	w.ears = append(w.ears, ear)
	return ear
}

func (w *words) forget(ear chan string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ears = slices.DeleteFunc(w.ears, func(e chan string) bool { return e == ear })
}
