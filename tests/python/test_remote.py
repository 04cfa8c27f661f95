# SPDX-License-Identifier: MPL-2.0
"""Object stores: against a real S3 server on the loopback, through a proxy that counts requests and causes errors."""

import os
import pickle
import shutil
import subprocess
import sys

import fetched
import object_store
import pytest

import ositrace

pytest.importorskip("obstore")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with object_store.server(tmp_path_factory.mktemp("store")) as server:
        yield server


@pytest.fixture
def store(server):
    proxy, bucket = server
    proxy.trouble.clear()
    return proxy, bucket, object_store.access(proxy.server_address[1])


def generate(file, *options):
    program = os.environ["OSICONVERT"]
    subprocess.run([program, "generate", file, "--overwrite", *options], check=True, capture_output=True)


@pytest.fixture
def drive(store):
    """An MCAP file of 20 MB with chunks of 1 MB in the bucket."""
    bucket = store[1]
    file = bucket.folder / "drive.mcap"
    if not file.exists():
        generate(file.with_suffix(".osi"), "--frames", "300")
        ositrace.convert(file.with_suffix(".osi"), file, chunk_size="1M")
        bucket.upload("drive.osi", "drive.mcap")
    return file


def summary_bytes(file):
    contents = file.read_bytes()
    return len(contents) - int.from_bytes(contents[-28:-20], "little")


def test_a_frame_by_time_costs_few_requests(store, drive):
    proxy, _, options = store
    with ositrace.open(drive) as local:
        expected = bytes(local.at(15.0).payload)

    def read():
        with ositrace.open("s3://lake/drive.mcap", storage_options=options) as trace:
            return bytes(trace.at(15.0).payload)

    payload, requests, size = proxy.count(read)
    assert payload == expected
    assert requests <= 4
    largest_chunk_and_index = (1 << 20) + (300 << 10)  # a chunk ends with the message that fills it
    assert size <= summary_bytes(drive) + largest_chunk_and_index + (64 << 10)
    assert all(span for *_, span, _ in proxy.seen if span), "only ranges"


def test_all_frames_arrive_in_large_requests(store, drive):
    proxy, _, options = store
    with ositrace.open(drive) as local:
        expected = [bytes(frame.payload) for frame in local]

    def read(name):
        with ositrace.open(f"s3://lake/{name}", storage_options=options) as trace:
            return [bytes(frame.payload) for frame in trace]

    for name in ("drive.mcap", "drive.osi"):
        payloads, requests, size = proxy.count(lambda name=name: read(name))
        assert payloads == expected
        whole = (drive.parent / name).stat().st_size
        assert size < 1.1 * whole + (1 << 20)
        assert requests < 10 + whole / (500 << 10)


@pytest.mark.parametrize("trouble", [[503], ["reset"], ["slow"], [503, "reset", 503]])
def test_trouble_is_overcome(store, drive, trouble):
    proxy, _, options = store
    with ositrace.open(drive) as local:
        expected = bytes(local[7].payload)
    proxy.trouble += trouble
    with ositrace.open("s3://lake/drive.mcap", storage_options=options) as trace:
        assert bytes(trace[7].payload) == expected
        proxy.trouble += trouble
        assert trace[290].time == 29.0
    assert not proxy.trouble


def test_trouble_without_an_end_is_an_error(store, drive):
    proxy, _, options = store
    proxy.trouble += [503] * 50
    with pytest.raises(ositrace.Error) as caught:
        ositrace.open("s3://lake/drive.mcap", storage_options=options)
    assert caught.value.code == "io" and "\n" not in str(caught.value)
    assert str(caught.value).startswith("s3://lake/drive.mcap: ")


def test_an_object_that_is_replaced_is_an_error(store):
    _, bucket, options = store
    file = bucket.folder / "changing.mcap"
    generate(file, "--frames", "100")
    bucket.upload("changing.mcap")
    with ositrace.open("s3://lake/changing.mcap", storage_options=options) as trace:
        assert trace[0].time == 0
        generate(file, "--frames", "100", "--seed", "9")
        bucket.upload("changing.mcap")
        with pytest.raises(ositrace.Error, match=r"lake/changing.mcap: byte \d+: it was replaced while it was read"):
            trace[99]


