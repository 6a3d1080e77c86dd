#!/usr/bin/env node
// A small monolock client and its adapter for the conformance suite.
//
//     monolock-conform --client 'node adapter.mjs'
//
// Node.js 20 or later, no dependencies. The first half (down to "The adapter")
// is a client to start your own from; the second half speaks the suite's
// adapter contract, version 1, on standard input and output.
//
// Node reads whenever bytes come, its writes never block, and timers run beside
// both: what every monolock client needs. Tokens are BigInt, for a number is
// only exact up to 2^53. "Rule n" below is the rule of that number in "Writing
// a client".

import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

// ------------------------------------------------------------------ the wire

const ACQUIRE = 0x01, HEARTBEAT = 0x02;               // client to server
const WAITING = 0x11, ACQUIRED = 0x12, ERROR = 0x13;  // server to client
const VERSION = 1;
const SHUTTING_DOWN = 0x01;
const FIRST_CLIENT_ERROR = 0x10;

// ACQUIRE: type, version, lease_ms, name_len, name; big endian.
function acquireFrame(name, leaseMs) {
  const head = Buffer.alloc(8);
  head.writeUInt8(ACQUIRE, 0);
  head.writeUInt8(VERSION, 1);
  head.writeUInt32BE(leaseMs, 2);
  head.writeUInt16BE(name.length, 6);
  return Buffer.concat([head, name]);
}

// Frames cuts a byte stream into frames, however the bytes come (rule 2).
class Frames {
  #buffer = Buffer.alloc(0);

  // feed takes in bytes; next then returns each whole frame, and null when the
  // rest has to wait. It throws on an unknown type.
  feed(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
  }

  next() {
    const b = this.#buffer;
    if (b.length === 0) return null;
    const size = this.#size(b);
    if (b.length < size) return null;
    this.#buffer = b.subarray(size);
    switch (b[0]) {
      case ACQUIRED: return { type: ACQUIRED, token: b.readBigUInt64BE(1) };
      case ERROR: return { type: ERROR, code: b[1], reason: b.toString('utf8', 3, size) };
      default: return { type: WAITING };
    }
  }

  #size(b) {
    switch (b[0]) {
      case WAITING: return 1;
      case ACQUIRED: return 9;
      case ERROR: return b.length < 3 ? 3 : 3 + b[2];
      default: throw new LockError(`unknown message type 0x${b[0].toString(16)}`);
    }
  }
}

// -------------------------------------------------------------------- errors

// LockError: an attempt failed. temporary: another one makes sense (rule 6).
class LockError extends Error {
  constructor(message, { code = null, temporary = true, lost = false, cancelled = false } = {}) {
    super(message);
    Object.assign(this, { code, temporary, lost, cancelled });
  }
}

// refusal is the error for an ERROR. Only the code decides, by its range (rule 6).
function refusal({ code, reason }) {
  const message = `the server says ERROR 0x${code.toString(16)}: ${JSON.stringify(reason)}`;
  return new LockError(message, { code, temporary: code < FIRST_CLIENT_ERROR });
}

// ---------------------------------------------------------------- the client

const FLOOR = 100;          // ms: the shortest interval between heartbeats
const DIAL_TIMEOUT = 5000;  // ms: for the connect and the TLS handshake

const now = () => performance.now();  // ms, monotonic

const ASKING = 0, QUEUED = 1, HOLDING = 2, OVER = 3;

// Session is one connection: one ACQUIRE, its heartbeats, its end. It calls
// onGrant(token) and onEnd(error); onEnd once, and last.
class Session {
  #socket; #lease; #base; #handlers;
  #frames = new Frames();
  #state = ASKING;
  #token = null;
  #confirmed = now();  // the lease counts from here
  #sent = 0;           // the last message
  #pending = [];       // sends that nothing answered yet
  #surplus = false;    // see #promoted
  #rtt = null;         // smoothed, ms
  #timer = null;
  progress = false;    // the server took up the claim

