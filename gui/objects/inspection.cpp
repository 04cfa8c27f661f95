// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/inspection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <QStringList>

#include <ositrace/error.hpp>

#include "gui/objects/thing_messages.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr double degrees = 180 / std::numbers::pi;
constexpr double km_h = 3.6;

QString number(double value, int decimals) { return fixed_text(value, decimals); }

/// Fields that are shown as they are. Several rows with a name: kinds of messages differ in where they have it.
struct FieldLine {
    const char* name;
    const char* path;
};
constexpr std::array field_lines{
    FieldLine{"lane", "assigned_lane_id[*].value"},
    FieldLine{"lane", "moving_object_classification.assigned_lane_id[*].value"},
    FieldLine{"lane", "classification.assigned_lane_id[*].value"},
    FieldLine{"lane", "main_sign.classification.assigned_lane_id[*].value"},
    FieldLine{"logical lane", "moving_object_classification.logical_lane_assignment[*].assigned_lane_id.value"},
    FieldLine{"colour", "classification.color"},
    FieldLine{"icon", "classification.icon"},
    FieldLine{"mode", "classification.mode"},
    FieldLine{"counter", "classification.counter"},
    FieldLine{"out of service", "classification.is_out_of_service"},
    FieldLine{"sign", "main_sign.classification.type"},
    FieldLine{"value", "main_sign.classification.value.value"},
    FieldLine{"unit of value", "main_sign.classification.value.value_unit"},
    FieldLine{"text", "main_sign.classification.value.text"},
    FieldLine{"direction", "main_sign.classification.direction_scope"},
    FieldLine{"supplementary sign", "supplementary_sign[*].classification.type"},
    FieldLine{"lane type", "classification.type"},
    FieldLine{"lane subtype", "classification.subtype"},
    FieldLine{"material", "classification.material"},
    FieldLine{"role", "vehicle_classification.role"},
    FieldLine{"has a trailer", "vehicle_classification.has_trailer"},
    FieldLine{"movement", "movement_state"},
    FieldLine{"existence probability", "header.existence_probability"},
    FieldLine{"measurement", "header.measurement_state"},
    FieldLine{"ground truth id", "header.ground_truth_id[*].value"},
    FieldLine{"sensors", "header.sensor_id[*].value"},
    FieldLine{"candidate type", "candidate[*].type"},
    FieldLine{"candidate vehicle type", "candidate[*].vehicle_classification.type"},
    FieldLine{"candidate probability", "candidate[*].probability"},
};

constexpr std::array lamps{
    FieldLine{"brake", "brake_light_state"},
    FieldLine{"indicator", "indicator_state"},
    FieldLine{"head light", "head_light"},
    FieldLine{"high beam", "high_beam"},
    FieldLine{"reversing", "reversing_light"},
    FieldLine{"front fog", "front_fog_light"},
    FieldLine{"rear fog", "rear_fog_light"},
    FieldLine{"emergency", "emergency_vehicle_illumination"},
    FieldLine{"service", "service_vehicle_illumination"},
};

/// The value of one field; empty: unset, broken, or not in this kind of message.
std::optional<Value> value_at(const MessageView& message, const char* path)
{
    std::vector<Value> values;
    ThingField(path).collect(message, values);
    return values.empty() ? std::nullopt : std::optional(values.front());
}

std::optional<double> real_at(const MessageView& message, const char* path)
{
    const auto value = value_at(message, path);
    return value ? as_real(*value) : std::nullopt;
}

QString shown_text(const FieldRow& field, const Value& value)
{
    if (field.kind == FieldKind::enumeration && field.enumeration != nullptr)
        return words_of(*field.enumeration, as_integer(value).value_or(0));
    if (field.kind == FieldKind::bool_) return as_integer(value).value_or(0) != 0 ? "yes" : "no";
    if (std::holds_alternative<double>(value) || std::holds_alternative<float>(value))
        return rounded_text(*as_real(value));
    return value_text(field, value);
}

class Rows {
public:
    explicit Rows(std::string path) : path_(std::move(path)) {}

    void add(const char* name, QString value, const char* tip)
    {
        rows_.push_back({QLatin1String(name), std::move(value), QLatin1String(tip), {}});
    }
    void add_field(const char* name, QString value, const std::string& field)
    {
        auto path = path_ + '.' + field;
        auto tip = QString::fromStdString(path);
        rows_.push_back({QLatin1String(name), std::move(value), std::move(tip), std::move(path)});
    }
    std::vector<InspectedRow> take() { return std::move(rows_); }

private:
    std::string path_;
    std::vector<InspectedRow> rows_;
};

