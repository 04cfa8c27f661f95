#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Foxglove's own server sends the frames of a trace of SensorView, beside a channel that is not OSI.

usage: foxglove_server.py PACKAGES PORT SCHEMA TRACE

Prints `listening`, then `subscribed` when somebody has subscribed, sends on a line of standard input, and ends.
"""
import pathlib
import struct
import sys
import threading
import time

sys.path.insert(0, sys.argv[1])
import foxglove  # noqa: E402
from foxglove import websocket  # noqa: E402

port, schema, trace = int(sys.argv[2]), pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
subscribed = threading.Event()


class Listener(foxglove.ServerListener):
    def on_subscribe(self, client, channel):
        if channel.topic == "/sensor_view":
            subscribed.set()


channel = foxglove.Channel("/sensor_view", message_encoding="protobuf",
                           schema=foxglove.Schema(name="osi3.SensorView", encoding="protobuf",
                                                  data=schema.read_bytes()))
other = foxglove.Channel("/other", schema={"type": "object"})
server = foxglove.start_server(port=port, server_listener=Listener(), message_backlog_size=100000)
print("listening", flush=True)
if not subscribed.wait(60):
    sys.exit("nobody subscribed")
print("subscribed", flush=True)
sys.stdin.readline()
data, at, number = trace.read_bytes(), 0, 0
while at != len(data):
    length, = struct.unpack_from("<I", data, at)
    channel.log(data[at + 4:at + 4 + length], log_time=1_000_000_000 + number * 20_000_000)
    other.log({"number": number})
    at, number = at + 4 + length, number + 1
time.sleep(1)  # stop() drops what is queued
server.stop()
