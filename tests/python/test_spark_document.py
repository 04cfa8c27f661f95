# SPDX-License-Identifier: MPL-2.0
"""The examples of docs/fleet.md run, in their order, in a folder of their own."""

import os
import re
import shlex
import subprocess
import sys

import conftest
import pytest
from spark_sessions import environment_of

from ositrace.spark.__main__ import parsed

PAGE = conftest.SOURCE / "docs" / "fleet.md"


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_examples_run(tmp_path):
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    environment = environment_of("spark")
    environment["PATH"] = f"{os.path.dirname(os.environ['OSICONVERT'])}{os.pathsep}{environment['PATH']}"
    settings = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    (tmp_path / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    environment["SPARK_CONF_DIR"] = str(tmp_path)
    commands, jobs = blocks("console")
    subprocess.run(commands.replace("$ ", ""), shell=True, cwd=tmp_path, env=environment, check=True)
    (tmp_path / "page.py").write_text("\n".join(blocks("python")))
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    columns = re.findall(r"^ \|-- (\w+):", done.stdout, re.MULTILINE)
    assert columns[-1] == "_error" and f"printSchema()          # {', '.join(columns)}\n" in PAGE.read_text()
    assert (tmp_path / "fastest.png").read_bytes().startswith(b"\x89PNG")
    printed = [line for line in done.stdout.splitlines() if line and not line.startswith((" |", "root", "+", "|"))]
    assert [printed[0], printed[1], printed[-1]] == ["100", "10 500 []", "1"], done.stdout
    assert len(os.listdir(tmp_path / "lake-mcap")) == 10 and os.listdir(tmp_path / "written") == ["copy.mcap"]
    for line in jobs.splitlines():  # the page's options are those of the program
        words = shlex.split(line, comments=True)[1:]
        words = words[words.index("ositrace.spark") + 1 :] if words[0] == "python" else words[4:]
        assert parsed(words).job == words[0]
