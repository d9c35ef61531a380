"""A guest whose media stack is GStreamer's webrtcbin."""

import asyncio

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import Gst, GstSdp, GstWebRTC

import room_guest

# The payload type of hoot's own offers.
SOURCE = (
    "audiotestsrc is-live=true wave=sine freq={hz} volume={amplitude} ! volume name=microphone "
    "! audio/x-raw,rate=48000,channels=1 ! opusenc ! rtpopuspay pt=111 ! valve name=gate "
    "! capsfilter caps=application/x-rtp,media=audio,encoding-name=OPUS,payload=111,clock-rate=48000,"
    "encoding-params=(string)2"
)
SINK = (
    "rtpopusdepay ! opusdec ! audioconvert ! audioresample "
    "! audio/x-raw,format=F32LE,rate=48000,channels=1 ! appsink name=ear emit-signals=true sync=false"
)


class WebrtcbinPeer(room_guest.Peer):
    """webrtcbin calls back from threads of its own; what it says is taken on the loop.

    Up to 1.22 it cannot change a direction. So it is told that audio flows both ways for ever, and on hold, which the
    descriptions show to the other side alone, the gate stops what it sends.
    """

    def __init__(self, guest, member):
        super().__init__(guest, member)
        self._loop = asyncio.get_running_loop()
        self._pipeline = Gst.Pipeline()
        self._peer = Gst.ElementFactory.make("webrtcbin")
        self._peer.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
        self._pipeline.add(self._peer)
        self._peer.connect("on-ice-candidate", self._gathered)
        self._peer.connect("pad-added", self._came)
        self._source = None
        self._is_held = False
        self._pipeline.set_state(Gst.State.PLAYING)
        options = Gst.Structure.new_from_string("options, negotiated=(boolean)true, id=(int)0")
        self._chat = self._peer.emit("create-data-channel", "chat", options)
        self._chat.connect("on-open", lambda _: self._later(self.opened))
        self._chat.connect("on-message-string", lambda _, text: self._later(self.heard, text))

    async def offer(self):
        self._speak()
        await self._describe("offer")

    async def described(self, kind, sdp):
        if kind == "offer":
            self._is_held = self.guest.is_held or "a=inactive" in sdp
        _, message = GstSdp.SDPMessage.new_from_text(sdp.replace("a=inactive", "a=sendrecv"))
        type = GstWebRTC.WebRTCSDPType.OFFER if kind == "offer" else GstWebRTC.WebRTCSDPType.ANSWER
        await self._ask("set-remote-description", GstWebRTC.WebRTCSessionDescription.new(type, message))
        if kind == "offer":
            self._speak()
            await self._describe("answer")
        self._source.get_by_name("gate").set_property("drop", self._is_held)

    async def found(self, candidate, mid):
        if candidate:
            self._peer.emit("add-ice-candidate", 0, candidate)

    async def set_held(self, is_held):
        self._is_held = is_held
        await self._describe("offer")

    def set_muted(self, is_muted):
        self._source.get_by_name("microphone").set_property("mute", is_muted)

    def send(self, text):
        self._chat.emit("send-string", text)

    async def close(self):
        self._pipeline.set_state(Gst.State.NULL)

    def _speak(self):
        if self._source:
            return
        self._source = Gst.parse_bin_from_description(
            SOURCE.format(hz=self.guest.hz, amplitude=room_guest.AMPLITUDE), True)
        self._pipeline.add(self._source)
        self._source.link(self._peer)
        self._source.sync_state_with_parent()

    async def _describe(self, kind):
        reply = await self._ask(f"create-{kind}", None)
        description = reply.get_value(kind)
        # The text is the reply's, which has to live as long.
        sdp = description.sdp.as_text()
        await self._ask("set-local-description", description)
        await self.describe(kind, sdp.replace("a=sendrecv", "a=inactive") if self._is_held else sdp)

    async def _ask(self, signal, argument):
        answer = self._loop.create_future()
        promise = Gst.Promise.new_with_change_func(
            lambda promise, *_: self._later(answer.set_result, promise.get_reply()))
        self._peer.emit(signal, argument, promise)
        reply = await answer
        if reply and reply.has_field("error"):
            raise RuntimeError(f"{signal}: {reply.get_value('error')}")
        return reply

    def _gathered(self, _, line, candidate):
        asyncio.run_coroutine_threadsafe(self.say(type="candidate", candidate=candidate), self._loop)

    def _came(self, _, pad):
        if pad.direction != Gst.PadDirection.SRC:
            return
        sink = Gst.parse_bin_from_description(SINK, True)
        sink.get_by_name("ear").connect("new-sample", self._heard)
        self._pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad("sink"))

    def _heard(self, ear):
        buffer = ear.emit("pull-sample").get_buffer()
        samples = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), dtype=numpy.float32)
        self._later(self.meter.take, samples)
        return Gst.FlowReturn.OK

    def _later(self, function, *arguments):
        self._loop.call_soon_threadsafe(function, *arguments)


Gst.init(None)
room_guest.run(WebrtcbinPeer)
