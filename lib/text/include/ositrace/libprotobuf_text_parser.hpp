// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/text_parser.hpp>

namespace ositrace {

/// libprotobuf's text format and JSON parsers over the descriptors of whatever schema a file has: hand it to
/// OpenOptions::text_parser. Its descriptors are built once per schema and kept with the parser. Unknown field names,
/// values out of range and nesting beyond 100 levels are errors; enum numbers without a name are kept. Thread-safe.
[[nodiscard]] std::shared_ptr<const TextParser> libprotobuf_text_parser();

}  // namespace ositrace
