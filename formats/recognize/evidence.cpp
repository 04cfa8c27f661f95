// SPDX-License-Identifier: MPL-2.0
#include "formats/recognize/evidence.hpp"

#include <limits>
#include <vector>

#include <ositrace/limits.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace {

namespace {

constexpr int max_checked_fields = 20'000;
constexpr int elements_looked_into = 16;  // of each repeated message, per parent

class Explainer {
public:
    explicit Explainer(bool stated) : stated_(stated) {}

    Evidence run(Bytes message, const MessageTable& table, bool cut_short)
    {
        check_message(message, table, 0, cut_short);
        return std::move(evidence_);
    }

private:
    using Place = const std::byte*;

    /// False when the message contradicts the table (or is broken); says why in the evidence.
    bool check_message(Bytes message, const MessageTable& table, int depth, bool cut_short)
    {
        if (depth > max_message_depth) return contradict("nested too deep");
        std::vector<std::uint16_t> seen(table.fields.size());
        const auto* at = message.data();
        const auto* const end = at + message.size();
        while (at != end && fields_left_-- > 0) {
            const auto* const start = at;
            std::uint32_t tag = 0;
            at = wire::read_tag(at, end, tag);
            if (at == nullptr)
                return (cut_short && end - start < wire::max_tag_bytes) || contradict(wire::why_broken_tag(start, end));
            const auto* const value = at;
            at = wire::skip_field(at, end, tag, max_message_depth - depth);
            const auto* const field = table.find(wire::number_of(tag));
            if (at == nullptr && cut_short) return check_cut_value(field, tag, value, end, depth);
            if (at == nullptr) return contradict("a value runs beyond the end of its message");
            if (field == nullptr) {
                if (wire::number_of(tag) < first_extension_field)
                    evidence_.unexplained += static_cast<std::size_t>(at - start);
                continue;
            }
            if (!check_value(*field, tag, value, at, seen[field->index]++, depth)) return contradict_in(*field);
        }
        return true;
    }

    /// A value that runs beyond the end of a message that is cut short.
    bool check_cut_value(const FieldRow* field, std::uint32_t tag, Place value, Place end, int depth)
    {
        std::uint64_t length = 0;
        if (field == nullptr || wire::wire_type_of(tag) != field->wire_type)
            return contradict("cut in an unknown field");
        if (field->wire_type != wire::length_delimited) return end - value < wire::max_varint_bytes;
        value = wire::read_varint(value, end, length);
        if (value == nullptr) return true;
        if (length > max_encodable_bytes) return contradict("a length beyond all messages");
        const bool no_text = field->kind == FieldKind::string && !looks_like_text({value, end}, true);
        (no_text ? evidence_.no_text : evidence_.explained) += static_cast<std::size_t>(end - value);
        return field->kind != FieldKind::message || check_message({value, end}, *field->child, depth + 1, true);
    }

    bool check_value(const FieldRow& field, std::uint32_t tag, Place value, Place next, int times, int depth)
    {
        const auto wire_type = wire::wire_type_of(tag);
        if (!field.repeated && times != 0) ++evidence_.oddities;
        if (wire_type != field.wire_type) {
            if (wire_type == wire::length_delimited && field.repeated && is_scalar(field.kind))
                return count(value, next);
            if (stated_) {
                evidence_.unexplained += static_cast<std::size_t>(next - value) + 1;
                return true;
            }
            return contradict("wire type " + std::to_string(wire_type) + ", expected " +
                              std::to_string(field.wire_type));
        }
        if (wire_type != wire::length_delimited) {
            if (wire_type == wire::varint) check_varint(field, value, next);
            return count(value, next);
        }
        std::size_t length = 0;
        const auto* const start = wire::read_length(value, next, length);
        const Bytes payload{start, length};
        if (field.kind == FieldKind::message && times < elements_looked_into) {
            count(value, start);
            return check_message(payload, *field.child, depth + 1, false);
        }
        if (field.kind == FieldKind::string && !looks_like_text(payload)) {
            evidence_.no_text += length;
            return true;
        }
        return count(value, next);
    }

    bool count(Place value, Place next) noexcept
    {
        evidence_.explained += static_cast<std::size_t>(next - value) + 1;
        return true;
    }

    void check_varint(const FieldRow& field, Place value, Place next) noexcept
    {
        std::uint64_t raw = 0;
        static_cast<void>(wire::read_varint(value, next, raw));
        const auto stored = wire::decode_varint(field.kind, raw);
        if (wire::encode_varint(field.kind, stored) != raw) ++evidence_.oddities;
        if (field.enumeration != nullptr && field.enumeration->name_of(static_cast<std::int32_t>(stored)).empty())
            ++evidence_.oddities;
    }

    bool contradict(std::string reason)
    {
        evidence_.contradicted = true;
        evidence_.contradiction = std::move(reason);
        return false;
    }

    /// On the way out: the path to what was said.
    bool contradict_in(const FieldRow& field)
    {
        const bool innermost = path_.empty();
        path_ = std::string(field.name) + (innermost ? "" : ".") + path_;
        if (innermost) reason_ = std::move(evidence_.contradiction);
        evidence_.contradiction = path_ + ": " + reason_;
        return false;
    }

    bool stated_;
    int fields_left_ = max_checked_fields;
    Evidence evidence_;
    std::string path_, reason_;
};

}  // namespace

Evidence explain(Bytes message, const MessageTable& table, bool cut_short, bool stated)
{
    return Explainer(stated).run(message, table, cut_short);
}

}  // namespace ositrace
