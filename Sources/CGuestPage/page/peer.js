// The connection to one other member.

import { Authentication, fingerprintOf } from "./authentication.js";
import { Quality } from "./quality.js";
import { cleanText } from "./text.js";

// How long connecting may take before it is said to take long.
const slowTime = 4_000;

export class Peer {
  member;
  quality = new Quality();
  // The words to compare; null: somebody tampers.
  code;
  #connection;
  #isPolite;
  #mayOffer;
  // Something was changed that no offer has told yet.
  #isDue = true;
  #isOffering = false;
  // An answer is being taken: an offer that comes meanwhile crosses nothing.
  #isSettling = false;
  #ignoresOffer = false;
  #track;
  #picture;
  #video = null;
  // Which pictures it was asked for.
  #wish = "high";
  // Which of ours it asks for, maybe before there is a sender.
  #layer = "high";
  #isHeld = false;
  #transceiver = null;
  #lastPacket = {};
  #chat;
  #authentication = null;
  // Since when it connects.
  #begun = performance.now();
  #call;

  // `offers`: we came later, so the first offer is ours. `call`: ownID, room, certificate, fingerprint, iceServers, and
  // the functions send(message), changed(peer), heard(peer, stream), said(peer, text).
  constructor(member, { offers, track, picture, isHeld, call }) {
    this.member = member;
    this.#call = call;
    this.#isPolite = call.ownID < member.id;
    this.#mayOffer = offers;
    this.#track = track;
    this.#picture = picture;
    const { iceServers, certificate } = call;
    this.#connection = new RTCPeerConnection({
      iceServers, bundlePolicy: "max-bundle", ...(certificate && { certificates: [certificate] }),
    });
    this.#listen();
    this.#beginChat();
    if (call.fingerprint) {
      this.#authentication = new Authentication({
        room: call.room, own: { id: call.ownID, fingerprint: call.fingerprint }, peer: member.id,
        send: (message) => this.#send(message),
        show: (code) => {
          this.code = code;
          call.changed(this);
        },
      });
    }
    if (track) this.#transceiver = this.#transceiverOf(this.#connection.addTrack(track));
    else if (offers) this.#transceiver = this.#connection.addTransceiver("audio", { direction: "recvonly" });
    if (offers) this.#show(this.#connection.addTransceiver("video"));
    if (isHeld) this.setHeld(true);
  }

  // connecting, slow, connected, lost or failed.
  get link() {
    switch (this.#connection.connectionState) {
      case "connected": return "connected";
      case "disconnected": return "lost";
      case "failed": return "failed";
      default: return performance.now() - this.#begun < slowTime ? "connecting" : "slow";
    }
  }

  // Why no path works, as far as this side can know.
  get problem() {
    const servers = this.#call.iceServers.flatMap(({ urls }) => urls);
    return servers.some((address) => address.startsWith("turn"))
      ? "no path works, not even over a TURN server: a firewall may be in the way"
      : "no direct path works: both sides seem to be behind symmetric NATs or firewalls, and the host names no TURN server";
  }

  // How loud the peer is at this moment, 0…1; nothing a second after its last packet.
  get level() {
    if (this.#isHeld) return 0;
    const source = this.#transceiver?.receiver.getSynchronizationSources()[0];
    const now = performance.now();
    if (source && source.timestamp !== this.#lastPacket.timestamp) this.#lastPacket = { timestamp: source.timestamp, now };
    return source && now - this.#lastPacket.now < 1000 ? (source.audioLevel ?? 0) : 0;
  }

  // What the peer shows, or could show.
  get picture() {
    return this.#video?.receiver.track ?? null;
  }

  get isReadable() {
    return this.#chat.readyState === "open";
  }

  // Takes what the member says through the room.
  async receive(message) {
    switch (message.type) {
      case "description": return this.#described(message);
      case "candidate": return this.#found(message);
      case "view": return this.#limit(message.layer);
      case "commitment":
      case "reveal": return this.#authentication?.receive(message);
    }
  }

  async setTrack(track) {
    this.#track = track;
    this.#isDue ||= !this.#transceiver;
    if (this.#transceiver) await this.#transceiver.sender.replaceTrack(track);
    else if (track) this.#transceiver = this.#transceiverOf(this.#connection.addTrack(track));
    this.#direct();
  }

  async setPicture(track) {
    this.#picture = track;
    await this.#video?.sender.replaceTrack(track);
  }

  want(layer) {
    if (layer === this.#wish) return;
    this.#wish = layer;
    this.#tellWish();
  }

  setHeld(isHeld) {
    this.#isHeld = isHeld;
    this.#direct();
  }

  // False: the text cannot be sent.
  say(text) {
    if (!this.isReadable) return false;
    this.#chat.send(JSON.stringify({ type: "chat", text }));
    return true;
  }

  // The way through the room is back: what may have been lost is said again.
  restored() {
    const { signalingState, localDescription } = this.#connection;
    if (signalingState === "have-local-offer") this.#describe(localDescription);
    this.#tellWish();
    this.#authentication?.restored();
    if (this.link !== "connected") this.#restart();
  }

  async measure() {
    await this.quality.measure(this.#connection);
  }

  close() {
    this.#connection.onconnectionstatechange = null;
    this.#connection.close();
  }

  #direct() {
    if (this.#video) this.#video.direction = this.#isHeld ? "inactive" : "sendrecv";
    const direction = this.#isHeld ? "inactive" : this.#track ? "sendrecv" : "recvonly";
    if (!this.#transceiver || this.#transceiver.direction === direction) return;
    this.#isDue = true;
    this.#transceiver.direction = direction;
  }

  #show(transceiver) {
    this.#video = transceiver;
    transceiver.sender.replaceTrack(this.#picture);
    this.#direct();
    this.#call.changed(this);
  }

  async #limit(layer) {
    this.#layer = layer;
    const parameters = this.#video?.sender.getParameters();
    if (!parameters?.encodings?.length) return;
    Object.assign(parameters.encodings[0], { active: layer !== "none", scaleResolutionDownBy: layer === "low" ? 2.6 : 1 });
    await this.#video.sender.setParameters(parameters);
  }

  #tellWish() {
    this.#send({ type: "view", layer: this.#wish });
  }

  #restart() {
    this.#isDue = true;
    this.#connection.restartIce();
  }

  #send(message) {
    this.#call.send({ ...message, to: this.member.id });
  }

  #transceiverOf(sender) {
    return this.#connection.getTransceivers().find((each) => each.sender === sender);
  }

  #listen() {
    const connection = this.#connection;
    connection.onnegotiationneeded = () => this.#offer();
    connection.onicecandidate = ({ candidate }) => {
      const line = candidate?.candidate ?? "";
      this.#send({
        type: "candidate", candidate: line, ...(candidate?.sdpMid != null && { mid: candidate.sdpMid }),
        ...(candidate?.usernameFragment && { ufrag: candidate.usernameFragment }),
      });
    };
    connection.ontrack = ({ track, transceiver }) => {
      if (track.kind === "video") return this.#show(transceiver);
      this.#transceiver = transceiver;
      this.#call.heard(this, new MediaStream([track]));
    };
    connection.onconnectionstatechange = () => {
      if (connection.connectionState === "connected") {
        this.#authentication?.proved(fingerprintOf(connection.remoteDescription.sdp));
      }
      if (connection.connectionState !== "connecting") this.#begun = performance.now();
      if (connection.connectionState === "failed") this.#restart();
      this.#call.changed(this);
    };
  }

  #beginChat() {
    this.#chat = this.#connection.createDataChannel("chat", { negotiated: true, id: 0 });
    this.#chat.onopen = this.#chat.onclose = () => this.#call.changed(this);
    this.#chat.onmessage = ({ data }) => {
      try {
        const { type, text } = JSON.parse(data);
        const cleaned = type === "chat" ? cleanText(text) : null;
        if (cleaned) this.#call.said(this, cleaned);
      } catch {
        return;
      }
    };
  }

  // Who was here first waits for the other's offer. A browser whose channel was declined would offer it for ever.
  async #offer() {
    const isDeclined = /^m=application 0 /m.test(this.#connection.remoteDescription?.sdp);
    if (!this.#mayOffer || (isDeclined && !this.#isDue)) return;
    try {
      this.#isOffering = true;
      this.#isDue = false;
      await this.#connection.setLocalDescription();
      this.#describe(this.#connection.localDescription);
    } finally {
      this.#isOffering = false;
    }
  }

  // Browsers play what leaves silence out as well as what does not, but do not ask for it by themselves.
  #describe({ type, sdp }) {
    this.#send({ type: "description", kind: type, sdp: sdp.replace(/\buseinbandfec=1/g, "$&;usedtx=1") });
  }

  async #described({ kind, sdp }) {
    const connection = this.#connection;
    const isReady = !this.#isOffering && (connection.signalingState === "stable" || this.#isSettling);
    const isGlare = kind === "offer" && !isReady;
    this.#ignoresOffer = isGlare && !this.#isPolite;
    if (this.#ignoresOffer) return;
    this.#isDue ||= isGlare;
    this.#isSettling = kind === "answer";
    try {
      await connection.setRemoteDescription({ type: kind, sdp });
    } finally {
      this.#isSettling = false;
    }
    this.#mayOffer = true;
    if (kind === "answer") return;
    await connection.setLocalDescription();
    this.#describe(connection.localDescription);
    await this.#limit(this.#layer);
  }

  async #found({ candidate, mid, ufrag }) {
    try {
      await this.#connection.addIceCandidate({
        candidate, sdpMid: mid ?? null, ...(mid == null && { sdpMLineIndex: 0 }), usernameFragment: ufrag ?? null,
      });
    } catch (error) {
      if (!this.#ignoresOffer) console.warn("candidate not taken:", error.message);
    }
  }
}
