// The call.

import { Peer } from "./peer.js";
import { Signalling } from "./signalling.js";
import { isolated } from "./text.js";

const returnTime = 20_000;
const reportInterval = 5;
// Quieter than this nobody speaks (about −45 dBov).
const speechLevel = 0.0056;
// How long someone counts as the speaker after the last word.
const speechTime = 1_000;
// Why a member is gone, where it did not just leave.
const farewells = { lost: "was lost", removed: "was removed by the host", expired: "had no more time" };

export class Room {
  // Members by id: { member, peer, awaited }.
  people = new Map();
  isMuted = false;
  isHeld = false;
  // Why the way to the room is broken; empty while it stands.
  trouble = "";
  speaker = null;
  // What the invite grants: guest, host or listener.
  role = "guest";
  // Who asks the hosts to be let in, by id.
  knocks = new Map();
  // Whether our own time is about to run out.
  isExpiring = false;
  #sound;
  #picture;
  #layer = "high";
  #events;
  #identity;
  #signalling;
  #call = null;
  #server = "";
  #lastSpoke = 0;
  #timers = [];

  // `identity`: certificate and fingerprint, where the browser has them. `events`: changed(), knocking(seconds),
  // entered(), notice(text), said(name, text), renewed(token), soundBlocked(), ended(code, reason).
  constructor({ hello, sound, picture, identity, isMuted, events }) {
    this.#sound = sound;
    this.#picture = picture;
    this.#events = events;
    this.#identity = identity;
    this.isMuted = isMuted;
    this.#signalling = new Signalling(hello, {
      lobby: events.knocking,
      welcome: (message, isReturn) => this.#welcomed(message, isReturn),
      message: (message) => this.#received(message),
      trouble: (text) => this.#troubled(text),
      ended: (code, reason) => this.#ended(code, reason),
    });
  }

  start() {
    this.#signalling.start();
  }

  leave() {
    this.#signalling.leave();
  }

  // The page goes away.
  goodbye() {
    this.#signalling.goodbye();
  }

  // A host's decision: admit, decline, kick, or extend by an hour.
  decide(type, id) {
    this.#signalling.send({ type, id, ...(type === "extend" && { seconds: 3600 }) });
    if (type === "extend" && this.people.has(id)) this.people.get(id).wantsTime = false;
    this.#events.changed();
  }

  // Asks the hosts for more time.
  renew() {
    this.#signalling.send({ type: "renew" });
    this.#events.notice("The host is asked for more time.");
  }

  get hasMicrophone() {
    return this.#track !== null;
  }

  setMuted(isMuted) {
    this.isMuted = isMuted;
    this.#sound.isMuted = isMuted;
    this.#announce();
  }

  // Stops both directions.
  setHeld(isHeld) {
    this.isHeld = isHeld;
    this.#sound.isSilent = isHeld;
    for (const { peer } of this.people.values()) peer.setHeld(isHeld);
    this.#announce();
  }

  // The microphone has changed.
  soundChanged() {
    for (const { peer } of this.people.values()) peer.setTrack(this.#track);
    this.#announce();
  }

  // The camera has been turned on or off.
  pictureChanged() {
    for (const { peer } of this.people.values()) peer.setPicture(this.#picture.track);
    this.#announce();
  }

  // Asks everybody for pictures of this layer.
  want(layer) {
    this.#layer = layer;
    for (const { peer } of this.people.values()) peer.want(layer);
  }

  // Whether a text reaches anybody.
  get isReadable() {
    return [...this.people.values()].some(({ peer }) => peer.isReadable);
  }

  // Returns the names of those whom a text does not reach.
  say(text) {
    return [...this.people.values()].filter(({ peer }) => !peer.say(text)).map(({ member }) => member.name);
  }

  // Looks who speaks.
  listen() {
    const loudest = [...this.people.values()].reduce(
      (found, { member, peer }) => (peer.level > found.level ? { id: member.id, level: peer.level } : found),
      { id: null, level: speechLevel });
    const now = performance.now();
    if (loudest.id && (loudest.id === this.speaker || now - this.#lastSpoke > speechTime / 2)) {
      this.speaker = loudest.id;
      this.#lastSpoke = now;
    } else if (now - this.#lastSpoke > speechTime) {
      this.speaker = null;
    }
  }

  get #track() {
    return this.role === "listener" ? null : this.#sound.track;
  }

  #welcomed(welcome, isReturn) {
    this.role = welcome.role;
    if (this.role === "listener") this.#picture.turn(false);
    this.#call = {
      ownID: welcome.id, room: welcome.room, iceServers: welcome.iceServers, ...this.#identity,
      send: (message) => this.#signalling.send(message),
      changed: () => this.#events.changed(),
      heard: (peer, stream) => this.#heard(peer, stream),
      said: (peer, text) => this.#events.said(peer.member.name, text),
    };
    if (isReturn) this.#reconcile(welcome);
    else for (const member of welcome.members) this.#add(member, true);
    this.#server = welcome.server;
    if (!isReturn) this.#begin();
    this.#events.changed();
  }

  #begin() {
    this.#announce();
    this.#timers = [
      setInterval(() => this.#measure(), 1000),
      setInterval(() => this.#report(), reportInterval * 1000),
    ];
    this.#events.entered();
  }

  // Who is in both lists with the same session is untouched, unless this server had told the others that we were gone. A
  // server that was started anew knows nobody yet, so those whom it does not list may still come back.
  #reconcile({ members, server, resumed }) {
    const listed = new Map(members.map((member) => [member.id, member]));
    const wereGone = server === this.#server && !resumed;
    const same = new Set();
    for (const [id, person] of [...this.people]) {
      const now = listed.get(id);
      if (now?.session === person.member.session && !wereGone) {
        same.add(id);
        person.member = { ...now, status: person.member.status };
        this.#statusChanged(person, now.status ?? {});
        this.#stopWaiting(person);
      } else if (now || server === this.#server) {
        this.#remove(id);
      } else {
        person.awaited ??= setTimeout(() => this.#left(id, "did not come back"), returnTime);
      }
    }
    for (const member of members) if (!same.has(member.id)) this.#add(member, true);
    this.#signalling.resume(same);
    for (const id of same) this.people.get(id).peer.restored();
  }

  #received(message) {
    const person = this.people.get(message.from ?? message.id);
    switch (message.type) {
      case "knock":
      case "knockOver":
      case "expiring":
      case "renewed":
      case "renewalWanted": return this.#administered(message, person);
      case "joined": return this.#joined(message.member);
      case "left": return this.#left(message.id, farewells[message.reason] ?? "left");
      case "status": return person && this.#statusChanged(person, message);
      case "error": return this.#events.notice(`The room did not take our ${message.about}: ${message.reason}.`);
      case "description":
      case "candidate":
      case "view":
      case "commitment":
      case "reveal":
        return person?.peer.receive(message).catch((error) => this.#refused(person, error));
    }
  }

  // Who may come in, and who may stay.
  #administered(message, person) {
    switch (message.type) {
      case "knock":
        this.knocks.set(message.id, message);
        this.#events.notice(`${isolated(message.name)} asks to be let in.`);
        break;
      case "knockOver":
        this.knocks.delete(message.id);
        break;
      case "expiring":
        this.isExpiring = true;
        this.#events.notice(`Your time in the room is over in ${Math.round(message.seconds)} seconds.`);
        break;
      case "renewed":
        this.isExpiring = false;
        if (message.token) {
          this.#signalling.token = message.token;
          this.#events.renewed(message.token);
        }
        this.#events.notice("You may stay.");
        break;
      case "renewalWanted":
        if (person) person.wantsTime = true;
        this.#events.notice(`${person ? isolated(person.member.name) : "Somebody"} asks for more time.`);
    }
    this.#events.changed();
  }

  #joined(member) {
    const known = this.people.get(member.id);
    if (known?.member.session === member.session) {
      this.#stopWaiting(known);
      known.member = member;
      known.peer.restored();
    } else {
      this.#add(member, false);
      this.#events.notice(`${isolated(member.name)} joined.`);
    }
    this.#events.changed();
  }

  #left(id, how) {
    const name = this.people.get(id)?.member.name;
    this.#remove(id);
    if (name) this.#events.notice(`${isolated(name)} ${how}.`);
    this.#events.changed();
  }

  #statusChanged(person, { muted = false, held = false, deafened = false, video = false, recording = false }) {
    if (recording !== !!person.member.status?.recording) this.#tellRecording(person.member, recording);
    person.member = { ...person.member, status: { muted, held, deafened, video, recording } };
    this.#events.changed();
  }

  // Who is recorded is told so, whoever came first.
  #tellRecording(member, records) {
    this.#events.notice(`${isolated(member.name)} ${records ? "records the call" : "no longer records the call"}.`);
  }

  #refused(person, error) {
    console.warn("a description was not taken:", error.message);
    if (person.peer.link === "connected") return;
    this.#events.notice(`No connection to ${isolated(person.member.name)}: this browser does not take what they offer.`);
  }

  #add(member, offers) {
    this.#remove(member.id);
    const peer = new Peer(member, {
      offers, track: this.#track, picture: this.#picture.track, isHeld: this.isHeld, call: this.#call,
    });
    this.people.set(member.id, { member, peer });
    peer.want(this.#layer);
    if (member.status?.recording) this.#tellRecording(member, true);
  }

  #remove(id) {
    const person = this.people.get(id);
    if (!person) return;
    this.people.delete(id);
    this.#stopWaiting(person);
    person.peer.close();
    this.#sound.stop(id);
  }

  #stopWaiting(person) {
    clearTimeout(person.awaited);
    delete person.awaited;
  }

  async #heard(peer, stream) {
    if (!(await this.#sound.play(peer.member.id, stream))) this.#events.soundBlocked();
    this.#sound.isSilent = this.isHeld;
  }

  #announce() {
    const [muted, video] = [this.isMuted || !this.hasMicrophone, !!this.#picture.track && !this.isHeld];
    this.#signalling.send({ type: "status", muted, held: this.isHeld, deafened: false, video, recording: false });
    this.#events.changed();
  }

  async #measure() {
    await Promise.allSettled([...this.people.values()].map(({ peer }) => peer.measure()));
    this.#events.changed();
  }

  #report() {
    const losses = [...this.people.values()]
      .map(({ member, peer }) => ({ sender: member.id, ...peer.quality.takeReport() }))
      .filter(({ expected }) => expected > 0);
    this.#signalling.send({ type: "report", seconds: reportInterval, losses });
  }

  #troubled(text) {
    if (text && !this.trouble) this.#events.notice("The way to the room is broken; the call goes on.");
    if (!text && this.trouble) this.#events.notice("The room is back.");
    this.trouble = text;
    this.#events.changed();
  }

  #ended(code, reason) {
    for (const timer of this.#timers) clearInterval(timer);
    for (const id of [...this.people.keys()]) this.#remove(id);
    this.#events.ended(code, reason);
  }
}
