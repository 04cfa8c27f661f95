// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/field_walk.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/wire.hpp"
#include "formats/view/element_id.hpp"
#include "lib/edit/wire_output.hpp"

namespace ositrace {

namespace {

using EditKind = FieldEdit::Kind;

/// Beyond it a double has no digits that a multiple of the grid could change.
constexpr double most_multiples = 0x1p53;

double rounded_to(double value, double grid) noexcept
{
    if (!(std::abs(value) < grid * most_multiples)) return value;  // NaN and infinities, too
    const auto multiple = std::nearbyint(value / grid) * grid;
    return multiple == value ? value : multiple + 0.0;  // no minus zero from a small number
}

}  // namespace

void FieldWalk::fail(const std::byte* at, const std::byte* end) const
{
    std::uint32_t tag = 0;
    const auto* const value = wire::read_tag(at, end, tag);
    const auto reason =
        value == nullptr ? wire::why_broken_tag(at, end) : wire::why_broken(value, end, wire::wire_type_of(tag));
    throw Error(Cause::malformed, {.offset = offset_of(at)}, reason);
}

bool FieldWalk::apply(Bytes message, ByteBuffer& out)
{
    out.clear(message.size() + 64);
    nodes_.clear();
    origin_ = message.data();
    origin_offset_ = 0;
    if (!plan_.keep && plan_.changes->only_rounds) {
        out.append(message);
        origin_ = out.data();
        return round_below(out.data(), out.data() + out.size(), *plan_.changes, 0);
    }
    Part root;
    root.keeps_all = !plan_.keep;
    if (plan_.keep) nodes_.push_back(plan_.keep.get());
    root.keep = {0, nodes_.size()};
    if (plan_.changes) nodes_.push_back(plan_.changes.get());
    root.changes = {root.keep.end, nodes_.size()};
    const auto& table = plan_.keep ? *plan_.keep->table : *plan_.changes->table;
    if (!this->message(message, table, root, 0, out)) return false;
    if (out.size() > max_encodable_bytes)
        throw Error(Cause::limit, "the message exceeds the limit of 2147483647 bytes");
    return true;
}

bool FieldWalk::matches(const EditAction& action, Bytes content, const std::vector<std::uint64_t>& seen) const
{
    const auto& step = action.step;
    switch (step.pick) {
    case FieldPath::Pick::index: return seen[step.field->index] == step.argument;
    case FieldPath::Pick::id: return has_element_id(MessageView(content, *step.field->child, {}), step.argument);
    case FieldPath::Pick::name:
        return name_of(MessageView(content, *step.field->child, {}), *action.names) == step.name;
    default: return true;
    }
}

/// Pushes the nodes of what is below; the caller removes them.
FieldWalk::Decision FieldWalk::decide(const FieldRow& field, Bytes content, const Part& part,
                                      std::vector<std::uint64_t>& seen)
{
    Decision decision;
    auto& below = decision.below;
    below.keep.first = nodes_.size();
    below.keeps_all = part.keeps_all;
    bool is_kept = part.keeps_all;
    for (auto i = part.keep.first; i != part.keep.end; ++i)
        for (const auto& action : nodes_[i]->of(field.number)) {
            if (!matches(action, content, seen)) continue;
            is_kept = true;
            if (action.child)
                nodes_.push_back(action.child.get());
            else if (!below.keeps_all)
                below.keeps_all = true, ++counts_.edits[action.edit].count;
        }
    below.keep.end = below.changes.first = nodes_.size();
    for (auto i = part.changes.first; i != part.changes.end; ++i) {
        const auto& node = *nodes_[i];
        if (field.oneof != 0 && std::ranges::find(node.set_oneofs, field.oneof) != node.set_oneofs.end())
            decision.goes = decision.is_set = true;
        for (const auto& action : node.of(field.number)) {
            if (!matches(action, content, seen)) continue;
            if (action.child)
                nodes_.push_back(action.child.get());
            else if (action.kind == EditKind::drop)
                decision.dropped = &action;
            else if (action.kind == EditKind::set)
                decision.goes = decision.is_set = true;
            else
                decision.rounded = &action;
        }
    }
    below.changes.end = nodes_.size();
    if (below.keeps_all) below.keep = {};
    decision.goes = decision.goes || !is_kept || decision.dropped != nullptr;
    if (field.repeated && !seen.empty()) ++seen[field.index];
    return decision;
}

bool FieldWalk::message(Bytes in, const MessageTable& table, const Part& part, int depth, ByteBuffer& out)
{
    if (depth > max_message_depth) throw Error(Cause::limit, nests_too_deep);
    const auto* at = in.data();
    const auto* const end = at + in.size();
    const auto* copied = at;  // what is before it is in `out`
    bool has_changed = false;
    const auto copy_to = [&](const std::byte* to) {
        if (to != copied) out.append({copied, to});
        copied = to;
    };
    std::vector<std::uint64_t> seen;
    struct Pending {
        const EditNode* node;
        std::size_t next = 0;
    };
    std::vector<Pending> pending;
    const auto add_node = [&](std::size_t i) {
        const auto& node = *nodes_[i];
        if (node.picks_by_index && seen.empty()) seen.resize(table.fields.size());
        if (!node.insertions.empty()) pending.push_back({&node});
    };
    for (auto i = part.keep.first; i != part.keep.end; ++i) add_node(i);
    pending.clear();  // what is kept is not written where it is not there
    for (auto i = part.changes.first; i != part.changes.end; ++i) add_node(i);
    std::vector<std::uint32_t> met;  // singular messages that may have been created
    const auto insert_before = [&](std::uint64_t number, const std::byte* place) {
        for (auto& [node, next] : pending)
            for (; next != node->insertions.size() && node->insertions[next].number < number; ++next) {
                const auto& insertion = node->insertions[next];
                if (std::ranges::find(met, insertion.number) != met.end()) continue;
                copy_to(place);
                insert(*node, insertion, out);
                has_changed = true;
            }
    };
    const auto has_nodes = nodes_.size();
    while (at != end) {
        const auto* const start = at;
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        if (value == nullptr) fail(start, end);
        const auto number = wire::number_of(tag);
        const auto wire_type = wire::wire_type_of(tag);
        std::size_t length = 0;
        const auto* content = value;
        if (wire_type == wire::length_delimited) {
            content = wire::read_length(value, end, length);
            at = content == nullptr ? nullptr : content + length;
        } else {
            at = wire::skip_field(value, end, tag, max_message_depth - depth);
        }
        if (at == nullptr) fail(start, end);
        if (!pending.empty()) insert_before(number, start);
        const auto* const field = table.find(number);
        if (field == nullptr || !wire::accepts(*field, wire_type)) {
            if (part.keeps_all) continue;
            copy_to(start);
            copied = at;
            has_changed = true;
            ++counts_.left_out;
            counts_.left_out_bytes += static_cast<std::size_t>(at - start);
            continue;
        }
        const auto decision = decide(*field, {content, at}, part, seen);
        if (decision.goes) {
            copy_to(start);
            copied = at;
            has_changed = true;
            const auto bytes = static_cast<std::size_t>(at - start);
            if (decision.dropped != nullptr) {
                auto& count = counts_.edits[decision.dropped->edit];
                ++count.count;
                count.bytes += bytes;
            } else if (!decision.is_set) {
                ++counts_.left_out;
                counts_.left_out_bytes += bytes;
            }
        } else if (decision.rounded != nullptr) {
            copy_to(start);
            out.append({start, at});
            auto* const copy_end = out.data() + out.size();
            has_changed =
                round_field(copy_end - (at - content), copy_end, *field, *decision.rounded, depth) || has_changed;
            copied = at;
        } else if (field->child != nullptr && (!decision.below.keeps_all || !decision.below.changes.empty())) {
            if (!pending.empty()) met.push_back(number);
            copy_to(start);
            if (submessage(start, {content, at}, *field, decision.below, depth, out)) {
                has_changed = true;
                copied = at;
            }
        }
        nodes_.resize(has_nodes);
    }
    if (!pending.empty()) insert_before(UINT64_MAX, end);
    if (has_changed) copy_to(end);
    return has_changed;
}

/// Appends the field with its edited content. False: it is unchanged, and nothing was appended.
bool FieldWalk::submessage(const std::byte* start, Bytes content, const FieldRow& field, const Part& below, int depth,
                           ByteBuffer& out)
{
    const auto before = out.size();
    const bool only_rounds =
        below.keeps_all && below.changes.end - below.changes.first == 1 && nodes_[below.changes.first]->only_rounds;
    bool has_changed = false;
    if (only_rounds) {
        out.append({start, content.data() + content.size()});
        auto* const end = out.data() + out.size();
        const auto origin = std::pair(origin_, origin_offset_);
        origin_offset_ = offset_of(content.data());
        origin_ = end - content.size();
        has_changed = round_below(end - content.size(), end, *nodes_[below.changes.first], depth + 1);
        std::tie(origin_, origin_offset_) = origin;
    } else {
        put_tag(field.number, out);
        const auto after_tag = out.size();
        has_changed = message(content, *field.child, below, depth + 1, out);
        if (has_changed) put_length(after_tag, out);
    }
    if (!has_changed) out.resize(before);
    return has_changed;
}

void FieldWalk::insert(const EditNode& node, const EditInsertion& insertion, ByteBuffer& out)
{
    // Elements of two bytes may each get a long text.
    if (out.size() > max_encodable_bytes)
        throw Error(Cause::limit, "the message exceeds the limit of 2147483647 bytes");
    const auto& action = node.actions[insertion.action];
    if (action.kind == EditKind::set) {
        out.append(action.field_bytes);
        ++counts_.edits[action.edit].count;
        return;
    }
    put_tag(insertion.number, out);
    const auto start = out.size();
    for (const auto& below : action.child->insertions) insert(*action.child, below, out);
    put_length(start, out);
}

/// `visit(number, wire type, value, next field)`; the value is without its length.
template <class Visit>
void FieldWalk::each_field(std::byte* at, std::byte* end, int depth, Visit&& visit) const
{
    if (depth > max_message_depth) throw Error(Cause::limit, nests_too_deep);
    while (at != end) {
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        if (value == nullptr) fail(at, end);
        const auto wire_type = wire::wire_type_of(tag);
        std::size_t length = 0;
        const auto* content = value;
        const auto* next = wire_type == wire::length_delimited
                               ? content = wire::read_length(value, end, length)
                               : wire::skip_field(value, end, tag, max_message_depth - depth);
        if (next == nullptr) fail(at, end);
        next += length;
        auto* const start = at;
        at += next - start;
        visit(wire::number_of(tag), wire_type, start + (content - start), at);
    }
}

bool FieldWalk::round_below(std::byte* at, std::byte* end, const EditNode& node, int depth)
{
    bool has_changed = false;
    each_field(at, end, depth, [&](std::uint32_t number, std::uint8_t wire_type, std::byte* content, std::byte* next) {
        for (const auto& action : node.of(number)) {
            const auto& field = *action.step.field;
            if (!wire::accepts(field, wire_type) || !matches(action, {content, next}, {})) continue;
            has_changed = (action.child ? round_below(content, next, *action.child, depth + 1)
                                        : round_field(content, next, field, action, depth)) ||
                          has_changed;
        }
    });
    return has_changed;
}

/// `at`: the value, without its length.
bool FieldWalk::round_field(std::byte* at, std::byte* end, const FieldRow& field, const EditAction& action, int depth)
{
    if (field.child != nullptr) return round_all(at, end, *field.child, action, depth + 1);
    const auto bytes = field.kind == FieldKind::double_ ? std::ptrdiff_t{8} : std::ptrdiff_t{4};
    if ((end - at) % bytes != 0)
        throw Error(Cause::malformed, {.offset = offset_of(at), .field = std::string(field.name)},
                    "the packed elements end in the middle of one");
    bool has_changed = false;
    for (; at != end; at += bytes) has_changed = round_number(at, field.kind, action) || has_changed;
    return has_changed;
}

/// All real numbers of a message.
bool FieldWalk::round_all(std::byte* at, std::byte* end, const MessageTable& table, const EditAction& action, int depth)
{
    bool has_changed = false;
    each_field(at, end, depth, [&](std::uint32_t number, std::uint8_t wire_type, std::byte* content, std::byte* next) {
        const auto* const field = table.find(number);
        if (field == nullptr || !wire::accepts(*field, wire_type)) return;
        if (field->child != nullptr || is_real(field->kind))
            has_changed = round_field(content, next, *field, action, depth) || has_changed;
    });
    return has_changed;
}

bool FieldWalk::round_number(std::byte* at, FieldKind kind, const EditAction& action)
{
    auto& count = counts_.edits[action.edit];
    ++count.count;
    const auto round = [&](auto value) {
        const auto rounded = static_cast<decltype(value)>(rounded_to(static_cast<double>(value), action.grid));
        if (!(rounded != value)) return false;
        count.largest_error =
            std::max(count.largest_error, std::abs(static_cast<double>(rounded) - static_cast<double>(value)));
        store(at, rounded);
        return true;
    };
    return kind == FieldKind::double_ ? round(load<double>(at)) : round(load<float>(at));
}

}  // namespace ositrace
