#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Damages real traces in many ways and compares what comes back with the original.

usage: damage_campaign.py OSICONVERT TRACES [COUNT] [SEED]

Each of COUNT inputs (500) is a trace of the folder TRACES, as Protobuf or FlatBuffers, with damage at 1 to 4 places.
`recover` and `convert --skip-bad-frames` read it. For both:
- of the frames that no damage touches none is lost where two whole frames are between any two places, else at most one
  per place;
- no frame is invented: each is an original, or its bytes in the input overlap the damage (altered, counted apart);
- the frames and bytes that are reported as lost are at least those that are lost;
- both write the same bytes and report the same losses.
Frames that are overwritten count as lost; those whose first byte was removed do not: nothing in the input shows that
they existed. Neither do those that a written length covers up to the beginning of a later frame, if none of them is
found (docs/recover.md).

Input SEED + i depends on its number alone: `damage_campaign.py OSICONVERT TRACES 1 NUMBER` repeats one. One process per
core that it may use (`taskset -c 0` for one). The last line is the total; the exit code is 1 if anything is wrong, also
with the script itself.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import traceback

TOTALS = {"inputs": 0, "untouched": 0, "altered": 0, "faulty": 0}
max_seconds = 300  # of one run of osiconvert
KINDS = ["flips", "zeros", "noise", "removed", "inserted", "length", "truncated"]


def frames_of(data):
    """Offsets of all frames, and of the end."""
    at, places = 0, []
    while at < len(data):
        places.append(at)
        at += 4 + struct.unpack_from("<I", data, at)[0]
    assert at == len(data)
    return places + [at]


def payloads_of(data):
    places = frames_of(data)
    return [data[a + 4 : b] for a, b in zip(places, places[1:])]


class Original:
    def __init__(self, data):
        self.data = data
        self.places = frames_of(data)
        self.payloads = payloads_of(data)
        self.index = {}
        for i, payload in enumerate(self.payloads):
            self.index.setdefault(payload, []).append(i)


