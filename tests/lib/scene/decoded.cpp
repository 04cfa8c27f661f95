// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/scene/decoded.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace decoded {

using namespace ositrace;

const FieldRow& Node::row(std::string_view field) const
{
    const auto* const found = view_.value().table().find(field);
    if (found == nullptr) throw std::logic_error("no field " + std::string(field));
    return *found;
}

Node Node::operator[](std::string_view field) const
{
    const auto value = view_.value().get(row(field));
    const auto* const message = std::get_if<MessageView>(&value);
    return message == nullptr ? Node() : Node(*message);
}

std::vector<Node> Node::all(std::string_view field) const
{
    const auto elements = view_.value().repeated(row(field));
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < elements.size(); ++i) nodes.emplace_back(std::get<MessageView>(elements[i]));
    return nodes;
}

std::vector<double> Node::reals(std::string_view field) const
{
    const auto elements = view_.value().repeated(row(field));
    std::vector<double> values;
    for (std::size_t i = 0; i < elements.size(); ++i) values.push_back(std::get<double>(elements[i]));
    return values;
}

bool Node::has(std::string_view field) const { return view_.value().has(row(field)); }
double Node::real(std::string_view field) const { return std::get<double>(view_.value().get(row(field))); }
std::string_view Node::text(std::string_view field) const
{
    return std::get<std::string_view>(view_.value().get(row(field)));
}

std::uint64_t Node::number(std::string_view field) const
{
    const auto value = view_.value().get(row(field));
    if (const auto* const number = std::get_if<std::int64_t>(&value)) return static_cast<std::uint64_t>(*number);
    if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
    return std::get<std::uint64_t>(value);
}

std::string_view Node::name(std::string_view field) const
{
    return row(field).enumeration->name_of(static_cast<std::int32_t>(number(field)));
}

std::vector<std::uint64_t> Node::ids(std::string_view field) const
{
    std::vector<std::uint64_t> values;
    for (const auto& node : all(field)) values.push_back(node.number("value"));
    return values;
}

Triple Node::triple(std::string_view field) const
{
    const auto node = (*this)[field];
    const auto& fields = node.view().table().fields;
    return {node.real(fields.at(0).name), node.real(fields.at(1).name), node.real(fields.at(2).name)};
}

void SceneFrame::read(const Scene& scene)
{
    const auto& channel = scene.info().channels.at(0);
    root_ = Node(MessageView(bytes_.bytes(), *channel.root, channel.format));
}

Node SceneFrame::ground_truth() const
{
    const auto name = root_.view().table().full_name;
    if (name == "osi3.SensorView") return root_["global_ground_truth"];
    if (name == "osi3.SensorData") return root_.all("sensor_view").at(0)["global_ground_truth"];
    return root_;
}

Triple turned(Triple v, Triple o)
{
    const auto [x, y, z] = v;
    const double y1 = y * std::cos(o[0]) - z * std::sin(o[0]), z1 = y * std::sin(o[0]) + z * std::cos(o[0]);
    const double x2 = x * std::cos(o[1]) + z1 * std::sin(o[1]), z2 = z1 * std::cos(o[1]) - x * std::sin(o[1]);
    return {x2 * std::cos(o[2]) - y1 * std::sin(o[2]), x2 * std::sin(o[2]) + y1 * std::cos(o[2]), z2};
}

Triple turned_back(Triple v, Triple o)
{
    return turned(turned(turned(v, {0, 0, -o[2]}), {0, -o[1], 0}), {-o[0], 0, 0});
}

double Box::distance(Triple point) const
{
    const auto local = turned_back(minus(point, position), orientation);
    Triple outside{};
    double inside = -1e9;
    for (std::size_t i = 0; i < 3; ++i) {
        const double beyond = std::abs(local[i]) - dimension[i] / 2;
        outside[i] = std::max(beyond, 0.0);
        inside = std::max(inside, beyond);
    }
    return inside < 0 ? -inside : length(outside);
}

bool Box::contains(Triple point) const
{
    const auto local = turned_back(minus(point, position), orientation);
    return std::abs(local[0]) < dimension[0] / 2 && std::abs(local[1]) < dimension[1] / 2 &&
           std::abs(local[2]) < dimension[2] / 2;
}

namespace {

Box box_of(std::uint64_t id, const Node& base)
{
    return {id, base.triple("position"), base.triple("orientation"), base.triple("dimension")};
}

}  // namespace

std::vector<Box> boxes(const Node& ground_truth)
{
    std::vector<Box> all;
    for (const auto* kind : {"stationary_object", "moving_object", "traffic_light"}) {
        for (const auto& object : ground_truth.all(kind)) all.push_back(box_of(object.id("id"), object["base"]));
    }
    for (const auto& sign : ground_truth.all("traffic_sign")) {
        all.push_back(box_of(sign.id("id"), sign["main_sign"]["base"]));
        for (const auto& below : sign.all("supplementary_sign")) all.push_back(box_of(sign.id("id"), below["base"]));
    }
    return all;
}

SensorPose::SensorPose(const Node& ground_truth, const Node& mounting_position)
    : position_(mounting_position.triple("position")), mounted_(mounting_position.triple("orientation"))
{
    const auto host = ground_truth.all("moving_object").at(0);
    centre_ = host["base"].triple("position");
    orientation_ = host["base"].triple("orientation");
    rear_axle_ = host["vehicle_attributes"].triple("bbcenter_to_rear");
}

Triple SensorPose::to_global(Triple local) const
{
    const auto in_vehicle = plus(turned(local, mounted_), position_);
    return plus(turned(plus(in_vehicle, rear_axle_), orientation_), centre_);
}

Triple from_spherical(double distance, double azimuth, double elevation)
{
    return {distance * std::cos(elevation) * std::cos(azimuth), distance * std::cos(elevation) * std::sin(azimuth),
            distance * std::sin(elevation)};
}

}  // namespace decoded
