"""A private sound server with a microphone and a speaker for each side of a call, and what a call is measured with."""
import os, pathlib, statistics, subprocess, threading, time
import numpy

RATE = 48000
CHIRP = numpy.sin(2 * numpy.pi * (500 + 40000 * numpy.arange(2400) / RATE) * numpy.arange(2400) / RATE)
CHIRP *= numpy.hanning(CHIRP.size)


class Recorder(threading.Thread):
    """Records a source; `begin` is when its first sample was heard, told by the fastest block of all."""

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
        self.begin = min(start for count, start in self.start_times if count > RATE // 2)
        return numpy.frombuffer(b"".join(self.blocks), "<f4")


def chirp_times(recorder, count):
    samples = recorder.finish()
    size = 1 << (samples.size + CHIRP.size).bit_length()
    match = numpy.abs(numpy.fft.irfft(numpy.fft.rfft(samples, size) * numpy.conj(numpy.fft.rfft(CHIRP, size))))
    match = match[: samples.size]
    found, threshold = [], 0.3 * match.max()
    while len(found) < count and (peak := int(match.argmax())) >= 0 and match[peak] > threshold:
        found.append(recorder.begin + peak / RATE)
        match[max(0, peak - RATE // 2) : peak + RATE // 2] = 0
    return sorted(found)


def usage(pid):
    """Processor seconds so far, and resident megabytes."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    resident = next(l for l in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if l.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(resident.split()[1]) / 1000


class SoundServer:
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

    def close(self):
        self.child.terminate()
        self.child.wait()

    def say(self, samples):
        """Plays into the microphone of side a, to the end."""
        subprocess.run(["pacat", "-d", "a_mic", "--raw", "--format=float32le", "--channels=1", f"--rate={RATE}"],
                       input=samples.astype("<f4").tobytes(), env=self.environment, check=True)
        time.sleep(0.6)

    def record(self, source):
        return Recorder(f"{source}.monitor", self.environment)

    def measure(self, pids, seconds):
        """Delay from a's mouth to b's ear, what both processes used meanwhile, and whether all was heard."""
        before = {name: usage(pid)[0] for name, pid in pids.items()}
        mouth, ear = self.record("a_mic"), self.record("b_spk")
        signal = numpy.zeros(int(seconds * RATE))
        starts = range(RATE, signal.size - RATE, int(1.213 * RATE))
        for start in starts:
            signal[start : start + CHIRP.size] = 0.4 * CHIRP
        begin = time.monotonic()
        self.say(signal)
        elapsed = time.monotonic() - begin
        after = {name: usage(pid) for name, pid in pids.items()}
        spoken, heard = chirp_times(mouth, len(starts)), chirp_times(ear, len(starts))
        delays = [next((h - s for h in heard if 0 < h - s < 1), None) for s in spoken]
        known = sorted(1000 * d for d in delays if d is not None)
        if len(known) < len(starts):
            raise ValueError(f"{len(known)} of {len(starts)} chirps were heard")
        low, high = numpy.percentile(known, [5, 95])
        return {
            "mouthToEarMs": round(statistics.median(known), 1), "p95MinusP5Ms": round(high - low, 1),
            "heard": len(known),
            "cpuPercent": {n: round(100 * (after[n][0] - before[n]) / elapsed, 2) for n in pids},
            "residentMB": {n: round(after[n][1], 1) for n in pids},
        }


class HootCall:
    """Two cores of `program` in one call; `within[side]` are the words that enter that side's network."""

    def __init__(self, server, base, program, address="127.0.0.1", within=None, settings=""):
        self.server, self.base, self.program, self.within = server, base, program, within or {"a": [], "b": []}
        for side in "ab":
            pathlib.Path(f"{base}/{side}/config").mkdir(parents=True)
            pathlib.Path(f"{base}/{side}/config/hoot.conf").write_text(
                f"[audio]\nserver={server.address}\ninput={side}_mic.monitor\noutput={side}_spk\n{settings}")
        link = self.hoot("a", "host", "bench", "--listen", f"{address}:0").split()[0]
        self.hoot("b", "join", "-", input=link + "\n")
        for side in "ab":
            self.hoot(side, "mute", "off")
        self.pids = {s: int(pathlib.Path(f"{base}/{s}/state/core.lock").read_text().split()[0]) for s in "ab"}
        time.sleep(1)

    def hoot(self, side, *words, **more):
        folders = {f"HOOT_{n}_DIR": f"{self.base}/{side}/{n.lower()}" for n in ("RUNTIME", "CONFIG", "STATE")}
        return subprocess.run(
            [*self.within[side], self.program, *words], env=dict(self.server.environment, **folders), check=True,
            capture_output=True, text=True, **more).stdout

    def close(self):
        for side in "ab":
            self.hoot(side, "core", "stop")
