#!/usr/bin/env python3
"""A small monolock client and its adapter for the conformance suite.

    monolock-conform --client 'python3 adapter.py'

Python 3.9 or later, standard library only. The first half (down to "The
adapter") is a client to start your own from; the second half speaks the
suite's adapter contract, version 1, on standard input and output.

The client is one asyncio protocol. That gives it what every monolock client
needs: bytes are read whenever they come, writes never block, and timers run
beside both. "Rule n" below is the rule of that number in "Writing a client".
"""

import asyncio
import collections
import json
import os
import platform
import random
import ssl
import struct
import sys
import threading

# ---------------------------------------------------------------- the wire

ACQUIRE, HEARTBEAT = 0x01, 0x02              # client to server
WAITING, ACQUIRED, ERROR = 0x11, 0x12, 0x13  # server to client
VERSION = 1
SHUTTING_DOWN = 0x01
FIRST_CLIENT_ERROR = 0x10


def acquire_frame(name, lease_ms):
    """ACQUIRE: type, version, lease_ms, name_len, name; big endian."""
    return struct.pack(">BBIH", ACQUIRE, VERSION, lease_ms, len(name)) + name


class Doubt(Exception):
    """The server sent what it never may."""


class Frames:
    """Cuts a byte stream into frames, however the bytes come (rule 2)."""

    def __init__(self):
        self._buffer = bytearray()

    def feed(self, data):
        """Yields (type, value) for each whole frame; the rest waits.

        The value is None for WAITING, the token for ACQUIRED, and
        (code, reason) for ERROR."""
        buffer = self._buffer
        buffer += data
        while buffer:
            size = self._size()
            if size is None or len(buffer) < size:
                return
            frame = bytes(buffer[:size])
            del buffer[:size]
            yield self._parse(frame)

    def _size(self):
        kind = self._buffer[0]
        if kind == WAITING:
            return 1
        if kind == ACQUIRED:
            return 9
        if kind == ERROR:
            return 3 + self._buffer[2] if len(self._buffer) >= 3 else None
        raise Doubt("unknown message type 0x%02x" % kind)

    @staticmethod
    def _parse(frame):
        if frame[0] == ACQUIRED:
            return ACQUIRED, struct.unpack(">Q", frame[1:])[0]
        if frame[0] == ERROR:
            return ERROR, (frame[1], frame[3:].decode("utf-8", "replace"))
        return WAITING, None


# ---------------------------------------------------------------- errors


class LockError(Exception):
    """An attempt failed. temporary: another one makes sense (rule 6)."""

    def __init__(self, message, code=None, temporary=True):
        super().__init__(message)
        self.code = code  # the server's, None without an ERROR
        self.temporary = temporary


class LockLost(LockError):
    """The lock was lost while it was held."""


def refusal(code, reason):
    """The error for an ERROR. Only the code decides, by its range (rule 6)."""
    message = "the server says ERROR 0x%02x: %r" % (code, reason)
    return LockError(message, code, temporary=code < FIRST_CLIENT_ERROR)


# ---------------------------------------------------------------- the client

FLOOR = 0.1         # seconds: the shortest interval between heartbeats
DIAL_TIMEOUT = 5.0  # seconds: for the connect and the TLS handshake


class Claim:
    """What the work knows of the lock that it runs under."""

    def __init__(self, token):
        self.token = token           # the fencing token: hand it on (rule 5)
        self.lost = asyncio.Event()  # the stop signal (rule 8)
        self.cause = ""


ASKING, QUEUED, HOLDING, OVER = range(4)


