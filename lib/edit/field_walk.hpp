// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/edit/fields.hpp>

#include "lib/edit/field_plan.hpp"

namespace ositrace {

/// Applies a plan to Protobuf messages. What is unchanged is copied in long pieces. One thread at a time.
class FieldWalk {
public:
    FieldWalk(EditPlan plan, FieldEditCounts& counts) : plan_(std::move(plan)), counts_(counts) {}

    /// Replaces `out` by the edited message. False: nothing changes, and `out` is undefined. Throws Error (malformed,
    /// limit) with the offset in the message.
    [[nodiscard]] bool apply(Bytes message, ByteBuffer& out);

private:
    /// Places in nodes_: those that apply to one message. Of `keep`, all: everything is kept.
    struct Nodes {
        std::size_t first = 0, end = 0;
        [[nodiscard]] bool empty() const noexcept { return first == end; }
    };
    struct Part {
        Nodes keep, changes;
        bool keeps_all = false;
    };
    /// What is done with an occurrence of a field.
    struct Decision {
        bool goes = false;
        bool is_set = false;                  ///< it goes because its value is written elsewhere
        const EditAction* dropped = nullptr;  ///< the reason
        const EditAction* rounded = nullptr;
        Part below;
    };

    bool message(Bytes in, const MessageTable& table, const Part& part, int depth, ByteBuffer& out);
    bool submessage(const std::byte* start, Bytes content, const FieldRow& field, const Part& below, int depth,
                    ByteBuffer& out);
    [[nodiscard]] Decision decide(const FieldRow& field, Bytes content, const Part& part,
                                  std::vector<std::uint64_t>& seen);
    [[nodiscard]] bool matches(const EditAction& action, Bytes content, const std::vector<std::uint64_t>& seen) const;
    void insert(const EditNode& node, const EditInsertion& insertion, ByteBuffer& out);
    /// Rounds in place: no length changes.
    bool round_below(std::byte* at, std::byte* end, const EditNode& node, int depth);
    bool round_all(std::byte* at, std::byte* end, const MessageTable& table, const EditAction& action, int depth);
    bool round_field(std::byte* at, std::byte* end, const FieldRow& field, const EditAction& action, int depth);
    bool round_number(std::byte* at, FieldKind kind, const EditAction& action);
    template <class Visit>
    void each_field(std::byte* at, std::byte* end, int depth, Visit&& visit) const;
    [[nodiscard]] std::uint64_t offset_of(const std::byte* at) const noexcept
    {
        return origin_offset_ + static_cast<std::uint64_t>(at - origin_);
    }
    [[noreturn]] void fail(const std::byte* at, const std::byte* end) const;

    EditPlan plan_;
    FieldEditCounts& counts_;
    std::vector<const EditNode*> nodes_;
    const std::byte* origin_ = nullptr;  ///< this byte is
    std::uint64_t origin_offset_ = 0;    ///< here in the message
};

}  // namespace ositrace
