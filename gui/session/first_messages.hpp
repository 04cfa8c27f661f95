// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>

#include <ositrace/trace.hpp>

namespace ositrace::gui {

/// The first messages of a file as a trace in memory: something to look at while the whole file is read before it can
/// be opened. Null where none can be had; opening the file says why. `file` is read from its beginning: no pipe.
[[nodiscard]] std::shared_ptr<const Trace> first_messages(const std::filesystem::path& file, OpenOptions options);

}  // namespace ositrace::gui
