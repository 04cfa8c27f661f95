// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/pose_blend.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "formats/protobuf/field_reader.hpp"
#include "formats/view/element_id.hpp"
#include "lib/edit/wire_output.hpp"

namespace ositrace {

namespace {

constexpr std::array<std::string_view, 5> object_lists{"moving_object", "global_ground_truth.moving_object",
                                                       "moving_object_update", "update", "object"};
/// Vectors of a BaseMoving.
struct BlendedRow {
    std::string_view name;
    bool are_angles;
};
constexpr std::array blended{BlendedRow{"position", false},         BlendedRow{"orientation", true},
                             BlendedRow{"velocity", false},         BlendedRow{"acceleration", false},
                             BlendedRow{"orientation_rate", false}, BlendedRow{"orientation_acceleration", false}};

const BlendedRow* blended_row(const FieldRow& field) noexcept
{
    for (const auto& row : blended)
        if (row.name == field.name && field.child != nullptr && !field.repeated) return &row;
    return nullptr;
}

double between(double from, double to, double share, bool is_angle) noexcept
{
    if (!is_angle) return from + (to - from) * share;
    constexpr double turn = 2 * std::numbers::pi;
    const auto angle = from + std::remainder(to - from, turn) * share;
    // A writer that uses angles beyond half a turn goes on with them.
    return std::abs(from) <= std::numbers::pi ? std::remainder(angle, turn) : angle;
}

/// A vector of doubles, as the whole field; fields that are no doubles are those of `a`.
void put_blended(const FieldRow& field, const std::optional<MessageView>& a, const std::optional<MessageView>& b,
                 double share, bool are_angles, ByteBuffer& out)
{
    put_tag(field.number, out);
    const auto start = out.size();
    const auto component = [](const std::optional<MessageView>& from, const FieldRow& row) {
        return from ? as_real(from->get(row)) : std::nullopt;
    };
    for (const auto& row : field.child->fields) {
        if (row.kind != FieldKind::double_ || row.repeated) continue;
        const auto from = component(a, row), to = component(b, row);
        if (!from && !to) continue;
        auto* const at = out.reserve_back(wire::max_tag_bytes + sizeof(double));
        auto* const value = wire::write_varint(at, wire::make_tag(row.number, wire::fixed64));
        store(value, between(from.value_or(0), to.value_or(0), share, are_angles));
        out.commit_back(static_cast<std::size_t>(value - at) + sizeof(double));
    }
    if (const auto wire = a ? a->wire_bytes() : std::nullopt) {
        for (wire::FieldReader reader(*wire); reader.next();) {
            const auto* const row = field.child->find(reader.number());
            if (row == nullptr || row->kind != FieldKind::double_) out.append(reader.field());
        }
    }
    put_length(start, out);
}

}  // namespace

PoseBlend::PoseBlend(const MessageTable& root) : root_(root)
{
    for (const auto path : object_lists) {
        List list;
        const auto* table = &root;
        for (const auto& part : path_parts(path)) {
            const auto* const field = table == nullptr ? nullptr : table->find(part.name);
            table = field == nullptr ? nullptr : field->child;
            if (list.objects != nullptr) list.way.push_back(list.objects);
            list.objects = table == nullptr ? nullptr : field;
            if (table == nullptr) break;
        }
        if (list.objects == nullptr || !list.objects->repeated || !id_fields(*list.objects->child)) continue;
        list.base = list.objects->child->find("base");
        if (list.base == nullptr || list.base->child == nullptr || list.base->child->find("position") == nullptr)
            continue;
        list.name = std::string(path) + ".base.";
        lists_.push_back(std::move(list));
    }
}

void PoseBlend::apply(Bytes a, Bytes b, double share, ByteBuffer& out, ResampleCounts& counts)
{
    share_ = share;
    counts_ = &counts;
    out.clear(a.size() + 1024);
    out.append(a);
    for (auto& list : lists_) {
        list.bases.clear();
        std::optional<MessageView> holder(std::in_place, b, root_, Format{});
        for (const auto* const field : list.way) {
            const auto value = holder ? holder->get(*field) : Value();
            const auto* const below = std::get_if<MessageView>(&value);
            holder = below == nullptr ? std::nullopt : std::optional(*below);
        }
        if (holder)
            holder->for_each_element(*list.objects, [&](const Value& value) {
                const auto& element = std::get<MessageView>(value);
                const auto id = id_of(element, *id_fields(*list.objects->child));
                const auto base = element.get(*list.base);
                if (id && std::holds_alternative<MessageView>(base))
                    list.bases.try_emplace(*id, std::get<MessageView>(base));
                return true;
            });
        std::swap(scratch_, out);
        out.clear(scratch_.size() + 1024);
        message(scratch_.bytes(), 0, list, out);
    }
}

void PoseBlend::message(Bytes in, std::size_t level, List& list, ByteBuffer& out)
{
    const bool has_objects = level == list.way.size();
    const auto& wanted = has_objects ? *list.objects : *list.way[level];
    for (wire::FieldReader reader(in); reader.next();) {
        if (reader.number() != wanted.number || reader.wire_type() != wire::length_delimited) {
            out.append(reader.field());
            continue;
        }
        put_tag(reader.number(), out);
        const auto start = out.size();
        has_objects ? object(reader.bytes(), list, out) : message(reader.bytes(), level + 1, list, out);
        put_length(start, out);
    }
}

void PoseBlend::object(Bytes in, List& list, ByteBuffer& out)
{
    const auto& table = *list.objects->child;
    const MessageView whole(in, table, {});
    const auto id = id_of(whole, *id_fields(table));
    const auto later = id ? list.bases.find(*id) : list.bases.end();
    const auto own = whole.get(*list.base);
    if (later == list.bases.end() || !std::holds_alternative<MessageView>(own)) {
        out.append(in);
        ++counts_->held;
        return;
    }
    ++counts_->interpolated;
    for (wire::FieldReader reader(in); reader.next();) {
        if (reader.number() != list.base->number || reader.wire_type() != wire::length_delimited) {
            out.append(reader.field());
            continue;
        }
        put_tag(reader.number(), out);
        const auto start = out.size();
        base(std::get<MessageView>(own), reader.bytes(), later->second, list, out);
        put_length(start, out);
    }
}

/// `whole`: with all parts of the base; `in`: one of them.
void PoseBlend::base(const MessageView& whole, Bytes in, const MessageView& later, const List& list, ByteBuffer& out)
{
    const auto& table = *list.base->child;
    const auto vector = [](const MessageView& of, const FieldRow& field) {
        const auto value = of.get(field);
        const auto* const found = std::get_if<MessageView>(&value);
        return found == nullptr ? std::nullopt : std::optional(*found);
    };
    std::uint32_t before = 0;  // a vector that only the later message has is written in its place
    const auto put_missing = [&](std::uint64_t number) {
        for (const auto& field : table.fields) {
            const auto* const row = blended_row(field);
            if (row == nullptr || field.number <= before || field.number >= number || whole.has(field)) continue;
            if (const auto to = vector(later, field))
                put_blended(field, std::nullopt, to, share_, row->are_angles, out);
        }
        before = number > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(number);
    };
    for (wire::FieldReader reader(in); reader.next();) {
        if (reader.number() > before) put_missing(reader.number());
        const auto* const field = table.find(reader.number());
        const auto* const row = field == nullptr ? nullptr : blended_row(*field);
        if (row == nullptr || reader.wire_type() != wire::length_delimited) {
            out.append(reader.field());
            continue;
        }
        put_blended(*field, vector(whole, *field), vector(later, *field), share_, row->are_angles, out);
        counts_->fields.insert(list.name + std::string(row->name));
    }
    put_missing(UINT64_MAX);
}

}  // namespace ositrace
