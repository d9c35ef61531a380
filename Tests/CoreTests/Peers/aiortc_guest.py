"""A guest whose media stack is aiortc, which has VP8 for pictures."""

import asyncio
import fractions

import numpy
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaStreamError
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack
from aiortc.sdp import candidate_from_sdp
from av import AudioFrame, VideoFrame

import room_guest

FRAME = room_guest.RATE_HZ // 50


class Tone(AudioStreamTrack):
    """A tone in real time; silence while muted, nothing while held."""

    def __init__(self, guest):
        super().__init__()
        self._guest = guest
        self._position = 0
        self._begun = None

    async def recv(self):
        clock = asyncio.get_running_loop().time
        self._begun = self._begun or clock()
        self._position += FRAME
        while (wait := self._begun + self._position / room_guest.RATE_HZ - clock()) > 0 or self._guest.is_held:
            await asyncio.sleep(max(wait, 0.02))
        phase = 2 * numpy.pi * self._guest.hz * (self._position + numpy.arange(FRAME)) / room_guest.RATE_HZ
        samples = numpy.sin(phase) * (0 if self._guest.is_muted else room_guest.AMPLITUDE * 32767)
        frame = AudioFrame.from_ndarray(samples.astype(numpy.int16).reshape(1, -1), layout="mono")
        frame.sample_rate = room_guest.RATE_HZ
        frame.time_base = fractions.Fraction(1, room_guest.RATE_HZ)
        frame.pts = self._position
        return frame


class Pictures(VideoStreamTrack):
    """Pictures with the time in them while the guest shows some."""

    def __init__(self, guest):
        super().__init__()
        self._guest = guest
        self._next = 0

    async def recv(self):
        clock = asyncio.get_running_loop().time
        while not self._guest.is_showing or self._guest.is_held or clock() < self._next:
            await asyncio.sleep(0.01)
        self._next = clock() + 1 / room_guest.FRAME_RATE - 0.01
        planes = room_guest.picture(self._guest.number).reshape(-1, room_guest.WIDTH)
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.time_base = fractions.Fraction(1, 90_000)
        frame.pts = int(clock() * 90_000)
        return frame


class AiortcPeer(room_guest.Peer):
    def __init__(self, guest, member):
        super().__init__(guest, member)
        self._connection = RTCPeerConnection()
        self._connection.on("track", self._came)
        self._chat = self._connection.createDataChannel("chat", negotiated=True, id=0)
        self._chat.on("open", self.opened)
        self._chat.on("message", self.heard)
        self._tasks = []

    async def offer(self):
        self._add_tracks()
        await self._connection.setLocalDescription(await self._connection.createOffer())
        await self.describe("offer", self._connection.localDescription.sdp)

    async def described(self, kind, sdp):
        await self._connection.setRemoteDescription(RTCSessionDescription(sdp, kind))
        if kind == "answer":
            return
        self._add_tracks()
        await self._connection.setLocalDescription(await self._connection.createAnswer())
        await self.describe("answer", self._connection.localDescription.sdp)

    async def found(self, candidate, mid):
        if not candidate:
            return
        parsed = candidate_from_sdp(candidate.removeprefix("candidate:"))
        parsed.sdpMid = mid
        await self._connection.addIceCandidate(parsed)

    async def set_held(self, is_held):
        for transceiver in self._connection.getTransceivers():
            transceiver.direction = "inactive" if is_held else "sendrecv"
        await self.offer()

    def set_muted(self, is_muted):
        """The tone looks for itself."""

    def send(self, text):
        self._chat.send(text)

    async def close(self):
        for task in self._tasks:
            task.cancel()
        await self._connection.close()

    def _add_tracks(self):
        if any(sender.track for sender in self._connection.getSenders()):
            return
        self._connection.addTrack(Tone(self.guest))
        if self.guest.codec:
            self._connection.addTrack(Pictures(self.guest))

    def _came(self, track):
        take = self._heard if track.kind == "audio" else self._saw
        self._tasks.append(asyncio.create_task(self._follow(track, take)))

    async def _follow(self, track, take):
        try:
            while True:
                take(await track.recv())
        except MediaStreamError:
            pass

    def _heard(self, frame):
        samples = frame.to_ndarray().reshape(-1, len(frame.layout.channels))
        self.meter.take(samples[:, 0] / 32768)

    def _saw(self, frame):
        self.screen.take(frame.to_ndarray(format="gray"))


room_guest.run(AiortcPeer)
