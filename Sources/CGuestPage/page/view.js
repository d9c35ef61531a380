// What stands on the page. Text goes in as text, never as markup.

import { noMicrophone } from "./sound.js";

const find = (id) => document.getElementById(id);

// A new element with its text and attributes.
function make(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Sets a text only where it differs, so that screen readers do not hear it again.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// The share of a bar for a level of 0…1: 60 dB wide.
const bar = (level) => Math.max(0, Math.min(1, 1 + Math.log10(Math.max(level, 1e-6)) / 3));

export const view = {
  name: find("name"),
  microphone: find("microphone"),
  speaker: find("speaker"),
  startMuted: find("start-muted"),
  chatText: find("chat-text"),

  // Which of the page's parts is to be seen: door, call or farewell.
  show(part) {
    for (const id of ["door", "call", "farewell"]) find(id).hidden = id !== part;
    find("sound").hidden = part === "farewell";
  },

  title(room) {
    find("title").textContent = room;
    document.title = room ? `${room} · hoot` : "hoot";
  },

  on(id, event, action) {
    find(id).addEventListener(event, action);
  },

  devices({ inputs, outputs }, { input, output, canChooseOutput }) {
    const options = [["", "Usual microphone"], ...inputs.map(({ id, label }) => [id, label]),
      [noMicrophone, "No microphone: listen only"]];
    fill(this.microphone, options, input);
    fill(this.speaker, [["", "Usual speaker"], ...outputs.map(({ id, label }) => [id, label])], output);
    find("speaker-field").hidden = !canChooseOutput || outputs.length === 0;
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
    while (notices.children.length > 5) notices.firstChild.remove();
  },

  call(room, hasMicrophone) {
    const { isMuted, isHeld, trouble } = room;
    const microphone = isHeld ? "On hold" : !hasMicrophone ? "No microphone" : isMuted ? "Muted" : "Microphone live";
    say(find("microphone-state"), microphone);
    find("microphone-state").className = microphone === "Microphone live" ? "live" : "";
    press("mute", isMuted, isMuted ? "Unmute" : "Mute");
    press("hold", isHeld, isHeld ? "Resume" : "Hold");
    find("mute").disabled = !hasMicrophone;
    say(find("trouble"), trouble);
    say(find("count"), room.people.size === 0 ? "Nobody else is here yet." : `${room.people.size + 1} in the call`);
    this.people(room);
  },

  people(room) {
    const list = find("people");
    for (const row of [...list.children]) if (!room.people.has(row.dataset.id)) row.remove();
    for (const [id, person] of room.people) {
      const row = [...list.children].find((each) => each.dataset.id === id) ?? list.appendChild(makeRow(id));
      describe(row, person, room);
    }
  },

  levels(room) {
    for (const row of find("people").children) {
      const person = room.people.get(row.dataset.id);
      if (!person) continue;
      row.querySelector("meter").value = bar(person.peer.level);
      say(row.querySelector(".speaks"), room.speaker === row.dataset.id ? "speaking" : "");
    }
  },

  message(name, text, unreached = []) {
    const item = make("li");
    item.append(make("b", name), " ", make("span", text));
    if (unreached.length) item.append(" ", make("i", `(did not reach ${unreached.join(", ")})`));
    const log = find("messages");
    log.append(item);
    item.scrollIntoView({ block: "nearest" });
  },

  soundBlocked(isBlocked) {
    find("wake").hidden = !isBlocked;
  },

  farewell(text) {
    this.show("farewell");
    say(find("farewell-text"), text);
    find("farewell").focus();
  },
};

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, label]) => make("option", label, { value })));
  select.value = options.some(([value]) => value === chosen) ? chosen : "";
}

function press(id, isPressed, label) {
  const button = find(id);
  button.setAttribute("aria-pressed", isPressed);
  say(button, label);
}

function makeRow(id) {
  const row = make("li");
  row.dataset.id = id;
  const code = make("details");
  code.append(make("summary", "Code to compare"), make("p", "", { class: "code" }));
  row.append(
    make("span", "", { class: "name" }), make("span", "", { class: "speaks" }), make("span", "", { class: "state" }),
    make("meter", "", { min: 0, max: 1, "aria-label": "Level" }), make("span", "", { class: "quality" }), code);
  return row;
}

function describe(row, { member, peer }, room) {
  const { status = {} } = member;
  const states = [
    peer.link === "connected" ? "" : peer.link, status.held && "on hold", status.muted && "muted",
    status.deafened && "hears nobody", status.recording && "records", member.role === "host" && "host",
  ].filter(Boolean);
  say(row.querySelector(".name"), member.name);
  say(row.querySelector(".state"), states.join(", "));
  say(row.querySelector(".quality"), peer.link === "connected" && !room.isHeld ? peer.quality.text : "");
  row.dataset.quality = peer.quality.word;
  row.querySelector("details").hidden = peer.code === undefined;
  say(row.querySelector(".code"), peer.code === null
    ? "Somebody tampers with this connection. Leave, and join again by a fresh link."
    : `Read it to each other; equal words mean that nobody listens in: ${peer.code ?? ""}`);
}
