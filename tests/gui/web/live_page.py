#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The page that osiplay serves: what it shows in Chromium, what slow, late and hostile clients receive.

usage: live_page.py BIN SHARED      BIN has osiplay and osiconvert; SHARED may be absent
"""

import base64
import csv
import http.client
import io
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chromium

BIN, SHARED = Path(sys.argv[1]), Path(sys.argv[2])
SKIPPED = 77
START, LAYER, FRAME, NOTICE = range(4)
failures = []


def expect(is_true, text):
    if not is_true:
        failures.append(text)
        print(f"FAILED: {text}", flush=True)


def run(program, *words):
    done = subprocess.run([BIN / program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {words}: {done.stderr}")
    return done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Play:
    """A running osiplay that serves a page."""

    def __init__(self, trace, *words, options="", port=None):
        self.port = port or free_port()
        sink = f"web://:{self.port}{options}"
        self.process = subprocess.Popen([BIN / "osiplay", trace, "--sink", sink, *map(str, words)], text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.url = f"http://127.0.0.1:{self.port}/"
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("osiplay does not listen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def end(self, seconds=60):
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def get(self, path="/", method="GET", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host="Host" in fields)
        for name, value in fields.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer, answer.read().decode()


class Client:
    """A WebSocket that receives what the page receives."""

    def __init__(self, play, receive_buffer=None, **fields):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", play.port))
        head = {"Host": f"127.0.0.1:{play.port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Protocol": "ositrace.page.v1"}
        head.update({name.replace("_", "-"): value for name, value in fields.items()})
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        self.socket.sendall(f"GET /frames HTTP/1.1\r\n{lines}\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            more = self.socket.recv(4096)
            if not more:
                break
            self.rest += more
        self.answer, _, self.rest = self.rest.partition(b"\r\n\r\n")

    def _take(self, size):
        while len(self.rest) < size:
            more = self.socket.recv(1 << 20)
            if not more:
                raise EOFError
            self.rest += more
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def message(self):
        """The next one; None: the server has closed the connection."""
        first, size = self._take(2)
        if size == 126:
            size, = struct.unpack(">H", self._take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self._take(8))
        payload = self._take(size)
        return None if first & 15 == 8 else payload

    def messages(self):
        while (message := self.message()) is not None:
            yield message

    def close(self):
        self.socket.close()


def shown(page):
    """What a page shows in a pause: OSI time, and the global places of road users by their ids."""
    page.key(" ")
    page.drawn()
    return page.evaluate("""(() => {
        const {page, shown, shownFrame} = viewer, {origin} = page;
        const places = shown.map(({track, i}) => [track.id, track.place(i).map((value, k) => value + origin[k])]);
        return {time: Number(page.start) / 1e9 + page.times[shownFrame], places: Object.fromEntries(places)};
    })()""")


def test_places_are_those_of_the_trace(browser, trace):
    base = "moving_object[*]"
    paths = ["@time", f"{base}.id.value", *(f"{base}.base.position.{axis}" for axis in "xyz")]
    rows = list(csv.DictReader(io.StringIO(run("osiconvert", "cat", trace, "--format", "csv", "--fields", ",".join(paths)))))
    with Play(trace, "--loop", "0", options="?subscribers=1") as play:
        page = browser.page(play.url)
        expect(page.evaluate("document.getElementById('connection').textContent") == "live", "the page says that it is live")
        seen = set()
        for _ in range(3):
            page.wait("viewer.page.times.length > 3")
            now = shown(page)
            seen.add(now["time"])
            of_frame = {row[paths[1]] or "0": [float(row[path]) for path in paths[2:]] for row in rows
                        if abs(float(row["@time"]) - now["time"]) < 1e-6}
            expect(of_frame.keys() == now["places"].keys() and of_frame, f"objects at {now['time']}: {now['places']}, {of_frame}")
            for number, place in now["places"].items():
                far = max(abs(a - b) for a, b in zip(place, of_frame.get(number, [1e9] * 3)))
                expect(far < 0.0101, f"object {number} at {now['time']} is {far} m away")
            page.key(" ")  # plays on, from the past
            page.key("End")
            expect(page.evaluate("viewer.player.follows"), "End shows the newest frame")
            time.sleep(0.5)
        expect(len(seen) == 3, f"the page goes on: {seen}")
        test_views_and_selection(page)
        expect(page.problems() == [], f"live: {page.problems()}")
        page.close()


def test_views_and_selection(page):
    area = page.evaluate("document.getElementById('stage').getBoundingClientRect().toJSON()")
    page.key(" ")
    for key in ("3", "b"):
        page.key(key)
        page.key("r")
        page.drawn()
        at = page.evaluate("(() => { const {track, i} = viewer.shown.at(-1); return {id: track.id, at: viewer.view().project(track.place(i))}; })()")
        page.click(area["x"] + at["at"][0], area["y"] + at["at"][1])
        page.drawn()
        expect(page.evaluate("document.querySelector('#values dd').textContent") == at["id"], f"a click selects {at}")
        expect(page.evaluate("viewer.overlay.placed > 0"), "labels are drawn")
    has_host = page.evaluate("viewer.host() !== null")
    page.evaluate("viewer.follow(null); 0")
    page.key("h" if has_host else "f")
    page.key("End")
    before = page.evaluate("[...viewer.camera.target]")
    page.wait(f"Math.hypot(viewer.camera.target[0] - {before[0]}, viewer.camera.target[1] - {before[1]}) > 1")
    followed = page.evaluate("viewer.followed === (viewer.host() ?? viewer.selected)")
    expect(followed, "the camera follows the host, or what is selected")


def test_history_is_bounded(browser, trace):
    with Play(trace, "--loop", "0", "--rate", "20") as play:
        page = browser.page(play.url)
        page.wait("viewer.page.times.length > 20")
        page.evaluate("""(() => {  // as if they came 2 s apart
            const {page} = viewer, {dropOldest} = page;
            window.most = window.added = 0;
            page.dropOldest = () => {
                const {times} = page;
                times[times.length - 1] = (times[times.length - 2] ?? 0) + 2;
                page.start -= 2_000_000_000n;
                dropOldest.call(page);
                window.most = Math.max(window.most, times.at(-1) - times[0]);
                ++window.added;
            };
        })()""")
        page.wait("window.added > 60")
        most = page.evaluate("window.most")
        expect(50 < most < 70, f"a minute is kept: {most}")
        expect(page.evaluate("viewer.page.tracks.every(track => track.frames.length === track.shape.length)"), "columns agree")
        expect(page.problems() == [], f"history: {page.problems()}")
        page.close()


def test_two_pages_and_a_lost_connection(browser, trace):
    port = free_port()
    with Play(trace, "--loop", "0", options="?subscribers=2", port=port) as play:
        one = browser.page(play.url, is_ready=False)
        two = browser.page(play.url)
        one.wait("document.body.classList.contains('ready')")
        for page in (one, two):
            page.wait("viewer.page.times.length > 3")
            page.evaluate("window.isSame = true")
    for page in (one, two):
        page.wait("document.getElementById('connection').textContent === 'connection lost'")
        expect("Trying again" in page.evaluate("document.getElementById('notice').textContent"), "a lost connection is shown")
    with Play(trace, "--loop", "0", port=port):
        for page in (one, two):
            page.wait("document.getElementById('connection').textContent === 'live'")
            expect(page.evaluate("window.isSame"), "the page of the same replay goes on")
    for page in (one, two):
        page.close()


def test_end_of_the_replay(browser, trace):
    with Play(trace, "--time", "0:0.5", options="?subscribers=1") as play:
        page = browser.page(play.url)
        code, _, err = play.end()
        expect(code == 0, f"osiplay ends: {err}")
        page.wait("document.getElementById('connection').textContent === 'ended'")
        expect(f"open {play.url} in a browser" in err, f"the page is named: {err}")
        page.close()


def test_late_clients_receive_the_map_first(browser, trace):
    with Play(trace, "--loop", "0", options="?subscribers=1") as play:
        first = Client(play)
        kinds = [message[0] for message, _ in zip(first.messages(), range(30))]
        expect(kinds.count(START) == 1 and kinds[0] == START, f"a start comes first: {kinds}")
        expect(kinds[1] == LAYER and kinds[-1] == FRAME, f"then the map: {kinds}")
        late = Client(play)
        kinds = [late.message()[0]]
        while kinds[-1] != FRAME:
            kinds.append(late.message()[0])
        expect(kinds[0] == START and set(kinds[1:-1]) == {LAYER}, f"a late client receives the map first: {kinds}")
        page = browser.page(play.url)
        expect(page.evaluate("viewer.page.layersAt(viewer.page.times.length - 1).length > 0"), "a late page shows the map")
        expect(page.problems() == [], f"late: {page.problems()}")
        page.close()
        first.close()
        late.close()


def test_a_late_client_in_a_pause(browser, trace):
    """Of a trace that is played to nobody first, and then waits."""
    with Play(trace, "--pause", "--rate", "1") as play:
        time.sleep(0.5)
        page = browser.page(play.url)
        expect(page.evaluate("viewer.shown.length > 0"), "the current frame is shown")
        page.wait("document.getElementById('notice').textContent.includes('paused')")
        page.close()


def test_a_slow_client_delays_nobody(trace):
    with Play(trace, "--report", "--json", options="?subscribers=2&points=100000") as play:
        slow, quick = Client(play, receive_buffer=4096), Client(play)
        frames = sum(message[0] == FRAME for message in quick.messages())
        slow.close()
        code, out, err = play.end()
        report = json.loads(out)
        expect(code == 0 and report["lateness_ns"]["p99"] is not None, f"the replay ends: {err}")
        expect(int(report["lateness_ns"]["p99"]) < 50e6, f"a slow client does not delay the replay: {report}")
        expect(frames == report["frames"], f"a quick one receives all of {report['frames']} frames: {frames}")
        expect("read too slowly" in err and "not delivered" in err, f"what a slow client misses is reported: {err}")


def test_requests(trace):
    with Play(trace, "--loop", "0") as play:
        answer, body = play.get()
        expect(answer.status == 200 and "text/html" in answer.getheader("Content-Type"), f"/: {answer.status}")
        expect(f"connect-src 'self' ws://127.0.0.1:{play.port};" in body and "default-src 'none'" in body, "its policy")
        for path in ("/x", "/frames", "/../etc/passwd", "/%2e%2e/", "//", "/index.html"):
            expect(play.get(path)[0].status == 404, f"{path} is not found")
        expect(play.get(method="PUT")[0].status == 405, "only GET")
        for host, status in (("evil.example:80", 421), (f"localhost:{play.port}", 200), (f"[::1]:{play.port}", 200),
                             ("localhost;script-src *", 421), ("", 421)):
            expect(play.get(Host=host)[0].status == status, f"host {host!r}: {status}")
        for origin, status in (("http://evil.example", b"403"), (f"http://127.0.0.1:{play.port}", b"101"),
                               ("null", b"403"), (f"https://127.0.0.1:{play.port}", b"403")):
            client = Client(play, Origin=origin)
            expect(client.answer.split()[1] == status, f"origin {origin}: {client.answer}")
            client.close()
        client = Client(play, Host="evil.example", Origin="http://evil.example")
        expect(client.answer.split()[1] == b"421", f"another host: {client.answer}")
        client.close()
        client = Client(play, Sec_WebSocket_Protocol="foxglove.sdk.v1")
        expect(client.answer.split()[1] == b"400", f"another protocol: {client.answer}")
        client.close()
        with socket.create_connection(("127.0.0.1", play.port), timeout=20) as large:
            large.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * (1 << 20))
            try:
                expect(large.recv(16) == b"", "a large header ends the connection")
            except ConnectionError:
                pass
        client = Client(play)
        client.socket.sendall(b"\x82\xfe\xff\xff" + bytes(4) + bytes(65535))  # a message that is too large
        try:
            for _ in client.messages():
                pass
        except (EOFError, ConnectionError):
            pass
        expect(play.get()[0].status == 200, "the server goes on")
        busy = subprocess.run([BIN / "osiplay", trace, "--sink", f"web://:{play.port}"], capture_output=True, text=True)
        expect(busy.returncode == 1 and "in use" in busy.stderr, f"a port in use: {busy.returncode} {busy.stderr}")


def test_connections_are_bounded(trace):
    with Play(trace, "--loop", "0") as play:
        silent = [socket.create_connection(("127.0.0.1", play.port), timeout=20) for _ in range(64)]
        time.sleep(0.3)
        with socket.create_connection(("127.0.0.1", play.port), timeout=20) as one_more:
            expect(one_more.recv(16) == b"", "the 65th is refused")
        begun = time.monotonic()
        try:
            expect(silent[0].recv(16) == b"", "a silent one is disconnected")
        except ConnectionError:
            pass
        expect(time.monotonic() - begun < 15, "within 10 s")
        time.sleep(0.5)
        expect(play.get()[0].status == 200, "then others are served")
        for each in silent:
            each.close()


def main():
    if chromium.program() is None:
        print("skipped: Chromium (Debian package: chromium) is missing")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        truth, view, once = folder / "truth_gt_.osi", folder / "view.osi", folder / "once.osi"
        run("osiconvert", "generate", truth, "--type", "gt", "--frames", "60", "--objects", "12")
        run("osiconvert", "generate", view, "--frames", "40", "--objects", "12", "--reflections", "60000")
        run("osiconvert", "static", "compact", truth, "-o", once)
        test_requests(once)
        test_connections_are_bounded(once)
        test_a_slow_client_delays_nobody(view)
        with chromium.Browser() as browser:
            test_places_are_those_of_the_trace(browser, truth)
            test_late_clients_receive_the_map_first(browser, once)
            test_a_late_client_in_a_pause(browser, once)
            test_two_pages_and_a_lost_connection(browser, once)
            test_end_of_the_replay(browser, once)
            test_history_is_bounded(browser, view)
            for trace in sorted(SHARED.glob("traces/highway_merge.osi")):
                test_places_are_those_of_the_trace(browser, trace)
    print(f"{len(failures)} failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
