// The room's protocol over one WebSocket, which comes back when it breaks. The host's documentation, Rooms, has the
// messages. Everything that comes is handed to `events`:
//   lobby(seconds)               the hosts are asked to let us in
//   welcome(message, isReturn)   inside, for the first time or again
//   message(message)             what the room or a member says
//   trouble(text)                the way to the room is broken, and what is done about it; empty: it stands again
//   ended(code, reason)          the room is left or does not take us; final

const connectTime = 10_000;
const pingTime = 2_000;
const interruptedTime = 4_000;
const lostTime = 10_000;
const giveUpTime = 20 * 60_000;
const unsentLimit = 256;
const refusalsOnReturn = 5;

export class Signalling {
  #hello;
  #events;
  #socket = null;
  #isInside = false;
  #hasBeenInside = false;
  #isOver = false;
  #isTroubled = false;
  #attempt = 0;
  #refusals = 0;
  #lastInside = 0;
  #lastHeard = 0;
  #pingNumber = 0;
  #status = null;
  #unsent = [];
  #timers = {};

  // `hello`: room, token, name, identity, session.
  constructor(hello, events) {
    this.#hello = { type: "hello", version: 1, intent: "join", capabilities: ["pictures"], ...hello };
    this.#events = events;
  }

  start() {
    this.#connect();
  }

  // What to come back with from now on.
  set token(token) {
    this.#hello.token = token;
  }

  // Says something to one member (`to`) or to all. While the way is broken it is kept for those who are still there
  // afterwards, except what would be stale.
  send(message) {
    if (message.type === "status") this.#status = message;
    if (this.#isInside) this.#write(message);
    else if (message.to && this.#unsent.length < unsentLimit) this.#unsent.push(message);
  }

  // Says goodbye; the host then closes the connection.
  goodbye() {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#write({ type: "leave" });
  }

  leave() {
    this.goodbye();
    this.#end("left", "you left");
  }

  // After a return: what was kept goes to the members that are the same peers as before.
  resume(sameMembers) {
    if (this.#status) this.#write(this.#status);
    for (const message of this.#unsent) {
      if (sameMembers.has(message.to)) this.#write(message);
    }
    this.#unsent = [];
  }

  #write(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#arm("connect", connectTime, () => this.#broke("no answer within 10 s"));
    socket.onopen = () => this.#write(this.#hello);
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(event.data);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#broke(event.reason || "the connection broke");
    };
  }

  #receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    this.#heard();
    switch (message.type) {
      case "lobby": return this.#knocks(message);
      case "welcome": return this.#welcomed(message);
      case "refused": return this.#refused(message);
      case "closing": return this.#end("closing", message.reason);
      case "ping": return this.#write({ type: "pong", number: message.number });
      case "pong": return;
      default: if (this.#isInside) this.#events.message(message);
    }
  }

  #heard() {
    this.#lastHeard = Date.now();
    if (!this.#isInside) return;
    this.#lastInside = this.#lastHeard;
    if (this.#isTroubled) this.#tell("");
  }

  #tell(trouble) {
    this.#isTroubled = trouble !== "";
    this.#events.trouble(trouble);
  }

  #knocks({ seconds }) {
    this.#disarm("connect");
    this.#watch();
    this.#events.lobby(seconds);
  }

  #welcomed(welcome) {
    const isReturn = this.#hasBeenInside;
    this.#isInside = this.#hasBeenInside = true;
    this.#attempt = this.#refusals = 0;
    this.#disarm("connect");
    this.#watch();
    this.#heard();
    this.#events.welcome(welcome, isReturn);
  }

  // A host that was started anew may not have opened its room yet, and seats may still be held.
  #refused({ code, reason }) {
    this.#refusals += 1;
    const isPassing = ["tooLate", "tooSlow", "rate"].includes(code);
    const mayPass = ["notAdmitted", "roomFull"].includes(code) && this.#refusals < refusalsOnReturn;
    if (this.#hasBeenInside && (isPassing || mayPass)) this.#broke(reason);
    else this.#end(code, reason);
  }

  #broke(reason) {
    if (this.#isOver) return;
    this.#isInside = false;
    this.#disarm("connect");
    this.#disarm("watch");
    this.#drop();
    if (!this.#hasBeenInside) return this.#end("unreachable", `the room cannot be reached: ${reason}`);
    if (Date.now() - this.#lastInside > giveUpTime) {
      return this.#end("unreachable", "the room has been out of reach for 20 minutes");
    }
    const wait = Math.min(8, Math.max(0.5, Math.min(8, 0.5 * 2 ** this.#attempt) * (0.75 + 0.5 * Math.random())));
    this.#attempt += 1;
    this.#arm("retry", wait * 1000, () => this.#connect());
    this.#tell(`Room out of reach (${reason}); next try in ${wait.toFixed(0)} s. The call goes on.`);
  }

  // A server that says nothing is asked, then missed, then given up.
  #watch() {
    this.#arm("watch", 1000, () => {
      const silence = Date.now() - this.#lastHeard;
      if (silence >= lostTime) return this.#broke("nothing heard for 10 s");
      if (silence >= pingTime) this.#write({ type: "ping", number: (this.#pingNumber += 1) });
      if (silence >= interruptedTime && this.#isInside && !this.#isTroubled) {
        this.#tell("The room's server is not heard. The call goes on.");
      }
      this.#watch();
    });
  }

  #end(code, reason) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isInside = false;
    for (const name of Object.keys(this.#timers)) this.#disarm(name);
    this.#drop();
    this.#events.ended(code, reason);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #arm(name, milliseconds, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(action, milliseconds);
  }

  #disarm(name) {
    clearTimeout(this.#timers[name]);
    delete this.#timers[name];
  }
}
