// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/text_parser.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// The message types that have all the fields named in `front`, the beginning of a text; of a damaged one, those that
/// have most of them. Throws Error (malformed) when there is none.
[[nodiscard]] std::vector<MessageType> types_with_fields_of(std::string_view front, TextForm form, const Schema& schema,
                                                            bool damaged = false);

/// Of these, the types as which the first message in `front` can be read, where it stands there as a whole; else all of
/// them.
[[nodiscard]] std::vector<MessageType> readable_types(const std::vector<MessageType>& types, std::string_view front,
                                                      TextForm form, const Schema& schema, const TextParser& parser);

/// The one channel of a text. A name of the file decides between types that fit equally.
/// Throws Error: ambiguous (naming the candidates and `--type`; more text may help), malformed, mismatch when
/// FlatBuffers are asked for.
[[nodiscard]] Channel recognize_text(const std::filesystem::path& file, std::string_view front, TextForm form,
                                     const OpenOptions& options);

}  // namespace ositrace
