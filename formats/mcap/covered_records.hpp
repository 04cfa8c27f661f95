// SPDX-License-Identifier: MPL-2.0
// A record whose length is too large covers the records after it: they begin where its known fields end. MCAP allows
// bytes after the known fields, for later versions: only whole records there, up to its end, show that it is damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include <ositrace/bytes.hpp>

#include "formats/mcap/record_parser.hpp"

namespace ositrace::mcap {

/// Bytes of a record's content that usually include the lengths in it, but for those of schemas and attachments with
/// long names.
inline constexpr std::size_t record_front_bytes = 4096;

/// How many bytes the known fields of a record take, by the lengths in it, which need not fit. `front`: the beginning
/// of its content. nullopt: more of it is needed, or the record has no end of its own (Message, unknown ones).
[[nodiscard]] std::optional<std::uint64_t> known_fields_bytes(Opcode opcode, Bytes front) noexcept;

/// Is this a record of the data section, DataEnd or a record of the summary, and do all lengths in it agree exactly
/// with its own? (Of a Message: has it times?) `front`: the beginning of its content.
[[nodiscard]] bool is_exact_record(const RecordPrefix& prefix, Bytes front) noexcept;

/// Which record differs from this one, which does not belong here, in one bit of its opcode, and has exactly this
/// content? One of the data section, or of the summary. nullopt: none.
[[nodiscard]] std::optional<Opcode> opcode_by_content(const RecordPrefix& prefix, Bytes front,
                                                      bool in_summary) noexcept;

/// Up to `bytes` bytes at a place.
using BytesAt = std::function<Bytes(std::uint64_t place, std::size_t bytes)>;

/// Do such records fill `length` bytes exactly? More of them than 64 MiB need not be read to the end.
[[nodiscard]] bool are_exact_records(std::uint64_t length, const BytesAt& at);
/// Does such a record begin there, wherever it ends?
[[nodiscard]] bool begins_exact_record(const BytesAt& at);

/// The length of a record's content, if it covers whole records after that. Not of a Message: see
/// first_trailing_record().
[[nodiscard]] std::optional<std::size_t> length_before_records(const RawRecord& record);

/// Whether whole records fill the end of the data of a message, of which each Message is one of a declared channel, or
/// of one that they declare: the length of the record around `data` may then be wrong, and cover the records that
/// follow. Returns where the first of them begins, after at least one byte. A linear scan, of 15 to 20 GB/s where there
/// is none.
[[nodiscard]] std::optional<std::size_t> first_trailing_record(Bytes data,
                                                               const std::function<bool(std::uint16_t)>& knows_channel);

}  // namespace ositrace::mcap
