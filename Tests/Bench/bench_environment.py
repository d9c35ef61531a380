"""The Python that the measurements run in: a virtual environment of their own, made on the first run."""
import os, pathlib, platform, subprocess, sys, tempfile

SPEECH = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison")
WORK = pathlib.Path(os.environ.get("TMPDIR", tempfile.gettempdir())) / "hoot-bench"


# Words that enter a network of one's own, which is loopback alone.
PRIVATE_NETWORK = ["unshare", "-rn", "sh", "-ec", 'ip link set lo up; ip route add default dev lo; exec "$@"', "sh"]


def enter(within=()):
    """Starts the running script over with that environment's Python; `within` are words to come before it."""
    python = WORK / "venv/bin/python"
    if pathlib.Path(sys.executable) == python:
        return
    if not python.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", WORK / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "numpy<2.4", "scipy", "pesq==0.0.4"], check=True)
    words = [*within, str(python), *sys.argv]
    os.execvp(words[0], words)


def machine():
    return {"cpu": platform.processor() or platform.machine(), "cores": os.cpu_count(), "kernel": platform.release()}


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *map(str, arguments)], check=True)


def recording(name):
    """One of the recordings, as a wave file at 48 kHz."""
    wave = WORK / f"{name}.wav"
    if not wave.exists():
        ffmpeg("-f", "g722", "-i", SPEECH / f"{name}.g722", "-ar", 48000, "-ac", 1, wave)
    return wave
