// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include <ositrace/frame.hpp>
#include <ositrace/text_parser.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// The one channel of a text: of the type that has all the fields named in `front`, the beginning of the text. A name of the file
/// decides between types that fit equally. Throws Error: ambiguous (naming the candidates and `--type`; more text may help), malformed
/// when no type has these fields, mismatch when FlatBuffers are asked for.
[[nodiscard]] Channel recognize_text(const std::filesystem::path& file, std::string_view front, TextForm form, const OpenOptions& options);

}  // namespace ositrace
