"""A member of a room by the protocol of Rooms.md, as somebody else could have written it.

A media stack brings a `Peer`; `run` does the rest. The program reads commands, one a line (`mute`, `unmute`, `hold`,
`resume`, `show`, `hide`, `record`, `stop`, `say TEXT`, `leave`), and writes what happens, one JSON object a line.
"""

import asyncio
import hashlib
import base64
import json
import re
import secrets
import ssl
import sys
import time
import urllib.parse

import numpy
import websockets

import timecode

RATE_HZ = 48_000
AMPLITUDE = 0.25
WIDTH, HEIGHT, FRAME_RATE = 320, 180, 15


class Link:
    """What a room's link says."""

    def __init__(self, text):
        url = urllib.parse.urlsplit(text)
        self.is_secure = url.scheme == "https"
        self.room = urllib.parse.unquote(url.path.removeprefix("/r/"))
        self.token, _, self.fingerprint = url.fragment.partition(".")
        self.socket = f"{'wss' if self.is_secure else 'ws'}://{url.netloc}/ws"

    def hello(self, **changes):
        return {
            "type": "hello", "version": 1, "room": self.room, "token": self.token, "name": "guest",
            "identity": secrets.token_urlsafe(24), "session": secrets.token_urlsafe(24), "intent": "join", **changes,
        }


async def connect(link, **options):
    """Opens the WebSocket. With a fingerprint in the link that certificate is accepted and no other."""
    context = ssl.create_default_context() if link.is_secure else None
    if context and link.fingerprint:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    socket = await websockets.connect(link.socket, ssl=context, compression=None, **options)
    if context and link.fingerprint:
        der = socket.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        found = base64.urlsafe_b64encode(hashlib.sha256(der).digest()).rstrip(b"=").decode()
        if found != link.fingerprint:
            raise ConnectionError("the certificate is not the one that the link names")
    return socket


def report(**event):
    print(json.dumps(event), flush=True)


class Meter:
    """Takes sound at 48 kHz and tells the tone in it."""

    def __init__(self):
        self._samples = []

    def take(self, samples):
        self._samples.append(samples)

    def read(self):
        """The frequency and the amplitude of the strongest tone since the last time."""
        samples = numpy.concatenate(self._samples) if self._samples else numpy.zeros(1)
        self._samples = []
        spectrum = numpy.abs(numpy.fft.rfft(samples * numpy.hanning(len(samples))))
        peak = int(spectrum.argmax())
        return {"hz": peak * RATE_HZ / len(samples), "amplitude": float(samples.std() * 2**0.5)}


class Screen:
    """Takes the luma of pictures and tells the newest one, and how many came."""

    def __init__(self):
        self._luma = None
        self._count = 0

    def take(self, luma):
        self._luma = luma
        self._count += 1

    def read(self):
        if self._luma is None:
            return {"pictures": 0}
        code = timecode.read(self._luma)
        count, self._count = self._count, 0
        height, width = self._luma.shape
        return {
            "pictures": count, "width": width, "height": height, "luma": float(self._luma.mean()),
            **({"number": code[0], "milliseconds": code[1]} if code else {}),
        }


