#!/usr/bin/env python3
"""Measures a call between two programs on a private sound server, as JSON: mouth-to-ear delay, processor time, memory.

call.py HOOT [seconds=20] [runs=2]   hoot with 20 ms and 10 ms frames; baresip beside it where it is installed
"""
import bench_environment

bench_environment.enter()

import json, os, pathlib, platform, shutil, statistics, subprocess, sys, tempfile, threading, time
import numpy

RATE = 48000
CHIRP = numpy.sin(2 * numpy.pi * (500 + 40000 * numpy.arange(2400) / RATE) * numpy.arange(2400) / RATE)
CHIRP *= numpy.hanning(CHIRP.size)


class Recorder(threading.Thread):
    """Records a source; `times` tells when its first sample was heard, by the fastest block of all."""

    def __init__(self, source, environment):
        super().__init__(daemon=True)
        self.blocks, self.count, self.start_times = [], 0, []
        self.child = subprocess.Popen(
            ["parec", "-d", source, "--raw", "--format=float32le", "--channels=1", f"--rate={RATE}", "--latency-msec=5"],
            stdout=subprocess.PIPE, env=environment, bufsize=0)
        self.start()

    def run(self):
        while block := os.read(self.child.stdout.fileno(), 65536):
            self.count += len(block) // 4
            self.start_times.append((self.count, time.monotonic() - self.count / RATE))
            self.blocks.append(block)

    def finish(self):
        self.child.terminate()
        self.child.wait()
        self.join()
        begin = min(start for count, start in self.start_times if count > RATE // 2)
        return numpy.frombuffer(b"".join(self.blocks), "<f4"), begin


def chirp_times(recorder, count):
    samples, begin = recorder.finish()
    size = 1 << (samples.size + CHIRP.size).bit_length()
    match = numpy.abs(numpy.fft.irfft(numpy.fft.rfft(samples, size) * numpy.conj(numpy.fft.rfft(CHIRP, size))))
    match = match[: samples.size]
    found, threshold = [], 0.3 * match.max()
    while len(found) < count and (peak := int(match.argmax())) >= 0 and match[peak] > threshold:
        found.append(begin + peak / RATE)
        match[max(0, peak - RATE // 2) : peak + RATE // 2] = 0
    return sorted(found)


def usage(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    resident = next(l for l in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if l.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(resident.split()[1]) / 1000


class Server:
    """A private sound server with a microphone and a speaker for each side."""

    def __init__(self, base):
        self.address = f"unix:{base}/pulse.sock"
        self.environment = dict(os.environ, HOME=base, XDG_RUNTIME_DIR=base, PULSE_SERVER=self.address)
        sinks = [f"-Lmodule-null-sink sink_name={n} rate={RATE} channels=1 norewinds=1"
                 for n in ("a_mic", "b_mic", "a_spk", "b_spk")]
        self.child = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no",
             "--high-priority=no", f"-Lmodule-native-protocol-unix socket={base}/pulse.sock auth-anonymous=1", *sinks],
            env=self.environment, stderr=subprocess.DEVNULL)
        while subprocess.run(["pactl", "info"], env=self.environment, capture_output=True).returncode:
            time.sleep(0.05)

    def measure(self, pids, seconds):
        before = {name: usage(pid)[0] for name, pid in pids.items()}
        mouth, ear = Recorder("a_mic.monitor", self.environment), Recorder("b_spk.monitor", self.environment)
        signal = numpy.zeros(int(seconds * RATE), "<f4")
        starts = range(RATE, signal.size - RATE, int(1.213 * RATE))
        for start in starts:
            signal[start : start + CHIRP.size] = 0.4 * CHIRP
        begin = time.monotonic()
        subprocess.run(["pacat", "-d", "a_mic", "--raw", "--format=float32le", "--channels=1", f"--rate={RATE}"],
                       input=signal.tobytes(), env=self.environment, check=True)
        time.sleep(0.6)
        elapsed = time.monotonic() - begin
        after = {name: usage(pid) for name, pid in pids.items()}
        spoken, heard = chirp_times(mouth, len(starts)), chirp_times(ear, len(starts))
        delays = [next((h - s for h in heard if 0 < h - s < 1), None) for s in spoken]
        known = sorted(1000 * d for d in delays if d is not None)
        return {
            "mouthToEarMs": round(statistics.median(known), 1), "spreadMs": round(known[-1] - known[0], 1),
            "heard": len(known), "spoken": len(spoken),
            "cpuPercent": {n: round(100 * (after[n][0] - before[n]) / elapsed, 2) for n in pids},
            "residentMB": {n: round(after[n][1], 1) for n in pids},
        }


def hoot_call(server, base, program, frame, seconds):
    pids = {}
    def hoot(side, *words, **more):
        folder = f"{base}/{side}"
        environment = dict(server.environment, **{f"HOOT_{n}_DIR": f"{folder}/{n.lower()}" for n in ("RUNTIME", "CONFIG", "STATE")})
        return subprocess.run([program, *words], env=environment, check=True, capture_output=True, text=True, **more).stdout
    for side in "ab":
        pathlib.Path(f"{base}/{side}/config").mkdir(parents=True)
        pathlib.Path(f"{base}/{side}/config/hoot.conf").write_text(
            f"[audio]\nserver={server.address}\ninput={side}_mic.monitor\noutput={side}_spk\nframe-ms={frame}\n"
            "echo-cancellation=off\nnoise-suppression=off\ngain-control=off\n")
    try:
        link = hoot("a", "host", "bench", "--listen", "127.0.0.1:0").split()[0]
        hoot("b", "join", "-", input=link + "\n")
        for side in "ab":
            hoot(side, "mute", "off")
            pids[side] = int(pathlib.Path(f"{base}/{side}/state/core.lock").read_text().split()[0])
        time.sleep(1)
        return server.measure(pids, seconds)
    finally:
        for side in "ab":
            hoot(side, "core", "stop")


def baresip_call(server, base, seconds):
    children = {}
    for side, port in (("b", 15080), ("a", 15070)):
        folder = pathlib.Path(f"{base}/baresip-{side}")
        folder.mkdir()
        (folder / "accounts").write_text(f"<sip:{side}@127.0.0.1:{port}>;regint=0;answermode=auto\n")
        (folder / "config").write_text(
            f"sip_listen 127.0.0.1:{port}\naudio_player pulse,{side}_spk\naudio_source pulse,{side}_mic.monitor\n"
            "module_path /usr/lib/baresip/modules\nmodule opus.so\nmodule pulse.so\nmodule account.so\nmodule menu.so\n"
            "jitter_buffer_delay 1-5\naudio_buffer 20-60\n")
        dial = ["-e", "/dial sip:b@127.0.0.1:15080"] if side == "a" else []
        children[side] = subprocess.Popen(
            ["baresip", "-f", str(folder), *dial], env=server.environment, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
    try:
        time.sleep(3)
        return server.measure({side: child.pid for side, child in children.items()}, seconds)
    finally:
        for child in children.values():
            child.terminate()
            child.wait()


def run(name, seconds, program):
    base = tempfile.mkdtemp(prefix="hoot-bench-")
    server = Server(base)
    try:
        if name == "baresip":
            return baresip_call(server, base, seconds)
        return hoot_call(server, base, program, int(name.split()[1]), seconds)
    finally:
        server.child.terminate()
        server.child.wait()
        shutil.rmtree(base, ignore_errors=True)


def main():
    options = dict(word.split("=") for word in sys.argv[2:])
    seconds, runs = float(options.get("seconds", 20)), int(options.get("runs", 2))
    names = ["hoot 20 ms", "hoot 10 ms"] + (["baresip"] if shutil.which("baresip") else [])
    results = {name: [] for name in names}
    for _ in range(runs):
        for name in names:
            try:
                results[name].append(run(name, seconds, sys.argv[1]))
            except (subprocess.CalledProcessError, statistics.StatisticsError, OSError, ValueError) as error:
                results[name].append({"error": str(error)})
    machine = {"cpu": platform.processor() or platform.machine(), "cores": os.cpu_count(), "kernel": platform.release()}
    print(json.dumps({"machine": machine, "load": os.getloadavg()[0], "calls": results}, indent=2))


main()
