// The microphone and the speaker of this device.

export const noMicrophone = "none";

export class Sound {
  // The microphone's track; null: there is none.
  track = null;
  // Why there is none, in words; empty where it was not wanted.
  problem = "";
  onchange = () => {};
  #input = "";
  #output = "";
  #isMuted = false;
  #context = null;
  #analyser = null;
  #elements = new Map();

  get canChooseOutput() {
    return "setSinkId" in HTMLMediaElement.prototype;
  }

  // As { id, label }; labels are known once a device was allowed.
  async devices() {
    const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    const of = (kind, word) =>
      all.filter((device) => device.kind === kind && device.deviceId)
        .map((device, index) => ({ id: device.deviceId, label: device.label || `${word} ${index + 1}` }));
    const [inputs, outputs] = [of("audioinput", "Microphone"), of("audiooutput", "Speaker")];
    return { inputs, outputs, cameras: of("videoinput", "Camera") };
  }

  // Empty: the usual one; `noMicrophone` closes it.
  async openMicrophone(id) {
    this.#input = id;
    this.problem = "";
    let track = null;
    if (id !== noMicrophone) {
      try {
        track = await capture({ audio: id ? { deviceId: { exact: id } } : true });
      } catch (error) {
        this.problem = reasonOf(error, "microphone", "join to listen only");
      }
    }
    if (id !== this.#input) return track?.stop();
    this.track?.stop();
    this.track = track;
    if (track) {
      track.enabled = !this.#isMuted;
      track.onended = () => this.#lost(track);
    }
    this.#meter();
    this.onchange();
  }

  set isMuted(isMuted) {
    this.#isMuted = isMuted;
    if (this.track) this.track.enabled = !isMuted;
  }

  // 0…1, also while muted.
  get level() {
    if (!this.#analyser) return 0;
    const samples = new Float32Array(this.#analyser.fftSize);
    this.#analyser.getFloatTimeDomainData(samples);
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  }

  // Browsers let sound begin only after a click or a key.
  async wake() {
    await Promise.allSettled([this.#context?.resume(), ...[...this.#elements.values()].map((each) => each.play())]);
  }

  // Plays what a peer sends. Resolves to false where the browser wants a click first.
  async play(key, stream) {
    let element = this.#elements.get(key);
    if (!element) {
      element = new Audio();
      this.#elements.set(key, element);
      await this.#route(element);
    }
    element.srcObject = stream;
    try {
      await element.play();
      return true;
    } catch (error) {
      return error.name !== "NotAllowedError";
    }
  }

  stop(key) {
    const element = this.#elements.get(key);
    this.#elements.delete(key);
    if (element) element.srcObject = null;
  }

  async chooseOutput(id) {
    this.#output = id;
    await Promise.allSettled([...this.#elements.values()].map((element) => this.#route(element)));
  }

  set isSilent(isSilent) {
    for (const element of this.#elements.values()) element.muted = isSilent;
  }

  close() {
    this.track?.stop();
    this.track = null;
    for (const key of [...this.#elements.keys()]) this.stop(key);
  }

  async #route(element) {
    if (this.#output && this.canChooseOutput) await element.setSinkId(this.#output).catch(() => {});
  }

  // Of a copy: muting disables the track.
  #meter() {
    this.#analyser?.source.disconnect();
    this.#analyser?.source.mediaStream.getTracks().forEach((track) => track.stop());
    this.#analyser = null;
    if (!this.track) return;
    this.#context ??= new AudioContext();
    const copy = this.track.clone();
    copy.enabled = true;
    const source = this.#context.createMediaStreamSource(new MediaStream([copy]));
    const analyser = this.#context.createAnalyser();
    analyser.fftSize = 1024;
    source.connect(analyser);
    analyser.source = source;
    this.#analyser = analyser;
  }

  #lost(track) {
    if (track !== this.track) return;
    this.track = null;
    this.problem = "The microphone is gone. Choose another one.";
    this.#meter();
    this.onchange();
  }
}

// The first track of what browsers give, which some give to secure pages only.
export async function capture(constraints) {
  if (!navigator.mediaDevices?.getUserMedia) {
    throw new DOMException("", isSecureContext ? "NotSupportedError" : "SecurityError");
  }
  return (await navigator.mediaDevices.getUserMedia(constraints)).getTracks()[0];
}

// Why a microphone or a camera does not open, and what helps; `instead` is what can be done without it.
export function reasonOf({ name }, device, instead) {
  switch (name) {
    case "NotAllowedError":
      return `The browser may not use your ${device}. Allow it in the address bar, or ${instead}.`;
    case "NotFoundError":
    case "OverconstrainedError":
      return `There is no such ${device}. Plug one in, or ${instead}.`;
    case "NotReadableError":
      return `Another program holds your ${device}. Close it, or ${instead}.`;
    case "SecurityError":
      return `Browsers give the ${device} only to pages that come by https, or from this machine itself. `
        + "Ask the host for an https link, or forward the port with ssh -L and open the link with localhost as its host. "
        + `Or ${instead}.`;
    default:
      return `The ${device} cannot be opened (${name}). Choose another one, or ${instead}.`;
  }
}
