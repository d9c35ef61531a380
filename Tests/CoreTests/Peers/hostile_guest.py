"""Everything that a room has to refuse, from one guest: `PROGRAM OPEN USED EXPIRED REVOKED`, which are links.

What each attempt was answered is written as one JSON object a line. Nothing is expected here: the test judges.
"""

import asyncio
import json
import sys

import websockets
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack

import room_guest
from room_guest import Link, report

CANDIDATE = "candidate:{0} 1 udp 2113937151 10.9.{1}.{2} 9 typ host"


async def refusal(socket):
    """Why the server ends the connection: what it says in the room's words, or in the WebSocket's."""
    try:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "refused":
                return {"code": message["code"], "reason": message["reason"]}
    except websockets.ConnectionClosed as closed:
        return {"code": closed.rcvd and closed.rcvd.code, "reason": closed.rcvd and closed.rcvd.reason}
    return {"code": None, "reason": None}


async def knock(link, **changes):
    socket = await room_guest.connect(link)
    await socket.send(json.dumps(link.hello(**changes)))
    return await refusal(socket)


async def come_in(link, name):
    """A seat in the room, and the others who are there."""
    socket = await room_guest.connect(link)
    await socket.send(json.dumps(link.hello(name=name)))
    while (message := json.loads(await socket.recv()))["type"] != "welcome":
        pass
    return socket, [member["id"] for member in message["members"]]


async def leave(socket):
    await socket.send(json.dumps({"type": "leave"}))
    await socket.close()


async def send_all(link, name, messages):
    """Says something to everybody inside, and waits for what comes of it."""
    socket, members = await come_in(link, name)
    try:
        for member in members:
            for message in messages:
                await socket.send(json.dumps({**message, "to": member}))
    except websockets.ConnectionClosed:
        pass
    try:
        return await asyncio.wait_for(refusal(socket), 2)
    except asyncio.TimeoutError:
        await leave(socket)
        return {"code": "stays"}


async def come_from_elsewhere(link):
    try:
        await room_guest.connect(link, origin="https://elsewhere.example")
    except websockets.InvalidHandshake as refused:
        return {"code": "handshake", "reason": str(refused)}
    return {"code": None}


async def lie_about_the_certificate(link, name):
    """Offers with a fingerprint that is not its certificate's, as from somebody in between."""
    socket, members = await come_in(link, name)
    connections = {member: RTCPeerConnection() for member in members}
    for member, connection in connections.items():
        connection.addTrack(AudioStreamTrack())
        await connection.setLocalDescription(await connection.createOffer())
        lines = connection.localDescription.sdp.split("\r\n")
        lines = [flipped(line) if line.startswith("a=fingerprint:") else line for line in lines]
        await socket.send(json.dumps(
            {"type": "description", "kind": "offer", "to": member, "sdp": "\r\n".join(lines)}))
    states = set()
    while len(states) < len(members):
        message = json.loads(await socket.recv())
        connection = connections.get(message.get("from"))
        if message["type"] == "description":
            await connection.setRemoteDescription(RTCSessionDescription(message["sdp"], message["kind"]))
            await ended(connection)
            states.add(message["from"])
    result = {"code": sorted({connection.connectionState for connection in connections.values()})}
    for connection in connections.values():
        await connection.close()
    await leave(socket)
    return result


def flipped(line):
    """The line with its last hexadecimal digit changed."""
    return line[:-1] + ("0" if line[-1] != "0" else "1")


async def ended(connection):
    over = asyncio.Event()

    @connection.on("connectionstatechange")
    def changed():
        if connection.connectionState in ("connected", "failed", "closed"):
            over.set()

    changed()
    await asyncio.wait_for(over.wait(), 10)


def offer(sdp):
    return [{"type": "description", "kind": "offer", "sdp": sdp}]


def candidates(count):
    return [CANDIDATE.format(number, number // 250, number % 250 + 1) for number in range(count)]


async def offer_with_candidates(count):
    """A good offer, but for its candidates."""
    connection = RTCPeerConnection()
    connection.addTrack(AudioStreamTrack())
    sdp = (await connection.createOffer()).sdp
    await connection.close()
    return sdp + "".join(f"a={candidate}\r\n" for candidate in candidates(count))


async def main():
    usual, used, expired, revoked = map(Link, sys.argv[1:])
    wrong = {"token": "AAECAwQFBgcICQoLDA0ODw"}
    report(attempt="wrong token", **await knock(usual, **wrong))
    report(attempt="wrong room", **await knock(usual, room="elsewhere"))
    report(attempt="used invite", **await knock(used))
    report(attempt="expired invite", **await knock(expired))
    report(attempt="revoked invite", **await knock(revoked))
    report(attempt="long name", **await knock(usual, name="x" * 300))
    report(attempt="other origin", **await come_from_elsewhere(usual))
    report(attempt="description of 1 MB", **await send_all(usual, "eve", offer("a" * 2**20)))
    report(attempt="long description", **await send_all(usual, "eve", offer("a" * 150_000)))
    report(attempt="1000 candidates", **await send_all(
        usual, "eve", [{"type": "candidate", "candidate": line} for line in candidates(1000)]))
    report(attempt="description of 70 KB", **await send_all(usual, "mal", offer("v=0\r\n" + "a=x\r\n" * 14_000)))
    report(attempt="description with 1000 candidates",
           **await send_all(usual, "ned", offer(await offer_with_candidates(1000))))
    report(attempt="other fingerprint", **await lie_about_the_certificate(usual, "oscar"))


asyncio.run(main())