void add_motion(Rows& rows, const Thing& thing, const std::optional<MessageView>& message)
{
    if (thing.velocity) {
        const auto& v = *thing.velocity;
        const double speed = std::hypot(v[0], v[1], v[2]);
        rows.add_field("speed", QStringLiteral("%1 m/s  (%2 km/h)").arg(number(speed, 2), number(speed * km_h, 1)),
                       "base.velocity");
    }
    if (message) {
        const auto x = real_at(*message, "base.acceleration.x"), y = real_at(*message, "base.acceleration.y");
        const double yaw = real_at(*message, "base.orientation.yaw").value_or(0);
        if (x || y) {
            const double ax = x.value_or(0), ay = y.value_or(0);
            const double ahead = std::cos(yaw) * ax + std::sin(yaw) * ay,
                         left = std::cos(yaw) * ay - std::sin(yaw) * ax;
            rows.add_field("acceleration",
                           QStringLiteral("%1 m/s\u00b2 ahead, %2 left").arg(number(ahead, 2), number(left, 2)),
                           "base.acceleration");
        }
    }
    if (thing.has_size || thing.velocity) {
        auto heading = number(static_cast<double>(thing.rotation[2]) * degrees, 1) + QStringLiteral("\u00b0");
        const auto rate = message ? real_at(*message, "base.orientation_rate.yaw") : std::nullopt;
        if (rate) heading += QStringLiteral("  (%1\u00b0/s)").arg(number(*rate * degrees, 1));
        rows.add_field("heading", heading, "base.orientation");
    }
}

void add_fields(Rows& rows, const MessageView& message)
{
    QStringList lit;
    bool has_lamps = false;
    for (const auto& lamp : lamps) {
        const ThingField field(std::string("vehicle_classification.light_state.") + lamp.path);
        std::vector<Value> values;
        field.collect(message, values);
        if (values.empty()) continue;
        has_lamps = true;
        const auto words = shown_text(*field.row_in(message.table()), values.front());
        if (words != QLatin1String("off") && words != QLatin1String("unknown"))
            lit += QStringLiteral("%1 %2").arg(QLatin1String(lamp.name), words);
    }
    if (has_lamps)
        rows.add_field("lamps", lit.isEmpty() ? QStringLiteral("off") : lit.join(QStringLiteral(", ")),
                       "vehicle_classification.light_state");
    for (const auto& line : field_lines) {
        const ThingField field(line.path);
        std::vector<Value> values;
        field.collect(message, values);
        QStringList texts;
        for (const auto& value : values) texts += shown_text(*field.row_in(message.table()), value);
        const auto text = texts.join(QStringLiteral(", "));
        const std::string path = line.path;
        if (!text.isEmpty()) rows.add_field(line.name, text, path.substr(0, path.find("[*]")));
    }
}

constexpr auto gap_tip = "shortest distance of the bounding boxes, seen from above; 0 if they overlap";
constexpr auto distance_tip = "between the centres, seen from above";
constexpr auto clearance_tip = "from the front of the one that follows to the rear of the other, along its path";
constexpr auto closing_tip = "speed of the one that follows minus that of the other, along its path";
constexpr auto collision_tip = "clearance / closing speed";
constexpr auto contact_tip = "until the boxes touch, seen from above, if both keep velocity and heading";

void add_pair(Rows& rows, const InspectedPair& pair)
{
    const auto is_line = [](const Thing& thing) { return thing.has_size && thing.size[0] == 0 && thing.size[1] == 0; };
    if (is_line(*pair.thing) || is_line(*pair.other)) return;  // a lane has no place of its own
    const auto motion = pair_motion(ground_box(*pair.thing), ground_box(*pair.other));
    if (!motion) return;
    rows.add("gap", number(motion->gap, 2) + QStringLiteral(" m"), gap_tip);
    rows.add("distance", number(motion->distance, 2) + QStringLiteral(" m"), distance_tip);
    const auto seconds = [](const std::optional<double>& time) {
        return time ? number(*time, 2) + QStringLiteral(" s") : QStringLiteral("never");
    };
    if (motion->path) {
        rows.add("clearance", number(motion->path->clearance, 2) + QStringLiteral(" m"), clearance_tip);
        rows.add("closing speed", number(motion->path->closing_speed, 2) + QStringLiteral(" m/s"), closing_tip);
        rows.add("time to collision", seconds(time_to_collision_of(*motion->path)), collision_tip);
    }
    rows.add("time to contact", seconds(motion->time_to_contact), contact_tip);
}

}  // namespace

