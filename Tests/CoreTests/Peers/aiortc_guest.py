"""A guest whose media stack is aiortc."""

import asyncio
import fractions

import numpy
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaStreamError
from aiortc.mediastreams import AudioStreamTrack
from aiortc.sdp import candidate_from_sdp
from av import AudioFrame

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


class AiortcPeer(room_guest.Peer):
    def __init__(self, guest, member):
        super().__init__(guest, member)
        self._connection = RTCPeerConnection()
        self._connection.on("track", self._came)
        self._chat = self._connection.createDataChannel("chat", negotiated=True, id=0)
        self._chat.on("open", self.opened)
        self._chat.on("message", self.heard)
        self._listener = None

    async def offer(self):
        if not self._connection.getSenders():
            self._connection.addTrack(Tone(self.guest))
        await self._connection.setLocalDescription(await self._connection.createOffer())
        await self.describe("offer", self._connection.localDescription.sdp)

    async def described(self, kind, sdp):
        await self._connection.setRemoteDescription(RTCSessionDescription(sdp, kind))
        if kind == "answer":
            return
        if not any(sender.track for sender in self._connection.getSenders()):
            self._connection.addTrack(Tone(self.guest))
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
        if self._listener:
            self._listener.cancel()
        await self._connection.close()

    def _came(self, track):
        self._listener = asyncio.create_task(self._listen(track))

    async def _listen(self, track):
        try:
            while True:
                frame = await track.recv()
                samples = frame.to_ndarray().reshape(-1, len(frame.layout.channels))
                self.meter.take(samples[:, 0] / 32768)
        except MediaStreamError:
            pass


room_guest.run(AiortcPeer)
