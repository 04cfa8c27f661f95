// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_writer.hpp>

#include <unistd.h>

#include <sys/mman.h>

#include <ositrace/limits.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

TraceInfo holding(Encoding encoding)
{
    TraceInfo info;
    info.channels.resize(1);
    info.channels[0].format.encoding = encoding;
    return info;
}

void write_two(TraceWriter& writer)
{
    Frame frame;
    frame.bytes = bytes_of("12345");
    writer.write(frame);
    frame.bytes = bytes_of("6");
    writer.write(frame);
}

const std::string two_frames(
    "\5\0\0\0"
    "12345"
    "\1\0\0\0"
    "6",
    14);

}  // namespace

TEST_CASE("a length-prefixed file is lengths and payloads, nothing else")
{
    const ScratchFolder folder;
    const auto [name, encoding] =
        GENERATE(std::pair{"a.osi", Encoding::protobuf}, std::pair{"a.osifb", Encoding::flatbuffers});
    const auto writer = create_trace(folder / name, holding(encoding));
    write_two(*writer);
    CHECK(writer->close() == two_frames.size());
    CHECK(read_file(folder / name) == two_frames);
}

TEST_CASE("the compression comes from the name, and the bytes counted are those of the file")
{
    const ScratchFolder folder;
    const auto* const name = GENERATE("a.osi.zst", "a.osi.lz4");
    const auto writer = create_trace(folder / name, holding(Encoding::protobuf));
    write_two(*writer);
    const auto size = writer->close();
    CHECK(size == read_file(folder / name).size());
    CHECK(read_file(folder / name) != two_frames);
}

