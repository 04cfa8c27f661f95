// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/field_plan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/scalar_value.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/message_writer.hpp"

namespace ositrace {

namespace {

using EditKind = FieldEdit::Kind;
using FieldStep = FieldPath::Step;

[[noreturn]] void refuse_edit(const FieldEdit& edit, const std::string& reason)
{
    throw Error(Cause::usage, "'" + edit.path + "': " + reason);
}

template <class Number>
Number edit_number(const FieldEdit& edit, std::string_view expected)
{
    Number number{};
    const auto* const end = edit.value.data() + edit.value.size();
    const auto parsed = std::from_chars(edit.value.data(), end, number);
    if (edit.value.empty() || parsed.ec != std::errc{} || parsed.ptr != end)
        refuse_edit(edit, "found '" + edit.value + "', expected " + std::string(expected));
    return number;
}

std::int32_t enumerator_of(const FieldEdit& edit, const EnumTable& enumeration)
{
    const auto known = std::ranges::find(enumeration.values, std::string_view(edit.value), &EnumTable::Value::name);
    if (known != enumeration.values.end()) return known->number;
    const bool is_number = edit.value.find_first_not_of("-0123456789") == std::string::npos;
    if (is_number) return edit_number<std::int32_t>(edit, "a number of 32 bits");
    std::string names;
    for (const auto& value : enumeration.values) names.append(names.empty() ? "" : ", ").append(value.name);
    refuse_edit(edit, "found '" + edit.value + "', expected one of " + names);
}

bool flag_of(const FieldEdit& edit)
{
    if (edit.value == "true" || edit.value == "1") return true;
    if (edit.value == "false" || edit.value == "0") return false;
    refuse_edit(edit, "found '" + edit.value + "', expected true or false");
}

/// The field with its value, as it is on the wire.
std::vector<std::byte> bytes_of_set(const FieldEdit& edit, const MessageTable& message, const FieldRow& field)
{
    if (field.repeated) refuse_edit(edit, "is repeated, and a value is set where there is one");
    ByteBuffer buffer;
    MessageWriter out(buffer);
    const FieldTag tag(message, field.name);
    switch (field.kind) {
    case FieldKind::string: out.text(tag, edit.value); break;
    case FieldKind::bytes: refuse_edit(edit, "is bytes, which cannot be set");
    case FieldKind::bool_: out.boolean(tag, flag_of(edit)); break;
    case FieldKind::enumeration: out.integer(tag, enumerator_of(edit, *field.enumeration)); break;
    case FieldKind::double_:
    case FieldKind::float_: out.real(tag, edit_number<double>(edit, "a number")); break;
    case FieldKind::uint32: out.unsigned_integer(tag, edit_number<std::uint32_t>(edit, "a number of 32 bits")); break;
    case FieldKind::uint64: out.unsigned_integer(tag, edit_number<std::uint64_t>(edit, "a number of 64 bits")); break;
    case FieldKind::int32:
    case FieldKind::sint32: out.integer(tag, edit_number<std::int32_t>(edit, "a number of 32 bits")); break;
    case FieldKind::int64:
    case FieldKind::sint64: out.integer(tag, edit_number<std::int64_t>(edit, "a number of 64 bits")); break;
    default: refuse_edit(edit, "is of a kind that cannot be set");
    }
    return {buffer.bytes().begin(), buffer.bytes().end()};
}

/// Are there real numbers in the message?
bool has_reals(const MessageTable& message, std::vector<const MessageTable*>& visited)
{
    if (std::ranges::find(visited, &message) != visited.end()) return false;
    visited.push_back(&message);
    return std::ranges::any_of(message.fields, [&](const FieldRow& field) {
        return is_real(field.kind) || (field.child != nullptr && has_reals(*field.child, visited));
    });
}

/// Adds paths to a tree.
class EditTree {
public:
    explicit EditTree(const MessageTable& root) : root_(std::make_unique<EditNode>(root)) {}

    void add(const FieldPath& path, const FieldEdit& edit, std::size_t place)
    {
        auto* node = root_.get();
        for (const auto& step : path.steps()) {
            auto& action = action_of(*node, step);
            const bool is_last = &step == &path.steps().back();
            if (is_last) return finish(*node, action, edit, place);
            if (action.kind == EditKind::keep) return;  // all of it is kept
            if (action.kind == EditKind::drop) refuse_edit(edit, "is part of what is dropped");
            if (action.kind == EditKind::round) refuse_edit(edit, "is part of what is rounded");
            if (!action.child) action.child = std::make_unique<EditNode>(*step.field->child);
            node = action.child.get();
        }
    }
    std::unique_ptr<EditNode> take()
    {
        settle(*root_);
        return std::move(root_);
    }

private:
    static EditAction& action_of(EditNode& node, const FieldStep& step)
    {
        const auto known = std::ranges::find(node.actions, step, &EditAction::step);
        if (known != node.actions.end()) return *known;
        auto& added = node.actions.emplace_back(EditAction{.step = step});
        if (step.pick == FieldPath::Pick::name) added.names = name_fields(*step.field->child);
        return added;
    }

