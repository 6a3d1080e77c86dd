package subject

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestTheServerDiesWithThisProgram(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	suite := exec.Command(exe, exe)
	suite.Env = append(os.Environ(), childKey+"=suite")
	out, err := suite.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := suite.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	_, scanErr := fmt.Fscanf(out, "server %d\n", &pid)
	suite.Process.Kill()
	suite.Wait()
	if scanErr != nil {
		t.Fatal(scanErr)
	}
	for deadline := time.Now().Add(5 * time.Second); lives(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d outlives the program that started it", pid)
		}
	}
}