@pytest.mark.parametrize("trouble", [[], [416]])
def test_an_object_that_became_shorter_is_an_error(store, trouble):
    """A store that checks the range before the version says 416."""
    proxy, bucket, options = store
    file = bucket.folder / "shorter.osi"
    generate(file, "--frames", "100")
    bucket.upload("shorter.osi")
    size = file.stat().st_size
    with ositrace.open("s3://lake/shorter.osi", storage_options=options) as trace:
        assert trace[0].time == 0
        file.write_bytes(file.read_bytes()[: 1 << 20])
        bucket.upload("shorter.osi")
        proxy.trouble += trouble
        with pytest.raises(ositrace.Error) as caught:
            trace[50]
    error = caught.value
    reason = f"it became shorter while it was read ({size} bytes when it was opened, {1 << 20} now)"
    assert str(error) == f"s3://lake/shorter.osi: byte {error.byte}: {reason}"
    assert (error.code, error.file, error.reason) == ("mismatch", "s3://lake/shorter.osi", reason)
    assert 1 << 20 < error.byte < size


def test_an_object_that_is_removed_is_an_error(store):
    _, bucket, options = store
    generate(bucket.folder / "removed.osi", "--frames", "100")
    bucket.upload("removed.osi")
    with ositrace.open("s3://lake/removed.osi", storage_options=options) as trace:
        assert trace[0].time == 0
        bucket.remove("removed.osi")
        with pytest.raises(ositrace.Error, match=r"removed.osi: byte \d+: it was removed while it was read"):
            trace[50]


def test_a_refusal_is_a_line_that_explains_itself(store, drive):
    proxy, _, options = store
    proxy.trouble.append(403)
    with pytest.raises(ositrace.Error, match="^s3://lake/drive.mcap: the store refuses access: "):
        ositrace.open("s3://lake/drive.mcap", storage_options=options)
    if fetched.checks_signatures():
        with pytest.raises(ositrace.Error, match="^s3://lake/drive.mcap: the store refuses access: "):
            ositrace.open("s3://lake/drive.mcap", storage_options=options | {"secret_access_key": "wrong"})
    with ositrace.open("s3://lake/drive.mcap", storage_options=options) as trace:
        proxy.trouble.append(403)
        with pytest.raises(ositrace.Error, match=r"drive.mcap: byte \d+: the store refuses access: "):
            trace[150]


def test_what_is_missing_is_said(store):
    *_, options = store
    with pytest.raises(FileNotFoundError, match="s3://lake/nothing.osi: there is no such object"):
        ositrace.open("s3://lake/nothing.osi", storage_options=options)
    with pytest.raises(FileNotFoundError, match="no object matches 's3://lake/nowhere/'"):
        ositrace.scan("s3://lake/nowhere/", storage_options=options)


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(ImportError, match="opening s3://lake/drive.mcap needs obstore.*pip install obstore"):
        ositrace.open("s3://lake/drive.mcap")


def test_an_object_that_is_empty_or_no_trace_is_an_error(store):
    _, bucket, options = store
    for name, content in {"empty.osi": b"", "text.osi": b"no trace, but text " * 20}.items():
        (bucket.folder / name).write_bytes(content)
        bucket.upload(name)
        with pytest.raises(ositrace.Error) as local:
            ositrace.open(bucket.folder / name)
        with pytest.raises(ositrace.Error) as remote:
            ositrace.open(f"s3://lake/{name}", storage_options=options)
        assert remote.value.reason == local.value.reason


def test_prefixes_and_patterns_are_listed(store, tmp_path):
    _, bucket, options = store
    folder = bucket.folder
    names = ["fleet/a.osi", "fleet/b.mcap", "fleet/x/c.osi", "fleet/x/y/d.osi", "fleet/notes.pdf"]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("pdf"):
            (folder / name).write_bytes(b"no trace")
        else:
            generate(folder / name, "--frames", "3", "--reflections", "0")
    hidden = ["fleet/_staging/a.osi", "fleet/x/.e.osi", "fleet/x/_f/g.osi"]
    for name in hidden:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "fleet/a.osi", folder / name)
    bucket.upload(*names, *hidden)

    def listed(pattern):
        return [file.removeprefix("s3://lake/") for file in ositrace.scan(pattern, storage_options=options).files]

    assert listed("s3://lake/fleet/") == names[:4]
    assert listed("s3://lake/fleet/*.osi") == ["fleet/a.osi"]
    assert listed("s3://lake/fleet/**/*.osi") == ["fleet/a.osi", "fleet/x/c.osi", "fleet/x/y/d.osi"]
    assert listed("s3://lake/fleet/x/[c-e].osi") == ["fleet/x/c.osi"]
    assert listed("s3://lake/fleet/[!a].mcap") == ["fleet/b.mcap"]
    assert listed("s3://lake/fleet/**/x/**") == ["fleet/x/c.osi", "fleet/x/y/d.osi"]
    assert listed("s3://lake/fleet/_staging/") == listed("s3://lake/fleet/_s*/*") == ["fleet/_staging/a.osi"]
    assert listed("s3://lake/fleet/x/*") == ["fleet/x/c.osi"]
    with pytest.raises(FileNotFoundError, match="no object matches"):
        listed("s3://lake/fleet?a.osi")  # a question mark is no folder's end
    remote = ositrace.scan("s3://lake/fleet/", storage_options=options).objects(["time", "id", "x"]).to_arrow()
    local = ositrace.scan([folder / name for name in names[:4]]).objects(["time", "id", "x"]).to_arrow()
    assert remote.drop_columns("file").equals(local.drop_columns("file"))


