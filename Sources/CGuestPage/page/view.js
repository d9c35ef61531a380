// What stands on the page. Text goes in as text, never as markup.

import { noMicrophone } from "./sound.js";
import { isolated } from "./text.js";
import { arrange, layerAt } from "./tiles.js";

const find = (id) => document.getElementById(id);

// A new element with its text and attributes.
function make(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Only where it differs: screen readers would hear it again.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The share of a bar for a level of 0…1: 60 dB wide.
const bar = (level) => Math.max(0, Math.min(1, 1 + Math.log10(Math.max(level, 1e-6)) / 3));

export const view = {
  name: find("name"),
  microphone: find("microphone"),
  speaker: find("speaker"),
  camera: find("camera"),
  startMuted: find("start-muted"),
  startPicture: find("start-picture"),
  chatText: find("chat-text"),

  // Our own picture.
  ownTrack: null,
  // The layer that fills a tile.
  layer: "high",

  // A host's decision about somebody: admit, decline, kick or extend.
  onDecision: () => {},

  show(part) {
    for (const id of ["door", "lobby", "call", "farewell"]) find(id).hidden = id !== part;
    find("devices").hidden = part === "farewell";
    // What had the focus may be gone.
    if (part !== "door") find(part).focus();
  },

  title(room) {
    find("title").textContent = room;
    document.title = room ? `${room} · hoot` : "hoot";
  },

  on(id, event, action) {
    find(id).addEventListener(event, action);
  },

  devices({ inputs, outputs, cameras }, { input, output, camera, canChooseOutput }) {
    const options = [["", "Usual microphone"], ...inputs.map(({ id, label }) => [id, label]),
      [noMicrophone, "No microphone: listen only"]];
    fill(this.microphone, options, input);
    fill(this.camera, [["", "Usual camera"], ...cameras.map(({ id, label }) => [id, label])], camera);
    fill(this.speaker, [["", "Usual speaker"], ...outputs.map(({ id, label }) => [id, label])], output);
    find("speaker-field").hidden = !canChooseOutput || outputs.length === 0;
  },

  picture({ track, problem, isWanted }) {
    turn("picture", !!track, track ? "Camera off" : "Camera on");
    this.startPicture.checked = isWanted;
    this.ownTrack = track;
    find("own-picture").hidden = !track;
    play(find("own-picture"), track);
    say(find("camera-problem"), problem);
  },

  problem(text) {
    say(find("microphone-problem"), text);
  },

  ownLevel(level) {
    find("own-level").value = bar(level);
  },

  // What screen readers are told at their next pause.
  notice(text) {
    const notices = find("notices");
    notices.append(make("li", text));
    while (notices.children.length > 3) notices.firstChild.remove();
  },

  knocking(seconds) {
    this.show("lobby");
    say(find("lobby-text"), `The host is asked to let you in, and has ${Math.round(seconds)} seconds to answer.`);
  },

  call(room) {
    const { isMuted, isHeld, isReadable, trouble, hasMicrophone, role } = room;
    const noMicrophone = role === "listener" ? "Listening only" : "No microphone";
    const microphone = isHeld ? "On hold" : !hasMicrophone ? noMicrophone : isMuted ? "Muted" : "Microphone live";
    say(find("microphone-state"), microphone);
    find("microphone-state").className = microphone === "Microphone live" ? "live" : "";
    turn("mute", isMuted, isMuted ? "Unmute" : "Mute");
    turn("hold", isHeld, isHeld ? "Resume" : "Hold");
    find("mute").disabled = !hasMicrophone;
    find("picture").disabled = role === "listener";
    find("say").disabled = !isReadable;
    this.chatText.placeholder = isReadable ? "" : "Nobody can read yet";
    say(find("trouble"), trouble);
    say(find("count"), room.people.size === 0 ? "Nobody else is here yet." : `${room.people.size + 1} in the call`);
    find("renew").hidden = !room.isExpiring;
    this.knocks(room);
    this.people(room);
    this.tiles(room);
  },

  knocks({ knocks }) {
    keepRows(find("knocks"), knocks, ({ id, name }) => {
      const row = make("li");
      row.append(make("span", `${isolated(name)} asks to be let in`), this.decision("admit", "Let in", name, id),
        this.decision("decline", "Turn away", name, id));
      return row;
    });
  },

  // A button for a decision about somebody.
  decision(type, label, name, id) {
    const button = make("button", label, { "aria-label": `${label}: ${name}`, class: type });
    button.addEventListener("click", () => this.onDecision(type, id));
    return button;
  },

  people(room) {
    keepRows(find("people"), room.people, ({ member }) => this.person(member, room.role === "host" && !member.serves));
    for (const row of find("people").children) describe(row, room.people.get(row.dataset.id), room);
  },

  person({ id, name }, isRemovable) {
    const row = make("li", "", { class: "tile" });
    const [stage, caption, under, code] = [
      make("div", "", { class: "stage" }), make("div", "", { class: "caption" }), make("div", "", { class: "under" }),
      make("details"),
    ];
    code.append(make("summary", "Code to compare", { "aria-label": `Code to compare with ${name}` }), make("p", "", { class: "code" }));
    caption.append(
      make("span", "", { class: "name", dir: "auto" }), make("span", "", { class: "speaks" }), make("span", "", { class: "state" }),
      make("span", "", { class: "quality" }));
    stage.append(
      make("video", "", { muted: "", autoplay: "", playsinline: "", "aria-label": `Picture of ${name}` }),
      make("span", "video off", { class: "absence" }), caption);
    under.append(make("meter", "", { min: 0, max: 1, "aria-label": `Level of ${name}` }), code);
    row.append(stage, under);
    if (isRemovable) {
      const host = make("p", "", { class: "controls" });
      host.append(this.decision("extend", "Give another hour", name, id), this.decision("kick", "Remove", name, id));
      under.append(host);
    }
    return row;
  },

  // Pictures share the place below the bar; where nobody shows one, a list does.
  tiles({ people, isHeld }) {
    const tiles = find("tiles");
    const own = isHeld ? null : this.ownTrack;
    find("own-tile").hidden = !own;
    play(find("own-tile-picture"), own);
    const isShowing = !!(own || tiles.querySelector("#people video:not([hidden])"));
    tiles.classList.toggle("pictures", isShowing);
    // Before the call is shown there is nothing to measure.
    if (!isShowing || !tiles.clientWidth) return;
    const gap = parseFloat(getComputedStyle(tiles).columnGap);
    const place = { width: tiles.clientWidth, height: innerHeight - find("bar").offsetHeight - 2 * gap, gap };
    const { columns, height } = arrange(people.size + (own ? 1 : 0), place);
    tiles.style.setProperty("--columns", columns);
    tiles.style.setProperty("--height", `${Math.floor(height)}px`);
    this.layer = layerAt(tiles.querySelector(".stage").clientHeight * devicePixelRatio);
  },

  levels(room) {
    for (const row of find("people").children) {
      const person = room.people.get(row.dataset.id);
      if (!person) continue;
      row.querySelector("meter").value = bar(person.peer.level);
      const speaks = room.speaker === row.dataset.id;
      say(row.querySelector(".speaks"), speaks ? "speaking" : "");
      row.classList.toggle("speaking", speaks);
    }
  },

  // Without a name it was written here.
  message(name, text, unreached = []) {
    const item = make("li", "", name ? {} : { class: "own" });
    item.append(make("b", name || "You", { dir: "auto" }), " ", make("span", text, { dir: "auto" }));
    if (unreached.length) item.append(" ", make("i", `(did not reach ${unreached.join(", ")})`));
    const log = find("messages");
    log.append(item);
    while (log.children.length > 500) log.firstChild.remove();
    log.scrollTop = log.scrollHeight;
  },

  soundBlocked(isBlocked) {
    find("wake").hidden = !isBlocked;
  },

  farewell(text, mayReturn = true) {
    say(find("farewell-text"), text);
    find("again").hidden = !mayReturn;
    this.show("farewell");
  },
};

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, label]) => make("option", label, { value })));
  select.value = options.some(([value]) => value === chosen) ? chosen : "";
}