class Session(asyncio.Protocol):
    """One connection: one ACQUIRE, its heartbeats, its end."""

    def __init__(self, name, lease_ms, on_waiting):
        self._loop = asyncio.get_running_loop()
        self._name = name
        self._lease_ms = lease_ms
        self._lease = lease_ms / 1000.0
        self._base = self._lease / 4
        self._on_waiting = on_waiting

        self._transport = None
        self._frames = Frames()
        self._timer = None
        self._state = ASKING
        self._confirmed = 0.0                # the lease counts from here
        self._sent = 0.0                     # the last message
        self._pending = collections.deque()  # sends that nothing answered yet
        self._surplus = False                # see _promoted
        self._rtt = None                     # smoothed, seconds

        self.granted = self._loop.create_future()  # a Claim, or LockError
        self.claim = None
        self.progress = False  # the server took up the claim

    # --- what happens to it

    def connection_made(self, transport):
        self._transport = transport
        self._confirmed = self._loop.time()
        self._send(acquire_frame(self._name, self._lease_ms))
        self._arm()

    def data_received(self, data):
        # First the clock: a process that was stopped and continued finds
        # old answers here, and they must not revive an ended claim.
        self._expire()
        try:
            for kind, value in self._frames.feed(data):
                if self._state == OVER:
                    return
                self._heard(kind, value)
        except Doubt as doubt:
            self._end(LockError(str(doubt)))
        self._beat()
        self._arm()

    def eof_received(self):
        self._end(LockError("the server closed the connection"))

    def connection_lost(self, exc):
        self._end(LockError("the connection was lost: %s" % exc))

    def _tick(self):
        self._expire()
        self._beat()
        self._arm()

    # --- frames

    def _heard(self, kind, value):
        if kind == ERROR:
            self._end(refusal(*value))
        elif kind == WAITING and self._state == HOLDING:
            self._end(LockError("WAITING behind ACQUIRED"))
        elif kind == WAITING:
            self._answered()
            self._queue()
        elif self._state == HOLDING and value != self.claim.token:
            self._end(LockError("ACQUIRED with another token"))
        elif self._state == QUEUED:
            self._promoted()
            self._grant(value)
        else:
            self._answered()
            if self._state == ASKING:
                self._grant(value)

    def _answered(self):
        """Takes a frame for the answer to the oldest unanswered message.

        Any frame is an answer (rule 4). The lease counts from the send of
        what was answered, not from now: the server counts from its arrival,
        which was later than the send, so that we always end first."""
        if not self._pending:
            return
        sent = self._pending.popleft()
        self._confirmed = max(self._confirmed, sent)
        if not self._pending:
            self._surplus = False
            sample = self._loop.time() - sent
            self._rtt = sample if self._rtt is None else self._rtt + 0.2 * (sample - self._rtt)

    def _promoted(self):
        """A promotion confirms nothing: the server sent it by itself.

        If it crosses a heartbeat, some servers answer only once for both.
        While that is open, one more heartbeat may go, and later frames count
        for the oldest; when nothing is unanswered the question is settled."""
        self._surplus = bool(self._pending)

    def _queue(self):
        if self._state == ASKING:
            self._state = QUEUED
            self.progress = True
            self._on_waiting()

    def _grant(self, token):
        self._state = HOLDING
        self.progress = True
        self.claim = Claim(token)
        if not self.granted.done():
            self.granted.set_result(self.claim)

    # --- time (rule 3)

    def _deadline(self):
        return self._confirmed + 0.8 * self._lease

    def _due(self):
        """When the next heartbeat goes, None while it may not."""
        if self._state not in (QUEUED, HOLDING):
            return None
        if len(self._pending) > (1 if self._surplus else 0):
            return None  # never two unanswered
        safe = 2 * (self._rtt or 0.0)
        if safe >= self._base:
            interval = 0.0  # right after the answer
        else:
            # Where the base is below the floor, the base counts.
            interval = min(max(self._base - safe, FLOOR), self._base)
        if self._pending:
            interval = max(interval, min(safe, self._base))
        return self._sent + interval  # from send to send

    def _expire(self):
        if self._state != OVER and self._loop.time() >= self._deadline():
            self._end(LockError("no confirmation for 0.8 of the lease"))

    def _beat(self):
        due = self._due()
        if due is not None and self._loop.time() >= due:
            self._send(bytes([HEARTBEAT]))

    def _send(self, data):
        self._sent = self._loop.time()
        self._pending.append(self._sent)
        self._transport.write(data)  # never blocks: what is left over waits

    def _arm(self):
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._state != OVER:
            due = self._due()
            at = self._deadline() if due is None else min(due, self._deadline())
            self._timer = self._loop.call_at(at, self._tick)

    # --- the end

    def _end(self, error):
        """Ends everything: the claim first, then the connection (rules 7, 8)."""
        if self._state == OVER:
            return
        held = self._state == HOLDING
        self._state = OVER
        self._arm()
        if held:
            error = LockLost(str(error), error.code)
            self.claim.cause = error
            self.claim.lost.set()
        if not self.granted.done():
            self.granted.set_exception(error)
            self.granted.exception()  # looked at, whoever waits or not
        if self._transport:
            self._transport.abort()  # at once, and nothing more is written

    def release(self):
        """Closes the connection; that is the release, and the only one (rule 7)."""
        if self._state == OVER:
            return
        self._state = OVER
        self._arm()
        self._transport.close()
        # TLS says farewell first, and an unwritten heartbeat would be, too.
        self._loop.call_later(0.2, self._transport.abort)


