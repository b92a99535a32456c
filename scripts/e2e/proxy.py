"""A TCP proxy that knows where messages begin and end, to cut them in the middle.

The program reaches Postgres and RabbitMQ through one each during a chaos run. Left alone, it passes everything on.
"""

import asyncio
import threading
import time
from dataclasses import dataclass, field


class PostgresFrames:
    """Splits one direction of a Postgres connection (protocol 3, no TLS) into messages."""

    def __init__(self, from_client, connection):
        self._from_client = from_client
        # What both directions must know: single bytes that the server owes for requests to encrypt.
        self._connection = connection
        self._started = not from_client

    def header(self):
        """How many bytes must be there before the length is known."""
        if not self._from_client and self._connection.get("bytes_owed"):
            return 1
        return 5 if self._started else 8

    def length(self, header):
        if len(header) == 1:
            self._connection["bytes_owed"] -= 1
            return 1
        if self._started:
            return 1 + int.from_bytes(header[1:5], "big")
        code = int.from_bytes(header[4:8], "big")
        if code in (80877103, 80877104):
            self._connection["bytes_owed"] = self._connection.get("bytes_owed", 0) + 1
        elif code == 196608:
            self._started = True
        return int.from_bytes(header[:4], "big")


class AmqpFrames:
    """Splits one direction of an AMQP 0-9-1 connection into frames."""

    def __init__(self, from_client, _connection):
        self._greeting = from_client

    def header(self):
        return 8 if self._greeting else 7

    def length(self, header):
        if self._greeting:
            self._greeting = False
            return 8
        return 7 + int.from_bytes(header[3:7], "big") + 1


class Splitter:
    """Turns what arrives into pieces that each belong to one frame. Holds back less than a header."""

    def __init__(self, frames):
        self._frames = frames
        self._held = b""
        self._length = 0
        self._offset = 0

    def feed(self, data):
        """Yields (bytes, where in the frame they begin, the frame's length)."""
        data = self._held + data
        self._held = b""
        while data:
            if self._offset == self._length:
                size = self._frames.header()
                if len(data) < size:
                    self._held = data
                    return
                self._length, self._offset = self._frames.length(data[:size]), 0
            piece, data = data[: self._length - self._offset], data[self._length - self._offset :]
            yield piece, self._offset, self._length
            self._offset += len(piece)


@dataclass
class Cut:
    """Cuts one connection in the middle of the next frame of at least a size."""

    # Told the client's port: whether it is one of those meant.
    concerns: object
    to_server: bool
    at_least: int
    # Where in the frame, as a share of it.
    share: float
    # Close only the direction in which the frame went.
    half: bool = False
    done: threading.Event = field(default_factory=threading.Event)
    cut_at: int = 0
    frame: int = 0


class Proxy(threading.Thread):
    def __init__(self, frames, port, target):
        super().__init__(daemon=True)
        self.port = port
        self._frames = frames
        self._target = target
        self._origins = {}
        # Both ends of each connection, by the client's port.
        self._ends = {}
        self._loop = None
        self._cut = None
        self._stalled_until = 0.0
        self._shut_out = lambda port: False
        self._shut_out_until = 0.0
        self._listening = threading.Event()
        # The event loop itself holds its tasks only weakly.
        self._tasks = set()
        self.error = None

    def start(self):
        super().start()
        if not self._listening.wait(10):
            raise OSError(f"the proxy does not listen on port {self.port}: {self.error}")

    def origin(self, port):
        """The client's port behind a port from which the proxy has connected to the server."""
        return self._origins.get(port)

    def cut(self, cut):
        self._cut = cut

    def stall(self, seconds):
        """Passes nothing on for a while. Connections stay."""
        self._stalled_until = time.monotonic() + seconds

    def shut_out(self, concerns, seconds):
        """Resets the connections of those meant (told the client's port), and every new one for a while."""
        self._shut_out, self._shut_out_until = concerns, time.monotonic() + seconds
        self._loop.call_soon_threadsafe(self._reset_shut_out)

    def _is_shut_out(self, origin):
        return time.monotonic() < self._shut_out_until and self._shut_out(origin)

    def _reset_shut_out(self):
        for origin, ends in list(self._ends.items()):
            if self._shut_out(origin):
                for end in ends:
                    end.abort()

    def run(self):
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self.error = error

    async def _serve(self):
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self._listening.set()
        async with server:
            await server.serve_forever()

    async def _connected(self, reader, writer):
        task = asyncio.current_task()
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        origin = writer.get_extra_info("peername")[1]
        if self._is_shut_out(origin):
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        own = back.get_extra_info("sockname")[1]
        self._origins[own] = origin
        shared = {}
        self._ends[origin] = ends = (writer.transport, back.transport)
        # Those meant may have become so while the connection was made.
        if self._is_shut_out(origin):
            self._reset_shut_out()
        try:
            await asyncio.gather(
                self._pump(reader, back, Splitter(self._frames(True, shared)), origin, True, ends),
                self._pump(there, writer, Splitter(self._frames(False, shared)), origin, False, ends),
            )
        finally:
            self._origins.pop(own, None)
            self._ends.pop(origin, None)
            for end in ends:
                end.abort()

    async def _pump(self, reader, writer, splitter, origin, to_server, ends):
        try:
            while data := await reader.read(65_536):
                while (left := self._stalled_until - time.monotonic()) > 0:
                    await asyncio.sleep(left)
                whole = bytearray()
                for piece, offset, length in splitter.feed(data):
                    cut = self._wanted(origin, to_server, offset, length)
                    if cut is not None:
                        writer.write(bytes(whole + piece[: cut.cut_at]))
                        await self._end(cut, reader, writer, ends)
                        return
                    whole += piece
                writer.write(bytes(whole))
                await writer.drain()
            writer.write_eof()
        except OSError:
            # A reset is not an end in order: both sides are to see it.
            for end in ends:
                end.abort()

    @staticmethod
    async def _end(cut, reader, writer, ends):
        if cut.half:
            writer.write_eof()
            cut.done.set()
            # The other direction lives until one of the two notices.
            while await reader.read(65_536):
                pass
        else:
            for end in ends:
                # Not abort: what was written must arrive.
                end.close()
            cut.done.set()

    def _wanted(self, origin, to_server, offset, length):
        cut = self._cut
        if cut is None or offset != 0 or cut.to_server != to_server or length < max(2, cut.at_least) or not cut.concerns(origin):
            return None
        self._cut = None
        cut.frame, cut.cut_at = length, min(length - 1, max(1, int(length * cut.share)))
        return cut
