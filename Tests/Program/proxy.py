"""Servers that are not on this computer, as far as the program can tell: their name is known to a proxy alone, which speaks TLS for
them. Everything runs on loopback.

    far = FarBank(tmp_path)                 # a demo bank as https://other.example
    far = Far(4711)                         # what listens at this port as https://other.example
    home.run(..., environment=far.environment)
"""

import contextlib
import socket
import ssl
import threading

from conftest import ROOT, Bank

HOST = "other.example"
AUTHORITY = ROOT / "Keys/tls-authority.crt"


class Far:
    """What listens at a port, as the world reaches it: https://other.example, by a proxy. `calls` are the hosts that the proxy was asked
    for."""

    def __init__(self, port):
        self.port, self.calls = port, []
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(ROOT / "Keys/tls-otherhost.crt", ROOT / "Keys/tls-server.pem")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.environment = {"HTTPS_PROXY": "http://127.0.0.1:%d" % self.listener.getsockname()[1]}
        threading.Thread(target=self.serve, daemon=True).start()

    def stop(self):
        self.listener.close()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.tunnel, args=[self.listener.accept()[0]], daemon=True).start()

    def tunnel(self, caller):
        with contextlib.suppress(OSError):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += caller.recv(1)
            self.calls.append(head.split()[1].decode())
            caller.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            near = self.tls.wrap_socket(caller, server_side=True)
            far = socket.create_connection(("127.0.0.1", self.port))
            threading.Thread(target=self.copy, args=[near, far], daemon=True).start()
            self.copy(far, near)

    @staticmethod
    def copy(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class FarBank(Bank):
    """A demo bank that is far."""

    def __init__(self, directory):
        super().__init__(directory, "--public-url", f"https://{HOST}")
        self.far = Far(int(self.url.rsplit(":", 1)[1]))
        self.calls, self.environment = self.far.calls, self.far.environment

    def stop(self):
        self.far.stop()
        super().stop()
