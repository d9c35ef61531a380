#!/usr/bin/env python3
"""Measures the time from an answer to the first keys, ICE and DTLS, as JSON in milliseconds.

set-up-time.py HOOT [rounds=20]   two cores and Chromium with itself, in turns; then two cores over lines of 100 ms
"""
import json, os, shutil, statistics, sys, tempfile, time
import bench_environment
from chromium import Chromium
from core_process import Core
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


class Cores:
    """Two cores without sound; the second joins the first one's room, so it offers."""

    def __init__(self, base, program, address="127.0.0.1", within={"a": [], "b": []}):
        silent = dict(os.environ, PULSE_SERVER=f"unix:{base}/none")
        self.host, self.guest = (Core(f"{base}/{side}", program, silent, within[side]) for side in "ab")
        self.link = self.host.host(address)

    def connect(self):
        self.guest.join(self.link)
        try:
            return 1000 * self.set_up_time()
        finally:
            self.guest.hoot("leave")

    def set_up_time(self):
        time.sleep(0.3)  # What is measured is not to be disturbed by asking.
        end = time.monotonic() + 20
        while time.monotonic() < end:
            for person in json.loads(self.guest.hoot("ctl", "stats.get"))["participants"].values():
                for transport in person.get("transport", []):
                    if "setUpTime" in transport:
                        return transport["setUpTime"]
            time.sleep(0.05)
        raise TimeoutError("not connected within 20 s")

    def close(self):
        for core in (self.host, self.guest):
            core.close()


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
        page = chromium.page()
        pairs = [(cores.connect(), page.evaluate(PAGE)) for _ in range(rounds + 2)]
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