    static void finish(EditNode& node, EditAction& action, const FieldEdit& edit, std::size_t place)
    {
        if (edit.kind == EditKind::keep) {
            action.child.reset();
        } else if (action.kind || action.child) {
            refuse_edit(edit, "is named by two edits, or a part of it is");
        }
        const auto& field = *action.step.field;
        if (is_scalar(field.kind) && field.repeated && action.step.pick != FieldPath::Pick::every)
            refuse_edit(edit, "is one of several numbers, which are edited together");
        if (edit.kind == EditKind::set) action.field_bytes = bytes_of_set(edit, *node.table, field);
        if (edit.kind == EditKind::round) {
            std::vector<const MessageTable*> visited;
            if (!is_real(field.kind) && (field.child == nullptr || !has_reals(*field.child, visited)))
                refuse_edit(edit, "is no real number and has none in it, so it cannot be rounded");
            action.grid = grid_of(edit.step);
        }
        action.kind = edit.kind;
        action.edit = place;
    }

    static void settle(EditNode& node)
    {
        for (auto& action : node.actions) {
            if (action.child) settle(*action.child);
            const bool is_index = action.step.pick == FieldPath::Pick::index;
            const bool only_rounds = action.child ? action.child->only_rounds : action.kind == EditKind::round;
            node.only_rounds = node.only_rounds && only_rounds && !is_index;
            node.picks_by_index = node.picks_by_index || is_index;
        }
        node.finish();
    }

    std::unique_ptr<EditNode> root_;
};

bool has_path(const MessageTable& root, const FieldEdit& edit)
{
    try {
        static_cast<void>(path_to_every_element(root, edit.path));
        return true;
    } catch (const Error&) {
        return false;  // another type of message
    }
}

}  // namespace

double grid_of(double step) noexcept { return std::ldexp(1.0, std::ilogb(step)); }

void EditNode::finish()
{
    constexpr std::uint32_t most_indexed = 4096;
    std::ranges::stable_sort(actions, {}, [](const EditAction& action) { return action.step.field->number; });
    for (std::size_t place = 0; place != actions.size(); ++place) {
        const auto& action = actions[place];
        const auto& field = *action.step.field;
        if (field.number >= most_indexed) {
            first_large_ = std::min(first_large_, field.number);
        } else {
            if (by_number_.size() <= field.number) by_number_.resize(field.number + 1);
            auto& range = by_number_[field.number];
            if (range.count++ == 0) range.first = static_cast<std::uint32_t>(place);
        }
        const bool is_set = action.kind == FieldEdit::Kind::set;
        // A message of a oneof is not created: that would drop the one that is there.
        const bool is_created =
            !field.repeated && field.oneof == 0 && action.child && !action.child->insertions.empty();
        if (is_set || is_created) insertions.push_back({field.number, place});
        if (is_set && field.oneof != 0) set_oneofs.push_back(field.oneof);
    }
}

std::span<const EditAction> EditNode::large(std::uint32_t number) const noexcept
{
    const auto number_of = [](const EditAction& action) { return action.step.field->number; };
    return {std::ranges::lower_bound(actions, number, {}, number_of),
            std::ranges::upper_bound(actions, number, {}, number_of)};
}

bool EditPlan::touches(std::string_view field) const
{
    const auto has = [&](const std::unique_ptr<EditNode>& node) {
        return node && std::ranges::any_of(node->actions,
                                           [&](const EditAction& action) { return action.step.field->name == field; });
    };
    return has(changes) || (keep && !has(keep));
}

FieldPath path_to_every_element(const MessageTable& root, std::string_view path)
{
    std::string text;
    const auto* table = &root;
    for (const auto& part : path_parts(path)) {
        const auto* const field = table == nullptr ? nullptr : table->find(part.name);
        table = field == nullptr ? nullptr : field->child;
        text.append(text.empty() ? "" : ".").append(part.name);
        if (part.pick)
            text.append("[").append(*part.pick).append("]");
        else if (field != nullptr && field->repeated)
            text += "[*]";
    }
    return FieldPath::compile(root, text);
}

bool is_path_of_osi(std::string_view path)
{
    const auto schema = Schema::built_in();
    return std::ranges::any_of(message_types(), [&](const MessageTypeRow& row) {
        const auto* const table = schema->find(row.full_name);
        try {
            if (table != nullptr) static_cast<void>(path_to_every_element(*table, path));
            return table != nullptr;
        } catch (const Error&) {
            return false;
        }
    });
}

EditPlan plan_of(const MessageTable& root, std::span<const FieldEdit> edits)
{
    EditPlan plan;
    EditTree keep(root), changes(root);
    bool keeps = false, has_changes = false;
    // A path that is kept or dropped as a whole comes before those below it.
    for (std::size_t place = 0; place != edits.size(); ++place) {
        const auto& edit = edits[place];
        if (!has_path(root, edit)) continue;
        auto path = path_to_every_element(root, edit.path);
        if (edit.kind == EditKind::set && path.leaf().child != nullptr)
            path = FieldPath::compile_value(root, path.text());
        const bool is_keep = edit.kind == EditKind::keep;
        (is_keep ? keep : changes).add(path, edit, place);
        (is_keep ? keeps : has_changes) = true;
    }
    if (keeps) plan.keep = keep.take();
    if (has_changes) plan.changes = changes.take();
    return plan;
}

}  // namespace ositrace
