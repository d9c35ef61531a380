// How well one connection does, from its statistics (W3C webrtc-stats).

export class Quality {
  // Shares lost in the last seconds, in percent, and the round trip in milliseconds; null: not known.
  lossFrom = null;
  lossTo = null;
  roundTrip = null;
  #received = { packets: 0, lost: 0 };
  #reported = { packets: 0, lost: 0 };

  async measure(connection) {
    let received = null;
    let remote = null;
    for (const entry of (await connection.getStats()).values()) {
      if (entry.type === "inbound-rtp" && entry.kind === "audio") {
        received = { packets: entry.packetsReceived, lost: Math.max(0, entry.packetsLost) };
      } else if (entry.type === "remote-inbound-rtp" && entry.kind === "audio") {
        remote = entry;
      } else if (entry.type === "candidate-pair" && entry.nominated && entry.currentRoundTripTime != null) {
        this.roundTrip = entry.currentRoundTripTime * 1000;
      }
    }
    if (remote?.roundTripTime != null) this.roundTrip = remote.roundTripTime * 1000;
    if (remote?.fractionLost != null) this.lossTo = remote.fractionLost * 100;
    if (!received) return;
    const { expected, lost } = difference(received, this.#received);
    if (expected > 0) this.lossFrom = (lost / expected) * 100;
    this.#received = received;
  }

  takeReport() {
    const report = difference(this.#received, this.#reported);
    this.#reported = this.#received;
    return report;
  }

  // The worst of it in a word.
  get word() {
    const loss = Math.max(this.lossFrom ?? 0, this.lossTo ?? 0);
    const roundTrip = this.roundTrip ?? 0;
    if (this.lossFrom == null && this.roundTrip == null) return "";
    if (loss >= 5 || roundTrip >= 400) return "poor";
    return loss >= 1 || roundTrip >= 200 ? "fair" : "good";
  }

  get text() {
    if (!this.word) return "";
    const loss = Math.max(this.lossFrom ?? 0, this.lossTo ?? 0);
    const parts = [this.word, `${loss < 10 ? loss.toFixed(1) : Math.round(loss)} % lost`];
    if (this.roundTrip != null) parts.push(`${Math.round(this.roundTrip)} ms`);
    return parts.join(", ");
  }
}

function difference(now, before) {
  const lost = Math.max(0, now.lost - before.lost);
  return { expected: Math.max(0, now.packets - before.packets) + lost, lost };
}
