package reports

import (
	"io"
	"sync"
	"time"

	"github.com/monolock-dev/monolock-conform/conformance"
)

// ProgressOptions say how a [Progress] shows itself.
type ProgressOptions struct {
	Total    int // scenarios of the plan
	Terminal bool
	Color    bool
	Width    int // characters of the terminal's line; 0 is 80
	// Known are the failures that the user knows of: they are told as such.
	Known Baseline
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Every is how often the standing is looked at while nothing happens; 0 is a
	// quarter of a second, and less than 0 never: no goroutine is started.
	Every time.Duration
}

const defaultEvery = 250 * time.Millisecond

// Progress shows how a run goes: on a terminal a line that is rewritten, elsewhere
// a line now and then. Whatever does not pass is told at once, on one line. It is a
// [conformance.Observer]; its methods may be called from any goroutine.
type Progress struct {
	mu      sync.Mutex
	opts    ProgressOptions
	screen  screen
	running map[string]time.Time // scenario to the time it started
	done    int
	bad     int // did not pass
	known   int // fail as the baseline says
	void    int // not decided since the run ended early

	stop   chan struct{}
	ticker sync.WaitGroup
	once   sync.Once
}

var _ conformance.Observer = (*Progress)(nil)

// screen is where the standing is shown: a bar or lines.
type screen interface {
	// say writes one line that stays.
	say(line string)
	// show tells how things stand.
	show(standing)
	// end takes away what must not stay, and returns the first error of writing.
	end(standing) error
}

// NewProgress returns a Progress that writes to w. The caller closes it.
func NewProgress(w io.Writer, opts ProgressOptions) *Progress {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Every == 0 {
		opts.Every = defaultEvery
	}
	if opts.Width <= 0 {
		opts.Width = defaultWidth
	}
	p := &Progress{opts: opts, running: map[string]time.Time{}, stop: make(chan struct{})}
	if opts.Terminal {
		p.screen = &bar{out: output{w: w}, width: opts.Width}
	} else {
		p.screen = &lines{out: output{w: w}, last: opts.Now()}
	}
	if opts.Every > 0 {
		p.ticker.Go(p.tick)
	}
	return p
}

// tick shows the standing now and then until Close.
func (p *Progress) tick() {
	ticker := time.NewTicker(p.opts.Every)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.Refresh()
		}
	}
}

// Started notes that a scenario runs.
func (p *Progress) Started(s conformance.Scenario) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running[s.ID] = p.opts.Now()
	p.screen.show(p.standing())
}

// Finished notes what a scenario came to.
func (p *Progress) Finished(r conformance.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, r.Scenario.ID)
	p.done++
	j, accused := worstOf(r, p.opts.Known)
	_, open := undecidedBy(j)
	switch {
	case open:
		p.void++
	case j.Verdict == conformance.KnownFail:
		p.known++
		p.screen.say(findingLine(r.Scenario.ID, j, p.opts.Color))
	case accused:
		p.bad++
		p.screen.say(findingLine(r.Scenario.ID, j, p.opts.Color))
	}
	p.screen.show(p.standing())
}

// Refresh shows how things stand now.
func (p *Progress) Refresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.show(p.standing())
}

// Close ends the display and waits for its goroutine. It returns the first error
// of writing, and may be called again.
func (p *Progress) Close() error {
	var err error
	p.once.Do(func() {
		close(p.stop)
		p.ticker.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		err = p.screen.end(p.standing())
	})
	return err
}

// standing is how a run stands at one moment.
type standing struct {
	now              time.Time
	done, total, bad int
	known, void      int
	oldest           string // what has been running for longest, or ""
	since            time.Duration
}

// standing sums up; the caller holds mu.
func (p *Progress) standing() standing {
	s := standing{now: p.opts.Now(), done: p.done, total: p.opts.Total, bad: p.bad, known: p.known, void: p.void}
	var first time.Time
	for id, started := range p.running {
		if s.oldest == "" || started.Before(first) || started.Equal(first) && id < s.oldest {
			s.oldest, first = id, started
		}
	}
	if s.oldest != "" {
		s.since = s.now.Sub(first)
	}
	return s
}