  constructor(socket, name, leaseMs, handlers) {
    this.#socket = socket;
    this.#lease = leaseMs;
    this.#base = leaseMs / 4;
    this.#handlers = handlers;
    socket.on('data', (data) => this.#received(data));
    socket.on('end', () => this.end(new LockError('the server closed the connection')));
    socket.on('error', (err) => this.end(new LockError(`the connection was lost: ${err.message}`)));
    socket.on('close', () => this.end(new LockError('the connection was lost')));
    this.#send(acquireFrame(name, leaseMs));
    this.#arm();
  }

  // --- what happens to it

  #received(data) {
    // First the clock: a process that was stopped and continued finds old
    // answers here, and they must not revive an ended claim.
    this.#expire();
    try {
      this.#frames.feed(data);
      for (let f; this.#state !== OVER && (f = this.#frames.next());) this.#heard(f);
    } catch (err) {
      this.end(err);
    }
    this.#beat();
    this.#arm();
  }

  #tick() {
    this.#expire();
    this.#beat();
    this.#arm();
  }

  // --- frames

  #heard(f) {
    if (f.type === ERROR) return this.end(refusal(f));
    if (f.type === WAITING) {
      if (this.#state === HOLDING) return this.end(new LockError('WAITING behind ACQUIRED'));
      this.#answered();
      return this.#queue();
    }
    switch (this.#state) {
      case HOLDING:
        if (f.token !== this.#token) return this.end(new LockError('ACQUIRED with another token'));
        return this.#answered();
      case QUEUED:
        this.#promoted();
        return this.#grant(f.token);
      default:
        this.#answered();
        return this.#grant(f.token);
    }
  }

  // #answered takes a frame for the answer to the oldest unanswered message.
  // Any frame is an answer (rule 4). The lease counts from the send of what was
  // answered, not from now: the server counts from its arrival, which was later
  // than the send, so that we always end first.
  #answered() {
    if (this.#pending.length === 0) return;
    const sent = this.#pending.shift();
    this.#confirmed = Math.max(this.#confirmed, sent);
    if (this.#pending.length === 0) {
      this.#surplus = false;
      const sample = now() - sent;
      this.#rtt = this.#rtt === null ? sample : this.#rtt + 0.2 * (sample - this.#rtt);
    }
  }

  // #promoted: a promotion confirms nothing, for the server sent it by itself.
  // If it crosses a heartbeat, some servers answer only once for both. While
  // that is open, one more heartbeat may go, and later frames count for the
  // oldest; when nothing is unanswered the question is settled.
  #promoted() {
    this.#surplus = this.#pending.length > 0;
  }

  #queue() {
    if (this.#state !== ASKING) return;
    this.#state = QUEUED;
    this.progress = true;
    this.#handlers.onWaiting();
  }

