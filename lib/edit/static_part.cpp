// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/static_part.hpp"

#include <algorithm>
#include <array>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/protobuf/field_reader.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

enum class Persistence : std::uint8_t {
    none,       ///< not static
    once,       ///< a fact about the whole trace
    map,        ///< a part of the map
    placement,  ///< of the map
    state,      ///< may change: static unless two consecutive frames have it
};

constexpr std::array<std::string_view, 3> map_placement{"proj_string", "map_reference", "proj_frame_offset"};
constexpr std::array<std::string_view, 3> facts_of_ground_truth{"country_code", "model_reference", "host_vehicle_id"};
constexpr std::array<std::string_view, 4> facts_of_sensor{"sensor_id", "mounting_position", "mounting_position_rmse",
                                                          "host_vehicle_id"};
constexpr std::array<std::string_view, 2> states{"traffic_light", "environmental_conditions"};

bool holds(std::span<const std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

Persistence persistence_of(std::string_view message, std::string_view field)
{
    if (field == "version") return Persistence::once;
    if (message.ends_with(".GroundTruth")) {
        if (is_map_field(field)) return Persistence::map;
        if (holds(map_placement, field)) return Persistence::placement;
        if (holds(states, field)) return Persistence::state;
        return holds(facts_of_ground_truth, field) ? Persistence::once : Persistence::none;
    }
    return message.ends_with(".SensorView") && holds(facts_of_sensor, field) ? Persistence::once : Persistence::none;
}

bool same_bytes(std::span<const Bytes> pieces, std::span<const std::byte> whole)
{
    for (const auto piece : pieces) {
        if (piece.size() > whole.size() || text_of(piece) != text_of(whole.first(piece.size()))) return false;
        whole = whole.subspan(piece.size());
    }
    return whole.empty();
}

}  // namespace

bool is_static_field(const MessageTable& message, std::string_view field)
{
    return persistence_of(message.full_name, field) != Persistence::none;
}

struct StaticPart::Field {
    const FieldRow* row = nullptr;
    Persistence persistence = Persistence::none;
    // its last value
    std::vector<std::byte> bytes;  ///< all occurrences, with tags
    std::uint64_t frame = 0;
    std::uint64_t elements = 0;
    bool known = false;
    bool pending = false;  ///< in a skipped message, and not in the output since
    bool in_last = false;
    bool is_periodic = false;  ///< a state that two consecutive messages had
    // in the current message
    std::vector<Bytes> found;
    std::uint64_t found_elements = 0;
    Action action = Action::keep;

    [[nodiscard]] bool is_known_map() const noexcept
    {
        return (persistence == Persistence::map || persistence == Persistence::placement) && known;
    }
    [[nodiscard]] bool is_known_fact() const noexcept
    {
        return (persistence == Persistence::once || persistence == Persistence::placement) && known;
    }
};

StaticPart::StaticPart(const MessageTable& message) : message_(&message), is_static_(message.fields.size())
{
    for (const auto& row : message.fields) {
        if (is_static_field(message, row.name)) {
            is_static_[row.index] = true;
        } else if (row.child != nullptr && (row.repeated ? row.child->full_name.ends_with(".SensorView") &&
                                                               message.full_name.ends_with(".SensorData")
                                                         : row.child->full_name.ends_with(".GroundTruth"))) {
            nested_row_ = &row;
            nested_ = std::make_unique<StaticPart>(*row.child);
        }
    }
}

StaticPart::StaticPart(StaticPart&&) noexcept = default;
StaticPart::~StaticPart() = default;

StaticPart::Field* StaticPart::find(std::uint32_t number, std::uint8_t wire_type)
{
    const auto* const row = message_->find(number);
    if (row == nullptr || !is_static_[row->index] || !wire::accepts(*row, wire_type)) return nullptr;
    const auto place =
        std::ranges::lower_bound(fields_, number, {}, [](const Field& field) { return field.row->number; });
    if (place != fields_.end() && place->row == row) return &*place;
    Field field;
    field.row = row;
    field.persistence = persistence_of(message_->full_name, row->name);
    return &*fields_.insert(place, std::move(field));
}

