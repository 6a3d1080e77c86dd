package reports

import "time"

// lines is a log of the standing: a line each tenth of the way, and one when
// nothing was said for a while.
type lines struct {
	out    output
	last   time.Time // of the last line on the standing
	tenths int       // said so far
	done   int       // when last said
}

// silence is how long a log may say nothing: hosts take a silent job for a hung one.
const silence = 5 * time.Second

func (l *lines) say(line string) { l.out.write(line + "\n") }

func (l *lines) show(s standing) {
	tenths := 0
	if s.total > 0 {
		tenths = s.done * 10 / s.total
	}
	if tenths <= l.tenths && s.now.Sub(l.last) < silence {
		return
	}
	l.tenths, l.last, l.done = max(tenths, l.tenths), s.now, s.done
	l.say(s.words())
}

func (l *lines) end(s standing) error {
	if s.done != l.done {
		l.say(s.words())
	}
	return l.out.err
}