def test_tables_of_catalogs_below_a_prefix_are_no_traces(store):
    proxy, bucket, options = store
    lake = bucket.folder / "tables"
    lake.mkdir()
    generate(lake / "a.osi", "--frames", "3", "--type", "gt")
    ositrace.convert(lake / "a.osi", lake / "text.jsonl")
    ositrace.catalog(lake, lake / "ours.jsonl")
    subprocess.run([os.environ["OSICONVERT"], "catalog", lake, "-o", lake / "theirs.jsonl", "--quiet"], check=True)
    (lake / "empty.jsonl").touch()
    uploaded = sorted(file.name for file in lake.iterdir())
    assert {"ours.jsonl", "theirs.jsonl", "theirs.index.jsonl"} < set(uploaded)
    bucket.upload(*[f"tables/{name}" for name in uploaded])

    files, requests, _ = proxy.count(lambda: ositrace.scan("s3://lake/tables/", storage_options=options).files)
    assert [file.removeprefix("s3://lake/tables/") for file in files] == ["a.osi", "empty.jsonl", "text.jsonl"]
    assert requests == 1 + len([name for name in uploaded if name.endswith(".jsonl")])
    assert files == [f"s3://lake/tables/{os.path.basename(file)}" for file in ositrace.scan(lake).files]
    named = ositrace.scan("s3://lake/tables/ours.jsonl", storage_options=options).files
    assert named == ["s3://lake/tables/ours.jsonl"], "what is named is opened, and the error says what it is"
    proxy.trouble += [None] + [403] * (requests - 1)
    files = ositrace.scan("s3://lake/tables/", storage_options=options).files
    assert [os.path.basename(file) for file in files] == uploaded, "who opens what cannot be read says why"


def test_a_catalog_of_a_bucket_reads_summaries_and_two_frames(store, drive):
    proxy, _, options = store
    made, requests, size = proxy.count(lambda: ositrace.catalog("s3://lake/drive.mcap", storage_options=options))
    chunk_and_index = (1 << 20) + (300 << 10)
    assert size <= summary_bytes(drive) + 2 * chunk_and_index, "the chunks of the first and the last frame"
    assert requests <= 8
    local = ositrace.catalog(drive)
    whose = ["file_id", "path", "mtime_ns", "campaign"]
    assert made.rows.drop_columns(whose).equals(local.rows.drop_columns(whose))
    table = ositrace.scan(catalog=made, storage_options=options).objects(["id"], time=(3, 4)).to_arrow()
    assert table.num_rows == ositrace.open(drive).objects(["id"], time=(3, 4)).to_arrow().num_rows


def test_spark_reads_objects_as_files(store, drive):
    pa = pytest.importorskip("pyarrow")
    from ositrace.spark._request import Request

    *_, options = store

    def rows(path, **more):
        request = Request(columns=["id", "x"], time=(3, 6), **more)
        parts = request.partitions([path], 2)
        assert len(parts) > 1
        sent = pickle.loads(pickle.dumps((request, parts)))
        return pa.Table.from_batches([batch for part in sent[1] for batch in sent[0].batches(part)], request.schema)

    remote = rows("s3://lake/drive.mcap", storage=options)
    whose = ["file_id", "path"]
    assert remote.drop_columns(whose).equals(rows(str(drive)).drop_columns(whose))
    assert set(remote["path"].to_pylist()) == {"s3://lake/drive.mcap"}
    assert "secret" not in repr(Request(storage=options))


def test_saving_refuses_objects(ground_truth):
    from ositrace._picture import Picture

    refused = "s3://b/one: path: object stores are not supported here"
    with ositrace.open(ground_truth) as trace:
        for save in (trace[0].save, Picture(b"", "nothing").save, trace.objects(["id"]).to_parquet):
            with pytest.raises(ositrace.Error, match=refused) as caught:
                save("s3://b/one")
            assert caught.value.code == "unsupported"
        with pytest.raises(ositrace.Error, match="s3://b/one.mp4: output: object stores are not supported here"):
            trace.video("s3://b/one.mp4")


def test_jobs_that_run_programs_refuse_objects(tmp_path):
    from ositrace.spark import _jobs

    for job in (_jobs.convert, _jobs.check):
        with pytest.raises(ositrace.Error, match="s3://lake/a.osi: this job reads files, as of a mounted object store"):
            job(None, iter(["s3://lake/a.osi"]), tmp_path)
