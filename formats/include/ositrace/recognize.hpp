// SPDX-License-Identifier: MPL-2.0
// Recognises encoding, layout and message type from the first payloads of a stream.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

struct Recognition {
    MessageType type = MessageType::sensor_view;
    Format format;
    friend bool operator==(const Recognition&, const Recognition&) = default;
};

/// What is known besides the bytes. The first three are decisions: content that contradicts them is an error.
/// A name only decides between readings that fit equally.
struct RecognitionHints {
    std::optional<MessageType> type;            ///< `--type`
    std::optional<Encoding> encoding;           ///< `--input-encoding`
    std::optional<Layout> layout;               ///< `--layout`
    std::optional<MessageType> type_from_name;  ///< by position in the file name
};

/// The number of payloads that recognize() reads at most.
inline constexpr std::size_t recognition_payloads = 4;

/// Recognises payloads of one stream (all of one type). A FlatBuffer is known by its file identifier; one without
/// identifier only when `hints.type` names the table and the structure can be walked. Protobuf is known by how well a
/// type's fields explain the bytes. No payload, or empty ones only: the hints decide. Throws Error: ambiguous (naming
/// the candidates and `--type`), mismatch (an explicit hint and the content disagree), malformed (no type fits; the
/// text lists what was tried).
[[nodiscard]] OSITRACE_API Recognition recognize(std::span<const Bytes> first_payloads, const Schema& schema,
                                                 const RecognitionHints& hints = {});

/// The type and layout that the bytes claim to be as a FlatBuffer, by their file identifier; nullopt: none of ours. The
/// first eight bytes suffice.
[[nodiscard]] OSITRACE_API std::optional<Recognition> claimed_by_identifier(Bytes buffer) noexcept;

/// What a payload is that is not `expected`: the types that explain it, with hardly an unknown field, where `expected`
/// contradicts it or knows, version and time aside, less than half of it. Several where it fits them equally. Empty: it
/// may be `expected`, or is nothing else. Cost: some thousand fields are read. Never throws.
[[nodiscard]] OSITRACE_API std::vector<Recognition> recognize_other(Bytes payload, const Schema& schema,
                                                                    const Recognition& expected);

/// Do the bytes begin like a message of this table? A quick look at the first fields (Protobuf) or at the header and
/// the root table (FlatBuffers), for finding the next frame after a damaged one. The bytes may be cut short. Never
/// throws.
[[nodiscard]] OSITRACE_API bool plausible_start(Bytes bytes, const MessageTable& table, Format format) noexcept;

}  // namespace ositrace
