"""The proxy must cut in the middle of a frame, wherever the network cut the frames before."""

import random
import socket
import struct
import unittest

from proxy import AmqpFrames, Cut, PostgresFrames, Proxy, Splitter


def message(kind, body):
    return kind + (len(body) + 4).to_bytes(4, "big") + body


STARTUP = (12).to_bytes(4, "big") + (196608).to_bytes(4, "big") + b"user"
SSL = (8).to_bytes(4, "big") + (80877103).to_bytes(4, "big")


def frame(body):
    return b"\x01\x00\x01" + len(body).to_bytes(4, "big") + body + b"\xce"


class Frames(unittest.TestCase):
    def split(self, frames, parts, seed):
        """The lengths of the frames found in a stream that arrives in random pieces; nothing may be lost or changed."""
        stream, pieces = b"".join(parts), random.Random(seed)
        splitter, passed, lengths = Splitter(frames), b"", []
        while stream:
            size = pieces.randint(1, 12)
            for piece, offset, length in splitter.feed(stream[:size]):
                passed += piece
                if offset == 0:
                    lengths.append(length)
            stream = stream[size:]
        self.assertEqual(passed, b"".join(parts))
        return lengths

    def test_what_a_postgres_client_says(self):
        parts = [SSL, STARTUP, message(b"p", b"secret\0"), message(b"Q", b"select 1\0"), message(b"S", b"")]
        for seed in range(20):
            self.assertEqual(self.split(PostgresFrames(True, {}), parts, seed), [len(part) for part in parts])

    def test_what_a_postgres_server_says(self):
        parts = [b"N", message(b"R", b"\0\0\0\0"), message(b"Z", b"I"), message(b"D", b"x" * 70)]
        for seed in range(20):
            self.assertEqual(self.split(PostgresFrames(False, {"bytes_owed": 1}), parts, seed), [len(part) for part in parts])

    def test_what_an_amqp_client_says(self):
        parts = [b"AMQP\x00\x00\x09\x01", frame(b""), frame(b"x" * 50), frame(b"\xce" * 9)]
        for seed in range(20):
            self.assertEqual(self.split(AmqpFrames(True, {}), parts, seed), [len(part) for part in parts])


class Cuts(unittest.TestCase):
    """Over real sockets: an AMQP client says its greeting, a small frame and a large one."""

    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(10)
        self.addCleanup(self.listener.close)
        self.proxy = Proxy(AmqpFrames, self.free_port(), self.listener.getsockname()[1])
        self.proxy.start()
        self.client = self.connect()
        self.accept()
        self.said = [b"AMQP\x00\x00\x09\x01", frame(b"x"), frame(b"y" * 100)]

    @staticmethod
    def free_port():
        with socket.create_server(("127.0.0.1", 0)) as probe:
            return probe.getsockname()[1]

    def accept(self):
        self.server, (_, self.origin_port) = self.listener.accept()
        self.addCleanup(self.server.close)
        self.server.settimeout(10)

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.proxy.port), timeout=10)
        self.addCleanup(client.close)
        return client

    def heard(self):
        heard = b""
        try:
            while data := self.server.recv(1000):
                heard += data
        except OSError:
            pass
        return heard

    def test_left_alone_it_passes_everything_on(self):
        self.client.sendall(b"".join(self.said))
        self.client.shutdown(socket.SHUT_WR)
        self.assertEqual(self.heard(), b"".join(self.said))
        self.assertEqual(self.proxy.origin(self.origin_port), self.client.getsockname()[1])

    def test_a_cut_falls_into_the_frame_that_is_large_enough(self):
        cut = Cut(lambda port: port == self.client.getsockname()[1], True, at_least=50, share=0.5)
        self.proxy.cut(cut)
        self.client.sendall(b"".join(self.said))
        self.assertTrue(cut.done.wait(10))
        self.assertEqual(self.heard(), b"".join(self.said)[: 8 + 9 + 54])
        with self.assertRaises(OSError):
            if not self.client.recv(1):
                raise OSError("closed")

    def test_a_half_close_leaves_the_other_direction(self):
        cut = Cut(lambda port: True, True, at_least=50, share=0.5, half=True)
        self.proxy.cut(cut)
        self.client.sendall(b"".join(self.said))
        self.assertEqual(self.heard(), b"".join(self.said)[: 8 + 9 + 54])
        self.server.sendall(frame(b"back"))
        self.assertEqual(self.client.recv(100), frame(b"back"))

    def test_a_reset_is_passed_on(self):
        self.client.sendall(self.said[0])
        self.assertEqual(self.server.recv(8), self.said[0])
        self.server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.server.close()
        try:
            self.assertEqual(self.client.recv(1), b"")
        except ConnectionResetError:
            pass

    def test_others_are_left_alone(self):
        self.proxy.cut(Cut(lambda port: False, True, at_least=2, share=0.5))
        self.client.sendall(b"".join(self.said))
        self.client.shutdown(socket.SHUT_WR)
        self.assertEqual(self.heard(), b"".join(self.said))

    def test_a_stall_delays(self):
        self.proxy.stall(0.5)
        self.client.sendall(self.said[0])
        self.server.settimeout(0.2)
        with self.assertRaises(TimeoutError):
            self.server.recv(8)
        self.server.settimeout(10)
        self.assertEqual(self.server.recv(8), self.said[0])

    def test_who_is_shut_out_is_reset_and_others_are_not(self):
        # given two connections
        other, mine = (self.client, self.server), self.client.getsockname()[1]
        self.client = self.connect()
        self.accept()
        theirs = self.client.getsockname()[1]
        for client, server in (other, (self.client, self.server)):
            client.sendall(self.said[0])
            self.assertEqual(server.recv(8), self.said[0])
        # when one is meant
        self.proxy.shut_out(lambda port: port == theirs, 60)
        # then it ends at both sides, and the other goes on
        self.assert_ended(self.server)
        self.assert_ended(self.client)
        other[0].sendall(self.said[1])
        self.assertEqual(other[1].recv(9), self.said[1])
        # and when all but that one are, a new one does not get through
        self.proxy.shut_out(lambda port: port != mine, 60)
        self.assert_ended(self.connect())
        # until it is over
        self.proxy.shut_out(lambda port: True, 0)
        self.assert_ended(other[0])
        self.client = self.connect()
        self.accept()
        self.client.sendall(self.said[0])
        self.assertEqual(self.server.recv(8), self.said[0])

    def assert_ended(self, connection):
        try:
            self.assertEqual(connection.recv(1), b"")
        except ConnectionResetError:
            pass


if __name__ == "__main__":
    unittest.main()
