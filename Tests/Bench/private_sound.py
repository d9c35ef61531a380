"""A private sound server with microphones and speakers for a call, and what a call is measured with."""
import os, pathlib, statistics, subprocess, threading, time
import numpy
from core_process import Core

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
    def __init__(self, base, sinks=("a_mic", "b_mic", "a_spk", "b_spk")):
        self.address = f"unix:{base}/pulse.sock"
        self.environment = dict(os.environ, HOME=base, XDG_RUNTIME_DIR=base, PULSE_SERVER=self.address)
        modules = [f"-Lmodule-null-sink sink_name={n} rate={RATE} channels=1 norewinds=1" for n in sinks]
        self.child = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no",
             "--high-priority=no", f"-Lmodule-native-protocol-unix socket={base}/pulse.sock auth-anonymous=1",
             *modules],
            env=self.environment, stderr=subprocess.DEVNULL)
        while subprocess.run(["pactl", "info"], env=self.environment, capture_output=True).returncode:
            time.sleep(0.05)

    def close(self):
        self.child.terminate()
        self.child.wait()

    def settings(self, microphone, speaker):
        """A core's, for these sinks."""
        return f"[audio]\nserver={self.address}\ninput={microphone}.monitor\noutput={speaker}\n"

    def say(self, samples):
        """Plays into the microphone of side a, to the end."""
        subprocess.run(["pacat", "-d", "a_mic", "--raw", "--format=float32le", "--channels=1", f"--rate={RATE}"],
                       input=samples.astype("<f4").tobytes(), env=self.environment, check=True)
        time.sleep(0.6)

    def repeat(self, wave, sink):
        """Plays a wave file into a sink over and over, until the process that does it is ended."""
        return subprocess.Popen(["ffmpeg", "-loglevel", "error", "-nostdin", "-stream_loop", "-1", "-i", wave,
                                 "-f", "pulse", "-device", sink, "speech"], env=self.environment)

    def add_microphone(self, name, sink):
        """What is played into a sink, as a microphone that browsers see: monitors are none to Chromium."""
        subprocess.run(["pactl", "load-module", "module-remap-source", f"source_name={name}", f"master={sink}.monitor"],
                       env=self.environment, check=True, capture_output=True)

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

    def __init__(self, server, base, program, address="127.0.0.1", within={"a": [], "b": []}, settings=""):
        cores = {side: Core(f"{base}/{side}", program, server.environment, within[side],
                            server.settings(f"{side}_mic", f"{side}_spk") + settings) for side in "ab"}
        cores["b"].join(cores["a"].host(address))
        for core in cores.values():
            core.hoot("mute", "off")
        self.cores, self.pids = cores.values(), {side: core.pid for side, core in cores.items()}
        time.sleep(1)

    def close(self):
        for core in self.cores:
            core.close()
