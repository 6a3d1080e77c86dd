package history

import (
	"bytes"
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/monolock-dev/monolock-conform/conformance/spec"
)

// input is one operation on a lock: taking it, or giving it back.
type input struct {
	lock  string
	claim string
	take  bool
	token uint64
}

// holder is the state of one lock: who holds it, and the last token.
type holder struct {
	claim string
	token uint64
}

// lockModel is a lock as a sequential object: it is taken when free, with a token
// larger than the last, and given back by its holder.
var lockModel = porcupine.Model{
	Partition: func(ops []porcupine.Operation) [][]porcupine.Operation {
		byLock := map[string][]porcupine.Operation{}
		for _, op := range ops {
			lock := op.Input.(input).lock
			byLock[lock] = append(byLock[lock], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byLock {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return holder{} },
	Step: func(state, in, _ any) (bool, any) {
		now, op := state.(holder), in.(input)
		if op.take {
			return now.claim == "" && op.token > now.token, holder{claim: op.claim, token: op.token}
		}
		return now.claim == op.claim, holder{token: now.token}
	},
	DescribeOperation: func(in, _ any) string {
		op := in.(input)
		if op.take {
			return fmt.Sprintf("%s takes, token %d", op.claim, op.token)
		}
		return op.claim + " gives back"
	},
	DescribeState: func(state any) string {
		if now := state.(holder); now.claim != "" {
			return fmt.Sprintf("held by %s, token %d", now.claim, now.token)
		}
		return "free"
	},
}

// linearTime bounds the search; the linear checks above stand without it.
const linearTime = 5 * time.Second

// linear checks that the whole history could be that of sequential locks. It
// sees what pairs of claims do not show.
func linear(granted []Claim) []Problem {
	result := porcupine.CheckOperationsTimeout(lockModel, operations(granted), linearTime)
	if result != porcupine.Illegal {
		return nil
	}
	if len(exclusion(granted)) > 0 || len(growingTokens(granted)) > 0 || len(uniqueTokens(granted)) > 0 {
		return nil // said already, and better
	}
	return []Problem{{ID: spec.S_Q_10, Sentence: "one holder at a time", Actual: "no order of grants and releases explains the history"}}
}

// operations turns claims, in the order of their grants, into operations. A
// release takes effect at some time between the client's beginning it and the
// next grant of that lock.
func operations(granted []Claim) []porcupine.Operation {
	var ops []porcupine.Operation
	for i, c := range granted {
		given := max(c.End, c.Granted+1)
		taken := given + 1
		for _, next := range granted[i+1:] {
			if next.Lock == c.Lock {
				taken = max(taken, next.Granted)
				break
			}
		}
		ops = append(ops,
			porcupine.Operation{ClientId: c.Client, Input: input{lock: c.Lock, claim: c.Who, take: true, token: c.Token}, Call: c.Asked.Nanoseconds(), Return: c.Granted.Nanoseconds()},
			porcupine.Operation{ClientId: c.Client, Input: input{lock: c.Lock, claim: c.Who}, Call: given.Nanoseconds(), Return: taken.Nanoseconds()},
		)
	}
	return ops
}

// Picture draws a history as an HTML page that needs no network and says how to read
// it. Of a history with problems it draws the locks that they are about.
func Picture(claims []Claim, problems ...Problem) []byte {
	drawn := concerned(claims, problems)
	granted := certain(drawn)
	_, info := porcupine.CheckOperationsVerbose(lockModel, operations(granted), linearTime)
	var page bytes.Buffer
	if err := porcupine.Visualize(lockModel, info, &page); err != nil {
		return []byte(err.Error())
	}
	return explained(page.Bytes(), len(drawn), len(claims), problems)
}
