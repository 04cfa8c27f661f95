// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/replay_rows.hpp"

#include <array>
#include <vector>

#include <unistd.h>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "app/bench/dummy/opponents.hpp"
#include "app/bench/naive/naive_file.hpp"
#include "app/bench/replay/mapped_file.hpp"

namespace ositrace::bench {
namespace {

void read_naively(const std::filesystem::path& file, const VisitFrame& visit) { for_each_frame_of(file, visit); }

void read_mapped(const std::filesystem::path& file, const VisitFrame& visit)
{
    const MappedFile mapped(file);
    auto rest = mapped.bytes();
    while (rest.size() >= sizeof(std::uint32_t)) {
        const auto length = load_le32(rest.data());
        rest = rest.subspan(sizeof length);
        if (length > rest.size()) throw Error(Cause::truncated, {.file = file}, "ends within a frame");
        visit(rest.first(length));
        rest = rest.subspan(length);
    }
}

void read_with_ours(const std::filesystem::path& file, const VisitFrame& visit)
{
    OpenOptions open;
    open.type = MessageType::sensor_view;
    const auto in = open_stream(file, open);
    for (Frame frame; in->read(frame);) visit(frame.bytes);
}

template <ProtobufMemory Memory>
std::unique_ptr<SensorModel> of_protobuf(const DummySensorOptions& options)
{
    return protobuf_sensor(options, Memory);
}
template <FlatInput Input>
std::unique_ptr<SensorModel> of_flatbuffers(const DummySensorOptions& options)
{
    return flat_forms(FlatLayout::numbered).builder_sensor(options, Input, FlatBuilder::reused);
}

template <Encoding From>
ReadColumns our_columns(const Elements& elements)
{
    return our_reader(Schema::built_in()->root(elements.message), elements, Format{From});
}

}  // namespace

std::span<const ReplayRow> replay_rows()
{
    using enum Encoding;
    using enum ProtobufMemory;
    using enum FlatInput;
    static constexpr std::array rows{
        ReplayRow{"Protobuf, fresh", "std::ifstream, libprotobuf, a new message for every frame", Role::naive, protobuf,
                  read_naively, of_protobuf<fresh>, libprotobuf_fresh_reader},
        ReplayRow{"Protobuf, fresh, carrying", "the same; the sensor copies its input into its output, as published",
                  Role::other, protobuf, read_naively, of_protobuf<fresh>, nullptr, true},
        ReplayRow{"Protobuf, reused", "std::ifstream, libprotobuf, the message kept", Role::other, protobuf,
                  read_naively, of_protobuf<reused>, libprotobuf_reader},
        ReplayRow{"ositrace, Protobuf", "our reader and views: no objects; every access is checked", Role::ours,
                  protobuf, read_with_ours, dummy_sensor, our_columns<protobuf>},
        ReplayRow{"FlatBuffers", "std::ifstream, flatc's accessors; the file is trusted, as published", Role::other,
                  flatbuffers, read_naively, of_flatbuffers<trusted>, flatbuffers_reader},
        ReplayRow{"FlatBuffers, verified", "the same behind FlatBuffers' Verifier", Role::other, flatbuffers,
                  read_naively, of_flatbuffers<verified>, flatbuffers_verified_reader},
        ReplayRow{"FlatBuffers, mapped", "mmap, flatc's accessors; the file is trusted", Role::other, flatbuffers,
                  read_mapped, of_flatbuffers<trusted>, flatbuffers_reader},
        ReplayRow{"ositrace, FlatBuffers", "our reader and views; every access is checked", Role::ours, flatbuffers,
                  read_with_ours, dummy_sensor, our_columns<flatbuffers>},
    };
    return rows;
}

std::size_t read_all(const std::filesystem::path& file)
{
    static std::vector<std::byte> block(std::size_t{1} << 20);
    const OpenFile open(file);
    std::size_t sum = 0;
    for (ssize_t count = 0; (count = ::read(open.descriptor(), block.data(), block.size())) > 0;)
        sum += static_cast<std::size_t>(count);
    return sum;
}

}  // namespace ositrace::bench
