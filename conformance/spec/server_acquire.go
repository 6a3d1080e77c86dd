package spec

// serverAcquire is what ACQUIRE is answered with, and what ends in an ERROR.
var serverAcquire = section{
	role:  RoleServer,
	topic: Topic{Key: "acquire", Title: "ACQUIRE and errors"},
	requirements: []Requirement{
		{
			ID: S_ACQ_01, Level: LevelMust,
			Sentence: "An ACQUIRE for a free lock is answered with ACQUIRED, which carries the token of " +
				"that grant.",
			Sources: []Ref{{Page: WP}},
			Why:     "This is the service itself. Without it nobody gets to work.",
			How:     "A client asks for a name that nobody uses, and the answer is read.",
			Breaks: "The first client of a new name is queued behind nobody, or the token is filled in " +
				"after the frame has left.",
		},
		{
			ID: S_ACQ_02, Level: LevelMust,
			Sentence: "An ACQUIRE for a lock that somebody holds is answered with WAITING.",
			Sources:  []Ref{{Page: WP}},
			Why: "A second ACQUIRED means two holders and damaged data. No answer at all makes the " +
				"client give up its place.",
			How: "One client holds the lock and a second one asks for it. The second one's answer is " +
				"read.",
			Breaks: "The check and the grant are two steps, or the server stays silent until the lock is " +
				"free.",
		},
		{
			ID: S_ACQ_03, Level: LevelMust,
			Sentence: "A HEARTBEAT that comes as the first message is refused with ERROR 0x11.",
			Sources:  []Ref{{Page: WP}, {Page: ER}},
			Why: "A session without a lock and a lease has no meaning. A client with a mixed-up " +
				"connection must learn it at once.",
			How: "A fresh connection sends HEARTBEAT first, and the code of the ERROR is read. A plain " +
				"close does not count.",
			Breaks: "The server answers WAITING for a session that does not exist, closes without a word, " +
				"or uses the code for unknown types.",
		},
		{
			ID: S_ACQ_04, Level: LevelMust,
			Sentence: "A holder that sends a second ACQUIRE gets ERROR 0x12, whether it names the same lock " +
				"or another one.",
			Sources: []Ref{{Page: WP}},
			Why: "One connection is one claim. A server that lets a second one in mixes two leases and " +
				"two locks in one session.",
			How: "A holder sends ACQUIRE again, once for the same name and once for another, and the " +
				"code is read.",
			Breaks: "A repeat of the same name passes as harmless, or replaces the running claim.",
		},
		{
			ID: S_ACQ_05, Level: LevelMust,
			Sentence: "A waiter that sends a second ACQUIRE gets ERROR 0x12.",
			Sources:  []Ref{{Page: WP}},
			Why: "Otherwise one connection stands in the queue twice, or in two queues, and one grant " +
				"goes to nobody.",
			How:    "A client in the queue sends ACQUIRE again, and the code is read.",
			Breaks: "The check is done for holders only.",
		},
		{
			ID: S_ACQ_06, Level: LevelMust,
			Sentence: "The protocol versions 0 and 255 are refused with ERROR 0x10, while the answers to 2 " +
				"and 127 are only recorded, since a server may speak them one day.",
			Sources: []Ref{{Page: WP}},
			Why: "The code is how a client learns to try another version. A grant under a version that " +
				"the server does not know is a guess about bytes.",
			How: "ACQUIRE is sent with each of the four versions. The code is judged for 0 and 255, " +
				"the answer is recorded for 2 and 127.",
			Breaks: "The version byte is never looked at, or only compared with \"greater than 1\".",
		},
		{
			ID: S_ACQ_07, Level: LevelMust,
			Sentence: "A lease_ms of 0 is refused with ERROR 0x17.",
			Sources:  []Ref{{Page: WP}},
			Why: "A lease of nothing ends before it begins. Read as \"without end\", it holds the lock " +
				"for ever when its client dies.",
			How: "ACQUIRE is sent with lease_ms 0, and the code is read.",
			Breaks: "Zero means \"use the default\" or \"no limit\" in the timer library, and the server " +
				"inherits that.",
		},
		{
			ID: S_ACQ_08, Level: LevelMust,
			Sentence: "A lease_ms of 2^32-1 is accepted, as leases have no upper limit.",
			Sources:  []Ref{{Page: WP}},
			Why: "The lease belongs to the client. A server with a secret limit drops a session that " +
				"kept its word.",
			How: "ACQUIRE is sent with the largest value of the field. The grant must come and must " +
				"not end early.",
			Breaks: "The milliseconds overflow a signed 32-bit integer on the way to a duration, or a " +
				"configured maximum applies.",
		},
		{
			ID: S_ACQ_09, Level: LevelMust,
			Sentence: "A lease_ms of 1 is accepted: it draws no ERROR 0x17, and the expiry that follows " +
				"within milliseconds is in order.",
			Sources: []Ref{{Page: WP}},
			Why: "The smallest lease is legal on one machine. A server that refuses it has put a limit " +
				"where the protocol has none.",
			How: "ACQUIRE is sent with lease_ms 1. Only ERROR 0x17 fails; the quick end of the session " +
				"is expected.",
			Breaks: "The lease is rounded to whole seconds and becomes 0, or a minimum lease is enforced.",
		},
		{
			ID: S_ACQ_10, Level: LevelMust,
			Sentence: "A lock name may be as short as 1 byte and as long as 255 bytes, and both are " +
				"accepted.",
			Sources: []Ref{{Page: WP}},
			Why: "The limit is part of the protocol. Every server must take each name that a client " +
				"can build.",
			How:    "ACQUIRE is sent with a name at either end of the range. Both must be granted.",
			Breaks: "The comparison with the limit is off by one, or a database column is shorter.",
		},
		{
			ID: S_ACQ_11, Level: LevelMust,
			Sentence: "Lock names of 256, 300 and 65535 bytes are refused with ERROR 0x15.",
			Sources:  []Ref{{Page: WP}, {Page: WC}},
			Why: "A name that is cut instead of refused collides with another. Two jobs then wait for " +
				"each other, or a third party's lock is taken.",
			How: "ACQUIRE is sent with a name of each of the three lengths, and the code is read.",
			Breaks: "The length is kept in one byte, the name is cut silently, or the connection is " +
				"closed before the ERROR.",
		},
		{
			ID: S_ACQ_12, Level: LevelMust,
			Sentence: "The length limit of a name is counted in bytes and not in characters, so that 85 " +
				"characters of three bytes pass and 86 do not.",
			Sources: []Ref{{Page: WP}},
			Why: "Servers that count differently disagree about which names exist. A name that works " +
				"on one fails on the next.",
			How: "Names of 85 and of 86 three-byte characters are sent. The first is granted, the " +
				"second refused with the code for long names.",
			Breaks: "The length of a decoded string is compared, and it counts characters or UTF-16 " +
				"units.",
		},
		{
			ID: S_ACQ_13, Level: LevelMust,
			Sentence: "An empty lock name is refused with ERROR 0x14.",
			Sources:  []Ref{{Page: WP}},
			Why: "An empty name is almost always a missing setting. Granted, it becomes one lock that " +
				"unrelated jobs share by accident.",
			How: "ACQUIRE is sent with name_len 0, and the code is read.",
			Breaks: "The empty string is a valid key of the map, or the server waits for a byte of the " +
				"name.",
		},
		{
			ID: S_ACQ_14, Level: LevelMust,
			Sentence: "A name of ill-formed UTF-8 (a stray continuation byte, an overlong form, a " +
				"surrogate, a value above U+10FFFF, a truncated tail) is refused with ERROR 0x16.",
			Sources: []Ref{{Page: WP}},
			Why: "Bytes that are no text are replaced or dropped by the next program that shows or " +
				"stores them. Two names become one there.",
			How: "One name for each kind of ill-formed text is sent, and the code is read.",
			Breaks: "A decoder that replaces bad bytes is used as a check, or surrogates and overlong " +
				"forms pass a home-made one.",
		},
		{
			ID: S_ACQ_15, Level: LevelMust,
			Sentence: "Lock names are case sensitive, so that two spellings in different case are two " +
				"locks.",
			Sources: []Ref{{Page: WP}},
			Why: "A server that folds case makes independent jobs wait for each other. Clients cannot " +
				"know why.",
			How:    "One client holds a name and another asks for it in different case. Both must hold.",
			Breaks: "Names are lower-cased, or the store compares without case.",
		},
		{
			ID: S_ACQ_16, Level: LevelMust,
			Sentence: "Lock names are not normalised, so that the NFC form and the NFD form of one text are " +
				"two locks.",
			Sources: []Ref{{Page: WP}},
			Why: "The bytes are the name. Normalising on one server only makes two servers disagree " +
				"about who holds what.",
			How:    "One client holds the NFC form and another asks for the NFD form. Both must hold.",
			Breaks: "A text library or a store normalises on its own.",
		},
		{
			ID: S_ACQ_17, Level: LevelMust,
			Sentence: "Lock names are not trimmed: blanks, a newline, a NUL or a BOM at either end make " +
				"another lock.",
			Sources: []Ref{{Page: WP}},
			Why:     "A trimmed name is somebody else's lock. The client believes that it holds its own.",
			How: "One client holds the bare name and others ask for it with each of these characters " +
				"at either end. All must hold.",
			Breaks: "A trim function on the input, a C string that ends at NUL, or a decoder that eats " +
				"the BOM.",
		},
		{
			ID: S_ACQ_18, Level: LevelMust,
			Sentence: "Each valid UTF-8 name of 1 to 255 bytes is accepted, also with control characters, " +
				"U+0000, noncharacters, astral characters, right-to-left text, \"../\" or \"%s\" in it.",
			Sources: []Ref{{Page: WP}},
			Why: "A name that works in a test and fails in production stops a job at the worst time. A " +
				"name that reaches a file path or a format string does worse.",
			How: "Generated names and a list of hostile ones are sent. Each must be granted and " +
				"released.",
			Breaks: "An allow-list of characters, a name used as a path or as a format string, or a check " +
				"that refuses noncharacters.",
		},
		{
			ID: S_ACQ_19, Level: LevelMust,
			Sentence: "After ACQUIRE, a message of an unknown type (among them 0x00, 0x03, 0x11 to 0x13, " +
				"0x7f and 0xff) is refused with ERROR 0x13, from a holder as from a waiter.",
			Sources: []Ref{{Page: WP}, {Page: ER}},
			Why: "The stream has lost its meaning at that byte. A server that goes on guesses about " +
				"what keeps a lock alive.",
			How: "A holder and a waiter each send one such byte, and the code is read.",
			Breaks: "Unknown types are skipped, counted as heartbeats, or closed without ERROR. The " +
				"server's own types are often forgotten.",
		},
		{
			ID: S_ACQ_20, Level: LevelMust,
			Sentence: "A message of an unknown type that comes first on a connection is refused with ERROR " +
				"0x11 or with ERROR 0x13.",
			Sources: []Ref{{Page: WP}, {Page: ER}},
			Why: "Both codes tell the client that it speaks wrongly. Silence leaves it waiting for a " +
				"grant that cannot come.",
			How: "A fresh connection sends an unknown type first. Either code passes; no other answer " +
				"does.",
			Breaks: "The connection is closed without a word, or the server waits for more bytes.",
		},
		{
			ID: S_ACQ_21, Level: LevelShould,
			Sentence: "An ERROR ends the session: the server closes the connection and, where that session " +
				"held the lock, promotes the next waiter at once.",
			Sources: []Ref{{Page: WP, Rule: "state machine"}, {Page: AC}, {Page: AD}},
			Why: "A session that lives on after its ERROR holds a lock that its client gave up. " +
				"Everybody behind it waits for the lease.",
			How: "A holder with a waiter behind it provokes an ERROR. The close and the promotion are " +
				"watched.",
			Breaks: "The ERROR is sent and the loop goes on reading, or the lock is freed only by the " +
				"lease.",
		},
		{
			ID: S_ACQ_22, Level: LevelMust,
			Sentence: "An ACQUIRE that was refused neither holds the lock nor stands in its queue, so that " +
				"another client gets that lock at once.",
			Sources: []Ref{{Page: WP}},
			Why: "A ghost in the queue stalls the lock for a whole lease, once for each mistaken " +
				"client.",
			How: "After a refusal a fresh client asks for the same lock. It must be granted at once.",
			Breaks: "The session is registered first and checked afterwards, and the clean-up misses one " +
				"way out.",
		},
		{
			ID: S_ACQ_23, Level: LevelMust,
			Sentence: "An ACQUIRE with several faults is answered with ERROR and the code of one of these " +
				"faults.",
			Sources: []Ref{{Page: ER}},
			Why: "Any true code lets a client report a true cause. A code for something that is not " +
				"wrong sends people searching in the wrong place.",
			How: "ACQUIRE messages with two and more faults are sent. The code must belong to one of " +
				"them.",
			Breaks: "A general code for everything, or a close without ERROR.",
		},
		{
			ID: S_ACQ_24, Level: LevelObserve,
			Sentence: "Recorded: which code a server prefers where S-ACQ-20 and S-ACQ-23 leave a choice, " +
				"and whether the close after an ERROR is a FIN or a RST.",
			Sources: silent,
			Why: "The documents do not order the checks and do not name the kind of close. A RST can " +
				"swallow the ERROR before the client reads it.",
			How: "The codes and the kinds of close seen are recorded and never judged.",
			Breaks: "Nothing can break here. Servers differ in the order of their checks and in unread " +
				"bytes at the close.",
		},
	},
}
