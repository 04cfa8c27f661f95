# SPDX-License-Identifier: MPL-2.0
"""Traces in Apache Spark.

>>> from ositrace.spark import register
>>> register(spark)                                                  # PySpark 4.1 and newer
>>> spark.read.format("ositrace").option("columns", "id,x,y").load("lake/**/*.mcap")

>>> ositrace.spark.read(spark, "lake/", columns=["id", "x", "y"])    # PySpark 3.5, too
>>> ositrace.spark.convert(spark, "lake/", "lake-mcap/")             # jobs: convert, check, columns, catalog
"""

from ._jobs import Report, catalog, check, columns, convert
from ._plan import Failure
from ._session import decode, read, register

__all__ = ["Failure", "Report", "catalog", "check", "columns", "convert", "decode", "read", "register"]
