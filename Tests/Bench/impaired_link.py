"""Two networks joined by a line that delays and loses, from a seed; needs root or unprivileged user namespaces."""
import ctypes, fcntl, heapq, os, random, select, signal, socket, struct, subprocess, threading, time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TUN_NO_PI = 0x400454CA, 0x1001


def open_network(address, other):
    """A network namespace with one end of the line: its process and the descriptor of the packets that leave it."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            if LIBC.unshare(CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "unshare")
            tun = os.open("/dev/net/tun", os.O_RDWR)
            fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", b"line", IFF_TUN_NO_PI))
            for words in ("link set lo up", f"addr add {address} peer {other} dev line", "link set line up",
                          "route replace default dev line"):
                subprocess.run(["ip", *words.split()], check=True)
            socket.send_fds(theirs, [b"x"], [tun])
            theirs.recv(1)
        finally:
            os._exit(0)
    theirs.close()
    data, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    if not descriptors:
        raise OSError(f"no network for {address}: root, or user namespaces and /dev/net/tun, are needed")
    return pid, descriptors[0], ours


class ImpairedLink(threading.Thread):
    """Packets keep their order: one that is delayed less than the one before waits for it."""

    ADDRESSES = {"a": "10.96.0.1", "b": "10.96.0.2"}

    def __init__(self, loss, delay, jitter, seed):
        super().__init__(daemon=True)
        self.loss, self.delay, self.jitter = loss / 100, delay / 1000, jitter / 1000
        self.ends = {side: open_network(self.ADDRESSES[side], self.ADDRESSES[other])
                     for side, other in (("a", "b"), ("b", "a"))}
        self.random = {side: random.Random(f"{seed} {side}") for side in "ab"}
        self.last, self.queue, self.count, self.lost, self.stopped = {"a": 0, "b": 0}, [], 0, 0, False
        self.impairs = False
        self.start()

    def within(self, side):
        return ["nsenter", "-t", str(self.ends[side][0]), "-n"]

    def run(self):
        sides = {descriptor: side for side, (_, descriptor, _) in self.ends.items()}
        poll = select.epoll()
        for descriptor in sides:
            poll.register(descriptor, select.EPOLLIN)
        while not self.stopped:
            wait = self.queue[0][0] - time.monotonic() if self.queue else 0.2
            for descriptor, _ in poll.poll(max(0, wait)):
                self.take(sides[descriptor], os.read(descriptor, 65536))
            while self.queue and self.queue[0][0] <= time.monotonic():
                _, _, descriptor, packet = heapq.heappop(self.queue)
                os.write(descriptor, packet)

    def take(self, side, packet):
        draw = self.random[side]
        is_lost, delay = draw.random() < self.loss, self.delay + draw.uniform(-self.jitter, self.jitter)
        self.count += 1
        if self.impairs and is_lost:
            self.lost += 1
            return
        self.last[side] = max(self.last[side], time.monotonic() + (delay if self.impairs else 0))
        other = self.ends["b" if side == "a" else "a"][1]
        heapq.heappush(self.queue, (self.last[side], self.count, other, packet))

    def close(self):
        self.stopped = True
        self.join()
        for pid, descriptor, ours in self.ends.values():
            ours.close()
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
            os.close(descriptor)
