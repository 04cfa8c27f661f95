// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/map_writer.hpp"

#include <charconv>

#include <ositrace/error.hpp>
#include <ositrace/utf8.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/wire.hpp"

namespace ositrace::open_drive {

namespace {

constexpr std::array<std::string_view, part_count> part_names{
    "stationary_object", "traffic_sign",          "traffic_light", "road_marking", "lane_boundary", "lane",
    "reference_line",    "logical_lane_boundary", "logical_lane"};

/// The shortest text that reads back the same.
std::string text_of_number(double value)
{
    std::array<char, 40> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

MapWriter::MapWriter(const Document& document, const Schema& schema, std::uint64_t first_id, std::size_t max_bytes)
    : document_(document),
      next_id_(first_id),
      network_(document, next_id_),
      max_bytes_(max_bytes),
      writer_(element_, schema.root(MessageType::ground_truth))
{
    const auto& root = schema.root(MessageType::ground_truth);
    for (std::size_t i = 0; i < part_count; ++i) fields_[i] = &FieldTag(root, part_names[i]).row();
}

NamedWriter& MapWriter::begin(Part part)
{
    element_.clear();
    writer_.begin(*fields_[static_cast<std::size_t>(part)]->child);
    return writer_;
}

void MapWriter::end(Part part, ByteBuffer& to)
{
    std::array<std::byte, wire::max_tag_bytes + wire::max_varint_bytes> head;
    auto* const tag_end = wire::write_varint(
        head.data(), (std::uint64_t{fields_[static_cast<std::size_t>(part)]->number} << 3) | wire::length_delimited);
    auto* const length_end = wire::write_varint(tag_end, element_.size());
    to.append({head.data(), static_cast<std::size_t>(length_end - head.data())});
    to.append(element_.bytes());
    bytes_ += static_cast<std::size_t>(length_end - head.data()) + element_.size();
    if (bytes_ > max_bytes_) throw Error(Cause::limit, "the map as OSI" + exceeds_limit(max_bytes_));
}

void write_text(NamedWriter& out, FieldName field, std::string_view text)
{
    if (is_utf8(text))
        out.text(field, text);
    else
        out.text(field, as_utf8(text));
}

void write_vector(NamedWriter& out, FieldName field, Vector value)
{
    out.message(field, [&] {
        out.real("x", value.x);
        out.real("y", value.y);
        out.real("z", value.z);
    });
}

void write_orientation(NamedWriter& out, FieldName field, Orientation value)
{
    out.message(field, [&] {
        out.real("roll", wrapped(value.roll));
        out.real("pitch", wrapped(value.pitch));
        out.real("yaw", wrapped(value.yaw));
    });
}

void write_dimension(NamedWriter& out, FieldName field, Vector value)
{
    out.message(field, [&] {
        out.real("length", value.x);
        out.real("width", value.y);
        out.real("height", value.z);
    });
}

void write_source(NamedWriter& out, std::initializer_list<std::string_view> identifiers)
{
    out.message("source_reference", [&] {
        out.text("type", "net.asam.opendrive");
        for (const auto identifier : identifiers) write_text(out, "identifier", identifier);
    });
}

void write_lane_source(NamedWriter& out, const Network& network, const Network::LaneNode& node)
{
    write_source(out, {network.road_of(node).id, text_of_number(network.section_of(node).written_s),
                       std::to_string(network.lane_of(node).id)});
}

}  // namespace ositrace::open_drive