void StaticPart::scan(Bytes message)
{
    for (auto& field : fields_) {
        field.found.clear();
        field.found_elements = 0;
        field.action = Action::keep;
    }
    nested_found_.clear();
    nested_changed_ = false;
    nested_dropped_ = false;
    for (wire::FieldReader reader(message); reader.next();) {
        if (auto* const field = find(reader.number(), reader.wire_type())) {
            ++field->found_elements;
            // Serializers write the elements of a field side by side: they are one piece.
            if (!field->found.empty() &&
                field->found.back().data() + field->found.back().size() == reader.field().data())
                field->found.back() = {field->found.back().data(), field->found.back().size() + reader.field().size()};
            else
                field->found.push_back(reader.field());
        } else if (nested_row_ != nullptr && reader.number() == nested_row_->number &&
                   reader.wire_type() == wire::length_delimited) {
            nested_found_.push_back(reader.bytes());
        }
    }
}

Bytes StaticPart::nested_message()
{
    if (nested_found_.empty()) return {};
    if (nested_found_.size() == 1) return nested_found_.front();
    nested_joined_.clear();
    for (const auto piece : nested_found_) nested_joined_.append(piece);  // occurrences of a message merge
    return nested_joined_.bytes();
}

/// Several views in a SensorData cannot be identified from frame to frame.
bool StaticPart::follows_nested() const { return nested_ && (!nested_row_->repeated || nested_found_.size() == 1); }

void StaticPart::remember(std::uint64_t frame)
{
    for (auto& field : fields_) {
        if (field.found.empty() || (field.known && same_bytes(field.found, field.bytes))) continue;
        field.bytes.clear();
        for (const auto piece : field.found) field.bytes.insert(field.bytes.end(), piece.begin(), piece.end());
        field.frame = frame;
        field.elements = field.found_elements;
        field.known = true;
    }
}

void StaticPart::follow_states()
{
    for (auto& field : fields_) {
        const bool present = !field.found.empty();
        if (field.persistence == Persistence::state && present && field.in_last) field.is_periodic = true;
        field.in_last = present;
    }
}

void StaticPart::skip(Bytes message, std::uint64_t frame)
{
    scan(message);
    follow_states();
    remember(frame);
    for (auto& field : fields_) field.pending = field.pending || !field.found.empty();
    if (follows_nested()) nested_->skip(nested_message(), frame);
}

bool StaticPart::has_pending() const noexcept
{
    return std::ranges::any_of(fields_, [](const Field& field) { return field.pending; }) ||
           (nested_ && nested_->has_pending());
}

bool StaticPart::choose(Action action, bool (*fits)(const Field&))
{
    bool any = false;
    for (auto& field : fields_) {
        if (!fits(field)) continue;
        field.action = action;
        any = true;
    }
    return any;
}

bool StaticPart::knows_map() const noexcept
{
    return std::ranges::any_of(fields_, &Field::is_known_map) || (nested_ && nested_->knows_map());
}

void StaticPart::mark_all_pending()
{
    for (auto& field : fields_) field.pending = field.known;
    if (nested_) nested_->mark_all_pending();
}

bool StaticPart::complete(Bytes message, std::uint64_t frame, ByteBuffer& out)
{
    scan(message);
    follow_states();
    remember(frame);
    const bool missing = choose(
        Action::insert, [](const Field& field) { return field.pending && field.found.empty() && !field.is_periodic; });
    for (auto& field : fields_) field.pending = false;
    nested_changed_ = follows_nested() && nested_->complete(nested_message(), frame, nested_out_);
    if (!missing && !nested_changed_) return false;
    write(message, out);
    return true;
}

