// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/trace_writer.hpp>

#include "lib/io/output_file.hpp"

namespace ositrace {

/// What the options of a trace writer mean for its file.
[[nodiscard]] inline OutputOptions output_options(const WriteOptions& options)
{
    return {.overwrite = options.overwrite, .recording = options.recording, .sync = options.sync};
}

}  // namespace ositrace
