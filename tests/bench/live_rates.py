#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""How punctual a replay to Foxglove clients is, beside the same replay to nobody; how fast a live stream is recorded.

usage: live_rates.py BIN [--rounds N] [--folder DIR]

BIN is the folder of osiplay and osiconvert; the clients are osiplay (`osiplay foxglove://... --sink null`). Takes
turns; prints the median of the rounds. DIR (default /dev/shm) holds traces and recordings: 3 GB.
"""
import argparse
import json
import pathlib
import socket
import statistics
import subprocess
import tempfile
import time

WORK = (  # name, words of generate, clients
    ("100 Hz, 50 objects, 3 clients",
     ("--frames", "500", "--period", "0.01", "--objects", "50", "--reflections", "0"), 3),
    ("10 Hz, 100 000 reflections, 3 clients",
     ("--frames", "60", "--period", "0.1", "--objects", "20", "--reflections", "100000"), 3),
    ("10 Hz, 829 440 reflections, 1 client",
     ("--frames", "60", "--period", "0.1", "--objects", "20", "--reflections", "829440"), 1),
)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def play(osiplay, trace, sink, clients=0, slow=0):
    """The report of a replay at rate 1, and the frames that each client received."""
    words = [osiplay, trace, "--sink", sink, "--rate", "1", "--json"]
    player = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = sink.split("?")[0]
    readers = [subprocess.Popen([osiplay, address, "--sink", "null", "--json"], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True) for _ in range(clients)]
    out, err = player.communicate()
    if player.returncode:
        raise SystemExit(err)
    return json.loads(out), [json.loads(reader.communicate()[0])["frames"] for reader in readers]


def record(osiplay, trace, folder, gigabytes, rate):
    """Bytes per second of a TCP stream that is recorded, and how late its sender was, in seconds (p99, max)."""
    port, out = free_port(), folder / "live.mcap"
    receiver = subprocess.Popen([osiplay, f"tcp://127.0.0.1:{port}?listen", "--sink",
                                 f"record:{out}?compression=none", "--overwrite", "--type", "sv", "--input-encoding",
                                 "protobuf"], stderr=subprocess.PIPE, text=True)
    loops = max(1, round(gigabytes * 1e9 / trace.stat().st_size))
    sender = subprocess.run([osiplay, trace, "--sink", f"tcp://127.0.0.1:{port}", "--loop", str(loops), "--rate",
                             rate, "--json"], capture_output=True, text=True)
    report = json.loads(sender.stdout)
    _, err = receiver.communicate()
    if receiver.returncode not in (0, 3):  # 3: times go backward in the second round of the sender
        raise SystemExit(err)
    size = out.stat().st_size
    out.unlink()
    late = report["lateness_ns"]
    return size / report["seconds"], int(late["p99"]) / 1e9, int(late["max"]) / 1e9


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--gigabytes", type=float, default=2)
    given = parser.parse_args()
    osiplay, osiconvert = given.bin / "osiplay", given.bin / "osiconvert"
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = pathlib.Path(name)
        for title, words, clients in WORK:
            trace = folder / "trace.osi"
            subprocess.run([osiconvert, "generate", trace, *words, "--overwrite", "--quiet"], check=True)
            alone, served, received = [], [], []
            for _ in range(given.rounds):
                alone.append(int(play(osiplay, trace, "null")[0]["lateness_ns"]["p99"]))
                sink = f"foxglove://127.0.0.1:{free_port()}?subscribers={clients}"
                report, frames = play(osiplay, trace, sink, clients)
                served.append(int(report["lateness_ns"]["p99"]))
                received.append(min(frames) / report["frames"])
            print(f"{title}: lateness p99 {statistics.median(served) / 1e6:.2f} ms, to nobody "
                  f"{statistics.median(alone) / 1e6:.2f} ms; received {100 * min(received):.1f} %", flush=True)
        # The trace is that of 829 440 reflections: 0.17 GB/s at rate 1.
        for rate in ("6", "max"):
            results = [record(osiplay, trace, folder, given.gigabytes, rate) for _ in range(given.rounds)]
            speed, p99, longest = (statistics.median(column) for column in zip(*results))
            late = "" if rate == "max" else f"; the sender was late by {p99 * 1000:.1f} ms (p99), {longest * 1000:.1f} ms"
            print(f"TCP to an uncompressed MCAP at rate {rate}: {speed / 1e9:.2f} GB/s{late}", flush=True)
        data = trace.read_bytes()
        begun = time.monotonic()
        (folder / "copy").write_bytes(data)
        print(f"one write() of a file there: {len(data) / (time.monotonic() - begun) / 1e9:.2f} GB/s")


if __name__ == "__main__":
    main()