class Client:
    """Locks of one server. tls: an ssl.SSLContext, or None."""

    def __init__(self, host, port, tls=None, server_name=None, on_waiting=lambda: None):
        self._address = host, port
        self._tls = tls
        self._server_name = server_name or host
        self._on_waiting = on_waiting

    async def do(self, name, lease_ms, work):
        """Runs the coroutine work(claim) under the lock, in one attempt.

        Raises what work raises, LockLost when the lock was lost (after work
        has returned: losing only signals), LockError before the grant.
        Cancelling the task leaves the queue; while the lock is held it is
        kept until work returns."""
        return await self._attempt(check(name, lease_ms), lease_ms, work, Backoff())

    async def do_retry(self, name, lease_ms, work):
        """do(), again and again until the lock was granted once.

        A lock that was lost is not asked for again: that is for the caller
        to decide, whose work did not go on (rule 8)."""
        name, backoff = check(name, lease_ms), Backoff()
        while True:
            try:
                return await self._attempt(name, lease_ms, work, backoff)
            except LockLost:
                raise
            except LockError as error:
                if not error.temporary:
                    raise
                await asyncio.sleep(backoff.pause(error.code))

    async def _attempt(self, name, lease_ms, work, backoff):
        session = await self._connect(name, lease_ms)
        try:
            claim = await session.granted
            backoff.reset()
            return await self._run(work, claim)
        finally:
            if session.progress:
                backoff.reset()
            session.release()

    async def _connect(self, name, lease_ms):
        connecting = asyncio.ensure_future(asyncio.get_running_loop().create_connection(
            lambda: Session(name, lease_ms, self._on_waiting), *self._address,
            ssl=self._tls, server_hostname=self._server_name if self._tls else None))
        try:
            # Not wait_for: up to Python 3.11 it can swallow a cancellation.
            await asyncio.wait([connecting], timeout=DIAL_TIMEOUT)
            if connecting.done():
                return connecting.result()[1]
        except ssl.SSLCertVerificationError as error:
            raise LockError("TLS: %s" % error, temporary=False) from error
        except OSError as error:
            raise LockError("cannot connect: %s" % error) from error
        except asyncio.CancelledError:
            self._drop(connecting)
            raise
        self._drop(connecting)
        raise LockError("cannot connect in %g s" % DIAL_TIMEOUT)

    @staticmethod
    def _drop(connecting):
        """Leaves no connection behind, whichever way the connect ends."""
        def close(task):
            if not task.cancelled() and task.exception() is None:
                task.result()[0].abort()
        connecting.cancel()
        connecting.add_done_callback(close)

    @staticmethod
    async def _run(work, claim):
        task = asyncio.ensure_future(work(claim))
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                pass  # the lock is kept until the work returns
        if claim.lost.is_set():
            task.exception()  # whatever it was, the loss counts
            raise claim.cause
        return task.result()


def check(name, lease_ms):
    """Refuses what every server refuses. Returns the name's bytes, as they are."""
    try:
        raw = name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LockError("the name is not UTF-8", temporary=False) from error
    if not 1 <= len(raw) <= 255:
        raise LockError("the name has %d bytes, not 1 to 255" % len(raw), temporary=False)
    if not 1 <= lease_ms < 1 << 32:
        raise LockError("the lease is %d ms, not 1 to 2^32-1" % lease_ms, temporary=False)
    return raw


