#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Runs the notebooks of samples/notebooks, cell by cell.

usage: notebook.py [--update] NOTEBOOK FOLDER      in FOLDER, where its trace is; --update writes what the cells show into it
Exit code 1: a cell fails. tests/python/test_notebook.py runs them, too.
"""

import ast
import base64
import contextlib
import io
import json
import os
import sys
from pathlib import Path


def outputs_of(code, names, plt):
    """What a cell shows: printed text, its last value, and its pictures."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(printed.getvalue())})
    if value is not None and not code.rstrip().endswith(";"):
        data = {"text/plain": lines_of(repr(value))}
        if html := getattr(value, "_repr_html_", lambda: None)():
            data["text/html"] = lines_of(html)
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    for number in plt.get_fignums():
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, format="png", dpi=60, bbox_inches="tight", metadata={"Software": None})
        data = {"image/png": base64.b64encode(picture.getvalue()).decode()}
        outputs.append({"output_type": "display_data", "metadata": {}, "data": data})
    plt.close("all")
    return outputs


def lines_of(text):
    return text.splitlines(keepends=True)


def run(notebook, folder):
    """The notebook with what its cells show. Raises what a cell raises."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    content = json.loads(Path(notebook).read_text())
    names, before = {}, os.getcwd()
    os.chdir(folder)
    try:
        for cell in content["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = outputs_of("".join(cell["source"]), names, plt)
    finally:
        os.chdir(before)
    return content


if __name__ == "__main__":
    done = run(sys.argv[-2], sys.argv[-1])
    if sys.argv[1] == "--update":
        Path(sys.argv[-2]).write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n")
