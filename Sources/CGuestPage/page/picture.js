// The camera of this device.

import { capture, reasonOf } from "./sound.js";

export class Picture {
  // The camera's track; null: it is off.
  track = null;
  // Why it is off, in words; empty where that was wished.
  problem = "";
  onchange = () => {};
  // The camera to open; empty: the usual one.
  id = "";

  async turn(isOn) {
    this.#take(null, "");
    if (!isOn) return;
    const video = { width: 640, height: 480, frameRate: { max: 30 }, ...(this.id && { deviceId: { exact: this.id } }) };
    try {
      this.#take(await capture({ video }), "");
    } catch (error) {
      this.#take(null, reasonOf(error, "camera", "do without it"));
    }
  }

  #take(track, problem) {
    this.track?.stop();
    if (track) track.onended = () => this.#take(null, "The camera is gone. Choose another one.");
    this.track = track;
    this.problem = problem;
    this.onchange();
  }
}
