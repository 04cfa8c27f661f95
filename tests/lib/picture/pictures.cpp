// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/picture/pictures.hpp"
#include "tests/catch.hpp"

#include <bit>

#include <ositrace/transcoder.hpp>

namespace ositrace::test {

namespace {

Bytestring copy_of(const ByteBuffer& buffer) { return {buffer.bytes().begin(), buffer.bytes().end()}; }

std::vector<std::uint32_t> bits_of(const std::vector<float>& values)
{
    std::vector<std::uint32_t> bits;
    for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

void require_equal(const Cloud& a, const Cloud& b)
{
    REQUIRE(a.key == b.key);
    REQUIRE(a.path == b.path);
    REQUIRE(a.points == b.points);
    REQUIRE(a.elements == b.elements);
    REQUIRE(a.left_out == b.left_out);
    REQUIRE(a.fields.size() == b.fields.size());
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        REQUIRE(a.fields[i].name == b.fields[i].name);
        REQUIRE(bits_of(a.fields[i].values) == bits_of(b.fields[i].values));
    }
}

template <class Mark>
std::vector<Mark> marks_of(const Picture& picture, Category category, std::vector<Mark> Layer::* marks)
{
    std::vector<Mark> found;
    for (const auto& layer : picture.layers)
        for (const auto& mark : (*layer).*marks)
            if (layer->things.at(mark.thing).key.category == category) found.push_back(mark);
    return found;
}

}  // namespace

Bytestring written(MessageType type, const std::function<void(OsiWriter&)>& write)
{
    ByteBuffer buffer;
    OsiWriter out(buffer, Schema::built_in()->root(type));
    write(out);
    return copy_of(buffer);
}

Bytestring to_flat(const Bytestring& protobuf, MessageType type)
{
    Transcoder transcoder(Schema::built_in()->root(type), Format{}, Format{Encoding::flatbuffers, Layout::numbered});
    ByteBuffer buffer;
    transcoder.transcode(protobuf, buffer);
    return copy_of(buffer);
}

Channel channel_of(MessageType type, Encoding encoding)
{
    Channel channel;
    channel.type = type;
    channel.type_name = row_of(type).full_name;
    channel.format = {encoding, Layout::numbered};
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(type);
    return channel;
}

Frame frame_of(const Bytestring& bytes)
{
    Frame frame;
    frame.bytes = bytes;
    return frame;
}

Bytestring frame_of(const Scene& scene, std::uint64_t i)
{
    ByteBuffer buffer;
    scene.frame(i, buffer);
    return copy_of(buffer);
}

std::shared_ptr<const Picture> picture_of(MessageType type, const Bytestring& bytes, Encoding encoding)
{
    const auto channel = channel_of(type, encoding);
    const auto frame = frame_of(bytes);
    const PictureSource source{.frame = &frame, .channel = &channel};
    return PictureMaker().make({&source, 1});
}

std::shared_ptr<const Picture> picture_of(MessageType type, const std::function<void(OsiWriter&)>& write)
{
    return picture_of(type, written(type, write));
}

std::vector<Thing> things_of(const Picture& picture, Category category)
{
    std::vector<Thing> found;
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (thing.key.category == category) found.push_back(thing);
    return found;
}

std::vector<BoxMark> boxes_of(const Picture& picture, Category category)
{
    return marks_of(picture, category, &Layer::boxes);
}
std::vector<LineMark> lines_of(const Picture& picture, Category category)
{
    return marks_of(picture, category, &Layer::lines);
}

std::vector<std::string> complaints(const Picture& picture)
{
    std::vector<std::string> texts;
    for (const auto& note : picture.notes)
        if (note.kind != PictureNote::Kind::information) texts.push_back(note.text);
    return texts;
}

void require_equal(const Picture& a, const Picture& b)
{
    REQUIRE(a.origin == b.origin);
    REQUIRE(a.time == b.time);
    REQUIRE(a.host == b.host);
    REQUIRE(a.layers.size() == b.layers.size());
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        const auto &one = *a.layers[i], &other = *b.layers[i];
        REQUIRE(one.things == other.things);
        REQUIRE(one.points == other.points);
        REQUIRE(one.boxes == other.boxes);
        REQUIRE(one.lines == other.lines);
        REQUIRE(one.strips == other.strips);
    }
    REQUIRE(a.clouds.size() == b.clouds.size());
    for (std::size_t i = 0; i < a.clouds.size(); ++i) require_equal(*a.clouds[i], *b.clouds[i]);
    REQUIRE(a.axes.size() == b.axes.size());
    REQUIRE(complaints(a) == complaints(b));
}

void write_base(OsiWriter& out, scene::Vector size, scene::Vector position, double yaw)
{
    out.message("base", [&] {
        out.dimension("dimension", size);
        out.vector("position", position);
        out.orientation("orientation", {0, 0, yaw});
    });
}

}  // namespace ositrace::test