bool StaticPart::expand(Bytes message, std::uint64_t frame, ByteBuffer& out)
{
    scan(message);
    remember(frame);
    const bool missing =
        choose(Action::insert, [](const Field& field) { return field.is_known_map() && field.found.empty(); });
    nested_changed_ = follows_nested() && nested_->expand(nested_message(), frame, nested_out_);
    if (!missing && !nested_changed_) return false;
    write(message, out);
    return true;
}

bool StaticPart::repeat_facts(Bytes message, std::uint64_t frame, ByteBuffer& out)
{
    scan(message);
    remember(frame);
    if (!choose(Action::insert, [](const Field& field) { return field.is_known_fact() && field.found.empty(); }))
        return false;
    write(message, out);
    return true;
}

bool StaticPart::compact(Bytes message, std::uint64_t frame, ByteBuffer& out)
{
    scan(message);
    const bool repeated = choose(Action::drop, [](const Field& field) {
        return field.is_known_map() && !field.found.empty() && same_bytes(field.found, field.bytes);
    });
    remember(frame);
    if (follows_nested() && !nested_found_.empty()) {
        const auto nested = nested_message();
        const bool changed = nested_->compact(nested, frame, nested_out_);
        // expand() adds the ground truth if it is missing.
        nested_dropped_ =
            !nested_row_->repeated && (changed ? nested_out_.empty() : nested.empty()) && nested_->knows_map();
        nested_changed_ = changed || nested_dropped_;
    }
    if (!repeated && !nested_changed_) return false;
    write(message, out);
    return true;
}

void StaticPart::append_nested(ByteBuffer& out) const
{
    const auto content = nested_out_.bytes();
    auto* to = out.reserve_back(wire::max_tag_bytes + wire::max_varint_bytes);
    auto* end = wire::write_varint(to, wire::make_tag(nested_row_->number, wire::length_delimited));
    end = wire::write_varint(end, content.size());
    out.commit_back(static_cast<std::size_t>(end - to));
    out.append(content);
}

/// Inserts the fields with a number below `number`; `next` is the index of the first field that is not done.
void StaticPart::insert_before(std::uint32_t number, std::size_t& next, ByteBuffer& out) const
{
    for (; next < fields_.size() && fields_[next].row->number < number; ++next)
        if (fields_[next].action == Action::insert) out.append(fields_[next].bytes);
}

void StaticPart::write(Bytes message, ByteBuffer& out)
{
    out.clear(message.size() + nested_out_.size());
    std::size_t next = 0;
    bool nested_due = nested_changed_ && !nested_dropped_;
    const auto due_before = [&](std::uint32_t number) {
        if (nested_due && nested_row_->number < number) {
            insert_before(nested_row_->number, next, out);
            append_nested(out);
            nested_due = false;
        }
        insert_before(number, next, out);
    };
    for (wire::FieldReader reader(message); reader.next();) {
        due_before(reader.number());
        const auto* const field = find(reader.number(), reader.wire_type());
        if (field != nullptr && field->action == Action::drop) continue;
        const bool nested =
            nested_changed_ && reader.number() == nested_row_->number && reader.wire_type() == wire::length_delimited;
        if (!nested) {
            out.append(reader.field());
        } else if (nested_due) {
            append_nested(out);
            nested_due = false;
        }
    }
    due_before(UINT32_MAX);
    if (out.size() > max_encodable_bytes)
        throw Error(Cause::limit, "the message with its static data, " + std::to_string(out.size()) +
                                      " bytes, exceeds the limit of 2147483647 bytes");
}

void StaticPart::list_carried(std::string_view prefix, std::vector<CarriedField>& to) const
{
    for (const auto& field : fields_) {
        if (field.action != Action::insert) continue;
        to.push_back({std::string(prefix) + std::string(field.row->name), field.elements, field.frame});
    }
    if (nested_changed_) nested_->list_carried(std::string(prefix) + std::string(nested_row_->name) + '.', to);
}

std::vector<CarriedField> StaticPart::carried() const
{
    std::vector<CarriedField> list;
    list_carried("", list);
    return list;
}

}  // namespace ositrace
