// From the link to the call, and back.

import { fingerprintOf } from "./authentication.js";
import { Picture } from "./picture.js";
import { Room } from "./room.js";
import { Sound } from "./sound.js";
import { cleanName, cleanText } from "./text.js";
import { view } from "./view.js";

const remembered = {
  get: (key) => storage()?.getItem(`hoot.${key}`) ?? "",
  set: (key, value) => storage()?.setItem(`hoot.${key}`, value),
};
const roomName = decodeURIComponent(location.pathname.split("/")[2] ?? "");
// What stands after `#` stays there for a reload; it goes nowhere but into `hello`.
const [token, ...fingerprint] = location.hash.slice(1).split(".");
// Why a link lets its person in no more.
const spent = ["expired", "used", "revoked", "removed"];
const sound = new Sound();
const picture = new Picture();
let room = null;

// Browsers may refuse to keep anything.
function storage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

function secret() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

function personalIdentity() {
  const kept = remembered.get("identity") || secret();
  remembered.set("identity", kept);
  return kept;
}

// One for all connections; a first offer tells its fingerprint.
async function makeCertificate() {
  if (!crypto.subtle) return {};
  const certificate = await RTCPeerConnection.generateCertificate({ name: "ECDSA", namedCurve: "P-256" });
  const connection = new RTCPeerConnection({ certificates: [certificate] });
  connection.createDataChannel("");
  const { sdp } = await connection.createOffer();
  connection.close();
  return { certificate, fingerprint: fingerprintOf(sdp) };
}
const identity = "RTCPeerConnection" in window ? makeCertificate().catch(() => ({})) : null;

async function showDevices() {
  view.devices(await sound.devices(), {
    input: remembered.get("input"), output: remembered.get("output"), camera: picture.id, canChooseOutput: sound.canChooseOutput,
  });
}

async function chooseMicrophone() {
  remembered.set("input", view.microphone.value);
  await sound.openMicrophone(view.microphone.value);
}

function chooseSpeaker() {
  remembered.set("output", view.speaker.value);
  sound.chooseOutput(view.speaker.value);
}

async function join() {
  const name = cleanName(view.name.value);
  if (!name || room) return;
  remembered.set("name", name);
  sound.isMuted = view.startMuted.checked;
  sound.wake();
  room = new Room({
    hello: { room: roomName, token, name, identity: personalIdentity(), session: secret() },
    sound, picture, identity: await identity, isMuted: view.startMuted.checked,
    events: {
      changed: draw,
      knocking: (seconds) => view.knocking(seconds),
      entered: () => view.show("call"),
      notice: view.notice,
      said: view.message,
      renewed: (renewed) => history.replaceState(null, "", `#${[renewed, ...fingerprint].join(".")}`),
      soundBlocked: () => view.soundBlocked(true),
      ended,
    },
  });
  room.start();
}

function ended(code, reason) {
  room = null;
  sound.close();
  picture.turn(false);
  const text = code === "left" ? "You have left the room." : `${reason[0].toUpperCase()}${reason.slice(1)}.`;
  view.farewell(text, !spent.includes(code));
}

function sayText(event) {
  event.preventDefault();
  const text = cleanText(view.chatText.value);
  if (!text || !room) return;
  view.message(null, text, room.say(text));
  view.chatText.value = "";
}

function draw() {
  if (!room) return;
  view.call(room);
  room.want(view.layer);
}

function drawLevels() {
  view.ownLevel(sound.level);
  if (!room) return;
  room.listen();
  view.levels(room);
}

function listen() {
  view.on("join", "submit", (event) => {
    event.preventDefault();
    join();
  });
  view.on("microphone", "change", chooseMicrophone);
  view.on("speaker", "change", chooseSpeaker);
  view.on("mute", "click", () => room?.setMuted(!room.isMuted));
  view.on("hold", "click", () => room?.setHeld(!room.isHeld));
  view.on("picture", "click", () => picture.turn(!picture.isWanted));
  view.on("start-picture", "change", () => picture.turn(view.startPicture.checked));
  view.on("camera", "change", () => {
    picture.id = view.camera.value;
    if (picture.isWanted) picture.turn(true);
  });
  view.on("leave", "click", () => room?.leave());
  view.on("give-up", "click", () => room?.leave());
  view.on("renew", "click", () => room?.renew());
  view.onDecision = (type, id) => room?.decide(type, id);
  view.on("again", "click", () => location.reload());
  view.on("chat", "submit", sayText);
  view.on("wake", "click", () => {
    sound.wake();
    view.soundBlocked(false);
  });
  sound.onchange = () => {
    view.problem(sound.problem);
    showDevices();
    room?.soundChanged();
  };
  picture.onchange = () => {
    view.picture(picture);
    showDevices();
    room?.pictureChanged();
  };
  navigator.mediaDevices?.addEventListener("devicechange", showDevices);
  addEventListener("resize", draw);
  addEventListener("pagehide", () => room?.goodbye());
  setInterval(drawLevels, 100);
}

function begin() {
  view.title(roomName);
  listen();
  if (!("RTCPeerConnection" in window)) return view.farewell("This browser cannot make calls: it has no WebRTC.", false);
  if (!roomName || !token) {
    return view.farewell("This address is no whole link. Ask the host for the link, with all that follows its #.", false);
  }
  view.name.value = remembered.get("name");
  sound.chooseOutput(remembered.get("output"));
  view.show("door");
  showDevices();
  sound.openMicrophone(remembered.get("input"));
}

begin();
