#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Damages MCAP files of real traces and compares what all commands say and write.

usage: verdict_campaign.py OSICONVERT TRACES [COUNT] [SEED]

Each of COUNT inputs (500) is a real trace in MCAP (chunks that are compressed or not, or no chunks; with and without
checksums, indexes and a summary), with damage at 1 to 3 places, most of them in the structure: opcodes, lengths, the
records between chunks, the end. For each:
- the commands that copy or compare all messages (convert, cut, concat, diff, cat) agree whether it is damaged;
- `recover` and `convert --skip-bad-frames` write the same messages, from the file and from a pipe;
- what convert reads without an error, recover reads without a loss;
- what convert refuses, check and recover report;
- no message is invented: a recovered one is an original, or counted as not confirmed by a checksum;
- the messages that are reported as lost, where their number is known, are at least those that are lost; messages that
  are there twice hide as many from the Statistics record.
A pipe has no extension: where nothing shows that it is an MCAP file, and no message is found, it is an error there.
Messages are compared by a reader of this file.

Input SEED + i depends on its number alone: `verdict_campaign.py OSICONVERT TRACES 1 NUMBER` repeats one. The last line
is the total; the exit code is 1 if anything is wrong.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

from damage_campaign import arguments

MAGIC = b"\x89MCAP0\r\n"
MESSAGE, CHUNK, MESSAGE_INDEX, DATA_END = 5, 6, 7, 15
END = bytes([DATA_END]) + struct.pack("<QI", 4, 0) + b"\x02" + struct.pack("<QQQI", 20, 0, 0, 0) + MAGIC
max_seconds = 60  # of one run of osiconvert


def records_of(data):
    """(opcode, offset, end) of every record of an intact file."""
    at, found = len(MAGIC), []
    while at + 9 <= len(data) - len(MAGIC):
        length = struct.unpack_from("<Q", data, at + 1)[0]
        found.append((data[at], at, at + 9 + length))
        at += 9 + length
    return found


def messages_of(osiconvert, file):
    """(topic, log time, payload) of an intact file of ours, whose chunks are not compressed."""
    data, topics, messages = file.read_bytes(), {}, []

    def walk(begin, end):
        at = begin
        while at + 9 <= end:
            opcode, length = data[at], struct.unpack_from("<Q", data, at + 1)[0]
            content = at + 9
            if opcode == 4:
                channel, _, size = struct.unpack_from("<HHI", data, content)
                # Where the schema of one of two joined files is damaged, their channels are two.
                topics[channel] = data[content + 8 : content + 8 + size].removesuffix(b"_2")
            elif opcode == MESSAGE:
                channel, _, log_time, _ = struct.unpack_from("<HIQQ", data, content)
                messages.append((topics[channel], log_time, data[content + 22 : content + length]))
            elif opcode == CHUNK:
                name = struct.unpack_from("<I", data, content + 28)[0]
                assert name == 0, "the chunks are to be uncompressed"
                walk(content + 40, content + length)
            elif opcode == DATA_END:
                return
            at = content + length

    walk(len(MAGIC), len(data))
    return messages


class Variant:
    def __init__(self, osiconvert, data, folder, number):
        self.data = data
        self.records = records_of(data)
        opcodes = {opcode for opcode, _, _ in self.records}
        self.counts = 11 in opcodes  # in a Statistics record
        self.has_index = 8 in opcodes
        chunk_crcs = [struct.unpack_from("<I", data, at + 9 + 24)[0] for opcode, at, _ in self.records if opcode == CHUNK]
        self.has_checksums = any(chunk_crcs) or data_crc_of(data, self.records) != 0
        file = folder / f"{number}.mcap"
        file.write_bytes(data)
        plain = folder / f"{number}.plain.mcap"
        subprocess.run([osiconvert, "recover", file, "-o", plain, "--compression", "none", "--quiet"], check=True)
        self.messages = collections.Counter(messages_of(osiconvert, plain))


