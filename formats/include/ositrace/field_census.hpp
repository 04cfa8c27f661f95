// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// The counts of the fields with one path, over all messages.
struct FieldCount {
    std::string path;  ///< without indexes: `moving_object.base.position.x`
    const FieldRow* field = nullptr;
    int depth = 0;               ///< 0: of the root
    std::uint64_t count = 0;     ///< values, or elements of repeated fields
    std::uint64_t bytes = 0;     ///< including nested fields
    std::uint64_t messages = 0;  ///< messages with this field
    std::uint64_t least = 0;     ///< values per message, over all messages
    std::uint64_t most = 0;
};

struct UnknownFields {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;  ///< 0 for FlatBuffers: the size of unknown fields is not known
};

/// Counts the fields of messages of one type and the bytes that they take.
/// Bytes of Protobuf: tags, lengths and values as they are on the wire, so that those of the root's fields add up to
/// the payloads. Of FlatBuffers: values, references, lengths of vectors and strings, the table's reference to its
/// vtable; what is missing from the payloads are vtables, padding and the header. A part that several tables share
/// counts for each. Memory depends on the schema alone. One thread at a time; the schema must outlive it.
class OSITRACE_API FieldCensus {
public:
    /// The largest number of paths that are distinguished. Beyond it, the fields below a field are counted for that
    /// field only.
    static constexpr std::size_t max_paths = 20'000;

    FieldCensus(const MessageTable& root, Format format);
    FieldCensus(FieldCensus&&) noexcept;
    FieldCensus& operator=(FieldCensus&&) noexcept;
    ~FieldCensus();

    /// Throws Error (malformed, limit) when the message is broken; fields before the damage may be counted.
    void add(Bytes message);
    /// Fields that occurred, those of a message after it, each level by field number.
    [[nodiscard]] std::vector<FieldCount> counts() const;
    [[nodiscard]] UnknownFields unknown() const noexcept;
    [[nodiscard]] std::uint64_t messages() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
