#!/usr/bin/env python3
"""Scores recorded speech through the codec path against a plain libopus receiver, as JSON (PESQ-WB, ITU-T P.862.2).

speech-quality.py HOOT-BENCH [option=value ...]   further options go to `hoot-bench codec`
Needs ffmpeg and asterisk-core-sounds-en-g722; installs pesq into a virtual environment of its own.
"""
import bench_environment

bench_environment.enter()

import concurrent.futures, json, os, statistics, subprocess, sys

from bench_environment import WORK

RECORDINGS = ["demo-congrats", "demo-instruct"]
SEGMENT_SECONDS = int(os.environ.get("SEGMENT_SECONDS", "9"))
# What is sent at the losses at which copies are (RFC 2198).
COPIES = [(10, ["copies=1"]), (20, ["copies=2"]), (20, ["copies=2", "burst=2"])]
# Seconds of sound before each clip, so that what is scored is a call that goes on.
LEAD = "lead=3"
LOSSES = [int(n) for n in os.environ.get("LOSSES", "0 5 10 20").split()]
SEEDS = [int(n) for n in os.environ.get("SEEDS", "1 2 3").split()]
CLIPS = int(os.environ.get("CLIPS", "10"))


def clips():
    """Segments of the recordings at 48 kHz."""
    found = []
    for name in RECORDINGS:
        source = bench_environment.recording(name)
        seconds = (source.stat().st_size - 44) / 96000
        for index in range(int(seconds // SEGMENT_SECONDS)):
            clip = WORK / f"{name}-{SEGMENT_SECONDS}-{index}.wav"
            if not clip.exists():
                bench_environment.ffmpeg("-ss", index * SEGMENT_SECONDS, "-t", SEGMENT_SECONDS, "-i", source, clip)
            found.append(clip)
    return found[:CLIPS]


def at_16_khz(path):
    import numpy, scipy.io.wavfile, scipy.signal
    _, samples = scipy.io.wavfile.read(path)
    return scipy.signal.resample_poly(samples.astype(numpy.float64), 1, 3).astype(numpy.int16)


def score(job):
    import pesq
    bench, clip, (loss, case), seed, is_reference, options = job
    out = WORK / f"out-{os.getpid()}.wav"
    run = subprocess.run(
        [bench, "codec", clip, out, f"loss={loss}", f"seed={seed}", f"reference={int(is_reference)}", LEAD,
         *case, *options],
        check=True, capture_output=True, text=True)
    value = pesq.pesq(16000, at_16_khz(clip), at_16_khz(out), "wb")
    out.unlink()
    return (loss, case), is_reference, value, json.loads(run.stdout)


def main():
    bench, options = sys.argv[1], sys.argv[2:]
    cases = [(loss, []) for loss in LOSSES] + [case for case in COPIES if case[0] in LOSSES]
    jobs = [(bench, clip, case, seed, is_reference, options) for clip in clips() for case in cases
            for seed in (SEEDS if case[0] else SEEDS[:1]) for is_reference in (False, True)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        results = list(pool.map(score, jobs))
    table = []
    for case in cases:
        ours = [r for r in results if r[0] == case and not r[1]]
        reference = [r[2] for r in results if r[0] == case and r[1]]
        row = {"lossPercent": case[0], **dict(option.split("=") for option in case[1]), "runs": len(ours), "pesqWB": statistics.mean(r[2] for r in ours),
               "referencePesqWB": statistics.mean(reference)}
        for key in ("kbps", "bufferDelayMs", "concealed", "repaired", "inserted", "removed", "discarded"):
            row[key] = statistics.mean(r[3][key] for r in ours)
        table.append({key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()})
    print(json.dumps({"machine": bench_environment.machine(), "speechQuality": table}, indent=1))


if __name__ == "__main__":
    main()
