// The authentication string: a code that two people read to each other, equal when nobody stands between them. Each
// side commits to its certificate's fingerprint and a nonce by a hash, and reveals both only when it has the other's
// commitment.

import words from "./words.js";

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

// From hexadecimal, colons or not; null: not `count` bytes.
function unhex(text, count = 32) {
  const digits = String(text).replaceAll(":", "");
  if (digits.length !== 2 * count || !/^[0-9a-f]*$/i.test(digits)) return null;
  return Uint8Array.from({ length: count }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16));
}

// The bytes of the one SHA-256 fingerprint in a session description, or null.
export function fingerprintOf(sdp) {
  const found = new Set(Array.from(sdp.matchAll(/^a=fingerprint:(.*)$/gm), (match) => match[1].trim()));
  if (found.size !== 1) return null;
  const [algorithm, value] = [...found][0].split(" ");
  return algorithm.toLowerCase() === "sha-256" ? unhex(value) : null;
}

// The SHA-256 over the fields, each with its length before it.
async function digest(label, room, fields) {
  const parts = [utf8(label), utf8(room), ...fields];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const part of parts) {
    view.setUint32(offset, part.length);
    bytes.set(part, offset + 4);
    offset += 4 + part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export class Authentication {
  #room;
  #own;
  #peer;
  #send;
  #show;
  #nonce = crypto.getRandomValues(new Uint8Array(32));
  #peerHash = null;
  #agreed = null;
  #proven = null;
  #isRefused = false;
  #work;

  // `own`: id and fingerprint (32 bytes); `show(code)` gets the words, or null when somebody tampers.
  constructor({ room, own, peer, send, show }) {
    this.#room = room;
    this.#own = own;
    this.#peer = peer;
    this.#send = send;
    this.#show = show;
    this.#work = this.#commit();
  }

  // Takes a commitment or a reveal; one after the other, since hashing takes turns.
  receive(message) {
    this.#then(() => (message.type === "commitment" ? this.#committed(message) : this.#revealed(message)));
  }

  // DTLS has proven that the peer's media come from this certificate.
  proved(fingerprint) {
    this.#then(() => {
      this.#proven = fingerprint && hex(fingerprint);
      this.#conclude();
    });
  }

  // The signalling is back after messages may have been lost: what had been said is said again.
  restored() {
    this.#then(async () => {
      await this.#commit();
      if (this.#peerHash) this.#reveal();
    });
  }

  #then(step) {
    this.#work = this.#work.then(() => (this.#isRefused ? undefined : step()));
  }

  async #commit() {
    this.#send({ type: "commitment", hash: await this.#commitment(this.#own, this.#peer, this.#nonce) });
  }

  #reveal() {
    const pairs = hex(this.#own.fingerprint).toUpperCase().match(/../g).join(":");
    this.#send({ type: "reveal", fingerprint: `sha-256 ${pairs}`, nonce: hex(this.#nonce) });
  }

  #committed({ hash }) {
    if (!unhex(hash)) return this.#refuse();
    if (this.#peerHash && this.#peerHash !== hash) return this.#refuse();
    if (this.#peerHash) return;
    this.#peerHash = hash;
    this.#reveal();
  }

  async #revealed(message) {
    if (!this.#peerHash || this.#agreed) return;
    const [algorithm, value] = String(message.fingerprint).split(" ");
    const fingerprint = algorithm.toLowerCase() === "sha-256" && unhex(value);
    const nonce = unhex(message.nonce);
    if (!fingerprint || !nonce) return this.#refuse();
    const peer = { id: this.#peer, fingerprint };
    if ((await this.#commitment(peer, this.#own.id, nonce)) !== this.#peerHash.toLowerCase()) return this.#refuse();
    this.#agreed = { fingerprint: hex(fingerprint), code: await this.#code(peer, nonce) };
    this.#conclude();
  }

  #conclude() {
    if (!this.#agreed || !this.#proven) return;
    if (this.#agreed.fingerprint === this.#proven) this.#show(this.#agreed.code);
    else this.#refuse();
  }

  #refuse() {
    this.#isRefused = true;
    this.#show(null);
  }

  async #commitment(sender, receiver, nonce) {
    const fields = [utf8(sender.id), utf8(receiver), sender.fingerprint, nonce];
    return hex(await digest("hoot commitment", this.#room, fields));
  }

  async #code(peer, peerNonce) {
    const sides = [[this.#own, this.#nonce], [peer, peerNonce]].sort(([a], [b]) => compare(a.id, b.id));
    const fields = sides.flatMap(([side, nonce]) => [utf8(side.id), side.fingerprint, nonce]);
    const hash = await digest("hoot authentication string", this.#room, fields);
    return Array.from(hash.subarray(0, 4), (byte) => words[byte]).join(" ");
  }
}
