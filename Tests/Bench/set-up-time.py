#!/usr/bin/env python3
"""Measures the time from an answer to the first keys, ICE and DTLS, as JSON in milliseconds.

set-up-time.py HOOT [rounds=20]   two cores and Chromium with itself, in turns; then two cores over lines of 100 ms
"""
import json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time
import bench_environment
from impaired_link import ImpairedLink

PAGE = """(async () => {
  const [one, two] = [new RTCPeerConnection(), new RTCPeerConnection()];
  one.onicecandidate = ({ candidate }) => two.addIceCandidate(candidate);
  two.onicecandidate = ({ candidate }) => one.addIceCandidate(candidate);
  one.addTransceiver("audio");
  await one.setLocalDescription();
  await two.setRemoteDescription(one.localDescription);
  await two.setLocalDescription();
  const begun = performance.now();
  const connected = new Promise((resolve) => {
    one.onconnectionstatechange = () => one.connectionState === "connected" && resolve(performance.now() - begun);
  });
  await one.setRemoteDescription(two.localDescription);
  const time = await connected;
  one.close();
  two.close();
  return time;
})()"""


class Chromium:
    """Driven by its debugging protocol over two pipes, with which it ends."""

    def __init__(self, base):
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--no-proxy-server", f"--user-data-dir={base}/chromium",
            "--remote-debugging-pipe", "--allow-loopback-in-peer-connection",
            "--disable-features=WebRtcHideLocalIpsWithMdns", "about:blank"]
        self.child = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh", *command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=base))
        self.count, self.session = 0, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def ask(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.child.stdin.write(json.dumps(message).encode() + b"\0")
        self.child.stdin.flush()
        while True:
            text = b""
            while (byte := self.child.stdout.read(1)) != b"\0":
                if not byte:
                    raise OSError("chromium has ended")
                text += byte
            answer = json.loads(text)
            if answer.get("id") == self.count:
                return answer["result"]

    def connect(self):
        answer = self.ask("Runtime.evaluate", expression=PAGE, awaitPromise=True, returnByValue=True)
        return answer["result"]["value"]

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Cores:
    """Two cores without sound; the second joins the first one's room, so it offers."""

    def __init__(self, base, program, address="127.0.0.1", within={"a": [], "b": []}):
        self.base, self.program, self.within = base, program, within
        self.link = self.hoot("a", "host", "bench", "--listen", f"{address}:0").split()[0]

    def hoot(self, side, *words, **more):
        folders = {f"HOOT_{n}_DIR": f"{self.base}/{side}/{n.lower()}" for n in ("RUNTIME", "CONFIG", "STATE")}
        environment = dict(os.environ, PULSE_SERVER=f"unix:{self.base}/none", **folders)
        return subprocess.run(
            [*self.within[side], self.program, *words], env=environment, check=True, capture_output=True, text=True,
            **more).stdout

    def connect(self):
        self.hoot("b", "join", "-", input=self.link + "\n")
        try:
            return 1000 * self.set_up_time()
        finally:
            self.hoot("b", "leave")

    def set_up_time(self):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            for person in json.loads(self.hoot("b", "ctl", "stats.get"))["participants"].values():
                for transport in person.get("transport", []):
                    if "setUpTime" in transport:
                        return transport["setUpTime"]
            time.sleep(0.05)
        raise TimeoutError("not connected within 20 s")

    def close(self):
        for side in "ab":
            self.hoot(side, "core", "stop")


def over_line(program, loss, rounds):
    """All over one line, signalling too: 50 ms each way."""
    base = tempfile.mkdtemp(prefix="hoot-bench-")
    line = ImpairedLink(loss, 50, 0, 1)
    cores = Cores(base, program, line.ADDRESSES["a"], {side: line.within(side) for side in "ab"})
    line.impairs = True
    try:
        return sorted(cores.connect() for _ in range(rounds))
    finally:
        line.impairs = False
        cores.close()
        line.close()
        shutil.rmtree(base, ignore_errors=True)


def on_loopback(program, rounds):
    base = tempfile.mkdtemp(prefix="hoot-bench-")
    cores, chromium = Cores(base, program), Chromium(base)
    try:
        pairs = [(cores.connect(), chromium.connect()) for _ in range(rounds + 2)]
        return [sorted(times) for times in zip(*pairs[2:])]
    finally:
        chromium.close()
        cores.close()
        shutil.rmtree(base, ignore_errors=True)


def figures(times):
    return {"median": round(statistics.median(times), 1), "p95": round(times[int(0.95 * (len(times) - 1))], 1),
            "longest": round(times[-1], 1)}


def main():
    options = dict(word.split("=") for word in sys.argv[2:])
    rounds = int(options.get("rounds", 20))
    hoot, chromium = on_loopback(sys.argv[1], rounds)
    result = {
        "loopback": {"hoot": figures(hoot), "chromium": figures(chromium),
                     "ratio": round(statistics.median(hoot) / statistics.median(chromium), 2)},
        "100 ms": figures(over_line(sys.argv[1], 0, rounds)),
        "100 ms, 10 % lost": figures(over_line(sys.argv[1], 10, 2 * rounds)),
    }
    print(json.dumps({"machine": bench_environment.machine(), "load": os.getloadavg()[0], "setUpMs": result}, indent=1))


main()
