#!/usr/bin/env python3
"""Measures the console at its pseudo terminal, as JSON, with a core that is made here: first paint, key to screen, bytes,
processor time and memory.

console.py HOOT [seconds=10]   16 meters at 10 Hz on 132×43, then a call in which nothing changes, then no call
"""
import fcntl, json, os, pathlib, pty, select, shutil, signal, socket, struct, sys, tempfile, termios, threading, time
import bench_environment

ROWS, COLUMNS = 43, 132
PEOPLE = [f"p{number}" for number in range(15)]
PROTOCOL = 3


def state(in_call):
    device = {"name": "bench", "description": "bench"}
    audio = {
        "microphone": "live" if in_call else "idle", "isMuted": False, "isClosed": False, "isDeafened": False,
        "isEveryoneSilenced": False, "silencesJoiners": False, "gainPercent": 100, "volumePercent": 100,
        "route": {"current": "speaker", "canSwitch": False}, "server": {"isConnected": True, "name": "bench"},
        "input": device, "output": device, "warnings": [],
        "processing": {"cancelsEcho": False, "suppressesNoise": False, "controlsGain": False}}
    video = {
        "camera": "none", "isMuted": True, "isClosed": False, "isPreviewing": False, "isEveryoneHidden": False,
        "hidesJoiners": False, "droppedCaptures": 0}
    core = {
        "protocolVersion": PROTOCOL, "version": "bench", "pid": os.getpid(), "host": "bench", "startedAt": 0,
        "consoles": 1, "onDetach": "keep", "onLost": "keep"}
    whole = {"core": core, "audio": audio, "video": video, "calls": {}, "waiting": {}, "recentRooms": [], "problems": []}
    if in_call:
        people = {
            name: {
                "id": name, "name": f"person {name}", "isHost": False, "link": "connected", "isMuted": False,
                "isHolding": False, "isSilenced": False, "volumePercent": 100, "isVerified": False, "isRelayed": False,
                "canChat": True} for name in PEOPLE}
        whole["calls"]["c1"] = {
            "id": "c1", "room": "bench", "host": "here", "role": "guest", "phase": "connected", "isHeld": False,
            "myId": "me", "myName": "me", "people": people, "order": PEOPLE, "ringing": {}, "chat": {}}
        whole["activeCall"] = "c1"
    return whole


class Core(threading.Thread):
    """Answers whatever is asked; sends levels ten times a second while `talks`."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/core.sock")
        os.chmod(f"{folder}/core.sock", 0o600)
        self.listener.listen()
        self.in_call, self.talks, self.refreshes = True, False, 0

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        buffer, due, step, subscribed = b"", time.monotonic(), 0, False
        try:
            while True:
                ready, _, _ = select.select([connection], [], [], max(0, due - time.monotonic()))
                if ready:
                    data = connection.recv(65536)
                    if not data:
                        return
                    buffer += data
                while b"\n" in buffer:
                    line, buffer = buffer.split(b"\n", 1)
                    subscribed = self.answer(connection, json.loads(line)) or subscribed
                if time.monotonic() >= due:
                    due += 0.1
                    if self.talks and subscribed:
                        step += 1
                        levels = {name: -20 - (step * 7 + index * 13) % 40 for index, name in enumerate(PEOPLE)}
                        self.tell(connection, "levels", {"microphone": -20 - step * 11 % 40, "people": levels})
                        self.refreshes += 1
        except OSError:
            return

    def answer(self, connection, request):
        hello = request["method"] == "core.hello"
        result = {"protocol": PROTOCOL, "version": "bench", "pid": os.getpid(), "host": "bench"} if hello else {}
        self.send(connection, {"jsonrpc": "2.0", "id": request.get("id"), "result": result})
        if request["method"] != "core.subscribe":
            return False
        self.tell(connection, "state", {"revision": 1, "state": state(self.in_call)})
        return True

    def tell(self, connection, method, params):
        self.send(connection, {"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, connection, message):
        connection.sendall(json.dumps(message).encode() + b"\n")


class Console:
    """The program on a pseudo terminal."""

    def __init__(self, program, environment):
        self.started = time.monotonic()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execve(program, [program], environment)
        self.count = 0

    def read(self, until):
        """Reads until `until` (a time); the bytes."""
        output = b""
        while (left := until - time.monotonic()) > 0:
            if not select.select([self.terminal], [], [], left)[0]:
                break
            try:
                output += os.read(self.terminal, 65536)
            except OSError:  # the program has ended
                break
        self.count += len(output)
        return output

    def wait(self, text, limit=20):
        """The time until `text` has come, in milliseconds."""
        begun, output = time.monotonic(), b""
        while text not in output:
            if time.monotonic() - begun > limit:
                raise SystemExit(f"console.py: {text!r} did not come")
            output += self.read(time.monotonic() + 0.001)
        return (time.monotonic() - begun) * 1000

    def type(self, text):
        os.write(self.terminal, text)

    def bytes_in(self, seconds):
        before = self.count
        self.read(time.monotonic() + seconds)
        return self.count - before

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_megabytes(self):
        return int(pathlib.Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        self.read(time.monotonic() + 0.3)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def median(values):
    return round(sorted(values)[len(values) // 2], 1)


def measure(program, environment, core, seconds):
    result, paints = {}, []
    for _ in range(7):
        console = Console(program, environment)
        console.wait(b"MIC LIVE")
        paints.append((time.monotonic() - console.started) * 1000)
        console.close()
    result["firstPaintMs"] = {"median": median(paints), "target": 150}
    console = Console(program, environment)
    console.wait(b"MIC LIVE")
    keys = []
    for _ in range(20):
        console.read(time.monotonic() + 0.15)
        console.type(b"?")
        keys.append(console.wait(b"esc back"))
        console.type(b"\x1b[A")
        console.read(time.monotonic() + 0.05)
        console.type(b"q")
        console.wait(b"MIC LIVE")
    result["keyToScreenMs"] = {"median": median(keys), "max": round(max(keys), 1), "target": 50}
    core.talks = True
    console.read(time.monotonic() + 1)
    refreshes, time_used = core.refreshes, console.processor_seconds()
    count = console.bytes_in(seconds)
    result["bytesPerRefreshOf16Meters"] = {"mean": round(count / max(1, core.refreshes - refreshes)), "target": 800}
    result["processorPercentAt10Hz"] = {
        "mean": round((console.processor_seconds() - time_used) / seconds * 100, 2), "target": 2}
    result["residentMegabytes"] = {"now": round(console.resident_megabytes(), 1), "target": 40}
    core.talks = False
    console.close()
    core.in_call = False
    console = Console(program, environment)
    console.wait(b"hoot @ bench")
    console.read(time.monotonic() + 1.5)
    result["bytesWhenNothingChanges"] = {"inSeconds": seconds, "count": console.bytes_in(seconds), "target": 0}
    console.close()
    return result


def main():
    program = os.path.abspath(sys.argv[1])
    seconds = float(dict(word.split("=") for word in sys.argv[2:]).get("seconds", 10))
    base = tempfile.mkdtemp(prefix="hoot-bench-")
    os.mkdir(f"{base}/run", 0o700)
    environment = {
        "PATH": os.environ["PATH"], "HOME": base, "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "HOOT_RUNTIME_DIR": f"{base}/run", "HOOT_CONFIG_DIR": f"{base}/conf", "HOOT_STATE_DIR": f"{base}/state"}
    core = Core(f"{base}/run")
    core.start()
    try:
        result = measure(program, environment, core, seconds)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(json.dumps({"machine": bench_environment.machine(), "load": os.getloadavg()[0], "console": result}, indent=2))


main()
