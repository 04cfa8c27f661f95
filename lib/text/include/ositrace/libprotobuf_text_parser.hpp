// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/text_parser.hpp>

namespace ositrace {

/// The text format and JSON parsers of libprotobuf for OpenOptions::text_parser. They use the schema of the file; its
/// descriptors are built once and cached. Unknown field names, values out of range and more than 100 nested messages
/// are errors; enum numbers without a name are kept. Thread-safe.
[[nodiscard]] std::shared_ptr<const TextParser> libprotobuf_text_parser();

}  // namespace ositrace
