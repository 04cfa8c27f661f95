// SPDX-License-Identifier: MPL-2.0
#include <ositrace/compare_objects.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "lib/compare/object_reader.hpp"
#include "lib/compare/pair_objects.hpp"
#include "lib/picture/moment_sources.hpp"

namespace ositrace {

using namespace compare;

namespace {

constexpr std::array<ObjectErrorRow, object_error_count> error_rows{{
    {"distance", "distance", "m", "horizontal distance of the centres"},
    {"longitudinal", "dx", "m", "how far B is ahead of A, along the heading of A"},
    {"lateral", "dy", "m", "how far B is to the left of A"},
    {"vertical", "dz", "m", "how far B is above A"},
    {"yaw", "dyaw", "rad", "how far B is turned to the left of A"},
    {"velocity", "dv", "m/s", "length of the difference of the velocities"},
    {"length", "dlength", "m", "how much longer B is than A"},
    {"width", "dwidth", "m", "how much wider B is than A"},
    {"height", "dheight", "m", "how much higher B is than A"},
}};

/// In (-pi, pi].
double wrapped_angle(double angle) noexcept
{
    const auto wrapped = std::remainder(angle, 2 * std::numbers::pi);
    return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

}  // namespace

const ObjectErrorRow& row_of(ObjectError error) noexcept { return error_rows[static_cast<std::size_t>(error)]; }

ObjectErrors errors_of(const ComparedObject& a, const ComparedObject& b) noexcept
{
    ObjectErrors errors;
    const auto x = b.position[0] - a.position[0], y = b.position[1] - a.position[1];
    const auto cosine = std::cos(a.yaw), sine = std::sin(a.yaw);
    errors[ObjectError::distance] = std::hypot(x, y);
    errors[ObjectError::longitudinal] = x * cosine + y * sine;
    errors[ObjectError::lateral] = y * cosine - x * sine;
    errors[ObjectError::vertical] = b.position[2] - a.position[2];
    errors[ObjectError::yaw] = wrapped_angle(b.yaw - a.yaw);
    if (a.velocity && b.velocity) {
        const auto &u = *a.velocity, &v = *b.velocity;
        errors[ObjectError::velocity] = std::hypot(v[0] - u[0], v[1] - u[1], v[2] - u[2]);
    }
    if (a.size && b.size) {
        errors[ObjectError::length] = (*b.size)[0] - (*a.size)[0];
        errors[ObjectError::width] = (*b.size)[1] - (*a.size)[1];
        errors[ObjectError::height] = (*b.size)[2] - (*a.size)[2];
    }
    return errors;
}

namespace {

using ListNames = std::array<std::string_view, object_kind_count>;

/// Where the objects are in a message.
struct ObjectListRow {
    MessageType type;
    ObjectSet set;
    ListNames lists;       ///< by ObjectKind; empty: it has none
    bool in_ground_truth;  ///< else in the message itself
};
constexpr ListNames usual_lists{"moving_object", "stationary_object"};
constexpr std::array object_lists{
    ObjectListRow{MessageType::ground_truth, ObjectSet::ground_truth, usual_lists, true},
    ObjectListRow{MessageType::sensor_view, ObjectSet::ground_truth, usual_lists, true},
    ObjectListRow{MessageType::sensor_data, ObjectSet::ground_truth, usual_lists, true},
    ObjectListRow{MessageType::sensor_data, ObjectSet::detections, usual_lists, false},
    ObjectListRow{MessageType::traffic_update, ObjectSet::ground_truth, {"update", ""}, false},
    ObjectListRow{MessageType::streaming_update,
                  ObjectSet::ground_truth,
                  {"moving_object_update", "stationary_object_update"},
                  false},
};
constexpr ListNames kind_names{"moving object", "stationary object"};

const ObjectListRow* list_of(const Channel& channel, ObjectSet set) noexcept
{
    if (channel.root == nullptr || !channel.type) return nullptr;
    const auto found = std::ranges::find_if(
        object_lists, [&](const ObjectListRow& row) { return row.type == *channel.type && row.set == set; });
    return found == object_lists.end() ? nullptr : &*found;
}

constexpr std::array<std::string_view, 2> side_names{"A", "B"};

std::string side_note(std::size_t side, std::string_view text) { return std::string(side_names.at(side)).append(text); }

}  // namespace

bool has_objects(const Channel& channel, ObjectSet set) noexcept { return list_of(channel, set) != nullptr; }

struct ObjectComparer::Implementation {
    std::array<std::shared_ptr<const Channel>, 2> channels;
    std::array<ObjectSet, 2> sets;
    ObjectCompareOptions options;
    ObjectReader reader;
    std::optional<SensorReach> seen;

