# SPDX-License-Identifier: MPL-2.0
"""A real S3 server on the loopback, reached through a proxy that counts requests and causes errors."""

import contextlib
import http.client
import os
import socket
import subprocess
import threading
import time
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import fetched
import pytest


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy(ThreadingHTTPServer):
    """Passes requests on to a port, and notes each: method, path, range, bytes of the answer."""

    def __init__(self, port):
        self.port = port
        self.seen = []
        self.trouble = []  # what becomes of the next requests: a status, "reset", "slow"
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def count(self, action):
        """Requests and bytes of an action."""
        before = len(self.seen)
        result = action()
        return result, len(self.seen) - before, sum(size for *_, size in self.seen[before:])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        trouble = self.server.trouble.pop(0) if self.server.trouble else None
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if trouble == "reset":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        if trouble == "slow":
            time.sleep(0.5)
        if isinstance(trouble, int):
            self.send_response(trouble)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        content = answer.read()
        size = len(content)
        self.server.seen.append((self.command, self.path, self.headers.get("Range"), size))
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length", "server", "date"):
                self.send_header(name, value)
        self.send_header("Content-Length", answer.getheader("Content-Length") or str(size))
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_GET = do_HEAD = pass_on

    def log_message(self, *_):
        pass


class Bucket:
    """The bucket `lake` of an S3 server, and a folder with the same files."""

    def __init__(self, port, folder):
        self.folder = folder
        self._obstore = pytest.importorskip("obstore")
        self._store = pytest.importorskip("obstore.store").S3Store("lake", **access(port))

    def upload(self, *names):
        """Makes objects of files of the folder, or replaces them."""
        for name in names:
            self._obstore.put(self._store, name, self.folder / name)

    def remove(self, name):
        self._obstore.delete(self._store, name)


def access(port):
    """What obstore needs to know of a server on a port of the loopback."""
    return {
        "endpoint": f"http://127.0.0.1:{port}",
        "access_key_id": "user",
        "secret_access_key": "secret",
        "region": "us-east-1",
        "client_options": {"allow_http": True},
        "retry_config": {"max_retries": 4, "backoff": {"init_backoff": timedelta(milliseconds=1)}},
    }


@contextlib.contextmanager
def server(folder):
    """A proxy before an S3 server, and its bucket; both keep their files in the folder. Else the test is skipped."""
    try:
        s3_server = fetched.s3_server()
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    port = free_port()
    root, files = folder / "s3", folder / "lake"
    (root / "lake").mkdir(parents=True)
    files.mkdir()
    command, environment = s3_server(port, root)
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 0.1).close()
                break
            except OSError:
                time.sleep(0.05)
        # A folder is a bucket for versitygw, which refuses this; moto asks for no signature.
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("PUT", "/lake")
        connection.getresponse().read()
        connection.close()
        proxy = Proxy(port)
        yield proxy, Bucket(port, files)
        proxy.shutdown()
    finally:
        process.kill()
        process.wait()