class Damaged:
    """A damaged copy: `data`, which of its bytes are not original ones, which frames are untouched, which are gone."""

    def __init__(self, original, rng):
        source, places = original.data, original.places
        count = len(places) - 1
        self.covered = 0
        touched, self.kinds, cuts = [], [], []  # cuts: (begin, end in the original, bytes in their place)
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice(KINDS)
            self.kinds.append(kind)
            at = rng.randrange(len(source))
            if kind == "flips":
                for i in {min(len(source) - 1, at + rng.randrange(64)) for _ in range(rng.randint(1, 8))}:
                    cuts.append((i, i + 1, bytes([source[i] ^ rng.randint(1, 255)])))
                touched.append((at, min(len(source), at + 64)))
                continue
            if kind == "length":
                i = rng.randrange(count)
                at = places[i]
                old = struct.unpack_from("<I", source, at)[0]
                over_more = places[min(count, i + rng.randint(2, 3))] - at - 4
                new = rng.choice([0, 0xFFFFFFFF, old + 1, max(1, old - 1), old + rng.randint(2, 400),
                                  old ^ 1 << rng.randrange(32), over_more])
                end, into = at + 4, struct.pack("<I", new & 0xFFFFFFFF)
                if new == over_more:
                    self.covered += places.index(at + 4 + new) - i - 1
            elif kind == "truncated":
                at = len(source) - rng.randint(1, min(len(source) - 1, 3 * (places[-1] - places[-2])))
                end, into = len(source), b""
            else:
                size = rng.choice([rng.randint(1, 16), rng.randint(1, 600), 512, 4096])
                end = at if kind == "inserted" else min(len(source), at + size)
                into = {"zeros": bytes(end - at), "removed": b""}.get(kind)
                if into is None:
                    into = rng.randbytes(size if kind == "inserted" else end - at)
                    if kind == "inserted" and rng.random() < 0.3:
                        into = bytes(size)
            cuts.append((at, end, into))
            touched.append((at, end))
        self.build(original, cuts)
        self.judge(original, touched)

    def build(self, original, cuts):
        source, parts, self.changed, at, size = original.data, [], [], 0, 0
        self.removed, self.deleted = [], []
        for begin, end, into in sorted(cuts):
            if begin < at or end < at:
                begin, end = max(begin, at), max(end, at)
            parts += [source[at:begin], into]
            size += begin - at
            self.changed.append((size, size + len(into)))
            size += len(into)
            self.removed.append((begin, end))
            if not into:
                self.deleted.append((begin, end))
            at = end
        parts.append(source[at:])
        self.data = b"".join(parts)

    def judge(self, original, touched):
        places, removed = original.places, self.removed
        count = len(places) - 1
        self.untouched = [True] * count
        self.present = [not any(a <= place < b for a, b in self.deleted) for place in places[:-1]]
        for i in range(count):
            begin, end = places[i], places[i + 1]
            for a, b in removed:
                if a < end and b > begin or (a == b and begin < a < end):
                    self.untouched[i] = False
        touched.sort()
        self.close = len(touched) > 1 and any(
            sum(a[1] <= places[i] and places[i + 1] <= b[0] for i in range(count)) < 2
            for a, b in zip(touched, touched[1:])
        )
        self.places = len(touched)
        self.zero_lengths = sum(self.data[a:b] == bytes(b - a) and (b - a) // 4 for a, b in self.changed)

    def overlaps(self, begin, end):
        """Does a stretch of the input touch changed bytes, or a seam where bytes were removed?"""
        return any(a < end and b > begin or (a == b and begin < a < end) for a, b in self.changed)


def faults_of(original, damaged, result, output, transcoded):
    """What is wrong with the output of a verb. `transcoded`: the originals in the encoding of the output."""
    if result is None:
        lost = sum(damaged.untouched)
        return ([f"gave up, {lost} untouched frames"] if lost > damaged.places else []), 0
    index = {}
    for i, payload in enumerate(transcoded):
        index.setdefault(payload, []).append(i)
    found, altered, empty, faults, accounted, position = set(), 0, 0, [], 0, 0
    for payload in payloads_of(output):
        places = index.get(payload, [])
        mine = next((i for i in places if i not in found), None)
        if mine is not None:
            found.add(mine)
            accounted += 4 + len(original.payloads[mine])
            continue
        if transcoded is not original.payloads:
            altered += 1  # its place in the input is unknown
            continue
        if not payload and empty < damaged.zero_lengths:
            empty += 1
            accounted += 4
            continue
        at = damaged.data.find(payload, position) if payload else -1
        if at < 4 or not damaged.overlaps(at - 4, at + len(payload)):
            faults.append(f"invented a frame of {len(payload)} bytes")
            continue
        position = at + len(payload)
        altered += 1
        accounted += 4 + len(payload)
    lost = [i for i, whole in enumerate(damaged.untouched) if whole and i not in found]
    allowed = damaged.places if damaged.close else 0
    if len(lost) > allowed:
        faults.append(f"lost {len(lost)} untouched frames ({lost[:5]}), {allowed} allowed")
    # Zeros between two frames are empty messages; in the other encoding those have bytes.
    if altered > sum(not whole for whole in damaged.untouched) + damaged.zero_lengths:
        faults.append(f"{altered} altered frames, more than were touched")
    truly_lost = sum(damaged.present) - len(found) - altered
    if result["frames"] < truly_lost - damaged.covered:
        faults.append(f"reported {result['frames']} lost frames of {truly_lost}")
    if altered == 0 or transcoded is original.payloads:
        if result["bytes"] < len(damaged.data) - accounted:
            faults.append(f"reported {result['bytes']} lost bytes of {len(damaged.data) - accounted}")
    return faults, altered


def run(program, folder, verb, names, extension):
    out = folder / f"{verb[0]}-{extension}"
    out.mkdir(exist_ok=True)
    command = [program, *verb, *names, "--out-dir", out, "--to", extension, "--json", "--quiet", "--overwrite"]
    done = subprocess.run(command, capture_output=True, cwd=folder, timeout=max_seconds)
    if done.returncode not in (0, 1, 3):
        errors = done.stderr[-2000:].decode(errors="replace")
        raise RuntimeError(f"{verb[0]} --to {extension}: exit code {done.returncode}: {errors}")
    results = {}
    for file in json.loads(done.stdout)["files"]:
        bad = file["state"] == "failed"
        name = file.get("input") or file["inputs"][0]
        results[name] = None if bad else {
            "frames": file["lost_frames"], "bytes": file.get("lost_bytes", file.get("skipped_bytes")),
            "output": pathlib.Path(folder / file["output"]), "frames_out": file["frames"]}
    return results


def originals(program, traces, folder):
    """The traces of the folder in both encodings, (Protobuf, FlatBuffers)."""
    pairs = []
    topics = ["--topic", "^(SensorView|ground_truth_sv|.*View.*)$"]
    files = [(f, []) for f in sorted(traces.glob("*.osi"))] + [(f, topics) for f in sorted(traces.glob("*.mcap"))]
    for number, (file, options) in enumerate(files):
        flat, proto = folder / f"{number}.osifb", folder / f"{number}.osi"
        subprocess.run([program, "convert", file, "-o", flat, "--quiet", *options], check=False, capture_output=True)
        if flat.exists():
            subprocess.run([program, "convert", flat, "-o", proto, "--quiet"], check=True)
            pairs.append((Original(proto.read_bytes()), Original(flat.read_bytes())))
    return pairs


def campaign(program, pairs, seeds, scratch):
    """The totals of some inputs. Where the whole group fails, each alone, so that the bad one is named."""
    try:
        return results_of(program, pairs, seeds, scratch)
    except Exception:
        if len(seeds) > 1:
            parts = [campaign(program, pairs, range(seed, seed + 1), scratch) for seed in seeds]
            return {key: sum(part[key] for part in parts) for key in TOTALS}
        print(f"seed {seeds[0]}: {traceback.format_exc()}", flush=True)
        return {**TOTALS, "inputs": 1, "faulty": 1}


def results_of(program, pairs, seeds, scratch):
    totals = dict(TOTALS)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        folder = pathlib.Path(folder)
        inputs = {"osi": [], "osifb": []}
        for seed in seeds:
            rng = random.Random(seed)
            pair, encoding = pairs[rng.randrange(len(pairs))], rng.randrange(2)
            damaged = Damaged(pair[encoding], rng)
            extension = ("osi", "osifb")[encoding]
            name = f"{seed}.{extension}"
            (folder / name).write_bytes(damaged.data)
            inputs[extension].append((name, seed, pair, encoding, damaged))
        for extension, all_of_it in inputs.items():
            names = [each[0] for each in all_of_it]
            if not names:
                continue
            other = "osi" if extension == "osifb" else "osifb"
            skip = ["convert", "--skip-bad-frames"]
            recovered = {}
            for verb, to in ((["recover"], extension), (skip, extension), (skip, other)):
                results = run(program, folder, verb, names, to)
                for name, seed, pair, encoding, damaged in all_of_it:
                    result = results[name]
                    output = result["output"].read_bytes() if result else b""
                    transcoded = pair[("osi", "osifb").index(to)].payloads
                    faults, altered = faults_of(pair[encoding], damaged, result, output, transcoded)
                    totals["altered"] += altered
                    verdict = result and (output, result["frames"], result["bytes"])
                    if to == extension and recovered.setdefault(name, verdict) != verdict:
                        faults.append("not the verdict of recover")
                    for fault in faults:
                        print(f"seed {seed}: {' '.join(verb)} {name} to {to} ({', '.join(damaged.kinds)}): {fault}")
                    totals["faulty"] += bool(faults)
        for extension in inputs:
            for each in inputs[extension]:
                totals["inputs"] += 1
                totals["untouched"] += sum(each[4].untouched)
    return totals


def arguments():
    """(program, folder of traces, number of inputs, number of the first). Exits with 77 without the folder."""
    program, traces = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if not traces.is_dir():
        print("skipped: no folder of real traces")
        sys.exit(77)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    return program, traces, count, first


def main():
    program, traces, count, first = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        pairs = originals(program, traces, pathlib.Path(scratch))
        assert len(pairs) >= 4, "too few traces"
        step = 50
        groups = [range(i, min(first + count, i + step)) for i in range(first, first + count, step)]
        totals = dict(TOTALS)
        with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            parts = [pool.submit(campaign, program, pairs, group, scratch) for group in groups]
            for group, part in zip(groups, parts):
                try:
                    part = part.result()
                except Exception as error:  # the worker is gone
                    print(f"seeds {group.start} to {group.stop - 1}: {error!r}")
                    part = {**TOTALS, "inputs": len(group), "faulty": len(group)}
                for key, value in part.items():
                    totals[key] += value
    print(f"{totals['inputs']} damaged inputs of {len(pairs)} traces: {totals['untouched']} untouched frames, "
          f"{totals['altered']} altered ones handed out, {totals['faulty']} faulty results")
    return 1 if totals["faulty"] else 0


if __name__ == "__main__":
    sys.exit(main())
