// SPDX-License-Identifier: MPL-2.0
#include "lib/check/content_check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/protobuf/field_reader.hpp"

namespace ositrace {

namespace {

constexpr std::uint32_t value_field = 1;  // Identifier{ uint64 value = 1 }
constexpr std::uint64_t no_id = ~std::uint64_t{0};

std::optional<std::uint64_t> id_in(const Value& value)
{
    const auto* const identifier = std::get_if<MessageView>(&value);
    if (identifier == nullptr) return std::nullopt;
    const auto id = identifier->integer(value_field);
    return id ? std::optional(static_cast<std::uint64_t>(*id)) : std::nullopt;
}

/// A map may be sent once; moving objects are in every frame.
bool may_be_sent_once(const MessageTable& table)
{
    const auto name = name_in_package(table);
    return name != "MovingObject" && name != "Occupant";
}

std::string shown(const MessageTable& table) { return std::string(name_in_package(table)); }

/// A fast check of the wire format, for the thousands of points of a map. false: the fields must be checked.
bool all_finite(const MessageView& message)
{
    constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000;
    const auto bytes = message.wire_bytes();
    if (!bytes) return false;
    for (wire::FieldReader reader(*bytes); reader.next();) {
        if (reader.wire_type() == wire::length_delimited) continue;
        if (reader.wire_type() != wire::fixed64) return false;
        const auto field = reader.field();
        if ((load_le64(field.data() + field.size() - sizeof(double)) & exponent) == exponent) return false;
    }
    return true;
}

}  // namespace

std::string type_name(const FieldRow& row, std::int64_t type)
{
    const auto name = row.enumeration ? row.enumeration->name_of(static_cast<std::int32_t>(type)) : std::string_view{};
    return name.empty() ? std::to_string(type) : std::string(name);
}

void ContentCheck::check(const MessageView& message, const FindingPlace& place)
{
    place_ = place;
    path_.clear();
    references_.clear();
    ground_truths_ = 0;
    ++frame_;
    scope_ = ++scopes_;
    walk(message, plan_.root());
    for (const auto& reference : references_) resolve(reference);
}

void ContentCheck::walk(const MessageView& message, const TablePlan& plan)
{
    const auto outer = scope_;
    if (plan.ground_truth) {
        scope_ = ++scopes_;
        ++ground_truths_;
        ground_truth_seen_ = true;
    }
    const bool finite = !plan.numbers || all_finite(message);
    for (const auto& field : plan.fields) {
        if (!finite && field.finite && !is_finite(message, *field.row)) continue;  // other rules would report the same
        check_rules(message, field);
        walk_field(message, field);
    }
    if (plan.ground_truth) --ground_truths_;
    scope_ = outer;
}

bool ContentCheck::is_finite(const MessageView& message, const FieldRow& row)
{
    const auto number = as_real(message.get(row));
    if (!number || std::isfinite(*number)) return true;
    findings_.add(
        Kind::value_is_finite, place_,
        [&] {
            return std::string("found ") + (std::isnan(*number) ? "NaN" : *number > 0 ? "infinity" : "-infinity");
        },
        [&] { return path_to(row.name); });
    return false;
}

void ContentCheck::walk_field(const MessageView& message, const FieldPlan& field)
{
    if (!field.child && !field.reference && !field.defines_sensor) return;
    path_.push_back({field.row, std::nullopt});
    if (field.row->repeated) {
        std::size_t index = 0;
        message.for_each_element(*field.row, [&](const Value& value) {
            path_.back().index = index++;
            check_field_value(value, field);
            return true;
        });
    } else {
        check_field_value(message.get(*field.row), field);
    }
    path_.pop_back();
}

void ContentCheck::check_field_value(const Value& value, const FieldPlan& field)
{
    if (field.child) {
        const auto* const inner = std::get_if<MessageView>(&value);
        if (inner == nullptr) return;
        if (field.row->repeated && field.child->id) check_object(*inner, *field.child);
        walk(*inner, *field.child);
    }
    if (!field.reference && !field.defines_sensor) return;
    const auto id = id_in(value);
    if (!id) return;
    if (field.defines_sensor && sensors_.size() < max_known_ids) sensors_.insert(*id);
    if (sensors_.size() == max_known_ids) note_limit();
    if (field.reference) note_reference(*id, *field.reference);
}

void ContentCheck::note_limit()
{
    findings_.note("found more than " + std::to_string(max_known_ids) +
                   " ids: further ids are not remembered, so their uniqueness, their changes and references are not "
                   "checked");
}

void ContentCheck::check_object(const MessageView& message, const TablePlan& plan)
{
    const auto id = id_in(message.get(*plan.id));
    if (!id) return;
    if (*id == no_id) {
        findings_.add(
            Kind::id_valid, place_, [] { return std::string("found 2^64 - 1, which is reserved for 'no id'"); },
            [&] { return path_to("id"); });
        return;
    }
    const auto type = plan.type ? as_integer(message.get(*plan.type)) : std::nullopt;
    check_known(*id, plan, type);
    auto [entry, end] = known_.equal_range(*id);
    entry = std::find_if(entry, end, [&](const auto& known) { return known.second.table == plan.table; });
    const KnownObject now{plan.table, type, scope_, frame_};
    if (entry != end)
        entry->second = now;
    else if (known_.size() < max_known_ids)
        known_.emplace(*id, now);
    else
        note_limit();
}

void ContentCheck::check_known(std::uint64_t id, const TablePlan& plan, std::optional<std::int64_t> type)
{
    const KnownObject *in_scope = nullptr, *same_kind = nullptr, *other_kind = nullptr;
    const auto [begin, end] = known_.equal_range(id);
    for (auto entry = begin; entry != end; ++entry) {
        const auto& known = entry->second;
        if (known.scope == scope_) in_scope = &known;
        (known.table == plan.table ? same_kind : other_kind) = &known;
    }
    const auto field = [&] { return path_to("id"); };
    const auto number = [&] { return "id " + std::to_string(id); };
    if (in_scope) {
        const auto message = [&] {
            return number() + " is already used in this frame by a " + shown(*in_scope->table);
        };
        if (plan.unique)
            findings_.add(*plan.unique, place_, message, field);
        else
            findings_.add(Kind::id_unique_in_frame, place_, message, field);
    } else if (!same_kind && other_kind) {
        findings_.add(
            Kind::id_constant_kind, place_,
            [&] {
                return number() + " belongs to a " + shown(*plan.table) + ", in an earlier frame to a " +
                       shown(*other_kind->table);
            },
            field);
    } else if (same_kind && same_kind->type && type && *same_kind->type != *type) {
        const auto message = [&] {
            return number() + " is " + type_name(*plan.type, *type) + ", in an earlier frame " +
                   type_name(*plan.type, *same_kind->type);
        };
        findings_.add(Kind::id_constant_type, place_, message, field);
    }
}

/// Outside of a ground truth an id may be from a sensor's own list, unless the field specifies the kind of object.
void ContentCheck::note_reference(std::uint64_t id, const ReferencePlan& plan)
{
    const bool is_specific = plan.kind == Kind::reference_host_vehicle || plan.sensor || plan.target.empty();
    if (id == no_id || (ground_truths_ == 0 && !is_specific)) return;
    references_.push_back({id, &plan, path_});
}

void ContentCheck::resolve(const Reference& reference)
{
    const auto& plan = *reference.plan;
    const auto id = std::to_string(reference.id);
    const auto report = [&](const std::function<std::string()>& message) {
        const auto field = [&] { return text_of(reference.path); };
        if (plan.rule)
            findings_.add(*plan.rule, place_, message, field);
        else
            findings_.add(plan.kind, place_, message, field);
    };
    if (plan.sensor) {
        if (!sensors_.empty() && sensors_.size() < max_known_ids && !sensors_.contains(reference.id))
            report([&] { return "no sensor has the id " + id; });
        return;
    }
    if (!ground_truth_seen_ || known_.size() >= max_known_ids || exists(reference)) return;
    const auto wanted = plan.target.empty() ? std::string("object") : std::string(plan.target);
    const auto other = known_.find(reference.id);
    report([&] {
        if (other == known_.end()) return "no " + wanted + " has the id " + id;
        if (name_in_package(*other->second.table) == plan.target)
            return "no " + wanted + " of this frame has the id " + id;
        return "id " + id + " is a " + shown(*other->second.table) + ", expected a " + wanted;
    });
}

/// Does the object exist in this frame or, if it may be sent once, in an earlier frame?
bool ContentCheck::exists(const Reference& reference) const
{
    const auto& target = reference.plan->target;
    const auto [begin, end] = known_.equal_range(reference.id);
    return std::any_of(begin, end, [&](const auto& entry) {
        const auto& known = entry.second;
        if (target.empty()) return true;
        return name_in_package(*known.table) == target && (may_be_sent_once(*known.table) || known.frame == frame_);
    });
}

std::string ContentCheck::text_of(const Path& path)
{
    std::string text;
    for (const auto& step : path) {
        text.append(text.empty() ? "" : ".").append(step.row->name);
        if (step.index) text += '[' + std::to_string(*step.index) + ']';
    }
    return text;
}

std::string ContentCheck::path_to(std::string_view field) const
{
    const auto path = text_of(path_);
    return path.empty() ? std::string(field) : path + '.' + std::string(field);
}

}  // namespace ositrace