  #grant(token) {
    this.#state = HOLDING;
    this.progress = true;
    this.#token = token;
    this.#handlers.onGrant(token);
  }

  // --- time (rule 3)

  #deadline() {
    return this.#confirmed + 0.8 * this.#lease;
  }

  // #due is when the next heartbeat goes, Infinity while it may not.
  #due() {
    if (this.#state !== QUEUED && this.#state !== HOLDING) return Infinity;
    if (this.#pending.length > (this.#surplus ? 1 : 0)) return Infinity;  // never two unanswered
    const safe = 2 * (this.#rtt ?? 0);
    // Right after the answer on a slow link; and where the base is below the
    // floor, the base counts.
    let interval = safe >= this.#base ? 0 : Math.min(Math.max(this.#base - safe, FLOOR), this.#base);
    if (this.#pending.length > 0) interval = Math.max(interval, Math.min(safe, this.#base));
    return this.#sent + interval;  // from send to send
  }

  #expire() {
    if (this.#state !== OVER && now() >= this.#deadline()) {
      this.end(new LockError('no confirmation for 0.8 of the lease'));
    }
  }

  #beat() {
    if (now() >= this.#due()) this.#send(Buffer.from([HEARTBEAT]));
  }

  #send(bytes) {
    this.#sent = now();
    this.#pending.push(this.#sent);
    this.#socket.write(bytes);  // never blocks: what is left over waits
  }

  // #arm sets the timer. Node's timers count whole milliseconds and can fire
  // one early, so the deadline is rounded down, and a tick too many is harmless.
  #arm() {
    clearTimeout(this.#timer);
    if (this.#state === OVER) return;
    const left = Math.min(this.#due(), this.#deadline()) - now();
    this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(Math.floor(left), 0), 1 << 30));
  }

  // --- the end

  // end ends everything: the claim first, then the connection (rules 7, 8).
  end(error) {
    if (this.#state === OVER) return;
    const lost = this.#state === HOLDING;
    this.#state = OVER;
    clearTimeout(this.#timer);
    const { code, temporary, cancelled } = error;
    this.#handlers.onEnd(lost ? new LockError(error.message, { code, temporary, lost, cancelled }) : error);
    this.#socket.destroy();  // at once, and nothing more is written
  }

  // release closes the connection; that is the release, and the only one (rule 7).
  release() {
    if (this.#state === OVER) return;
    this.#state = OVER;
    clearTimeout(this.#timer);
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), 200);  // unless the last bytes block
  }
}

// Client asks one server for locks. tls: options of tls.connect, or null.
class Client {
  constructor({ host, port, tls = null, onWaiting = () => {} }) {
    Object.assign(this, { host, port, tls, onWaiting });
  }

  // do runs work({token, lost}) under the lock, in one attempt. lost is an
  // AbortSignal: the stop signal (rule 8). signal, another one, is the caller's
  // cancellation: it leaves the queue; while the lock is held, the lock is kept
  // until work has ended. Throws what work throws; a LockError with lost when
  // the lock was lost (after work has ended: losing only signals), and other
  // LockErrors before the grant.
  async do(name, leaseMs, work, signal) {
    return this.#attempt(check(name, leaseMs), leaseMs, work, signal, new Backoff());
  }

  // doRetry is do, again and again until the lock was granted once. A lock that
  // was lost is not asked for again: that is for the caller to decide, whose
  // work did not go on (rule 8).
  async doRetry(name, leaseMs, work, signal) {
    const raw = check(name, leaseMs);
    const backoff = new Backoff();
    for (;;) {
      try {
        return await this.#attempt(raw, leaseMs, work, signal, backoff);
      } catch (err) {
        if (!(err instanceof LockError) || err.lost || !err.temporary) throw err;
        await pause(backoff.next(err.code), signal);
      }
    }
  }

  async #attempt(name, leaseMs, work, signal, backoff) {
    const socket = await this.#connect(signal);
    const lost = new AbortController();
    let session, loss = null, leave;
    const granted = new Promise((resolve, reject) => {
      session = new Session(socket, name, leaseMs, {
        onWaiting: this.onWaiting,
        onGrant: resolve,
        onEnd: (err) => {
          if (err.lost) {
            loss = err;
            lost.abort(err);
          }
          reject(err);
        },
      });
      leave = () => session.end(cancellation());
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      if (signal.aborted) leave();
      const token = await granted;
      signal.removeEventListener('abort', leave);
      const end = await work({ token, lost: lost.signal }).then((value) => ({ value }), (error) => ({ error }));
      if (loss) throw loss;  // whatever the work did, the loss counts
      if (end.error) throw end.error;
      return end.value;
    } finally {
      signal.removeEventListener('abort', leave);
      if (session.progress) backoff.reset();
      session.release();
    }
  }

  #connect(signal) {
    return new Promise((resolve, reject) => {
      const where = { host: this.host, port: this.port, noDelay: true };
      const socket = this.tls ? tls.connect({ ...where, ...this.tls }) : net.connect(where);
      const fail = (err) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        socket.destroy();
        reject(err);
      };
      const cancel = () => fail(cancellation());
      const timer = setTimeout(() => fail(new LockError('cannot connect in time')), DIAL_TIMEOUT);
      const failed = (err) => fail(new LockError(`cannot connect: ${err.message}`, { temporary: !distrusts(err) }));
      socket.once('error', failed);
      signal.addEventListener('abort', cancel, { once: true });
      socket.once(this.tls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        socket.removeListener('error', failed);
        resolve(socket);
      });
      if (signal.aborted) cancel();
    });
  }
}

const cancellation = () => new LockError('cancelled', { temporary: false, cancelled: true });

// distrusts: the certificate does not verify, and will not the next time.
const distrusts = (err) => /CERT|SIGNATURE|ALTNAME/.test(err.code ?? '');

// check refuses what every server refuses. name is a Buffer and goes as it is.
function check(name, leaseMs) {
  const refuse = (why) => { throw new LockError(why, { temporary: false }); };
  if (name.length < 1 || name.length > 255) refuse(`the name has ${name.length} bytes, not 1 to 255`);
  if (!Buffer.from(name.toString('utf8')).equals(name)) refuse('the name is not UTF-8');
  if (!(leaseMs >= 1 && leaseMs < 2 ** 32)) refuse(`the lease is ${leaseMs} ms, not 1 to 2^32-1`);
  return name;
}

// pause waits, unless the caller cancels.
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const cancel = () => { clearTimeout(timer); reject(cancellation()); };
    const timer = setTimeout(() => { signal.removeEventListener('abort', cancel); resolve(); }, ms);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

