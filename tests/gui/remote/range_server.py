# SPDX-License-Identifier: MPL-2.0
"""A server of files with byte ranges on 127.0.0.1, and the ways in which one can fail."""
import http.server
import pathlib
import re
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        kind, _, name = self.path.lstrip("/").partition("/")
        if kind == "moved":
            self.send_response(302)
            self.send_header("Location", "/files/" + name)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        file = pathlib.Path(self.server.folder) / name
        if kind == "missing" or not file.is_file():
            self.send_error(404)
            return
        content = file.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if kind == "whole" or wanted is None:
            self.reply(200, content, {})
            return
        first, last = int(wanted[1]), min(int(wanted[2]), len(content) - 1)
        if first >= len(content):
            self.send_error(416)
            return
        self.server.ranges.append((first, last + 1))
        if kind == "slow":
            time.sleep(0.2)
        if kind == "silent" and first != 0:
            self.server.release.wait(60)
        part = content[first:last + 1]
        headers = {"Content-Range": f"bytes {first}-{last}/{len(content)}", "ETag": '"1"'}
        if kind == "changing":
            headers["ETag"] = f'"{len(self.server.ranges)}"'
        if kind == "wrong":
            headers["Content-Range"] = f"bytes {first + 1}-{last}/{len(content)}"
        if kind == "cut":
            self.close_connection = True
            self.send_response(206)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            self.wfile.write(part[:len(part) // 2])
            return
        if kind == "endless":
            self.send_response(206)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")
            except OSError:
                self.close_connection = True
            return
        self.reply(206, part, headers)

    def reply(self, status, content, headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:
            self.close_connection = True


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client that goes away is a part of the test


class RangeServer:
    """`url(kind, name)` of a file in `folder`; `ranges`: what was requested."""

    def __init__(self, folder):
        self.http = Server(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.folder = folder
        self.http.ranges = []
        self.http.release = threading.Event()
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def url(self, kind, name):
        return f"http://127.0.0.1:{self.http.server_address[1]}/{kind}/{name}"

    def fetched(self):
        """The number of bytes that were sent since the last call."""
        ranges, self.http.ranges = self.http.ranges, []
        return sum(end - begin for begin, end in ranges)

    def close(self):
        self.http.release.set()
        self.http.shutdown()