def picture(number):
    """A grey picture with a timecode, as the bytes of I420."""
    planes = numpy.full(WIDTH * HEIGHT * 3 // 2, 128, dtype=numpy.uint8)
    timecode.draw(planes[: WIDTH * HEIGHT].reshape(HEIGHT, WIDTH), number, int(time.monotonic() * 1000))
    return planes


class Peer:
    """The connection to one other member; a media stack overrides what raises."""

    def __init__(self, guest, member):
        self.guest = guest
        self.name = member["name"]
        self.id = member["id"]
        self.meter = Meter()
        self.screen = Screen()
        self._unsent = []
        self._can_write = False

    async def say(self, **message):
        await self.guest.say(to=self.id, **message)

    async def describe(self, kind, sdp):
        report(describes=self.name, kind=kind)
        await self.say(type="description", kind=kind, sdp=self._asking(sdp))

    def _asking(self, sdp):
        """The description with the parameters of Opus, and the attributes, that the guest was started with."""
        if not self.guest.asks:
            return sdp
        parameters, *attributes = self.guest.asks
        line, number = re.search(r"(a=rtpmap:(\d+) opus/.*\r\n)", sdp, re.IGNORECASE).groups()
        sdp = re.sub(rf"a=fmtp:{number} .*\r\n", "", sdp)
        lines = [f"a=fmtp:{number} {parameters}", *(f"a={attribute}" for attribute in attributes)]
        return sdp.replace(line, line + "".join(text + "\r\n" for text in lines))

    async def offer(self):
        raise NotImplementedError

    async def described(self, kind, sdp):
        raise NotImplementedError

    async def found(self, candidate, mid):
        raise NotImplementedError

    async def set_held(self, is_held):
        raise NotImplementedError

    def set_muted(self, is_muted):
        raise NotImplementedError

    def send(self, text):
        """Sends on the open channel."""
        raise NotImplementedError

    def write(self, text):
        """The other side may have opened the channel before this one knows."""
        if self._can_write:
            self.send(text)
        else:
            self._unsent.append(text)

    def opened(self):
        self._can_write = True
        while self._unsent:
            self.send(self._unsent.pop(0))

    def heard(self, message):
        said = json.loads(message)
        if said.get("type") == "chat":
            report(said=said["text"], by=self.name)

    async def close(self):
        raise NotImplementedError


class Guest:
    """Meets cores alone: what two foreign stacks do with each other is of no matter here."""

    def __init__(self, link, name, hz, make_peer, codec=None, asks=()):
        self.link = Link(link)
        self.name = name
        self.hz = hz
        # What its pictures are encoded by; None: it has none.
        self.codec = codec
        # Tells its pictures from those of others.
        self.number = sum(name.encode()) % 16
        self.asks = asks
        self.is_muted = False
        self.is_held = False
        self.is_showing = False
        # Says so and records nothing.
        self.is_recording = False
        self.peers = {}
        self._make_peer = make_peer
        self._socket = None

    async def run(self):
        self._socket = await connect(self.link)
        await self.say(**self.link.hello(name=self.name))
        tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._obey())]
        try:
            async for text in self._socket:
                await self._took(json.loads(text))
        except websockets.ConnectionClosed:
            report(closed=True)
        finally:
            for task in tasks:
                task.cancel()
            for peer in self.peers.values():
                await peer.close()

    async def say(self, **message):
        await self._socket.send(json.dumps(message))

    async def _took(self, message):
        peer = self.peers.get(message.get("from") or message.get("id"))
        match message["type"]:
            case "ping":
                await self.say(type="pong", number=message["number"])
            case "welcome":
                for member in message["members"]:
                    if peer := self._meet(member):
                        await peer.offer()
            case "joined":
                self._meet(message["member"])
            case "left" if peer:
                await self.peers.pop(peer.id).close()
            case "description" if peer:
                await peer.described(message["kind"], message["sdp"])
            case "candidate" if peer:
                await peer.found(message["candidate"], message.get("mid"))
            case "status" if peer:
                told = {key: message.get(key, False) for key in ("muted", "held", "video")}
                report(status=peer.name, **told)
            case "refused" | "error" | "closing":
                report(**message)

    def _meet(self, member):
        if "pictures" not in member["capabilities"]:
            return None
        peer = self.peers[member["id"]] = self._make_peer(self, member)
        return peer

    async def _listen(self):
        while True:
            await asyncio.sleep(0.25)
            for peer in self.peers.values():
                report(hears=peer.name, **peer.meter.read())
                if self.codec:
                    report(sees=peer.name, **peer.screen.read())

    async def _obey(self):
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := (await reader.readline()).decode():
            word, _, rest = line.strip().partition(" ")
            match word:
                case "mute" | "unmute":
                    self.is_muted = word == "mute"
                    await self._tell_status()
                    for peer in self.peers.values():
                        peer.set_muted(self.is_muted)
                case "hold" | "resume":
                    self.is_held = word == "hold"
                    await self._tell_status()
                    for peer in self.peers.values():
                        await peer.set_held(self.is_held)
                case "show" | "hide":
                    self.is_showing = word == "show"
                    await self._tell_status()
                case "record" | "stop":
                    self.is_recording = word == "record"
                    await self._tell_status()
                case "say":
                    for peer in self.peers.values():
                        peer.write(json.dumps({"type": "chat", "text": rest}))
                case "leave":
                    await self.say(type="leave")
        await self._socket.close()

    async def _tell_status(self):
        await self.say(
            type="status", muted=self.is_muted, held=self.is_held, video=self.is_showing, recording=self.is_recording)


def run(make_peer):
    """`PROGRAM LINK NAME HZ [CODEC [PARAMETERS [ATTRIBUTE...]]]`: joins with a tone of that frequency, with pictures by
    that codec (`-`: none), and asks for Opus so.
    """
    link, name, hz, codec, *asks = sys.argv[1:] + ["-"] * (len(sys.argv) < 5)
    asyncio.run(Guest(link, name, float(hz), make_peer, None if codec == "-" else codec, asks).run())