// Backoff: pauses between attempts, 100 ms to 5 s, growing, with jitter.
class Backoff {
  #middle = 150;
  #shutdowns = 0;

  // reset follows WAITING or ACQUIRED, never a mere connect.
  reset() {
    this.#middle = 150;
    this.#shutdowns = 0;
  }

  // next is 0 after 0x01, unless that was the fourth in a row (rule 6).
  next(code) {
    this.#shutdowns = code === SHUTTING_DOWN ? this.#shutdowns + 1 : 0;
    if (code === SHUTTING_DOWN && this.#shutdowns <= 3) return 0;
    const middle = this.#middle;
    this.#middle = Math.min(2 * middle, 3750);
    return middle * (2 / 3 + Math.random() * 2 / 3);
  }
}

// --------------------------------------------------------------- the adapter

class WorkFailed extends Error {}

// say writes one line of JSON, at once.
function say(event, fields = {}) {
  fs.writeSync(1, JSON.stringify({ event, ...fields }) + '\n');
}

// Words brings words to the work; one that comes early waits.
class Words {
  #waiting = [];
  #listener = null;

  put(word) {
    const listener = this.#listener;
    this.#listener = null;
    if (listener) listener(word);
    else this.#waiting.push(word);
  }

  get() {
    if (this.#waiting.length > 0) return Promise.resolve(this.#waiting.shift());
    return new Promise((resolve) => { this.#listener = resolve; });
  }
}

function tlsFrom(env, host) {
  if (!env.MONOLOCK_TLS_CA) return null;
  const name = env.MONOLOCK_TLS_SERVER_NAME || host;
  const options = {
    ca: fs.readFileSync(env.MONOLOCK_TLS_CA),
    servername: net.isIP(name) ? '' : name,
    checkServerIdentity: (_, cert) => tls.checkServerIdentity(name, cert),
  };
  if (env.MONOLOCK_TLS_CERT) {
    options.cert = fs.readFileSync(env.MONOLOCK_TLS_CERT);
    options.key = fs.readFileSync(env.MONOLOCK_TLS_KEY);
  }
  return options;
}

// outcomeOf returns the fields of the result.
function outcomeOf(err) {
  if (err === null) return { outcome: 'ok' };
  const message = err.message;
  if (err instanceof WorkFailed) return { outcome: 'failed', message };
  if (!(err instanceof LockError)) throw err;
  const code = err.code;
  if (err.lost) return { outcome: 'lost', code, message };
  if (err.cancelled) return { outcome: 'cancelled', message };
  return { outcome: err.temporary ? 'retry' : 'stop', code, message };
}

async function main(env) {
  const words = new Words();
  const caller = new AbortController();

  async function work({ token, lost }) {
    say('granted', { token: token.toString() });
    const signalled = () => say('lost', { cause: lost.reason.message });  // a signal, not an end
    if (lost.aborted) signalled();
    lost.addEventListener('abort', signalled, { once: true });
    const word = await words.get();
    lost.removeEventListener('abort', signalled);
    say('finished');
    if (word === 'fail') throw new WorkFailed('the work ended with an error of its own');
  }

  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('end', () => process.exit(0));  // the end of input is the end
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const word of lines.map((line) => line.trim())) {
      if (word === 'cancel') caller.abort();
      else if (word === 'release' || word === 'fail') words.put(word);
    }
  });

  const at = env.MONOLOCK_ADDR.lastIndexOf(':');
  const host = env.MONOLOCK_ADDR.slice(0, at).replace(/^\[|\]$/g, '');
  const port = Number(env.MONOLOCK_ADDR.slice(at + 1));
  const client = new Client({ host, port, tls: tlsFrom(env, host), onWaiting: () => say('waiting') });
  // Not MONOLOCK_NAME: an environment variable cannot hold every name.
  const name = Buffer.from(env.MONOLOCK_NAME_HEX, 'hex');
  const leaseMs = Number(env.MONOLOCK_LEASE_MS);

  say('hello', { client: 'monolock-node-example', version: '1.0.0', language: `Node.js ${process.versions.node}`, lacks: [] });
  const call = env.MONOLOCK_MODE === 'retry' ? client.doRetry : client.do;
  const err = await call.call(client, name, leaseMs, work, caller.signal).then(() => null, (err) => err);
  say('result', outcomeOf(err));
  process.exit(0);
}

await main(process.env);
