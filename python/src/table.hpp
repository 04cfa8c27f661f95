// SPDX-License-Identifier: MPL-2.0
// Tables of the frames of a trace, as ositrace/_table.py uses them.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include <ositrace/arrow.hpp>
#include <ositrace/table.hpp>

#include "python/src/frame.hpp"

namespace ositrace::python {

/// What a table has, for the messages of one channel.
struct ChannelTable {
    TablePlan plan;
    std::shared_ptr<const ChannelOfTrace> channel;
};

/// Names and types of columns.
struct TableSchema {
    std::shared_ptr<const ArrowSchema> schema;
};

/// Rows of a table in memory. Any number of consumers share them.
struct Batch {
    std::shared_ptr<const ArrowSchema> schema;
    std::shared_ptr<const ArrowArray> array;
};

[[nodiscard]] TableSchema schema_of(const TablePlan& plan);

}  // namespace ositrace::python
