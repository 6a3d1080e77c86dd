package subject

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// adapterKey names the variable that makes this test binary an adapter of a
// kind.
const adapterKey = "SUBJECT_TEST_ADAPTER"

const helloLine = `{"event":"hello","client":"child","version":"1","language":"Go","lacks":["tls"]}` + "\n"

// adapterChild is a little adapter that connects to nothing.
func adapterChild(kind string) int {
	if run, ok := adapterChildren[kind]; ok {
		return run(bufio.NewReader(os.Stdin))
	}
	panic("no adapter " + kind)
}

var adapterChildren = map[string]func(in *bufio.Reader) int{
	"good": func(in *bufio.Reader) int { return converse(in, os.Stdout) },
	"silent": func(*bufio.Reader) int {
		time.Sleep(time.Minute)
		return 0
	},
	"exits-0-early": func(*bufio.Reader) int { return 0 },
	"exits-3-early": func(*bufio.Reader) int {
		fmt.Fprintln(os.Stderr, "ModuleNotFoundError: \x1b[31mmonolock")
		return 3
	},
	"exits-0-without-result": func(*bufio.Reader) int { return write(helloLine, 0) },
	"exits-7-without-result": func(*bufio.Reader) int {
		fmt.Fprintln(os.Stderr, "Traceback:\n  boom")
		return write(helloLine, 7)
	},
	"exits-1-after-result": func(*bufio.Reader) int { return write(helloLine+`{"event":"result","outcome":"stop"}`+"\n", 1) },
	"half-a-line":          func(*bufio.Reader) int { return write(helloLine+`{"event":"gran`, 0) },
	"no-last-newline":      func(*bufio.Reader) int { return write(helloLine+`{"event":"result","outcome":"stop"}`, 0) },
	"long-log": func(in *bufio.Reader) int {
		write(helloLine, 0)
		return write(strings.Repeat("x", 10<<20), 0)
	},
	"long-object": func(*bufio.Reader) int { return write(helloLine+strings.Repeat("{", 10<<20), 0) },
	"floods": func(*bufio.Reader) int {
		for {
			write("still starting\n", 0)
		}
	},
	"second-hello":     func(*bufio.Reader) int { return write(helloLine+helloLine, hangs) },
	"dies-by-SIGKILL":  func(*bufio.Reader) int { return die(syscall.SIGKILL) },
	"dies-by-SIGTERM":  func(*bufio.Reader) int { return die(syscall.SIGTERM) },
	"ignores-release":  func(*bufio.Reader) int { return write(helloLine+`{"event":"granted","token":"1"}`+"\n", hangs) },
	"hangs-unfinished": func(*bufio.Reader) int { return write(helloLine+grantedFinished, hangs) },
	"hangs-at-exit": func(*bufio.Reader) int {
		return write(helloLine+grantedFinished+`{"event":"result","outcome":"ok"}`+"\n", hangs)
	},
	"closes-its-output": func(*bufio.Reader) int {
		write(helloLine, 0)
		os.Stdout.Close()
		return write("", hangs)
	},
	"closes-its-input": func(*bufio.Reader) int {
		os.Stdin.Close()
		return write(helloLine, hangs)
	},
	"deaf": func(*bufio.Reader) int {
		signal.Ignore(syscall.SIGTERM)
		return write(helloLine, hangs)
	},
	"forks": func(in *bufio.Reader) int {
		startAdapterSleeper()
		return converse(in, os.Stdout)
	},
	"environment": func(in *bufio.Reader) int {
		for _, variable := range os.Environ() {
			if strings.HasPrefix(variable, "MONOLOCK_") {
				fmt.Println(variable)
			}
		}
		dir, _ := os.Getwd()
		fmt.Println("in " + dir)
		return converse(in, os.Stdout)
	},
	"files": func(in *bufio.Reader) int {
		entries, _ := os.ReadDir("/proc/self/fd")
		for _, e := range entries {
			if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
				fmt.Println(e.Name(), to)
			}
		}
		return converse(in, os.Stdout)
	},
}

const grantedFinished = `{"event":"granted","token":"18446744073709551615"}` + "\n" + `{"event":"finished"}` + "\n"

// write writes to standard output and returns code, or never where it hangs.
func write(s string, code int) int {
	io.WriteString(os.Stdout, s)
	if code == hangs {
		time.Sleep(time.Minute)
	}
	return code
}

// hangs stands for no exit code.
const hangs = -1

func die(sig syscall.Signal) int {
	write(helloLine, 0)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	self.Signal(sig)
	return write("", hangs)
}

// startAdapterSleeper starts a process that keeps this one's output open and
// outlives it.
func startAdapterSleeper() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), adapterKey+"=silent")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Println("sleeper", cmd.Process.Pid)
}

// converse is an adapter whose lock is always free: it obeys the contract.
func converse(in *bufio.Reader, out io.Writer) int {
	io.WriteString(out, helloLine+`{"event":"granted","token":"42"}`+"\n")
	outcome := "ok"
	for {
		word, err := in.ReadString('\n')
		if err != nil {
			return 0
		}
		switch word {
		case "cancel\n":
			outcome = "cancelled"
		case "fail\n":
			outcome = "failed"
			fallthrough
		case "release\n":
			fmt.Fprintf(out, "{\"event\":\"finished\"}\n{\"event\":\"result\",\"outcome\":%q,\"code\":null}\n", outcome)
			return 0
		}
	}
}