GroundBox ground_box(const Thing& thing) noexcept
{
    const auto number = [](float value) { return static_cast<double>(value); };
    GroundBox box{.centre = {number(thing.centre[0]), number(thing.centre[1])},
                  .length = number(thing.size[0]),
                  .width = number(thing.size[1]),
                  .yaw = number(thing.rotation[2]),
                  .velocity = {},
                  .acceleration = {}};
    if (thing.velocity) box.velocity = {(*thing.velocity)[0], (*thing.velocity)[1]};
    if (!thing.has_size) box.length = box.width = 0;
    return box;
}

QString words_of(const EnumTable& enumeration, std::int64_t number)
{
    const auto name = enumeration.name_of(static_cast<std::int32_t>(number));
    if (name.empty()) return QString::number(number);
    // BrakeLightState: BRAKE_LIGHT_STATE_
    auto full = enumeration.full_name;
    full = full.substr(full.rfind('.') + 1);
    std::string front;
    for (const char c : full) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper && !front.empty()) front += '_';
        front += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    front += '_';
    auto words = visible_text(name.starts_with(front) ? name.substr(front.size()) : name, shown_characters).toLower();
    return words.replace(QLatin1Char('_'), QLatin1Char(' '));
}

std::vector<InspectedRow> inspect(const InspectedPair& pair, const Picture& picture,
                                  const std::optional<MessageView>& message, const QString& channel)
{
    const auto& thing = *pair.thing;
    Rows rows(thing.path);
    rows.add("type", QString::fromStdString(thing.type), "type in the message");
    add_motion(rows, thing, message);
    if (pair.other != nullptr) add_pair(rows, pair);
    if (message) add_fields(rows, *message);
    std::array<double, 3> place{};
    for (std::size_t i = 0; i != place.size(); ++i) place[i] = picture.origin[i] + static_cast<double>(thing.centre[i]);
    rows.add_field("position",
                   QStringLiteral("%1, %2, %3 m").arg(number(place[0], 2), number(place[1], 2), number(place[2], 2)),
                   "base.position");
    if (thing.has_size && thing.size != std::array<float, 3>{})
        rows.add_field(
            "length, width, height",
            QStringLiteral("%1 x %2 x %3 m")
                .arg(number(static_cast<double>(thing.size[0]), 2), number(static_cast<double>(thing.size[1]), 2),
                     number(static_cast<double>(thing.size[2]), 2)),
            "base.dimension");
    rows.add("channel", channel, "channel of its message");
    return rows.take();
}

std::vector<InspectedRow> inspect_point(const Cloud& cloud, std::uint64_t element, const Picture& picture,
                                        const QString& channel)
{
    auto point = static_cast<std::size_t>(element);
    if (!cloud.elements.empty())
        point = static_cast<std::size_t>(std::ranges::find(cloud.elements, element) - cloud.elements.begin());
    if (point >= cloud.points.size()) return {};
    Rows rows(cloud.path + '[' + std::to_string(element) + ']');
    std::array<double, 3> place{};
    double squared = 0;
    for (std::size_t i = 0; i != place.size(); ++i) {
        const auto at = static_cast<double>(cloud.points[point][i]);
        place[i] = picture.origin[i] + at;
        squared += (at - static_cast<double>(cloud.sensor[i])) * (at - static_cast<double>(cloud.sensor[i]));
    }
    rows.add("position",
             QStringLiteral("%1, %2, %3 m").arg(number(place[0], 2), number(place[1], 2), number(place[2], 2)),
             "in the coordinates of the map");
    rows.add("distance", number(std::sqrt(squared), 2) + QStringLiteral(" m"), "from the sensor");
    for (const auto& field : cloud.fields) {
        if (point >= field.values.size() || !std::isfinite(field.values[point])) continue;
        const auto value = QString::number(static_cast<double>(field.values[point]), 'g', 5);
        rows.add_field(field.name.c_str(), (value + QLatin1Char(' ') + QString::fromStdString(field.unit)).trimmed(),
                       field.name);
    }
    rows.add("channel", channel, "channel of its message");
    return rows.take();
}

}  // namespace ositrace::gui
