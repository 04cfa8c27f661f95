// SPDX-License-Identifier: MPL-2.0
#include "lib/check/profile_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/profile.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

#include "lib/check/content_check.hpp"
#include "lib/open_drive/map_document.hpp"
#include "lib/open_drive/parse.hpp"
#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/view_fields.hpp"

namespace ositrace {

namespace {

/// The table of required fields. Rows with one kind follow each other: the first missing field of them is reported.
constexpr std::array of_truth{
    RequiredField{Kind::omega_prime_version_is_set, "version"},
    RequiredField{Kind::omega_prime_timestamp_is_set, "timestamp"},
    RequiredField{Kind::omega_prime_host_vehicle_id_is_set, "host_vehicle_id"},
    RequiredField{Kind::omega_prime_country_code_is_set, "country_code"},
    RequiredField{Kind::omega_prime_map_reference_is_set, "map_reference"},
    RequiredField{Kind::omega_prime_proj_string_is_set, "proj_string"},
    RequiredField{Kind::omega_prime_proj_frame_offset_is_set, "proj_frame_offset.position"},
    RequiredField{Kind::omega_prime_proj_frame_offset_is_set, "proj_frame_offset.yaw"},
};
constexpr std::array of_moving_object{
    RequiredField{Kind::omega_prime_moving_object_id_is_set, "id"},
    RequiredField{Kind::omega_prime_moving_object_dimension_is_set, "base.dimension"},
    RequiredField{Kind::omega_prime_moving_object_position_is_set, "base.position"},
    RequiredField{Kind::omega_prime_moving_object_orientation_is_set, "base.orientation"},
    RequiredField{Kind::omega_prime_moving_object_velocity_is_set, "base.velocity"},
    RequiredField{Kind::omega_prime_moving_object_acceleration_is_set, "base.acceleration"},
    RequiredField{Kind::omega_prime_moving_object_type_is_set, "type"},
    RequiredField{Kind::omega_prime_vehicle_type_is_set, "vehicle_classification.type", true},
    RequiredField{Kind::omega_prime_vehicle_role_is_set, "vehicle_classification.role", true},
};
constexpr std::array of_traffic_light{
    RequiredField{Kind::omega_prime_traffic_light_id_is_set, "id"},
    RequiredField{Kind::omega_prime_traffic_light_color_is_set, "classification.color"},
    RequiredField{Kind::omega_prime_traffic_light_icon_is_set, "classification.icon"},
    RequiredField{Kind::omega_prime_traffic_light_mode_is_set, "classification.mode"},
    RequiredField{Kind::omega_prime_traffic_light_counter_is_set, "classification.counter"},
    RequiredField{Kind::omega_prime_traffic_light_is_out_of_service_is_set, "classification.is_out_of_service"},
};

constexpr std::string_view open_drive_reference = "net.asam.opendrive", open_drive_revision = "1.8";
constexpr OsiVersion least_version{3, 7, 0};
constexpr Nanoseconds longest_step{100'000'000};
constexpr Nanoseconds rounding{1'000'000};  ///< of times that were computed with floating-point numbers

/// What of a required field is not set, as text from the element; empty: nothing.
struct Missing {
    std::string field;   ///< the first field of the path
    std::string number;  ///< in the message at its end
};

std::string first_names(std::string_view path, std::size_t count)
{
    auto end = std::string_view::npos;
    for (std::size_t from = 0; count > 0; --count, from = end + 1) end = path.find('.', from);
    return std::string(path.substr(0, end));
}

Missing missing_of(const MessageView& element, const RequiredPath& path)
{
    const auto& name = path.required->path;
    std::optional<MessageView> message = element;
    for (std::size_t i = 0; i < path.names; ++i) {
        const bool in_schema = i < path.rows.size();
        const auto value = in_schema ? message->get(*path.rows[i]) : Value();
        const auto* const text = std::get_if<std::string_view>(&value);
        if (std::holds_alternative<std::monostate>(value) || (text != nullptr && text->empty()))
            return {first_names(name, i + 1), {}};
        const auto* const inner = std::get_if<MessageView>(&value);
        message = inner == nullptr ? std::nullopt : std::optional(*inner);
    }
    if (!message) return {};
    for (const auto& row : message->table().fields)
        if (row.child == nullptr && !row.repeated && !message->has(row))
            return {{}, std::string(name).append(".").append(row.name)};
    return {};
}

/// Numbers that are not set are 0, as for every reader.
std::optional<std::uint64_t> id_of(const MessageView& element)
{
    const auto id = child_in(element, "id");
    return id ? std::optional(static_cast<std::uint64_t>(as_integer((*id)["value"]).value_or(0))) : std::nullopt;
}

std::optional<std::array<double, 3>> dimension_of(const MessageView& object)
{
    const auto dimension = child_in(child_in(object, "base"), "dimension");
    if (!dimension) return std::nullopt;
    return std::array{real_in(dimension, "length"), real_in(dimension, "width"), real_in(dimension, "height")};
}

std::string metres(const std::array<double, 3>& dimension)
{
    std::string text;
    for (const auto number : dimension) text.append(text.empty() ? "" : " x ").append(number_text(number));
    return text + " m";
}

std::string path_to(const std::string& prefix, const std::string& field)
{
    return prefix.empty() ? field : prefix + '.' + field;
}

bool is_vehicle(const FieldRow& type, const Value& value)
{
    const auto number = as_integer(value);
    return number && type.enumeration != nullptr &&
           type.enumeration->name_of(static_cast<std::int32_t>(*number)) == "TYPE_VEHICLE";
}

}  // namespace

bool is_truth(const Channel& channel) noexcept
{
    return channel.type == MessageType::ground_truth && channel.root != nullptr;
}

TruthCheck::TruthCheck(const Channel& channel, std::string topic, Findings& findings)
    : findings_(findings),
      schema_(channel.schema),
      moving_object_(channel.root->find("moving_object")),
      traffic_light_(channel.root->find("traffic_light")),
      truth_paths_(paths_of(of_truth, channel.root)),
      object_paths_(paths_of(of_moving_object, moving_object_ ? moving_object_->child : nullptr)),
      light_paths_(paths_of(of_traffic_light, traffic_light_ ? traffic_light_->child : nullptr)),
      topic_(std::move(topic))
{
}

TruthCheck::Paths TruthCheck::paths_of(std::span<const RequiredField> required, const MessageTable* table)
{
    Paths all;
    if (table == nullptr) return all;
    for (const auto& field : required) {
        auto& path = all.emplace_back(RequiredPath{&field, {}, 0});
        const auto* in = table;
        for (std::size_t from = 0; from <= field.path.size(); ++path.names) {
            const auto end = std::min(field.path.find('.', from), field.path.size());
            const auto* const row = in == nullptr ? nullptr : in->find(field.path.substr(from, end - from));
            if (row != nullptr) path.rows.push_back(row);
            in = row == nullptr ? nullptr : row->child;
            from = end + 1;
        }
    }
    return all;
}

void TruthCheck::add(Kind kind, const std::string& message, const std::string& field)
{
    findings_.add(kind, place_, [&] { return message; }, [&] { return field; });
}

void TruthCheck::check(const Frame& frame, const Channel& channel)
try {
    place_ = {frame.index, std::nullopt, frame.offset, topic_};
    if (frame.bytes.empty()) return;
    place_.time = timestamp_of(frame.bytes, channel);
    const MessageView truth(frame.bytes, *channel.root, channel.format);
    ++truths_;
    check_fields(truth, truth_paths_, {}, false);
    check_time();
    check_version(frame, channel);
    check_reference(truth);
    check_moving_objects(truth);
    check_traffic_lights(truth);
} catch (const Error&) {
    unreadable_ = truths_;  // which is a finding of its own, or an error of the conversion
}

void TruthCheck::check_fields(const MessageView& element, const Paths& paths, const std::string& prefix,
                              bool of_vehicle)
{
    std::optional<Kind> reported;
    for (const auto& path : paths) {
        if (path.required->kind == reported || (path.required->of_vehicles_only && !of_vehicle)) continue;
        const auto missing = missing_of(element, path);
        if (!missing.number.empty())
            add(Kind::omega_prime_numbers_are_set, "is not set", path_to(prefix, missing.number));
        if (missing.field.empty()) continue;
        reported = path.required->kind;
        add(*reported, "is not set", path_to(prefix, missing.field));
    }
}

/// Steps and gaps are those between frames that follow each other in time.
void TruthCheck::check_time()
{
    const auto last = std::exchange(last_time_, place_.time);
    if (!last || !last_time_ || !in_order_) return;
    if (*place_.time < *last) {
        in_order_ = false;
        findings_.note(
            "the times of the GroundTruth go backward: time steps and gaps of moving objects after that are "
            "not checked");
        return;
    }
    const auto step = *place_.time - *last;
    if (step > longest_step + rounding)
        add(Kind::omega_prime_frequency,
            "found a step of " + exact_seconds_text(step) + ", expected at most 0.1 s (10 Hz)", "timestamp");
}

void TruthCheck::check_version(const Frame& frame, const Channel& channel)
{
    const auto version = osi_version_of(frame.bytes, channel);
    if (!version) return;
    if (*version < least_version)
        add(Kind::omega_prime_osi_version, "found " + version->to_string() + ", expected 3.7.0 or newer", "version");
    else if (version_ && *version_ != *version)
        add(Kind::omega_prime_osi_version,
            "found " + version->to_string() + ", expected " + version_->to_string() +
                " as before: a channel has one version",
            "version");
    version_ = version;
}

void TruthCheck::check_reference(const MessageView& truth)
{
    const auto value = truth["map_reference"];
    const auto* const reference = std::get_if<std::string_view>(&value);
    if (reference == nullptr || reference->empty()) return;
    if (reference_.empty()) reference_ = *reference;
    if (*reference != reference_)
        add(Kind::omega_prime_map_reference_is_equal,
            "found '" + std::string(*reference) + "', expected '" + reference_ + "' as in earlier frames",
            "map_reference");
}

void TruthCheck::check_moving_objects(const MessageView& truth)
{
    if (moving_object_ == nullptr) return;
    std::size_t index = 0;
    truth.for_each_element(*moving_object_, [&](const Value& value) {
        const auto& object = std::get<MessageView>(value);
        const auto prefix = "moving_object[" + std::to_string(index++) + ']';
        const auto* const type = object.table().find("type");
        check_fields(object, object_paths_, prefix, type != nullptr && is_vehicle(*type, object.get(*type)));
        check_ranges(object, prefix);
        follow(object, prefix);
        return true;
    });
}

void TruthCheck::check_ranges(const MessageView& object, const std::string& prefix)
{
    const auto dimension = dimension_of(object);
    if (dimension && !((*dimension)[0] > 0 && (*dimension)[1] > 0 && (*dimension)[2] >= 0))
        add(Kind::omega_prime_moving_object_dimension_in_range,
            "found " + metres(*dimension) + ", expected length and width greater than 0 and no negative height",
            prefix + ".base.dimension");
    const auto orientation = child_in(child_in(object, "base"), "orientation");
    for (const std::string_view angle : {"roll", "pitch", "yaw"}) {
        const auto radians = real_in(orientation, angle);
        if (std::abs(radians) <= std::numbers::pi) continue;
        add(Kind::omega_prime_moving_object_orientation_in_range,
            "found " + number_text(radians) + ", expected -pi to pi",
            prefix + ".base.orientation." + std::string(angle));
    }
}

/// An object and what it was in earlier frames.
void TruthCheck::follow(const MessageView& object, const std::string& prefix)
{
    const auto id = id_of(object);
    if (!id) return;
    const auto* const type = object.table().find("type");
    const Object now{type == nullptr ? std::nullopt : as_integer(object.get(*type)), dimension_of(object), truths_};
    const auto known = objects_.find(*id);
    if (known == objects_.end()) {
        if (objects_.size() < max_objects)
            objects_.emplace(*id, now);
        else
            findings_.note("found more than " + std::to_string(max_objects) +
                           " moving objects: the changes of further ones are not checked");
        return;
    }
    const auto before = std::exchange(known->second, now);
    const auto name = "id " + std::to_string(*id);
    if (before.last == truths_)
        return add(Kind::omega_prime_moving_object_id_is_unique, name + " is already used in this frame",
                   prefix + ".id");
    const auto missed = truths_ - before.last - 1;
    if (in_order_ && missed != 0 && before.last >= unreadable_)
        add(Kind::omega_prime_moving_object_without_gap,
            name + " is not in the " + (missed == 1 ? "frame" : std::to_string(missed) + " frames") +
                " before, but in an earlier one",
            prefix);
    if (before.type && now.type && *before.type != *now.type)
        add(Kind::omega_prime_moving_object_constant_type,
            name + " is " + type_name(*type, *now.type) + ", in an earlier frame " + type_name(*type, *before.type),
            prefix + ".type");
    if (before.dimension && now.dimension && *before.dimension != *now.dimension)
        add(Kind::omega_prime_moving_object_constant_dimension,
            name + " has " + metres(*now.dimension) + ", in an earlier frame " + metres(*before.dimension),
            prefix + ".base.dimension");
}

void TruthCheck::check_traffic_lights(const MessageView& truth)
{
    if (traffic_light_ == nullptr) return;
    std::size_t index = 0;
    truth.for_each_element(*traffic_light_, [&](const Value& value) {
        const auto& light = std::get<MessageView>(value);
        const auto prefix = "traffic_light[" + std::to_string(index++) + ']';
        check_fields(light, light_paths_, prefix, false);
        check_source_reference(light, prefix);
        return true;
    });
}

void TruthCheck::check_source_reference(const MessageView& light, const std::string& prefix)
{
    bool found = false;
    if (const auto* const references = light.table().find("source_reference"))
        light.for_each_element(*references, [&](const Value& value) {
            const auto type = std::get<MessageView>(value)["type"];
            const auto* const text = std::get_if<std::string_view>(&type);
            found = text != nullptr && *text == open_drive_reference;
            return !found;
        });
    if (!found)
        add(Kind::omega_prime_traffic_light_source_reference_is_set,
            "found none of type " + std::string(open_drive_reference), prefix + ".source_reference");
}

void ProfileCheck::add(Kind kind, const std::string& message, std::string_view topic)
{
    findings_.add(kind, {{}, {}, {}, name_channels_ ? topic : std::string_view{}}, [&] { return message; });
}

void ProfileCheck::check(const Frame& frame, const Channel& channel)
{
    if (is_truth(channel)) {
        truths_.try_emplace(frame.channel, channel, name_channels_ ? channel.topic : std::string(), findings_)
            .first->second.check(frame, channel);
    } else if (is_map_channel(channel) && !map_) {
        map_topic_ = channel.topic;
        try {
            map_ = read_map_message(frame.bytes);
        } catch (const Error& error) {
            map_.emplace();
            map_is_readable_ = false;
            add(Kind::omega_prime_map, error.reason(), map_topic_);
        }
    }
}

void ProfileCheck::finish(const TraceInfo& info, const ContainerTraits& container, const std::filesystem::path& file,
                          std::size_t max_map_bytes)
{
    if (!container.index) add(Kind::omega_prime_mcap, "found " + std::string(container.name));
    check_channels(info);
    if (container.index) check_topics(info);
    check_map(file, max_map_bytes);
}

void ProfileCheck::check_channels(const TraceInfo& info)
{
    const auto truths = std::ranges::count_if(info.channels, is_truth);
    if (truths == 1) return;
    std::set<std::string> types;
    for (const auto& channel : info.channels) types.insert(channel.type_name);
    std::string found;
    for (const auto& type : types) found.append(found.empty() ? "" : ", ").append(type);
    add(Kind::omega_prime_ground_truth, "found " + (truths != 0 ? std::to_string(truths) + " channels of GroundTruth"
                                                    : found.empty() ? "no channel"
                                                                    : found));
}

void ProfileCheck::check_topics(const TraceInfo& info)
{
    for (const auto& channel : info.channels) {
        const auto expected = is_truth(channel) ? truth_topic : is_map_channel(channel) ? map_topic : channel.topic;
        if (channel.topic != expected)
            add(Kind::omega_prime_topic, "found '" + channel.topic + "', expected '" + std::string(expected) + '\'',
                channel.topic);
    }
}

void ProfileCheck::check_map(const std::filesystem::path& file, std::size_t max_map_bytes)
{
    const auto reference = truths_.empty() ? std::string() : truths_.begin()->second.reference();
    if (!map_is_readable_) return;
    if (map_) {
        if (map_->reference.empty())
            add(Kind::omega_prime_map_reference_is_equal, "map_reference is not set", map_topic_);
        else if (!reference.empty() && map_->reference != reference)
            add(Kind::omega_prime_map_reference_is_equal,
                "found '" + map_->reference + "', expected '" + reference + "' as in the GroundTruth", map_topic_);
        return check_document(map_->xml);
    }
    const auto beside =
        file.empty() || reference.empty() ? std::filesystem::path() : map_with_reference(file, reference);
    if (beside.empty() || beside.parent_path() != file.parent_path())
        return add(Kind::omega_prime_map,
                   reference.empty() ? "found no map channel, and map_reference is not set"
                                     : "found no map channel, and no file '" + reference + "' beside the trace");
    try {
        check_document(map_document(beside, max_map_bytes).xml);
    } catch (const Error& error) {
        add(Kind::omega_prime_map, error.what());
    }
}

void ProfileCheck::check_document(std::string_view xml)
try {
    const auto revision = open_drive::parse(xml).revision;
    if (revision != open_drive_revision)
        add(Kind::omega_prime_open_drive_version,
            "found " + (revision.empty() ? "no version" : revision) + ", expected " + std::string(open_drive_revision),
            map_topic_);
} catch (const Error& error) {
    add(Kind::omega_prime_map, error.reason(), map_topic_);
}

std::string_view name_of(Profile profile) noexcept
{
    return profile == Profile::omega_prime ? "omega-prime" : std::string_view{};
}

}  // namespace ositrace
