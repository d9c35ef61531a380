#!/usr/bin/env python3
"""Scores recorded speech through two cores over a bad line, as JSON (PESQ-WB, ITU-T P.862.2).

impaired-call.py HOOT   40 ± 10 ms each way; LOSSES="0 5 10" (0 is a line without delay), SEEDS="1 2 3 4 5"
"""
import bench_environment

bench_environment.enter()

import json, os, shutil, statistics, subprocess, sys, tempfile, time
import numpy, pesq, scipy.io.wavfile, scipy.signal
from impaired_link import ImpairedLink
from private_sound import RATE, HootCall, SoundServer

LOSSES = [int(n) for n in os.environ.get("LOSSES", "0 5 10").split()]
SEEDS = [int(n) for n in os.environ.get("SEEDS", "1 2 3 4 5").split()]


def aligned(reference, heard):
    """Both from the same moment on, by their correlation."""
    lag = int(scipy.signal.correlate(heard, reference, "full", "fft").argmax()) - (reference.size - 1)
    heard = heard[max(0, lag):]
    size = min(reference.size, heard.size)
    return reference[:size], heard[:size]


def at_16_khz(samples):
    return scipy.signal.resample_poly(samples.astype(numpy.float64), 1, 3)


def score(program, speech, loss, seed):
    base = tempfile.mkdtemp(prefix="hoot-bench-")
    line = ImpairedLink(loss, 40 if loss else 0, 10 if loss else 0, seed)
    server = SoundServer(base)
    try:
        call = HootCall(server, base, program, line.ADDRESSES["a"], {s: line.within(s) for s in "ab"})
        try:
            line.impairs = True
            time.sleep(2)
            ear = server.record("b_spk")
            time.sleep(0.3)
            server.say(speech)
            heard = ear.finish()
        finally:
            call.close()
        return pesq.pesq(RATE // 3, *aligned(at_16_khz(speech), at_16_khz(heard)), "wb")
    finally:
        server.close()
        line.close()
        shutil.rmtree(base, ignore_errors=True)


def main():
    _, samples = scipy.io.wavfile.read(bench_environment.recording("demo-congrats"))
    speech = samples.astype(numpy.float64) / 32768
    table = []
    for loss in LOSSES:
        values = [score(sys.argv[1], speech, loss, seed) for seed in SEEDS]
        table.append({"lossPercent": loss, "pesqWB": round(statistics.mean(values), 3),
                      "runs": [round(value, 3) for value in values]})
    print(json.dumps({"machine": bench_environment.machine(), "impairedCall": table}, indent=1))


main()
