// SPDX-License-Identifier: MPL-2.0
#include <ositrace/picture.hpp>

namespace ositrace {

namespace {

constexpr std::array<std::string_view, category_count> category_names{
    "host vehicle",
    "moving objects",
    "stationary objects",
    "lanes",
    "lane boundaries",
    "logical lanes",
    "logical lane boundaries",
    "reference lines",
    "traffic signs",
    "traffic lights",
    "road markings",
    "detected moving objects",
    "detected stationary objects",
    "detected lanes",
    "detected lane boundaries",
    "detected traffic signs",
    "detected traffic lights",
    "detected road markings",
    "lidar reflections",
    "lidar detections",
    "radar detections",
    "ultrasonic detections",
    "camera detections",
    "fields of view",
    "radar reflections",
    "trajectories",
    "logical detections",
};
static_assert(!category_names.back().empty());

constexpr std::array<std::string_view, look_count> look_names{
    "unknown",
    "host vehicle",
    "other",
    "car",
    "truck",
    "bus",
    "motorbike",
    "bicycle",
    "trailer",
    "train",
    "other vehicle",
    "pedestrian",
    "wheelchair",
    "animal",
    "stationary object",
    "driving lane",
    "intersection",
    "non-driving lane",
    "cycle lane",
    "sidewalk",
    "parking lane",
    "shoulder",
    "other lane",
    "lane of the host",
    "logical lane",
    "logical lane boundary",
    "reference line",
    "centre line",
    "no line",
    "white boundary",
    "yellow boundary",
    "red boundary",
    "blue boundary",
    "green boundary",
    "violet boundary",
    "orange boundary",
    "black boundary",
    "grey boundary",
    "other boundary",
    "road edge",
    "snow edge",
    "grass edge",
    "gravel edge",
    "soil edge",
    "traffic sign",
    "red sign",
    "blue sign",
    "yellow sign",
    "black sign",
    "grey sign",
    "back of a sign",
    "road marking",
    "traffic light",
    "red light",
    "yellow light",
    "green light",
    "blue light",
    "white light",
    "light off",
    "brake light off",
    "brake light",
    "strong brake light",
    "indicator off",
    "indicator",
    "velocity",
    "detected",
    "field of view",
    "red",
    "yellow",
    "green",
    "blue",
    "violet",
    "orange",
    "black",
    "grey",
    "white",
    "trajectory",
    "ultrasonic detection",
};
static_assert(!look_names.back().empty());
static_assert(static_cast<std::size_t>(Category::logical_detection) + 1 == category_count);
static_assert(static_cast<std::size_t>(Look::ultrasonic) + 1 == look_count);

template <class Element>
std::size_t held(const std::vector<Element>& vector) noexcept
{
    return vector.capacity() * sizeof(Element);
}

/// Is `path` the path of the message, or of something in it?
bool contains_message(std::string_view message, std::string_view path) noexcept
{
    return path.starts_with(message) &&
           (path.size() == message.size() || path[message.size()] == '.' || path[message.size()] == '[');
}

}  // namespace

std::string_view name_of(Category category) noexcept
{
    const auto place = static_cast<std::size_t>(category);
    return place < category_count ? category_names[place] : std::string_view();
}

std::string_view name_of(Look look) noexcept
{
    const auto place = static_cast<std::size_t>(look);
    return place < look_count ? look_names[place] : std::string_view();
}

std::size_t Layer::bytes() const noexcept
{
    auto bytes = sizeof *this + held(things) + held(points) + held(boxes) + held(lines) + held(strips);
    for (const auto& thing : things) bytes += thing.path.capacity() + thing.type.capacity() + thing.label.capacity();
    return bytes;
}

std::size_t Cloud::bytes() const noexcept
{
    auto bytes = sizeof *this + held(points) + held(elements) + held(fields);
    for (const auto& field : fields) bytes += held(field.values);
    return bytes;
}

const Thing* Picture::find(const ThingKey& key) const noexcept
{
    for (const auto& layer : layers)
        for (const auto& thing : layer->things)
            if (thing.key == key) return &thing;
    return nullptr;
}

const Thing* Picture::find(std::uint32_t source, std::string_view path) const noexcept
{
    const Thing* found = nullptr;
    for (const auto& layer : layers) {
        for (const auto& thing : layer->things) {
            if (thing.key.source != source || !contains_message(thing.path, path)) continue;
            if (found == nullptr || thing.path.size() > found->path.size()) found = &thing;
        }
    }
    return found;
}

std::size_t Picture::bytes() const noexcept
{
    auto bytes = sizeof *this + held(layers) + held(clouds) + held(axes) + held(notes);
    for (const auto& layer : layers) bytes += layer->bytes();
    for (const auto& cloud : clouds) bytes += cloud->bytes();
    for (const auto& note : notes) bytes += note.text.capacity();
    return bytes;
}

}  // namespace ositrace
