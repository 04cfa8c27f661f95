#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""osiplay and programs of others, live: WebSocket clients, Foxglove's client and server, ZeroMQ, a terminal.

usage: live_test.py OSIPLAY OSICONVERT PACKAGES NODE [TEST...]

PACKAGES is the folder of the unpacked wheels, NODE a folder with node_modules. Exit 77 where the packages are not
there; tests that need node, ZeroMQ in osiplay, or memory without a sanitizer are skipped with a message.
"""
import asyncio
import base64
import functools
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

OSIPLAY, OSICONVERT, PACKAGES, NODE = sys.argv[1:5]
sys.path.insert(0, PACKAGES)
try:
    import websockets
    import zmq
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FRAMES = 30
HERE = pathlib.Path(__file__).parent
SANITIZED = "asan" in OSIPLAY or "tsan" in OSIPLAY


def frames_of(file):
    data, at, frames = pathlib.Path(file).read_bytes(), 0, []
    while at != len(data):
        length, = struct.unpack_from("<I", data, at)
        frames.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return frames


def numbers(payloads):
    """The numbers of the frames that have these payloads; a payload that is none: -1."""
    return [frames.index(payload) if payload in frames else -1 for payload in payloads]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def setUpModule():
    global scratch, trace, frames
    scratch = pathlib.Path(tempfile.mkdtemp())
    trace = scratch / "map_once.osi"
    subprocess.run([OSICONVERT, "generate", scratch / "full.osi", "--frames", str(FRAMES), "--period", "0.02",
                    "--reflections", "100", "--quiet"], check=True)
    subprocess.run([OSICONVERT, "static", "compact", scratch / "full.osi", "-o", trace, "--quiet"], check=True)
    frames = frames_of(trace)
    assert len(frames) == FRAMES and len(frames[0]) > len(frames[1])


def tearDownModule():
    shutil.rmtree(scratch)


class Play:
    """A running osiplay; ends it. When a test fails meanwhile, it prints what osiplay did."""

    def __init__(self, *words, **options):
        self.process = subprocess.Popen([OSIPLAY, *map(str, words)], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, **options)

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        status = self.process.poll()
        if status is None:
            self.process.kill()
        errors = self.process.communicate()[1]
        if failed:
            print(f"osiplay {'was running' if status is None else f'ended with {status}'}: {errors}", file=sys.stderr)

    def end(self, seconds=60):
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err


async def connect(port, name="foxglove.sdk.v1"):
    for _ in range(400):
        try:
            return await websockets.connect(f"ws://127.0.0.1:{port}", subprotocols=[name], max_size=None)
        except OSError:
            await asyncio.sleep(0.05)
    raise RuntimeError("nobody listens")


class Client:
    """What any client of the protocol does."""

    def __init__(self, ws):
        self.ws, self.info, self.channels, self.statuses = ws, None, [], []

    @classmethod
    async def open(cls, port, name="foxglove.sdk.v1"):
        return cls(await connect(port, name))

    async def until_closed(self):
        """Everything until the server closes the connection in order."""
        events = []
        try:
            while True:
                events.append(await self.next())
        except websockets.ConnectionClosedOK:
            return events

    async def next(self):
        message = await asyncio.wait_for(self.ws.recv(), 30)
        if isinstance(message, bytes):
            if message[0] == 1:
                return ("data", *struct.unpack_from("<IQ", message, 1), message[13:])
            assert message[0] == 2 and len(message) == 9
            return ("time", *struct.unpack_from("<Q", message, 1))
        content = json.loads(message)
        self.take_text(content)
        if content["op"] == "serverInfo":
            self.info = content
        elif content["op"] == "advertise":
            self.channels += content["channels"]
        elif content["op"] == "status":
            self.statuses.append(content)
        return (content["op"],)

    def take_text(self, content):
        pass

    async def subscribe(self, first_id=5):
        while not self.channels:
            await self.next()
        await self.ws.send(json.dumps({"op": "subscribe", "subscriptions": [
            {"id": first_id + i, "channelId": channel["id"]} for i, channel in enumerate(self.channels)]}))

    async def data(self):
        while True:
            got = await self.next()
            if got[0] == "data":
                return got

    @functools.cached_property
    def message_class(self):
        files = descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(self.channels[0]["schema"]))
        pool = descriptor_pool.DescriptorPool()
        for file in files.file:
            pool.Add(file)
        return message_factory.GetMessageClass(pool.FindMessageTypeByName(self.channels[0]["schemaName"]))


class Lichtblick(Client):
    """What Lichtblick 1.28 with its OSI converter does: it shows a message at the last time that it received, has an alert
    for each text of a status until the id of that is withdrawn, and removes what the next message lacks."""

    def __init__(self, ws):
        super().__init__(ws)
        self.clock, self.alerts, self.shown, self.lanes = None, {}, [], set()

    async def next(self):
        got = await super().next()
        if got[0] == "time":
            self.clock = got[1]
        elif got[0] == "data":
            message = self.message_class.FromString(got[3])
            own = message.timestamp.seconds * 10**9 + message.timestamp.nanos
            self.shown.append((self.clock, got[2], own))
            self.lanes = {lane.id.value for lane in message.global_ground_truth.lane}
        return got

    def take_text(self, content):
        if content["op"] == "status":
            self.alerts[content["message"]] = content["id"]
        elif content["op"] == "removeStatus":
            self.alerts = {text: id for text, id in self.alerts.items() if id not in content["statusIds"]}


class WebSocketClients(unittest.IsolatedAsyncioTestCase):
    async def test_payloads_are_those_of_the_trace(self):
        for name in ("foxglove.websocket.v1", "foxglove.sdk.v1"):
            port = free_port()
            with Play(trace, "--sink", f"foxglove://:{port}?subscribers=1", "--loop", "2", "--quiet") as play:
                client = await Client.open(port, name)
                self.assertEqual(client.ws.subprotocol, name)
                await client.subscribe()
                events = await client.until_closed()
                self.assertEqual(play.end()[0], 0)
            self.assertEqual(client.info["capabilities"], ["time"])
            self.assertEqual(client.channels[0]["schemaName"], "osi3.SensorView")
            data = [event for event in events if event[0] == "data"]
            self.assertEqual(numbers(payload for *_, payload in data), [*range(FRAMES)] * 2)
            self.assertEqual({subscription for _, subscription, _, _ in data}, {5})
            message = client.message_class
            for _, _, at, payload in data:
                stamp = message.FromString(payload).timestamp
                self.assertEqual(stamp.seconds * 10**9 + stamp.nanos, at)
            times = [event[1] if event[0] == "time" else event[2] for event in events if event[0] in ("time", "data")]
            self.assertEqual(sum(b < a for a, b in zip(times, times[1:])), 1)  # where the second round begins

    async def test_a_late_subscriber_gets_the_map_first(self):
        port = free_port()
        with Play(trace, "--sink", f"foxglove://:{port}", "--pause", "--rate", "1", stdin=subprocess.DEVNULL) as play:
            client = await Client.open(port)
            await client.subscribe()
            self.assertEqual(numbers([(await client.data())[3]]), [0])
            times = []  # time goes on being sent while the replay is paused
            while len(times) < 3:
                event = await client.next()
                self.assertEqual(event[0], "time")
                times.append(event[1])
            self.assertEqual(len(set(times)), 1)
            play.process.send_signal(signal.SIGINT)
            play.end()
        port = free_port()
        with Play(trace, "--sink", f"foxglove://:{port}", "--loop", "0", "--rate", "0.5", "--static", "drop") as play:
            for _ in range(3):
                client = await Client.open(port)
                await asyncio.sleep(0.1)
                await client.subscribe()
                first = await client.data()
                self.assertEqual(numbers([first[3]]), [0])
                await client.ws.close()
            play.process.send_signal(signal.SIGINT)
            play.end()

    async def test_the_time_goes_on_between_steps(self):
        port = free_port()
        with Play(trace, "--sink", f"foxglove://:{port}?subscribers=1", "--rate", "0.1", "--time", "0:0.1") as play:
            client = await Client.open(port)
            await client.subscribe()
            events = await client.until_closed()
            self.assertEqual(play.end()[0], 0)
        times = [event[1] if event[0] == "time" else event[2] for event in events if event[0] in ("time", "data")]
        self.assertEqual(times, sorted(times))
        self.assertEqual(times[-1], 80_000_000)
        steps = {event[2] for event in events if event[0] == "data"}
        self.assertEqual(steps, {0, 20_000_000, 40_000_000, 60_000_000, 80_000_000})
        self.assertGreaterEqual(len(set(times) - steps), 3, times)

    async def test_clients_are_told_of_damage(self):
        bad = scratch / "bad.osi"
        payloads = [*frames[:5], b"\xff" * len(frames[5]), *frames[6:]]
        bad.write_bytes(b"".join(struct.pack("<I", len(payload)) + payload for payload in payloads))
        for skips, code, told, count in ((["--skip-bad-frames"], 3, "damage in the trace, the first place: ", FRAMES - 1),
                                         ([], 1, "the replay ended: ", 5)):
            port = free_port()
            with Play(bad, "--sink", f"foxglove://:{port}?subscribers=1", "--type", "sv", *skips) as play:
                client = await Client.open(port)
                await client.subscribe()
                received = 0
                try:
                    while True:
                        received += (await client.next())[0] == "data"
                except websockets.ConnectionClosedOK:
                    pass
                self.assertEqual(play.end()[0], code)
            self.assertEqual(received, count)
            messages = [status["message"] for status in client.statuses]
            self.assertTrue(any(text.startswith(told) and "frame 5 " in text for text in messages), messages)

    async def test_lichtblick_shows_each_message_at_its_own_time_and_not_the_map_that_is_sent_once(self):
        told = ("the trace sends its map only once, and Lichtblick removes what the next message lacks: "
                "foxglove://?static=expand sends it with every message")
        full = scratch / "expanded.osi"
        subprocess.run([OSICONVERT, "static", "expand", trace, "-o", full, "--overwrite", "--quiet"], check=True)
        for played, option, alerts, has_map in ((trace, "", {told}, False), (full, "", set(), True),
                                                (trace, "&static=expand", set(), True)):
            port, recorded = free_port(), scratch / "late.mcap"
            with Play(played, "--sink", f"foxglove://:{port}?subscribers=1{option}", "--rate", "0.3") as play:
                client = await Lichtblick.open(port)
                await client.subscribe()
                while len(client.shown) < 5:
                    await client.next()
                with Play(f"foxglove://127.0.0.1:{port}", "--sink", f"record:{recorded}", "--overwrite") as late:
                    viewer = await Lichtblick.open(port)
                    await viewer.subscribe()
                    await asyncio.gather(client.until_closed(), viewer.until_closed())
                    self.assertEqual(late.end()[0], 0)
                self.assertEqual(play.end()[0], 0)
            self.assertEqual(len(client.shown), FRAMES)
            for each in (client, viewer):
                self.assertEqual({len(set(times)) for times in each.shown}, {1}, each.shown)  # clock, log time, its own
                self.assertEqual(set(each.alerts) - {"more than 1 % of the frames are over 10 ms late"}, alerts)
                self.assertEqual(bool(each.lanes), has_map)
            self.assertEqual(viewer.shown[0][0] == 0, not has_map)  # begins with the map
            check = subprocess.run([OSICONVERT, "check", recorded], capture_output=True, text=True)
            self.assertIn(" 0 errors", check.stdout)

    async def test_a_free_port_is_printed(self):
        with Play(trace, "--sink", "foxglove://:0", "--loop", "0") as play:
            line = await asyncio.to_thread(play.process.stderr.readline)
            self.assertRegex(line, r"listens at port \d+$")
            client = await Client.open(int(line.split()[-1]))
            await client.subscribe()
            self.assertIn(numbers([(await client.data())[3]])[0], range(FRAMES))
            play.process.send_signal(signal.SIGINT)
            play.end()

    async def test_first_picture_data_comes_soon(self):
        port = free_port()
        with Play(trace, "--sink", f"foxglove://:{port}", "--loop", "0") as play:
            await (await Client.open(port)).ws.close()
            spans = []
            for _ in range(5):
                begun = time.monotonic()
                client = await Client.open(port)
                await client.subscribe()
                await client.data()
                spans.append(time.monotonic() - begun)
                await client.ws.close()
            print(f"connect to first data: {sorted(spans)[2] * 1000:.0f} ms")
            play.process.send_signal(signal.SIGINT)
            play.end()

    @unittest.skipIf(SANITIZED, "a sanitizer keeps memory")
    async def test_memory_stays_flat_over_many_connects(self):
        port = free_port()

        def resident(process):
            text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            return int(text.split("VmRSS:")[1].split()[0])

        with Play(trace, "--sink", f"foxglove://:{port}", "--loop", "0", "--quiet") as play:
            sizes = []
            for round in range(3):
                for _ in range(100):
                    client = await Client.open(port)
                    await client.subscribe()
                    await client.data()
                    await client.ws.close()
                sizes.append(resident(play.process))
            self.assertLess(sizes[2] - sizes[0], 4096, sizes)

    async def test_a_wrong_request_is_answered(self):
        port = free_port()
        with Play(trace, "--sink", f"foxglove://:{port}", "--loop", "0") as play:
            client = await Client.open(port)
            await client.ws.send('{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 99}]}')
            await client.ws.send("no JSON")
            while len(client.statuses) < 2:
                await client.next()
            self.assertEqual([status["message"] for status in client.statuses],
                             ["subscription 1: there is no channel 99", "a message that is not JSON"])
            await client.ws.close()
            play.process.send_signal(signal.SIGINT)
            code, _, err = play.end()
            self.assertIn("there is no channel 99", err)


@unittest.skipUnless(shutil.which("node") and pathlib.Path(NODE, "node_modules").exists(), "needs node and its packages")
class FoxgloveClient(unittest.TestCase):
    def test_foxgloves_own_client_receives_the_trace(self):
        port = free_port()
        with Play(trace, "--sink", f"foxglove://:{port}?subscribers=1") as play:
            client = subprocess.run(["node", HERE / "foxglove_client.cjs", str(port)], capture_output=True, text=True,
                                    timeout=60, env=dict(os.environ, NODE_PATH=str(pathlib.Path(NODE, "node_modules"))))
            self.assertEqual(client.returncode, 0, client.stderr)
            got = json.loads(client.stdout)
            self.assertEqual(play.end()[0], 0)
        self.assertEqual(got["errors"], [])
        self.assertEqual(got["serverInfo"]["name"], "osiplay")
        self.assertEqual(numbers(base64.b64decode(payload) for payload in got["payloads"]), [*range(FRAMES)])
        self.assertEqual(got["times"], sorted(got["times"]))


class FoxgloveServer(unittest.TestCase):
    def test_foxgloves_own_server_is_a_source(self):
        schema = scratch / "schema.desc"
        schema.write_bytes(subprocess.run([OSICONVERT, "schema", "--desc"], check=True, capture_output=True).stdout)
        port, out = free_port(), scratch / "received.mcap"
        with subprocess.Popen([sys.executable, HERE / "foxglove_server.py", PACKAGES, str(port), schema, trace],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            self.assertEqual(server.stdout.readline(), "listening\n")
            with Play(f"foxglove://127.0.0.1:{port}", "--sink", f"record:{out}", "--overwrite") as play:
                self.assertEqual(server.stdout.readline(), "subscribed\n")
                server.stdin.write("send\n")
                server.stdin.close()
                code, _, err = play.end()
                self.assertEqual(code, 3, err)  # this server never closes its WebSockets
                self.assertIn("the server disconnected without closing the WebSocket: messages may be missing", err)
        back = scratch / "received.osi"
        subprocess.run([OSICONVERT, "convert", out, "-o", back, "--overwrite", "--quiet"], check=True)
        self.assertEqual(numbers(frames_of(back)), [*range(FRAMES)])
        info = json.loads(subprocess.run([OSICONVERT, "info", "--json", out], check=True, capture_output=True).stdout)
        self.assertEqual([channel["topic"] for channel in info["files"][0]["channels"]], ["/sensor_view"])


class ModelOutputs(unittest.IsolatedAsyncioTestCase):
    async def test_a_server_sends_what_a_model_returns_beside_one_with_what_is_played(self):
        recording = scratch / "returned.mcap"
        subprocess.run([OSIPLAY, trace, "--sink", "dummy", "--sink", f"record:{recording}", "--loop", "2", "--quiet"],
                       check=True)
        subprocess.run([OSICONVERT, recording, "-o", scratch / "returned.osi", "--quiet"], check=True)
        returned = frames_of(scratch / "returned.osi")
        self.assertEqual(len(returned), 2 * FRAMES)
        played_port, port = free_port(), free_port()
        sinks = [f"foxglove://:{played_port}?subscribers=1", "dummy", f"foxglove://:{port}?from=model&subscribers=1"]
        options = [word for sink in sinks for word in ("--sink", sink)]
        with Play(trace, *options, "--rate", "5", "--loop", "2", "--quiet") as play:
            clients = [await Client.open(each) for each in (played_port, port)]
            for client in clients:
                await client.subscribe()
            played, sent = await asyncio.gather(*(client.until_closed() for client in clients))
            self.assertEqual(play.end()[0], 0)
        self.assertEqual([client.channels[0]["schemaName"] for client in clients], ["osi3.SensorView", "osi3.SensorData"])
        data = [event for event in sent if event[0] == "data"]
        self.assertEqual([payload for *_, payload in data], returned)
        self.assertEqual([at for _, _, at, _ in data], [number * 20_000_000 for number in range(FRAMES)] * 2)
        self.assertEqual(len([event for event in played if event[0] == "data"]), 2 * FRAMES)

    def test_a_sink_without_a_model_is_refused(self):
        for sink, why in (("tcp://*:1?from=model&wait=1", "'tcp://*:1?from=model&wait=1': from=model sends what models return: add"),
                          ("zmq+pub://*:1?from=trace", "'zmq+pub://*:1?from=trace': 'trace' is unknown, expected model")):
            with Play(trace, "--sink", sink) as play:
                code, _, err = play.end()
            self.assertEqual(code, 2)
            self.assertIn(why, err)


class SlowReceiver(unittest.TestCase):
    def test_what_the_server_dropped_counts_as_not_received(self):
        large, port, count = scratch / "large.osi", free_port(), 150
        subprocess.run([OSICONVERT, "generate", large, "--frames", str(count), "--period", "0.01", "--reflections",
                        "15000", "--quiet"], check=True)
        with Play(large, "--sink", f"foxglove://:{port}?subscribers=1", "--quiet") as play:
            with Play(f"foxglove://127.0.0.1:{port}", "--sink", "null", "--fail-on", "lost", "--json") as receiver:
                while "waiting for messages" not in receiver.process.stderr.readline():
                    pass
                time.sleep(0.2)  # it has subscribed, and receives
                receiver.process.send_signal(signal.SIGSTOP)
                time.sleep(4)  # a sanitizer makes the replay longer; after its end the server waits 5 s
                receiver.process.send_signal(signal.SIGCONT)
                code, out, err = receiver.end()
            self.assertEqual(play.end()[0], 0)
        report = json.loads(out)
        self.assertEqual(report["frames"] + report["not_received"], count)
        self.assertGreater(report["not_received"], 10)
        self.assertEqual(code, 3)
        self.assertIn(f"frames were lost: {report['not_received']} not received", err)


class WebSocketServers(unittest.IsolatedAsyncioTestCase):
    """A server of the protocol on somebody else's WebSockets is a source."""

    async def record(self, serve, expected=0, report="--json", options=()):
        """What osiplay records and says while `serve(offer, subscribed, send, ws)` runs; its report is self.report."""
        descriptors = subprocess.run([OSICONVERT, "schema", "--desc"], check=True, capture_output=True).stdout
        schema = base64.b64encode(descriptors).decode()
        failed = []

        async def handle(ws):
            async def offer(*channels, **more):
                await ws.send(json.dumps({"op": "advertise", "channels": [
                    {"id": id, "topic": topic, "encoding": "protobuf", "schemaName": "osi3.SensorView",
                     "schema": schema, "schemaEncoding": "protobuf", **more.get(topic, {})}
                    for id, topic in channels]}))

            async def subscribed():
                content = json.loads(await asyncio.wait_for(ws.recv(), 30))
                return {each["channelId"]: each["id"] for each in content["subscriptions"]}

            async def send(subscription, *wanted):
                for number in wanted:
                    await ws.send(struct.pack("<BIQ", 1, subscription, number * 20_000_000) + frames[number])

            try:
                await ws.send(json.dumps({"op": "serverInfo", "name": "test", "capabilities": []}))
                await serve(offer, subscribed, send, ws)
            except Exception as error:
                failed.append(error)

        port, out = free_port(), scratch / "served.mcap"
        async with websockets.serve(handle, "127.0.0.1", port, subprotocols=["foxglove.sdk.v1"], max_size=None):
            with Play(f"foxglove://127.0.0.1:{port}", "--sink", f"record:{out}", "--overwrite", report,
                      *options) as play:
                code, self.report, err = await asyncio.to_thread(play.end)
        self.assertEqual(failed, [])
        self.assertEqual(code, expected, err)
        info = json.loads(subprocess.run([OSICONVERT, "info", "--json", out], check=True, capture_output=True).stdout)
        back = scratch / "served.osi"
        subprocess.run([OSICONVERT, "convert", out, "-o", back, "--overwrite", "--quiet"], check=True)
        topics = [channel["topic"] for channel in info["files"][0]["channels"]]
        return topics, numbers(frames_of(back)), err

    async def test_a_channel_that_is_withdrawn_and_offered_again_goes_on(self):
        for again in (1, 2):  # with the same id, and with another one
            async def serve(offer, subscribed, send, ws):
                await offer((1, "/view"))
                first = (await subscribed())[1]
                await send(first, 0, 1)
                await ws.send(json.dumps({"op": "unadvertise", "channelIds": [1, 77]}))
                await offer((again, "/view"))
                second = (await subscribed())[again]
                self.assertNotEqual(second, first)
                await send(second, 2, 3)

            topics, recorded, _ = await self.record(serve)
            self.assertEqual((topics, recorded), (["/view"], [0, 1, 2, 3]))

    async def test_a_channel_that_cannot_be_read_does_not_discard_the_others(self):
        async def serve(offer, subscribed, send, ws):
            await offer((1, "/broken"), (2, "/view"), **{"/broken": {"schema": "!!!"}})
            subscriptions = await subscribed()
            self.assertEqual(list(subscriptions), [2])
            await send(subscriptions[2], 0, 1)

        topics, recorded, err = await self.record(serve)
        self.assertEqual((topics, recorded), (["/view"], [0, 1]))
        self.assertIn("channel '/broken' is left out: schema: expected base64", err)

    async def test_warnings_of_a_server_are_counted_and_the_last_one_is_in_the_report(self):
        async def serve(offer, subscribed, send, ws):
            await offer((1, "/view"))
            subscription = (await subscribed())[1]
            for level, message in [(0, "welcome"), (1, "Send buffer limit reached"), (2, "a client is slow")]:
                await ws.send(json.dumps({"op": "status", "level": level, "message": message}))
            for i in range(8):
                await ws.send(json.dumps({"op": "status", "level": 1, "message": f"dropped \u00e4 \x1b[31m {i}" + 70 * "\u00e4\u6f22"}))
            await send(subscription, 0, 1)

        last = "dropped \u00e4 \x1b[31m 7" + 36 * "\u00e4\u6f22" + "\u00e4..."
        topics, recorded, err = await self.record(serve)
        self.assertEqual((topics, recorded), (["/view"], [0, 1]))
        report = json.loads(self.report)
        self.assertEqual((report["server_warnings"], report["last_server_warning"]), (10, last))
        self.assertEqual((report["not_received"], report["at_least"]), (1, True))
        self.assertIn("the server warns: Send buffer limit reached\n", err)
        self.assertEqual(err.count("a message was lost: the server drops messages, and does not say how many\n"), 1)
        self.assertIn(": 10 warnings of the server in total\n", err)
        self.assertNotIn("welcome", err)
        self.assertNotIn("\x1b[31m", err)
        await self.record(serve, expected=3, report="--report", options=("--fail-on", "lost"))
        self.assertIn("lost      at least 1 not received\n", self.report)
        self.assertIn("warnings  10 of the server, the last one: " + last.replace("\x1b", "\\x1b"), self.report)

    async def test_a_connection_that_is_cut_off_is_reported_and_no_success(self):
        for reset in (False, True):
            async def serve(offer, subscribed, send, ws):
                await offer((1, "/view"))
                await send((await subscribed())[1], 0, 1)
                part = scratch / "served.mcap.part"
                while not part.exists():  # by then the messages have been read
                    await asyncio.sleep(0.02)
                await asyncio.sleep(0.2)
                if reset:
                    ws.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                                                     struct.pack("ii", 1, 0))
                ws.transport.abort()

            topics, recorded, err = await self.record(serve, 3)
            self.assertEqual((topics, recorded), (["/view"], [0, 1]))
            self.assertIn("the server disconnected without closing the WebSocket: messages may be missing", err)

    async def test_an_empty_message_is_left_out_and_reported(self):
        async def serve(offer, subscribed, send, ws):
            await offer((1, "/view"))
            subscription = (await subscribed())[1]
            await ws.send(struct.pack("<BIQ", 1, subscription, 0))
            await send(subscription, 0, 1)

        topics, recorded, err = await self.record(serve)
        self.assertEqual((topics, recorded), (["/view"], [0, 1]))
        self.assertIn("an empty message is left out", err)


