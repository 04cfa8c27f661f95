# SPDX-License-Identifier: MPL-2.0
"""What a notebook shows: texts, HTML, completed names, and the cells of docs/python.md."""

import ast
import html.parser
import json
import os
import shutil
import subprocess
import sys
import warnings

import conftest
import fetched
import polars as pl
import pytest
from test_tables import object_rows, osi3_messages

import ositrace
from ositrace import _ositrace

STORY = conftest.SOURCE / "samples" / "notebooks" / "highway_merge.ipynb"


def test_a_table_shows_its_columns(ground_truth):
    with ositrace.open(ground_truth) as trace:
        table = trace.objects(["id", "vx"])
        assert repr(table) == f"<Table of osi3.GroundTruth in '{ground_truth}': id, vx>"
        assert "<td>vx</td><td>m/s</td><td>moving_object[*].base.velocity.x</td>" in table._repr_html_()
    channel = _ositrace.channel_of_type("SensorData", "protobuf", None)
    ((_, _, path),) = _ositrace.named_table(channel, "objects", ["type"], False, False).columns
    assert path == "moving_object[*].candidate[most probable].type"


@pytest.fixture
def notebook(sensor_view, ground_truth, tmp_path, monkeypatch):
    """The folder of the notebook of docs/python.md: a trace with sensor data of the dummy sensor, and two of a lake."""
    play = os.environ.get("OSIPLAY")
    if not play:
        pytest.skip("osiplay is not built")
    monkeypatch.chdir(tmp_path)
    sinks = ["--sink", "dummy", "--set", "carry_input=off", "--sink", "record:seen.mcap?inputs"]
    subprocess.run([play, sensor_view, *sinks], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(ground_truth, "drive.osi")


def test_the_cells_of_the_notebook(notebook):
    t = ositrace.open("drive.osi")
    speeds = t.objects().to_pandas().groupby("id").speed.max()
    rows = [row for index, message in osi3_messages(t) for row in object_rows(index, message)]
    fastest = {each: max(row["speed"] for row in rows if row["id"] == each) for each in range(6)}
    assert speeds.to_dict() == pytest.approx(fastest, rel=1e-15)
    lanes = t.table({"id": "moving_object[*].id", "lane": "moving_object[*].assigned_lane_id[*].value"}, time=(2, 5))
    assert lanes.to_polars().schema == {"id": pl.UInt64, "lane": pl.List(pl.UInt64)}
    assert t.at(5.0, static="carry").message.lane[0].id.value == t[0].message.lane[0].id.value

    t = ositrace.open("seen.mcap")
    joined = (
        t["SensorView"]
        .objects()
        .to_polars()
        .join_asof(t["SensorData"].objects().to_polars(), on="time_ns", by_left="id", by_right="ground_truth_id")
    )
    seen = {}
    for frame in t["SensorData"]:
        for one in frame.message.to_protobuf().moving_object:
            seen[frame.time_ns, one.header.ground_truth_id[0].value] = one.base.position.x
    both = {(row["time_ns"], row["id"]): row["x_right"] for row in joined.iter_rows(named=True)}
    assert seen and all(both[key] == x for key, x in seen.items())


def test_the_story_of_the_merge(ground_truth, tmp_path, monkeypatch):
    """samples/notebooks/highway_merge.ipynb runs, and shows what it was saved with."""
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    sys.path.insert(0, str(conftest.SOURCE / "tests"))
    try:
        from notebook import run
    finally:
        sys.path.pop(0)
    shutil.copy(ground_truth, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the map that is copied into the part
        cells = [cell for cell in run(STORY, tmp_path)["cells"] if cell["cell_type"] == "code"]
    saved = [cell for cell in json.loads(STORY.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 10
    texts = lambda cell: [one.get("text") or one["data"].get("text/plain") for one in cell["outputs"]]  # noqa: E731
    assert [texts(cell) for cell in cells] == [texts(cell) for cell in saved]
    assert sum("image/png" in one.get("data", {}) for cell in cells for one in cell["outputs"]) == 5
    assert (tmp_path / "objects.parquet").exists() and (tmp_path / "merge.osi").exists()


def test_fields_are_completed_and_become_paths(ground_truth, sensor_view):
    with ositrace.open(ground_truth) as trace:
        fields = trace.fields
        assert {"moving_object", "lane", "timestamp"} <= set(dir(fields))
        assert dir(fields.moving_object.base.position) == ["x", "y", "z"]
        assert str(fields.moving_object.vehicle_attributes.wheel_data.index) == (
            "moving_object[*].vehicle_attributes.wheel_data[*].index"
        )
        assert str(fields.moving_object[3].assigned_lane_id[0].value) == "moving_object[3].assigned_lane_id[0].value"
        assert repr(fields.moving_object.base.velocity.x) == "<moving_object[*].base.velocity.x, in m/s>"
        assert repr(fields.moving_object.base) == "<moving_object[*].base: osi3.BaseMoving>"
        assert repr(fields).startswith("<fields of osi3.GroundTruth: version, timestamp,")
        table = trace.table({"id": fields.moving_object.id, "x": fields.moving_object.base.position.x})
        assert table.to_arrow()["x"].equals(trace.objects(["x"]).to_arrow()["x"])
        assert trace.table([fields.lane.id]).columns == ["lane[*].id"]
        with pytest.raises(
            AttributeError, match="there is no field 'positio' in osi3.BaseMoving; did you mean 'position'"
        ):
            fields.moving_object.base.positio
        with pytest.raises(AttributeError, match="not a message"):
            fields.timestamp.seconds.x
        with pytest.raises(TypeError, match="timestamp is not repeated"):
            fields.timestamp[0]
    with ositrace.open(sensor_view) as trace:
        assert trace._ipython_key_completions_() == [trace.channels[0].topic, "SensorView"]


#: In IPython, of `trace`, `message` and `fields`.
COMPLETED = {
    "trace.fields.": ["lane", "moving_object", "timestamp"],
    "trace.fields.mov": ["moving_object"],
    "trace.fields.moving_object.": ["assigned_lane_id", "base"],
    "trace.fields.moving_object.base.position.": ["x", "y", "z"],
    "trace.fields.moving_object[0].base.": ["position", "velocity"],
    "fields.lane[1].classification.": ["centerline", "left_lane_boundary_id"],
    "message.moving_object[0].base.": ["position", "velocity"],
}

COMPLETE = """
import sys
import jedi, ositrace
with ositrace.open(sys.argv[1]) as trace:
    names = {"trace": trace, "fields": trace.fields, "message": trace[0].message}
    print({text: [each.name for each in jedi.Interpreter(text, [names]).complete()] for text in sys.argv[2:]})
"""


def test_ipython_completes_fields(ground_truth):
    try:
        paths = [*sys.path, str(fetched.folder("completion"))]
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    command = [sys.executable, "-c", COMPLETE, ground_truth, *COMPLETED]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    completed = ast.literal_eval(printed)
    for text, expected in COMPLETED.items():
        assert set(expected) <= set(completed[text]), text
    assert completed["trace.fields.moving_object.base.position."][:3] == ["x", "y", "z"]


class Checked(html.parser.HTMLParser):
    """Counts elements; every one that is opened is closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.texts = [], {}, []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_notebooks_show_html(ground_truth, tmp_path):
    shutil.copy(ground_truth, tmp_path / "a<b>&.osi")
    with ositrace.open(tmp_path / "a<b>&.osi") as trace:
        shown = Checked(trace._repr_html_())
        caption, *cells = shown.texts
        assert caption == f"Trace {tmp_path}/a<b>&.osi: length-prefixed"
        assert cells == ["topic", "type", "encoding", "GroundTruth", "osi3.GroundTruth", "protobuf"]
        frame = trace[7]
        message = Checked(frame.message._repr_html_())
        assert message.count["tr"] == 1 + len(frame.message.ListFields())
        assert "moving_object[6]" in message.texts and "nanos: 231000000" in message.texts
        assert Checked(frame._repr_html_()).texts[1:] == message.texts[1:]
        assert "Frame 7 of osi3.GroundTruth at 0.231 s" in frame._repr_html_()
        with open(tmp_path / "broken.osi", "wb") as file:
            for payload in [bytes(frame.payload) for frame in trace[1:6]] + [b"\x2a\x7f"]:
                file.write(len(payload).to_bytes(4, "little") + payload)
        with ositrace.open(tmp_path / "broken.osi", type="GroundTruth") as other:
            assert "frame 5 at byte" in other[5]._repr_html_()
        table = Checked(trace.objects()._repr_html_())
        assert table.count["tr"] == 1 + len(trace.objects().columns)
    assert "closed" in trace._repr_html_()
