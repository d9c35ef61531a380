// The camera of this device.

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
      const stream = await navigator.mediaDevices.getUserMedia({ video });
      this.#take(stream.getVideoTracks()[0], "");
    } catch ({ name }) {
      this.#take(null, `The camera cannot be opened (${name}).`);
    }
  }

  #take(track, problem) {
    this.track?.stop();
    if (track) track.onended = () => this.#take(null, "The camera is gone.");
    this.track = track;
    this.problem = problem;
    this.onchange();
  }
}