class Backoff:
    """Pauses between attempts: 100 ms to 5 s, growing, with jitter."""

    def __init__(self):
        self.reset()

    def reset(self):
        """After WAITING or ACQUIRED, never after a mere connect."""
        self._middle = 0.15
        self._shutdowns = 0

    def pause(self, code):
        """0x01: at once, unless it is the fourth in a row (rule 6)."""
        if code == SHUTTING_DOWN:
            self._shutdowns += 1
            if self._shutdowns <= 3:
                return 0
        else:
            self._shutdowns = 0
        middle, self._middle = self._middle, min(2 * self._middle, 3.75)
        return middle * random.uniform(2 / 3, 4 / 3)


# ---------------------------------------------------------------- the adapter


class WorkFailed(Exception):
    """The word was "fail"."""


def say(event, **fields):
    """One line of JSON, flushed at once."""
    sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
    sys.stdout.flush()


def read_words(on_word):
    """Reads standard input in a thread. Its end is the end: exit now."""
    for line in sys.stdin:
        on_word(line.strip())
    os._exit(0)


def tls_from(env):
    if not env.get("MONOLOCK_TLS_CA"):
        return None
    context = ssl.create_default_context(cafile=env["MONOLOCK_TLS_CA"])
    if env.get("MONOLOCK_TLS_CERT"):
        context.load_cert_chain(env["MONOLOCK_TLS_CERT"], env["MONOLOCK_TLS_KEY"])
    return context


def outcome_of(task):
    """The fields of the result."""
    if task.cancelled():
        return {"outcome": "cancelled"}
    error = task.exception()
    if error is None:
        return {"outcome": "ok"}
    fields = {"message": str(error)}
    if isinstance(error, WorkFailed):
        fields["outcome"] = "failed"
    elif isinstance(error, LockLost):
        fields["outcome"] = "lost"
    elif isinstance(error, LockError):
        fields["outcome"] = "retry" if error.temporary else "stop"
    else:
        raise error
    if getattr(error, "code", None) is not None:
        fields["code"] = error.code
    return fields


async def main(env):
    words = asyncio.Queue()

    async def work(claim):
        say("granted", token=str(claim.token))
        word = asyncio.ensure_future(words.get())
        lost = asyncio.ensure_future(claim.lost.wait())
        await asyncio.wait([word, lost], return_when=asyncio.FIRST_COMPLETED)
        if lost.done() and not word.done():
            say("lost", cause=str(claim.cause))  # a signal, not an end
        result = await word
        lost.cancel()
        say("finished")
        if result == "fail":
            raise WorkFailed("the work ended with an error of its own")

    host, _, port = env["MONOLOCK_ADDR"].rpartition(":")
    client = Client(host.strip("[]"), int(port), tls_from(env), env.get("MONOLOCK_TLS_SERVER_NAME"),
                    on_waiting=lambda: say("waiting"))
    call = client.do_retry if env["MONOLOCK_MODE"] == "retry" else client.do
    # Not MONOLOCK_NAME: an environment variable cannot hold every name.
    name = bytes.fromhex(env["MONOLOCK_NAME_HEX"]).decode("utf-8", "surrogateescape")

    say("hello", client="monolock-python-example", version="1.0.0",
        language="Python " + platform.python_version(), lacks=[])
    task = asyncio.ensure_future(call(name, int(env["MONOLOCK_LEASE_MS"]), work))
    loop = asyncio.get_running_loop()

    def on_word(word):
        if word == "cancel":
            loop.call_soon_threadsafe(task.cancel)
        elif word in ("release", "fail"):
            loop.call_soon_threadsafe(words.put_nowait, word)

    threading.Thread(target=read_words, args=[on_word], daemon=True).start()
    await asyncio.wait([task])
    say("result", **outcome_of(task))
    os._exit(0)  # the thread still reads


if __name__ == "__main__":
    asyncio.run(main(os.environ))
