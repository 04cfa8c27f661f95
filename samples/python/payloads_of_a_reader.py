#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Makes columns of messages that another reader has read, here the package mcap: as in Spark, Ray or a database.

usage: payloads_of_a_reader.py TRACE.mcap        needs mcap and pyarrow
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc
from mcap.reader import make_reader

import ositrace

with open(sys.argv[1], "rb") as stream:
    messages = [
        (message.log_time, message.data)
        for schema, channel, message in make_reader(stream).iter_messages()
        if schema.name == "osi3.SensorView"
    ]
table = pa.table({"log_time": [time for time, _ in messages], "payload": [data for _, data in messages]})
truth = "global_ground_truth.moving_object[*]."
columns = ositrace.decode(table["payload"], "SensorView", {"id": truth + "id", "x": truth + "base.position.x"})
table = table.drop_columns("payload").append_column("objects", columns)
print(table.schema)
print(f"{table.num_rows} messages, {pc.sum(pc.list_value_length(pc.struct_field(table['objects'], 'id')))} objects")
