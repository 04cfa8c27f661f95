// SPDX-License-Identifier: MPL-2.0
// How a MessageView reads Protobuf. Known fields with another wire type than their own count as unknown, as in
// libprotobuf.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

struct ProtobufAccess {
    /// One occurrence of a field on the wire.
    struct Occurrence {
        std::uint32_t tag;
        const std::byte* value;  ///< after the tag
        const std::byte* next;   ///< after the field
    };

    static bool has(const MessageView& view, const FieldRow& field);
    /// Of a singular scalar; the last occurrence wins.
    static std::optional<std::uint64_t> stored_scalar(const MessageView& view, const FieldRow& field);
    /// Of a singular string, bytes or message field.
    static Value reference(const MessageView& view, const FieldRow& field);
    static RepeatedView repeated(const MessageView& view, const FieldRow& field);
    static Value element(const RepeatedView& elements, std::size_t i);
    static void for_each_field(const MessageView& view, const std::function<bool(const FieldRow&)>& visit);
    static void for_each_element(const MessageView& view, const FieldRow& field,
                                 const std::function<bool(const Value&)>& visit);
    static std::size_t unknown_fields(const MessageView& view);
    static MessageView up_to_damage(const MessageView& view);
    /// The value that starts at `at`, after its tag, in the bytes of the view; its end has been checked.
    static Value value_at(const MessageView& view, const FieldRow& field, const std::byte* at);
    /// Says what is wrong with the field that starts at `start` in the bytes of the view.
    [[noreturn]] static void fail_at(const MessageView& view, const std::byte* start);

private:
    friend class MessageView;
    template <class Visit>
    static void scan(const MessageView& view, Visit&& visit);
    template <class Visit>
    static void scan_elements(const MessageView& view, const FieldRow& field, Visit&& visit);
    template <class Visit>
    static bool scan_packed(const MessageView& view, const FieldRow& field, Bytes chunk, Visit&& visit);

    static MessageView child(const MessageView& view, const FieldRow& field, Bytes payload);
    static MessageView merged_child(const MessageView& view, const FieldRow& field);
    static Value reference_to(const MessageView& view, const FieldRow& field, Bytes payload);
    /// The place in the payload of what a scan of the view has found, which may be in a merged copy.
    static Bytes original(const MessageView& view, Bytes found, std::uint32_t& position) noexcept;
    [[noreturn]] static void fail(const MessageView& view, const std::byte* where, const FieldRow* field,
                                  std::string_view reason, Cause cause = Cause::malformed);
};

}  // namespace ositrace
