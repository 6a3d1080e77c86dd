package faultproxy

import (
	"fmt"
	"testing"
	"time"
)

// What is sent after Add has returned is under the new rule, also where the
// connection was plain until then.
func TestARuleActsOnWhatIsSentAfterAdd(t *testing.T) {
	run(t, kernel(), unwatched(), func(r *rig) {
		for i := range 100 {
			client, server := r.connect()
			client.send("a")
			server.want("a")
			id := r.add(fmt.Sprintf("partition dir=up conn=%d", i+1))
			client.send("b")
			server.wantSilence(2 * time.Millisecond)
			r.remove(id)
			server.want("b")
			client.Close()
			server.Close()
		}
	})
}

// An interrupt that comes while bytes and endings come loses none of them.
func TestAnInterruptLosesNothing(t *testing.T) {
	run(t, kernel(), unwatched(), func(r *rig) {
		for i := range 100 {
			client, server := r.connect()
			added := make(chan ID)
			go func() { added <- r.add(fmt.Sprintf("delay 1ms conn=%d", i+1)) }()
			client.send("a")
			client.send("b")
			client.finish()
			server.want("ab")
			server.wantFIN()
			r.remove(<-added)
			server.Close()
			client.wantFIN()
		}
	})
}
