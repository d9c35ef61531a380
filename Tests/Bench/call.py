#!/usr/bin/env python3
"""Measures a call between two programs on a private sound server, as JSON: mouth-to-ear delay, processor time, memory.

call.py HOOT [seconds=20] [runs=2]   hoot with 20 ms and 10 ms frames; baresip beside it where it is installed
"""
import bench_environment

bench_environment.enter()

import json, os, pathlib, shutil, subprocess, sys, tempfile, time
from private_sound import HootCall, SoundServer


def hoot_call(server, base, program, frame, seconds):
    call = HootCall(server, base, program, settings=f"frame-ms={frame}\n")
    try:
        return server.measure(call.pids, seconds)
    finally:
        call.close()


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
    server = SoundServer(base)
    try:
        if name == "baresip":
            return baresip_call(server, base, seconds)
        return hoot_call(server, base, program, int(name.split()[1]), seconds)
    except (subprocess.CalledProcessError, OSError, ValueError) as error:
        return {"error": str(error)}
    finally:
        server.close()
        shutil.rmtree(base, ignore_errors=True)


def main():
    options = dict(word.split("=") for word in sys.argv[2:])
    seconds, runs = float(options.get("seconds", 20)), int(options.get("runs", 2))
    names = ["hoot 20 ms", "hoot 10 ms"] + (["baresip"] if shutil.which("baresip") else [])
    results = {name: [] for name in names}
    for _ in range(runs):
        for name in names:
            results[name].append(run(name, seconds, sys.argv[1]))
    print(json.dumps(
        {"machine": bench_environment.machine(), "load": os.getloadavg()[0], "calls": results}, indent=2))
    sys.exit(any("error" in result for name in names if name != "baresip" for result in results[name]))


main()