def data_crc_of(data, records):
    return next(struct.unpack_from("<I", data, at + 9)[0] for opcode, at, _ in records if opcode == DATA_END)


def without_checksums(data):
    """The same file without a CRC of the data section and of the summary."""
    data, out = bytearray(data), data
    for opcode, at, end in records_of(out):
        if opcode == DATA_END:
            data[at + 9 : at + 13] = bytes(4)
        if opcode == 2:
            data[end - 4 : end] = bytes(4)
    return bytes(data)


def without_chunks(data):
    """The records of uncompressed chunks as records of the data section, without an index; with a data CRC."""
    import zlib

    out = bytearray(MAGIC)
    for opcode, at, end in records_of(data):
        if opcode == CHUNK:
            out += data[at + 9 + 40 : end]
        elif opcode == DATA_END:
            out += bytes([DATA_END]) + struct.pack("<QI", 4, zlib.crc32(out))
            break
        elif opcode != MESSAGE_INDEX:
            out += data[at:end]
    return bytes(out) + b"\x02" + struct.pack("<QQQI", 20, 0, 0, 0) + MAGIC


def without_index(data):
    """The records of the data section, chunks without a CRC among them, and nothing that counts or finds them."""
    out = bytearray(MAGIC)
    for opcode, at, end in records_of(data):
        if opcode == DATA_END:
            break
        if opcode == CHUNK:
            out += data[at : at + 9 + 24] + bytes(4) + data[at + 9 + 28 : end]
        elif opcode != MESSAGE_INDEX:
            out += data[at:end]
    return bytes(out) + END


def without_summary_schemas(data):
    """Without the Schema records of the summary, and without CRCs of data and summary."""
    out, in_summary, start = bytearray(MAGIC), False, 0
    for opcode, at, end in records_of(data):
        record = bytearray(data[at:end])
        if opcode == DATA_END:
            record[9:13] = bytes(4)
        if in_summary and opcode in (3, 14):
            continue
        if opcode == 2:
            record[9:29] = struct.pack("<QQI", start, 0, 0)
        out += record
        if opcode == DATA_END:
            in_summary, start = True, len(out)
    return bytes(out) + MAGIC