    /// A message of a side, opened.
    struct Opened {
        const picture::OpenSource* source = nullptr;
        const picture::GroundTruth* truth = nullptr;  ///< of the side itself; null: it has none
        std::optional<SensorMotion> sensor;           ///< of detections, if the host is known
        std::vector<ComparedObject> objects;
    };

    [[nodiscard]] bool is_detections(std::size_t side) const noexcept { return sets[side] == ObjectSet::detections; }
    [[nodiscard]] SensorMotion sensor_of(const picture::MomentSources& moment, std::size_t side, const Opened& opened,
                                         ObjectComparison& result) const;
    /// The objects of a kind in a message.
    struct List {
        const MessageView* parent = nullptr;
        const FieldRow* row = nullptr;
    };
    [[nodiscard]] std::optional<List> list_in(std::size_t side, ObjectKind kind, const Opened& opened) const;
    void read(std::size_t side, ObjectKind kind, Opened& opened, ObjectComparison& result);
    void leave_out_host(const std::array<Opened, 2>& sides, const picture::MomentSources& moment,
                        std::vector<ComparedObject>& objects) const;
    void measure(std::array<Opened, 2>& sides);
    [[nodiscard]] bool is_in_reach(const ComparedObject& object, const std::optional<SensorMotion>& sensor) const;
    void pair(std::array<Opened, 2>& sides, ObjectComparison& result) const;
};

ObjectComparer::ObjectComparer(std::array<std::shared_ptr<const Channel>, 2> channels, std::array<ObjectSet, 2> sets,
                               const ObjectCompareOptions& options)
    : implementation_(std::make_unique<Implementation>())
{
    for (std::size_t side = 0; side != 2; ++side)
        if (!has_objects(*channels[side], sets[side]))
            throw Error(Cause::usage, "found messages of type '" + channels[side]->type_name + "' in '" +
                                          channels[side]->topic +
                                          "' (expected GroundTruth, SensorView or SensorData to compare objects)");
    implementation_->channels = std::move(channels);
    implementation_->sets = sets;
    implementation_->options = options;
}

ObjectComparer::ObjectComparer(ObjectComparer&&) noexcept = default;
ObjectComparer& ObjectComparer::operator=(ObjectComparer&&) noexcept = default;
ObjectComparer::~ObjectComparer() = default;

const std::optional<SensorReach>& ObjectComparer::seen() const noexcept { return implementation_->seen; }

namespace {

/// Throws what opening a source has noted as broken.
void check_opened(const picture::OpenSource& source)
{
    std::vector<PictureNote> notes;
    source.notes.append_to(notes, source.place);
    for (const auto& note : notes)
        if (note.kind == PictureNote::Kind::broken) throw Error(Cause::malformed, note.text);
}

}  // namespace

SensorMotion ObjectComparer::Implementation::sensor_of(const picture::MomentSources& moment, std::size_t side,
                                                       const Opened& opened, ObjectComparison& result) const
{
    const auto host = moment.host_of(*opened.source);
    if (!host)
        throw Error(
            Cause::mismatch,
            "the pose of the host is unknown: the detections cannot be transformed to global coordinates (expected "
            "host_vehicle_id in a ground truth, or host_vehicle_location)");
    if (!host->to_rear_axle)
        result.notes.push_back(side_note(
            side, ": the host has no bbcenter_to_rear, so that its sensor is placed from the centre of its box"));
    const auto vehicle = picture::vehicle_frame(picture::Placement(picture::Vector{}), *host);
    const auto mounting = picture::message_in(*opened.source->root, "mounting_position");
    const auto pose = mounting ? picture::pose_of(*mounting) : std::nullopt;
    if (!pose)
        result.notes.push_back(
            side_note(side, mounting ? ": the mounting position of the sensor is invalid, so the rear axle is used"
                                     : ": the sensor has no mounting position, so the rear axle is used"));
    return {pose ? vehicle.mounted(*pose) : vehicle, *host};
}

/// Empty: it has none. Stationary objects may be part of a map that was sent earlier.
std::optional<ObjectComparer::Implementation::List> ObjectComparer::Implementation::list_in(std::size_t side,
                                                                                            ObjectKind kind,
                                                                                            const Opened& opened) const
{
    const auto& where = *list_of(*channels[side], sets[side]);
    const auto name = where.lists.at(static_cast<std::size_t>(kind));
    const auto in = [&](const MessageView* parent) -> std::optional<List> {
        const auto* const row =
            parent == nullptr || name.empty() ? nullptr : picture::repeated_messages(parent->table(), name);
        if (row == nullptr || parent->repeated(*row).size() == 0) return std::nullopt;
        return List{parent, row};
    };
    if (!where.in_ground_truth) return in(&*opened.source->root);
    if (opened.truth == nullptr) return std::nullopt;
    if (const auto found = in(&opened.truth->view); found || kind == ObjectKind::moving) return found;
    return opened.truth->statics ? in(&*opened.truth->statics) : std::nullopt;
}

void ObjectComparer::Implementation::read(std::size_t side, ObjectKind kind, Opened& opened, ObjectComparison& result)
{
    const auto& where = *list_of(*channels[side], sets[side]);
    auto& path = result.lists[side].at(static_cast<std::size_t>(kind));
    if (where.in_ground_truth && opened.truth != nullptr) path = opened.truth->prefix;
    path.append(where.lists.at(static_cast<std::size_t>(kind)));
    const auto list = list_in(side, kind, opened);
    if (!list) return;
    std::size_t left_out = 0;
    auto objects = reader.read(*list->parent, *list->row, opened.sensor ? &*opened.sensor : nullptr, left_out);
    for (auto& each : objects) each.kind = kind;
    // A detection has no name.
    if (options.pair_by_name && !is_detections(0) && !is_detections(1)) {
        const auto elements = list->parent->repeated(*list->row);
        for (auto& each : objects) each.name = name_of(std::get<MessageView>(elements[each.place]));
    }
    std::ranges::move(objects, std::back_inserter(opened.objects));
    if (left_out != 0)
        result.notes.push_back(side_note(side, ": " +
                                                   count_text(left_out, kind_names.at(static_cast<std::size_t>(kind))) +
                                                   " without a valid place " + is_or_are(left_out) + " left out"));
}

/// A sensor does not detect the vehicle that carries it.
void ObjectComparer::Implementation::leave_out_host(const std::array<Opened, 2>& sides,
                                                    const picture::MomentSources& moment,
                                                    std::vector<ComparedObject>& objects) const
{
    if (!is_detections(0) && !is_detections(1)) return;
    std::optional<std::uint64_t> host;
    for (const auto& side : sides)
        if (side.truth != nullptr && !host) host = side.truth->host_id;
    for (const auto& truth : moment.truths)
        if (!host) host = truth.host_id;
    if (!host) return;
    std::erase_if(objects, [&](const ComparedObject& each) {
        return each.kind == ObjectKind::moving && each.has_id && each.id == *host;
    });
}

/// Range and azimuth of all objects, and the reach of the sensor.
void ObjectComparer::Implementation::measure(std::array<Opened, 2>& sides)
{
    const std::size_t side = is_detections(1) ? 1 : 0;
    if (!sides[side].sensor) return;
    for (auto& each : sides)
        for (auto& object : each.objects) {
            const auto local = sides[side].sensor->to_local(object.position);
            object.range = local.length();
            object.azimuth = std::atan2(local.y, local.x);
        }
    for (const auto& object : sides[side].objects) {
        if (!seen) seen = SensorReach{0, 0};
        seen->range = std::max(seen->range, object.range);
        seen->half_angle = std::max(seen->half_angle, std::abs(object.azimuth));
    }
}

bool ObjectComparer::Implementation::is_in_reach(const ComparedObject& object,
                                                 const std::optional<SensorMotion>& sensor) const
{
    if (!sensor) return true;
    const auto local = sensor->to_local(object.position);
    return local.length() <= options.reach.range && std::abs(std::atan2(local.y, local.x)) <= options.reach.half_angle;
}

void ObjectComparer::Implementation::pair(std::array<Opened, 2>& sides, ObjectComparison& result) const
{
    auto& [a, b] = sides;
    const auto matches = pair_objects({a.objects, sets[0]}, {b.objects, sets[1]}, options.gate);
    if (matches.too_many)
        result.notes.emplace_back("very many objects may belong together: not all combinations are considered");
    const auto leave_over = [&](ComparedObject& object, const Opened& other, std::vector<ComparedObject>& to) {
        if (is_in_reach(object, other.sensor))
            to.push_back(std::move(object));
        else
            ++result.out_of_reach;
    };
    for (std::size_t i = 0; i != a.objects.size(); ++i) {
        auto& object = a.objects[i];
        const auto& match = matches.of_a[i];
        if (!match) {
            leave_over(object, b, result.missed);
            continue;
        }
        auto& other = b.objects[match->b];
        const auto errors = errors_of(object, other);
        result.pairs.push_back({std::move(object), std::move(other), match->by_id, errors});
    }
    for (std::size_t j = 0; j != b.objects.size(); ++j)
        if (!matches.b_is_paired[j]) leave_over(b.objects[j], a, result.ghosts);
}

ObjectComparison ObjectComparer::compare(const ComparedMessage& a, const ComparedMessage& b)
{
    auto& state = *implementation_;
    const std::array<const ComparedMessage*, 2> messages{&a, &b};
    std::array<PictureSource, 2> sources;
    for (std::size_t side = 0; side != 2; ++side)
        sources[side] = {
            .frame = messages[side]->frame, .channel = state.channels[side].get(), .statics = messages[side]->statics};
    const picture::MomentSources moment(sources);
    ObjectComparison result;
    std::array<Implementation::Opened, 2> sides;
    for (std::size_t side = 0; side != 2; ++side) {
        const auto source = std::ranges::find(moment.open, side, &picture::OpenSource::place);
        check_opened(*source);
        sides[side].source = &*source;
        const auto truth = std::ranges::find(moment.truths, side, &picture::GroundTruth::source);
        if (truth != moment.truths.end()) sides[side].truth = &*truth;
    }
    const auto for_each_side = [&](const auto& work) {
        for (std::size_t side = 0; side != 2; ++side) {
            try {
                work(side, sides[side]);
            } catch (const Error& error) {
                throw is_damage(error) ? within_frame(error, *messages[side]->frame, {}) : error;
            }
        }
    };
    using Opened = Implementation::Opened;
    std::size_t with_stationary = 0;
    for_each_side([&](std::size_t side, Opened& opened) {
        if (state.is_detections(side)) opened.sensor = state.sensor_of(moment, side, opened, result);
        const auto& where = *list_of(*state.channels[side], state.sets[side]);
        if (where.in_ground_truth && opened.truth == nullptr)
            result.notes.push_back(side_note(side, " has no ground truth"));
        state.read(side, ObjectKind::moving, opened, result);
        if (state.list_in(side, ObjectKind::stationary, opened)) ++with_stationary;
    });
    if (with_stationary == 2)
        for_each_side(
            [&](std::size_t side, Opened& opened) { state.read(side, ObjectKind::stationary, opened, result); });
    for (std::size_t side = 0; side != 2; ++side)
        if (!state.is_detections(side)) state.leave_out_host(sides, moment, sides[side].objects);
    state.measure(sides);
    state.pair(sides, result);
    return result;
}

}  // namespace ositrace