TEST_CASE("a pipe needs no extension, and gets every frame at once when that is asked for")
{
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const auto writer =
        create_trace("/dev/fd/" + std::to_string(ends[1]), holding(Encoding::flatbuffers), {.flush_frames = true});
    write_two(*writer);
    std::string received(100, '\0');
    received.resize(static_cast<std::size_t>(::read(ends[0], received.data(), received.size())));
    if (received.size() < two_frames.size()) {
        std::string rest(100, '\0');
        rest.resize(static_cast<std::size_t>(::read(ends[0], rest.data(), rest.size())));
        received += rest;
    }
    CHECK(received == two_frames);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("what cannot be written is refused with the place and what can")
{
    const ScratchFolder folder;
    const auto refusal = [&](const std::string& name, Encoding encoding, WriteOptions options = {}) {
        const auto file = (folder / name).string();
        const auto text = error_of([&] { return create_trace(file, holding(encoding), options); });
        CHECK(folder.names().empty());
        REQUIRE(text.starts_with(file + ": "));
        return text.substr(file.size() + 2);
    };
    CHECK(refusal("a.foo", Encoding::protobuf) ==
          "unknown extension '.foo' (known: .osi, .osifb, .txth, .jsonl, each also with .zst or .lz4, and .mcap)");
    CHECK(refusal("a.mcp", Encoding::protobuf).ends_with("and .mcap) (did you mean '.mcap'?)"));
    CHECK(refusal("a.osi.zts", Encoding::protobuf).ends_with("and .mcap) (did you mean '.zst'?)"));
    CHECK(refusal("a", Encoding::protobuf) ==
          "unknown extension '' (known: .osi, .osifb, .txth, .jsonl, each also with .zst or .lz4, and .mcap)");
    CHECK(refusal("a.jsonl", Encoding::protobuf) ==
          "the messages of the channel '' have no schema that says what their fields are");
    CHECK(refusal("a.osi.gz", Encoding::protobuf) ==
          "gzip can be read, not written (known: .osi, .osifb, .txth, .jsonl, each also with .zst or .lz4, and .mcap)");
    CHECK(refusal("a.osi.lz4", Encoding::protobuf, {.level = 22}) ==
          "level 22 is not supported by lz4 (expected 1 to 12)");
    CHECK(refusal("a.osi", Encoding::flatbuffers) ==
          "the messages are flatbuffers, not the encoding of .osi files. Name the output *.osifb");
    CHECK(refusal("a.osifb.zst", Encoding::protobuf) ==
          "the messages are protobuf, not the encoding of .osifb.zst files. Name the output *.osi.zst");
    auto two_channels = holding(Encoding::protobuf);
    two_channels.channels.resize(2);
    CHECK(error_of([&] { return create_trace(folder / "a.osi", two_channels); }) ==
          (folder / "a.osi").string() +
              ": this container holds one channel (found 2). Name the output *.mcap, or write one file per channel "
              "(osiconvert split --channels)");
}

TEST_CASE("messages that are not OSI are written to a container with schemas only")
{
    const ScratchFolder folder;
    auto info = holding(Encoding::protobuf);
    auto& channel = info.channels[0];
    channel.topic = "vec";
    const auto reason = [&] {
        const auto name = GENERATE("a.osi", "a.osi.zst", "a.jsonl", "a.txth");
        const auto text = error_of([&] { return create_trace(folder / name, info); });
        CHECK(folder.names().empty());
        const auto begin = (folder / name).string() + ": the channel 'vec' cannot be written: ";
        const std::string end = ". Name the output *.mcap";
        REQUIRE(text.starts_with(begin));
        REQUIRE(text.ends_with(end));
        CHECK_NOTHROW(create_trace(folder / "a.mcap", info));
        return text.substr(begin.size(), text.size() - begin.size() - end.size());
    };
    SECTION("another type")
    {
        channel.message_encoding = "protobuf";
        channel.type_name = "demo.Vec";
        channel.schema_record = std::make_shared<const SchemaRecord>(SchemaRecord{"demo.Vec", "protobuf", {}});
        CHECK(reason() == "demo.Vec is not a message of OSI");
    }
    SECTION("a FlatBuffers type")
    {
        channel.message_encoding = "flatbuffer";
        channel.type_name = "demo.Vec";
        CHECK(reason() == "demo.Vec is not a message of OSI");
    }
    SECTION("another encoding")
    {
        channel.message_encoding = "ros1";
        channel.type_name = "demo/Vec";
        CHECK(reason() == "its messages are ros1, not an encoding of OSI");
    }
    SECTION("no type")
    {
        channel.message_encoding = "protobuf";
        CHECK(reason() == "no type of its messages is stated");
    }
    SECTION("an OSI type whose schema cannot be used")
    {
        channel.message_encoding = "protobuf";
        channel.unviewable = "it defines nothing";
        CHECK(reason() == "its schema cannot be used: it defines nothing");
    }
    SECTION("nothing stated by the file")
    {
        info.container.several_channels = true;
        CHECK(reason() == "no encoding of its messages is stated");
    }
}

TEST_CASE("an output that is an input as well is refused, under whatever name")
{
    const ScratchFolder folder;
    write_file(folder / "a.osi", "old");
    std::filesystem::create_hard_link(folder / "a.osi", folder / "b.osi");
    const auto output = (folder / "b.osi").string();
    CHECK(error_of([&] {
              return create_trace(output, holding(Encoding::protobuf),
                                  {.overwrite = true, .inputs = {folder / "a.osi"}});
          }) == output + ": is also an input. Choose another output.");
    CHECK(read_file(folder / "a.osi") == "old");
}

TEST_CASE("a message that no length fits is refused with its frame")
{
    constexpr auto size = max_encodable_bytes + 1;
    auto* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    const ScratchFolder folder;
    const auto file = (folder / "a.osi").string();
    Frame frame;
    frame.bytes = {static_cast<const std::byte*>(memory), size};
    frame.index = 7;
    CHECK(error_of([&] { create_trace(file, holding(Encoding::protobuf))->write(frame); }) ==
          file + ": frame 7: a message of 2147483648 bytes exceeds the limit of 2147483647 bytes");
    ::munmap(memory, size);
}