def variants_of(osiconvert, traces, folder):
    found = []
    for number, trace in enumerate(sorted(traces.glob("*.osi")) + sorted(traces.glob("*.mcap"))):
        for compression in ("none", "zstd", "lz4"):
            file = folder / f"{number}.{compression}.mcap"
            source = subprocess.run([osiconvert, "cut", trace, "-o", folder / "part.mcap", "--frames", "0:11",
                                     "--quiet", "--overwrite"], capture_output=True)
            if source.returncode not in (0, 3):
                continue
            size = str(max(300, (folder / "part.mcap").stat().st_size // 40))
            subprocess.run([osiconvert, "convert", folder / "part.mcap", "-o", file, "--compression", compression,
                            "--chunk-size", size, "--quiet", "--overwrite"], check=False, capture_output=True)
            if not file.exists():
                continue
            data = file.read_bytes()
            found.append(data)
            found.append(without_checksums(data))
            found.append(without_index(data))
            found.append(without_summary_schemas(data))
            if compression == "none":
                found.append(without_chunks(data))
                found.append(without_checksums(found[-1]))
    return [Variant(osiconvert, data, folder, i) for i, data in enumerate(found)]


def damage(variant, rng):
    """Bytes of a damaged copy, and what was done."""
    data, kinds = bytearray(variant.data), []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        # Places in the original: those of a second damage may have moved.
        opcode, at, end = rng.choice(variant.records)
        end = min(end, len(data))
        kind = rng.choice(["opcode", "length", "front", "flip", "anywhere", "zeros", "insert", "remove",
                           "record removed", "record twice", "truncated", "appended", "cover"])
        if at >= len(data):
            continue
        kinds.append(f"{kind} at {at} ({opcode})")
        if kind == "opcode":
            data[at] ^= 1 << rng.randrange(8)
        elif kind == "length":
            data[min(len(data) - 1, at + 1 + rng.randrange(8))] ^= 1 << rng.randrange(8)
        elif kind == "front":
            data[min(len(data) - 1, at + 9 + rng.randrange(40))] ^= 1 << rng.randrange(8)
        elif kind == "flip":
            data[rng.randrange(at, end)] ^= 1 << rng.randrange(8)
        elif kind == "anywhere":
            for _ in range(rng.randint(1, 8)):
                data[rng.randrange(len(data))] ^= rng.randint(1, 255)
        elif kind == "zeros":
            begin = rng.randrange(at, end)
            size = rng.choice([1, 8, 64, 512])
            data[begin : begin + size] = bytes(min(size, len(data) - begin))
        elif kind == "insert":
            begin = rng.randrange(at, end)
            size = rng.choice([1, 2, 9, 100])
            data[begin:begin] = bytes(size) if rng.random() < 0.5 else rng.randbytes(size)
        elif kind == "remove":
            begin = rng.randrange(at, end)
            del data[begin : begin + rng.choice([1, 2, 9, 100])]
        elif kind == "record removed":
            del data[at:end]
        elif kind == "record twice":
            data[end:end] = data[at:end]
        elif kind == "truncated":
            del data[rng.randrange(at, end) :]
        elif kind == "cover":  # the next records, too
            i = next(i for i, record in enumerate(variant.records) if record[1] == at)
            last = min(len(variant.records) - 1, i + rng.randint(1, 3))
            length = variant.records[last][2] - at - 9
            data[at + 1 : at + 9] = struct.pack("<Q", length)
        elif kind == "appended":
            data += rng.choice([b"\0", bytes(100), variant.data, rng.randbytes(50)])
    return bytes(data), kinds


class Input:
    def __init__(self, osiconvert, folder, variant, data):
        self.osiconvert, self.folder, self.variant = osiconvert, folder, variant
        self.file = folder / "in.mcap"
        self.data = data
        self.file.write_bytes(data)

    def run(self, *arguments, pipe=False):
        done = subprocess.run([self.osiconvert, *arguments], cwd=self.folder, capture_output=True, timeout=max_seconds,
                              input=self.data if pipe else None)
        if done.returncode not in (0, 1, 3):
            raise RuntimeError(f"{arguments}: exit code {done.returncode}: {done.stderr[-500:]!r}")
        return done

    def saved(self, *arguments, pipe=False):
        """Exit code, messages, entry of the report."""
        out = self.folder / "out.mcap"
        out.unlink(missing_ok=True)
        done = self.run(*arguments, "-" if pipe else "in.mcap", "-o", "out.mcap", "--json", "--compression", "none",
                        pipe=pipe)
        report = {}
        if done.stdout:
            report = json.loads(done.stdout)
            report = report["files"][0] if "files" in report else report
        messages = messages_of(self.osiconvert, out) if out.exists() else []
        return done.returncode, messages, report


def faults_of(given):
    faults = []
    verdicts = {
        "convert": given.saved("convert")[0],
        "cut": given.run("cut", "in.mcap", "-o", "cut.mcap", "--frames", "0:", "--overwrite", "--quiet").returncode,
        "concat": given.run("concat", "in.mcap", "-o", "concat.mcap", "--overwrite", "--quiet").returncode,
        "convert -": given.saved("convert", pipe=True)[0],
        "diff": given.run("diff", "in.mcap", "in.mcap", "--summary").returncode,
        "static": given.run("static", "compact", "in.mcap", "-o", "static.mcap", "--overwrite", "--quiet").returncode,
        "split": given.run("split", "in.mcap", "--out-dir", "pieces", "--every-frames", "1000", "--overwrite",
                           "--quiet").returncode,
        "info": 1 if given.run("info", "in.mcap", "--full").returncode else 0,  # it reports what it could read
    }
    failed = {verb: code == 1 for verb, code in verdicts.items()}
    recovered = given.saved("recover")
    others = {"skip": given.saved("convert", "--skip-bad-frames"), "recover -": given.saved("recover", pipe=True),
              "skip -": given.saved("convert", "--skip-bad-frames", pipe=True)}
    for verb, other in others.items():
        if other[1] != recovered[1]:
            faults.append(f"{verb} writes {len(other[1])} messages, recover {len(recovered[1])}")
        is_unknown = verb.endswith("-") and not given.data.startswith(MAGIC) and not recovered[1]
        if (other[0] == 1) != (recovered[0] == 1) and not is_unknown:
            faults.append(f"{verb} ends with {other[0]}, recover with {recovered[0]}")
    checked = given.run("check", "in.mcap", "--json")
    found = set()
    if checked.stdout:
        found = {each["id"].split(":")[-1] for each in json.loads(checked.stdout)["findings"]}
    if not given.variant.has_index:
        found.discard("mcap.chunk_index")  # there is none: valid, and not what the standard says
    is_damaged = any(each.startswith(("mcap.valid_file", "mcap.data_crc", "mcap.summary_crc", "mcap.chunk_index",
                                      "mcap.chunk_times", "mcap.message_index", "mcap.statistics", "mcap.chunk_content",
                                      "mcap.data_end", "mcap.compression")) for each in found)
    # These read fields of each message, which cannot be decoded where no checksum covers them.
    decoding = {"static", "split", "info"} if "deserialization.possible" in found else set()
    if len({fails for verb, fails in failed.items() if verb not in decoding}) != 1:
        faults.append(f"verdicts differ: {verdicts}")
    if failed["convert"] and recovered[0] == 0:
        faults.append("convert fails, recover finds no damage")
    if failed["convert"] and not is_damaged:
        faults.append(f"convert fails, check finds {sorted(found)}")
    if recovered[0] == 0 and is_damaged:
        faults.append(f"recover finds no damage, check finds {sorted(found)}")
    if recovered[0] != 1:
        lost = recovered[2].get("lost_frames")
        if not failed["convert"] and lost and "deserialization.possible" not in found:
            faults.append(f"convert reads all, recover reports {lost} lost frames")
        faults += compared(given.variant, recovered, lost)
    return faults


def compared(variant, recovered, reported):
    """With the messages of the intact file. A record that is there twice gives its messages twice."""
    got = collections.Counter(recovered[1])
    missing = sum((variant.messages - got).values())
    altered = sum(count for message, count in got.items() if message not in variant.messages)
    faults = []
    unproven = recovered[2].get("kept_unproven", 0)
    if altered > unproven and variant.has_checksums:
        faults.append(f"{altered} messages are not originals, {unproven} are counted as unproven")
    lost = missing - sum((got - variant.messages).values())
    if reported is not None and reported < lost and variant.counts:
        faults.append(f"lost {lost} messages, reported {reported}")
    return faults


def judged(osiconvert, variants, seed):
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        variant = rng.choice(variants)
        data, kinds = damage(variant, rng)
        try:
            faults = faults_of(Input(osiconvert, pathlib.Path(folder), variant, data))
        except Exception as error:  # a crash, an output that cannot be read, or a hang
            faults = [repr(error)]
    return [f"seed {seed} (variant {variants.index(variant)}; {', '.join(kinds)}): {fault}" for fault in faults]


def main():
    osiconvert, traces, count, first = arguments()
    faulty = 0
    with tempfile.TemporaryDirectory() as scratch:
        variants = variants_of(osiconvert, traces, pathlib.Path(scratch))
        assert len(variants) >= 20, "too few variants"
        with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for faults in pool.map(judged, [osiconvert] * count, [variants] * count, range(first, first + count),
                                   chunksize=10):
                faulty += bool(faults)
                for fault in faults:
                    print(fault, flush=True)
    print(f"{count} damaged inputs of {len(variants)} MCAP files: {faulty} with a disagreement")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
