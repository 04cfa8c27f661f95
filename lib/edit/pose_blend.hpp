// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/edit/resample.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// A Protobuf message whose objects are between two of their poses. One thread at a time; the schema must outlive it.
class PoseBlend {
public:
    explicit PoseBlend(const MessageTable& root);
    /// Has the type objects with poses?
    [[nodiscard]] bool empty() const noexcept { return lists_.empty(); }
    /// `out`: the message `a`, in which the objects that `b` has, too, are `share` of the way to it. Throws Error
    /// (malformed, limit).
    void apply(Bytes a, Bytes b, double share, ByteBuffer& out, ResampleCounts& counts);

private:
    /// Where objects are: the messages from the root on, and the repeated field.
    struct List {
        std::vector<const FieldRow*> way;
        const FieldRow* objects = nullptr;
        const FieldRow* base = nullptr;
        std::string name;
        std::unordered_map<std::uint64_t, MessageView> bases;  ///< of the later message, by id
    };

    void message(Bytes in, std::size_t level, List& list, ByteBuffer& out);
    void object(Bytes in, List& list, ByteBuffer& out);
    void base(const MessageView& whole, Bytes in, const MessageView& later, const List& list, ByteBuffer& out);

    const MessageTable& root_;
    std::vector<List> lists_;
    ByteBuffer scratch_;
    double share_ = 0;
    ResampleCounts* counts_ = nullptr;
};

}  // namespace ositrace
