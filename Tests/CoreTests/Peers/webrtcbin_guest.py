"""A guest whose media stack is GStreamer's webrtcbin, with VP8 or VP9 for pictures."""

import asyncio

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import Gst, GstSdp, GstWebRTC

import room_guest

# The payload types of hoot's own offers.
SOUND_SOURCE = (
    "audiotestsrc is-live=true wave=sine freq={hz} volume={amplitude} ! volume name=microphone "
    "! audio/x-raw,rate=48000,channels=1 ! opusenc ! rtpopuspay pt=111 ! valve name=gate "
    "! capsfilter caps=application/x-rtp,media=audio,encoding-name=OPUS,payload=111,clock-rate=48000,"
    "encoding-params=(string)2"
)
SOUND_SINK = (
    "rtpopusdepay ! opusdec ! audioconvert ! audioresample "
    "! audio/x-raw,format=F32LE,rate=48000,channels=1 ! appsink name=ear emit-signals=true sync=false"
)
PICTURE_SOURCE = (
    "appsrc name=camera is-live=true format=time do-timestamp=true "
    "caps=video/x-raw,format=I420,width={width},height={height},framerate={rate}/1 "
    "! {codec}enc deadline=1 cpu-used=8 target-bitrate=300000 keyframe-max-dist=100000 error-resilient=1 "
    "! rtp{codec}pay pt={type} picture-id-mode=15-bit "
    "! capsfilter caps=application/x-rtp,media=video,encoding-name={name},payload={type},clock-rate=90000"
)
PICTURE_SINK = (
    "rtp{codec}depay request-keyframe=true ! {codec}dec ! videoconvert ! video/x-raw,format=GRAY8 "
    "! appsink name=eye emit-signals=true sync=false"
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
        self._sound = None
        self._pictures = None
        self._is_held = False
        self._pipeline.set_state(Gst.State.PLAYING)
        options = Gst.Structure.new_from_string("options, negotiated=(boolean)true, id=(int)0")
        self._chat = self._peer.emit("create-data-channel", "chat", options)
        self._chat.connect("on-open", lambda _: self._later(self.opened))
        self._chat.connect("on-message-string", lambda _, text: self._later(self.heard, text))

    async def offer(self):
        self._begin()
        await self._describe("offer")

    async def described(self, kind, sdp):
        if kind == "offer":
            self._is_held = self.guest.is_held or "a=inactive" in sdp
        _, message = GstSdp.SDPMessage.new_from_text(sdp.replace("a=inactive", "a=sendrecv"))
        type = GstWebRTC.WebRTCSDPType.OFFER if kind == "offer" else GstWebRTC.WebRTCSDPType.ANSWER
        await self._ask("set-remote-description", GstWebRTC.WebRTCSessionDescription.new(type, message))
        if kind == "offer":
            self._begin()
            await self._describe("answer")
        self._sound.get_by_name("gate").set_property("drop", self._is_held)

    async def found(self, candidate, mid):
        if candidate:
            self._peer.emit("add-ice-candidate", 0, candidate)

    async def set_held(self, is_held):
        self._is_held = is_held
        await self._describe("offer")

    def set_muted(self, is_muted):
        self._sound.get_by_name("microphone").set_property("mute", is_muted)

    def send(self, text):
        self._chat.emit("send-string", text)

    async def close(self):
        if self._pictures:
            self._pictures.cancel()
        self._pipeline.set_state(Gst.State.NULL)

    def _begin(self):
        if self._sound:
            return
        self._sound = self._add(SOUND_SOURCE.format(hz=self.guest.hz, amplitude=room_guest.AMPLITUDE), "media=audio")
        if codec := self.guest.codec:
            source = self._add(PICTURE_SOURCE.format(
                codec=codec, name=codec.upper(), type={"vp8": 96, "vp9": 98}[codec], width=room_guest.WIDTH,
                height=room_guest.HEIGHT, rate=room_guest.FRAME_RATE), "media=video")
            self._pictures = asyncio.create_task(self._show(source.get_by_name("camera")))

    def _add(self, description, media):
        source = Gst.parse_bin_from_description(description, True)
        self._pipeline.add(source)
        template = self._peer.get_pad_template("sink_%u")
        sink = self._peer.request_pad(template, None, Gst.Caps.from_string(f"application/x-rtp,{media}"))
        source.get_static_pad("src").link(sink)
        source.sync_state_with_parent()
        return source

    async def _show(self, camera):
        while True:
            await asyncio.sleep(1 / room_guest.FRAME_RATE)
            if self.guest.is_showing and not self._is_held:
                picture = room_guest.picture(self.guest.number).tobytes()
                camera.emit("push-buffer", Gst.Buffer.new_wrapped(picture))

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
        is_sound = pad.get_current_caps().get_structure(0).get_string("media") == "audio"
        if not is_sound and not self.guest.codec:
            return
        sink = Gst.parse_bin_from_description(
            SOUND_SINK if is_sound else PICTURE_SINK.format(codec=self.guest.codec), True)
        sink.get_by_name("ear" if is_sound else "eye").connect("new-sample", self._heard if is_sound else self._saw)
        self._pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad("sink"))

    def _heard(self, ear):
        buffer = ear.emit("pull-sample").get_buffer()
        samples = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), dtype=numpy.float32)
        self._later(self.meter.take, samples)
        return Gst.FlowReturn.OK

    def _saw(self, eye):
        sample = eye.emit("pull-sample")
        caps = sample.get_caps().get_structure(0)
        width, height = caps.get_value("width"), caps.get_value("height")
        buffer = sample.get_buffer()
        rows = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), dtype=numpy.uint8)
        self._later(self.screen.take, rows.reshape(height, -1)[:, :width])
        return Gst.FlowReturn.OK

    def _later(self, function, *arguments):
        self._loop.call_soon_threadsafe(function, *arguments)


Gst.init(None)
room_guest.run(WebrtcbinPeer)
