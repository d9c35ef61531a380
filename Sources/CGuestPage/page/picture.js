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
  // Whether it is on or asked for.
  isWanted = false;
  // Tells an answer that is wished for from one that comes too late.
  #turn = 0;

  async turn(isOn) {
    const turn = ++this.#turn;
    this.isWanted = isOn;
    // To others the next camera is the same picture.
    if (isOn && this.track) this.track.stop();
    else this.#take(null, "");
    if (!isOn) return;
    const video = { width: 640, height: 480, frameRate: { max: 30 }, ...(this.id && { deviceId: { exact: this.id } }) };
    try {
      const track = await capture({ video });
      if (turn === this.#turn) this.#take(track, "");
      else track.stop();
    } catch (error) {
      if (turn === this.#turn) this.#fail(reasonOf(error, "camera", "do without it"));
    }
  }

  #fail(problem) {
    this.isWanted = false;
    this.#take(null, problem);
  }

  #take(track, problem) {
    this.track?.stop();
    if (track) track.onended = () => this.#fail("The camera is gone. Choose another one.");
    this.track = track;
    this.problem = problem;
    this.onchange();
  }
}
