// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/open_drive/map.hpp"

#include <ositrace/error.hpp>

namespace maps {

using namespace ositrace;

Map read(std::string_view xml, const MapOptions& options)
{
    auto map = read_open_drive(xml, options);
    const auto bytes = map.message->bytes();
    return {std::move(map), decoded::Node(MessageView(bytes, Schema::built_in()->root(MessageType::ground_truth), {}))};
}

std::string error_of_read(std::string_view xml)
{
    try {
        static_cast<void>(read_open_drive(xml));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string document(const std::string& content)
{
    return "<?xml version='1.0'?>\n<OpenDRIVE>\n<header revMajor='1' revMinor='8'/>\n" + content + "</OpenDRIVE>\n";
}

RoadText::operator std::string() const
{
    const auto length_text = std::to_string(length);
    const auto plan = geometry.empty()
                          ? "<geometry s='0' x='0' y='0' hdg='0' length='" + length_text + "'><line/></geometry>"
                          : geometry;
    const auto side = [](const char* name, const std::string& lanes) {
        return lanes.empty() ? std::string() : "<" + std::string(name) + ">" + lanes + "</" + name + ">\n";
    };
    return "<road id='" + id + "' length='" + length_text + "' " +
           (attributes.find("junction") == std::string::npos ? "junction='-1' " : "") + attributes + ">\n<link>" +
           link + "</link>\n<planView>" + plan + "</planView>\n" + profiles + "<lanes>" + lane_offset +
           "<laneSection s='0'>\n" + side("left", left) + side("center", center) + side("right", right) +
           "</laneSection></lanes>\n" + features + "</road>\n";
}

std::string lane(int id, std::string_view content, std::string_view type)
{
    return "<lane id='" + std::to_string(id) + "' type='" + std::string(type) + "'>" + std::string(content) +
           "<width sOffset='0' a='3.5' b='0' c='0' d='0'/></lane>\n";
}

}  // namespace maps
