# SPDX-License-Identifier: MPL-2.0
"""osiview opens a trace on a server: the same picture as of the file, of which it reads parts; and what it says when the
server fails. usage: remote_test.py OSIVIEW OSICONVERT"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from range_server import RangeServer

osiview, osiconvert = sys.argv[1:]


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=250)


def expect(holds, *what):
    if not holds:
        sys.exit(" ".join(str(each) for each in what))


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    large = folder / "drive.mcap"
    made = run(osiconvert, "generate", large, "--frames", "200", "--reflections", "20000")
    expect(made.returncode == 0, made.stderr)
    size = large.stat().st_size
    expect(size > 20_000_000, "the trace is too small to tell parts from the whole:", size)
    server = RangeServer(folder)

    def picture(name, source):
        out = folder / name
        return run(osiview, source, "--screenshot", out, "--time", "+3", "--size", "640x360", "--overwrite"), out

    done, of_file = picture("file.png", large)
    expect(done.returncode == 0, done.stderr)
    for kind in ("files", "moved", "slow"):
        server.fetched()
        done, of_url = picture("url.png", server.url(kind, "drive.mcap"))
        expect(done.returncode == 0, kind, done.stderr)
        expect(of_url.read_bytes() == of_file.read_bytes(), kind, "the pictures differ")
        fetched = server.fetched()
        print(f"{kind}: {fetched} of {size} bytes")
        expect(fetched < size / 2, kind, fetched, "of", size, "bytes were fetched")

    for kind, words in {
        "missing": "the server answers 404",
        "whole": "the server does not send parts of files (byte ranges), which osiview needs. Download the file",
        "changing": "the file on the server has changed",
        "wrong": "the server answers 206 without the requested range",
        "endless": "the server sends more than was requested",
        "cut": "",
    }.items():
        url = server.url(kind, "drive.mcap")
        done, out = picture(f"{kind}.png", url)
        expect(done.returncode == 1, kind, done.returncode, done.stderr)
        expect(not out.exists(), kind, "left a picture")
        lines = done.stderr.strip().splitlines()
        expect(any(url in line and words in line for line in lines), kind, done.stderr)
        expect(len(lines) <= 2, kind, done.stderr)

    done, _ = picture("gone.png", "http://127.0.0.1:1/drive.mcap")
    expect(done.returncode == 1 and "http://127.0.0.1:1/drive.mcap: " in done.stderr, done.stderr)
    done, _ = picture("bad.png", "http://")
    expect(done.returncode == 1, done.stderr)
    server.close()
