#!/usr/bin/env python3
"""Holds an audio call of four cores and four browsers on one machine, as JSON: what went wrong, and what it cost.

mesh.py HOOT   for MINUTES=10; everybody speaks all the time; fails when anybody is lost, reconnects or is missing
"""
import bench_environment

bench_environment.enter(bench_environment.PRIVATE_NETWORK)

import collections, json, os, shutil, subprocess, sys, tempfile, threading, time
from chromium import Chromium
from core_process import Core
from private_sound import SoundServer, usage

MINUTES = float(os.environ.get("MINUTES", 10))
PEOPLE = 8
TROUBLES = {"callEnded", "interrupted", "lost", "rejoined", "memberJoined", "memberLeft", "memberLost",
            "memberReturned", "connectionClosed"}
FIGURES = ("packetsReceived", "packetsLost", "totalSamplesReceived", "concealedSamples", "silentConcealedSamples")

# Credentials change with an ICE restart, and there are more of them after a reconnection.
PROBE = """
window.bench = {
  connections: [], sockets: 0, troubles: [],
  credentials() {
    return this.connections.flatMap(({ localDescription, remoteDescription }) =>
      [localDescription, remoteDescription].map((each) => /^a=ice-ufrag:(.*)$/m.exec(each?.sdp)?.[1]));
  },
  get connected() { return this.connections.filter((each) => each.connectionState === "connected").length; },
  async heard() {
    const all = await Promise.all(this.connections.map((each) => each.getStats()));
    const isHeard = ({ type, kind }) => type === "inbound-rtp" && kind === "audio";
    return all.flatMap((each) => [...each.values()].filter(isHeard));
  },
  join(name) {
    const field = document.getElementById("name");
    if (!field?.offsetParent) return false;
    field.value = name;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector("#join button").click();
    return true;
  },
};
window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(...configuration) {
    super(...configuration);
    bench.connections.push(this);
    this.addEventListener("connectionstatechange", () => {
      if (this.connectionState !== "connected") bench.troubles.push(this.connectionState);
    });
  }
};
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    bench.sockets += 1;
  }
};
"""


def until_empty(missing):
    end = time.monotonic() + 120
    while texts := missing():
        if time.monotonic() > end:
            raise TimeoutError("; ".join(texts))
        time.sleep(0.5)