function play(video, track) {
  if (video.srcObject?.getTracks()[0] !== (track ?? undefined)) video.srcObject = track && new MediaStream([track]);
}

// The label says what a click will do, so that nothing else need tell the state.
function turn(id, isOn, label) {
  find(id).classList.toggle("on", isOn);
  say(find(id), label);
}

// One row for each entry of a map; rows that are there stay, so that the focus does.
function keepRows(list, entries, makeRow) {
  for (const row of [...list.children]) if (!entries.has(row.dataset.id)) row.remove();
  for (const [id, entry] of entries) {
    if ([...list.children].some((row) => row.dataset.id === id)) continue;
    const row = makeRow(entry);
    row.dataset.id = id;
    list.append(row);
  }
}

function links(peer) {
  switch (peer.link) {
    case "connected": return "";
    case "lost": return "connection lost, trying again";
    case "failed": return peer.problem;
    case "slow": return "connecting takes long, still trying";
    default: return "connecting";
  }
}

function describe(row, { member, peer, wantsTime }, room) {
  const { status = {} } = member;
  const states = [
    links(peer), status.held && "on hold", status.muted && "muted",
    status.deafened && "hears nobody", status.recording && "records", member.role !== "guest" && member.role,
    wantsTime && "asks for more time",
  ].filter(Boolean);
  say(row.querySelector(".name"), member.name);
  say(row.querySelector(".state"), states.join(", "));
  say(row.querySelector(".quality"), peer.link === "connected" && !room.isHeld ? peer.quality.text : "");
  row.dataset.quality = peer.quality.word;
  const video = row.querySelector("video");
  video.hidden = !status.video || status.held || room.isHeld;
  play(video, video.hidden ? null : peer.picture);
  row.querySelector(".absence").hidden = !video.hidden;
  const extend = row.querySelector(".extend");
  if (extend) extend.hidden = !wantsTime;
  row.querySelector("details").hidden = peer.code === undefined;
  say(row.querySelector(".code"), peer.code === null
    ? "Somebody tampers with this connection. Leave, and join again by a fresh link."
    : `Read it to each other; equal words mean that nobody listens in: ${peer.code ?? ""}`);
}