class PlotJuggler(unittest.TestCase):
    def test_messages_have_topic_payload_and_seconds(self):
        port = free_port()
        with Play(trace, "--sink", f"zmq+pub://127.0.0.1:{port}?parts=topic&subscribers=1") as play:
            receiver = zmq.Context.instance().socket(zmq.SUB)  # like PlotJuggler's plug-in
            receiver.setsockopt(zmq.SUBSCRIBE, b"")
            receiver.setsockopt(zmq.RCVTIMEO, 30000)
            receiver.connect(f"tcp://127.0.0.1:{port}")
            if play.process.poll() is not None or (play.process.stderr and not self.supported(play)):
                self.skipTest("osiplay was built without ZeroMQ")
            for i in range(FRAMES):
                topic, payload, seconds = receiver.recv_multipart()
                self.assertEqual(topic, b"SensorView")
                self.assertEqual(numbers([payload]), [i])
                self.assertAlmostEqual(float(seconds), i * 0.02, places=9)
            receiver.close()
            self.assertEqual(play.end()[0], 0)

    @staticmethod
    def supported(play):
        time.sleep(0.2)
        return play.process.poll() is None


class Keys(unittest.IsolatedAsyncioTestCase):
    async def test_keys_steer_what_clients_see(self):
        port = free_port()
        ours, theirs = pty.openpty()
        with Play(trace, "--sink", f"foxglove://:{port}", "--loop", "0", "--rate", "0.2", stdin=theirs,
                  preexec_fn=self.own_terminal) as play:
            os.close(theirs)
            client = await Client.open(port)
            await client.subscribe()
            last = (await client.data())[2]
            os.write(ours, b" ")  # pause
            times = []
            while len(times) < 4 or len(set(times[-4:])) > 1:
                event = await client.next()
                if event[0] == "time":
                    times.append(event[1])
                elif event[0] == "data":
                    last = event[2]
            self.assertTrue(last <= times[-1] <= last + 20_000_000, (last, times))
            os.write(ours, b"\x1b[C")  # a step ahead
            ahead = await client.data()
            self.assertEqual(ahead[2], (last + 20_000_000) % (FRAMES * 20_000_000))
            os.write(ours, b"\x1b[D")  # and back
            self.assertEqual((await client.data())[2], last)
            os.write(ours, b" ")  # resume
            self.assertEqual((await client.data())[2], ahead[2])
            os.write(ours, b"xq")
            play.end()
            try:
                echo = os.read(ours, 4096) if select.select([ours], [], [], 0)[0] else b""
            except OSError:  # nobody has the other end any more
                echo = b""
            self.assertNotIn(b"q", echo)
        os.close(ours)

    def test_q_ends_with_success_and_the_rate_is_that_of_the_last_second(self):
        play, ours, until = self.on_a_terminal("--rate", "0.1")
        until(r", rate 0\.(09|1)\d?,")
        os.write(ours, b"\x1b[A")
        until(r", rate 0\.(19|2)\d?,")  # the mean since the beginning is lower to the end
        os.write(ours, b"q")
        self.assertEqual(play.wait(30), 0)
        os.close(ours)

    def test_the_rate_on_the_terminal_is_that_of_what_was_played_without_pauses_and_seeks(self):
        play, ours, until = self.on_a_terminal("--rate", "0.5", "--loop", "0")
        until(r", rate")
        os.write(ours, b" ")
        shown = until(r"(?:paused[^p]*){25}")
        self.assertNotIn("rate", shown[shown.index("paused"):])
        for _ in range(3):
            os.write(ours, b"\x1b[C")  # steps, as fast as they can be shown
            until(r"paused[^p]*paused")
        os.write(ours, b" ")
        until(r"rate[^\r]*\r[^\r]*rate")
        for _ in range(3):
            os.write(ours, b"\x1b[D")
            until(r"rate[^\r]*\r[^\r]*rate")
        os.write(ours, b"q")
        self.assertEqual(play.wait(30), 0)
        os.close(ours)
        rates = [float(rate) for rate in re.findall(r"rate ([0-9.]+)", self.shown)]
        self.assertTrue(all(0.25 <= rate <= 0.75 for rate in rates), rates)

    def on_a_terminal(self, *options):
        """The process, the terminal's other end, and a function that reads until a pattern comes, and returns what was
        shown since the last call."""
        ours, theirs = pty.openpty()
        play = subprocess.Popen([OSIPLAY, trace, "--sink", "null", *options], stdin=theirs, stderr=theirs,
                                preexec_fn=self.own_terminal)
        os.close(theirs)
        self.shown = ""
        seen = 0

        def until(pattern):
            nonlocal seen
            while not re.search(pattern, self.shown[seen:], re.DOTALL):
                self.assertTrue(select.select([ours], [], [], 30)[0], self.shown)
                self.shown += os.read(ours, 4096).decode()
            since, seen = self.shown[seen:], len(self.shown)
            return since

        return play, ours, until

    @staticmethod
    def own_terminal():
        import fcntl
        import termios
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[5:]])