class MeshCore(Core):
    def watch(self):
        """Notes from now on what happens to the call and to the links of the others."""
        self.troubles = []
        protocol = json.loads(self.hoot("ctl", "core.hello"))["protocol"]
        self.watcher = subprocess.Popen([*self.words, "ctl", "-"], env=self.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        for number, (method, parameters) in enumerate([
                ("core.hello", {"protocol": protocol}), ("core.subscribe", {"levels": False, "statistics": False})]):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
            self.watcher.stdin.write(json.dumps(request) + "\n")
        self.watcher.stdin.flush()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.watcher.stdout:
            message = json.loads(line)
            parameters = message.get("params", {})
            if "error" in message:
                self.troubles.append(message["error"]["message"])
            if parameters.get("kind") in TROUBLES:
                self.troubles.append(f"{parameters['kind']}: {parameters['text']}")
            for call in (parameters.get("patch", {}).get("calls") or {}).values():
                for person in ((call or {}).get("people") or {}).values():
                    if (person or {}).get("link", "connected") != "connected":
                        self.troubles.append(f"link {person['link']}")
        self.troubles.append("the core has ended")

    def connected(self):
        calls = json.loads(self.hoot("ctl", "core.state"))["state"]["calls"]
        return sum(person["link"] == "connected" for call in calls.values() for person in call["people"].values())

    def heard(self):
        people = json.loads(self.hoot("ctl", "stats.get"))["participants"].values()
        return [stream for person in people for stream in person.get("inbound-rtp", []) if stream["kind"] == "audio"]

    def close(self):
        if hasattr(self, "watcher"):
            self.watcher.terminate()
            self.watcher.wait()
        super().close()


class Guest:
    """A browser's page in the call."""

    def __init__(self, page, link, name):
        self.page = page
        page.open(link, PROBE)
        joining = f"window.bench?.join({json.dumps(name)})"
        until_empty(lambda: [] if page.evaluate(joining) else [f"{name}: the page does not ask for a name"])

    def watch(self):
        self.page.evaluate("bench.troubles.length = 0")
        self.before = self.identity()

    def identity(self):
        return self.page.evaluate("[bench.credentials(), bench.sockets]")

    @property
    def troubles(self):
        changed = [] if self.identity() == self.before else ["another connection or an ICE restart"]
        return self.page.evaluate("bench.troubles") + changed

    def connected(self):
        return self.page.evaluate("bench.connected")

    def heard(self):
        return self.page.evaluate("bench.heard()")


class Mesh:
    def __init__(self, base, program):
        self.server = SoundServer(base, ["voice", "ear"])
        self.server.add_microphone("microphone", "voice")
        self.speech = self.server.repeat(bench_environment.recording("demo-congrats"), "voice")
        self.cores, self.people = {}, {}
        sounding = dict(self.server.environment, PULSE_SOURCE="microphone", PULSE_SINK="ear")
        self.chromium = Chromium(
            base, "--ignore-certificate-errors", "--use-fake-ui-for-media-stream", "--disable-renderer-backgrounding",
            "--autoplay-policy=no-user-gesture-required", "--disable-background-timer-throttling", environment=sounding)
        try:
            self.gather(base, program)
        except BaseException:
            self.close()
            raise

    def gather(self, base, program):
        settings = self.server.settings("voice", "ear")
        for name in ("core 1", "core 2", "core 3", "core 4"):
            core = MeshCore(f"{base}/{name}", program, self.server.environment, settings=settings)
            self.cores[name] = self.people[name] = core
            if len(self.cores) == 1:
                link = core.host(name=name)
            else:
                core.join(link, name)
            core.hoot("mute", "off")
        for name in ("browser 1", "browser 2", "browser 3", "browser 4"):
            self.people[name] = Guest(self.chromium.page(), link, name)
        until_empty(self.missing)
        time.sleep(3)
        for person in self.people.values():
            person.watch()

    def missing(self):
        """Who is not connected to everybody else."""
        counts = {name: person.connected() for name, person in self.people.items()}
        return [f"{name}: connected to {count}" for name, count in counts.items() if count != PEOPLE - 1]

    def heard(self):
        """The figures of all streams together, by who hears them."""
        sums = {}
        for name, person in self.people.items():
            sums[name] = collections.Counter()
            for stream in person.heard():
                sums[name].update({figure: stream.get(figure, 0) for figure in FIGURES})
        return sums

    def measure(self, seconds):
        pids = {name: core.pid for name, core in self.cores.items()}
        heard, used, begun = self.heard(), {name: usage(pid)[0] for name, pid in pids.items()}, time.monotonic()
        time.sleep(seconds)
        elapsed, after = time.monotonic() - begun, {name: usage(pid) for name, pid in pids.items()}
        troubles = [f"{name}: {text}" for name, person in self.people.items() for text in person.troubles]
        figures = {}
        for name, sums in self.heard().items():
            sums.subtract(heard[name])
            concealed = sums["concealedSamples"] - sums["silentConcealedSamples"]
            figures[name] = {"packetsReceived": sums["packetsReceived"], "packetsLost": sums["packetsLost"],
                             "concealedPercent": round(100 * concealed / max(1, sums["totalSamplesReceived"]), 3)}
            if name in pids:
                figures[name]["cpuPercent"] = round(100 * (after[name][0] - used[name]) / elapsed, 2)
                figures[name]["residentMB"] = round(after[name][1], 1)
        return {"seconds": round(elapsed), "reconnects": len(troubles), "troubles": troubles, "missing": self.missing(),
                "people": figures}

    def close(self):
        self.chromium.close()
        for core in self.cores.values():
            core.close()
        self.speech.terminate()
        self.speech.wait()
        self.server.close()


def main():
    base = tempfile.mkdtemp(prefix="hoot-bench-")
    try:
        mesh = Mesh(base, sys.argv[1])
        try:
            result = mesh.measure(60 * MINUTES)
        finally:
            mesh.close()
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(json.dumps({"machine": bench_environment.machine(), "load": os.getloadavg()[0], "mesh": result}, indent=1))
    sys.exit(bool(result["troubles"] or result["missing"]))


main()
