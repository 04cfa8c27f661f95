// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/replay_variants.hpp"
#include "app/bench/dummy/opponents.hpp"
#include "app/bench/naive/naive_converter.hpp"
#include "app/bench/replay/mapped_file.hpp"

#include <array>
#include <chrono>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/performance_log.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/transcoder.hpp>

#include <osi3/osi_sensordata.pb.h>
#include <unistd.h>

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
        ReplayRow{"FlatBuffers, verified", "the same after FlatBuffers' Verifier", Role::other, flatbuffers,
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

namespace {

using namespace std::chrono_literals;
using StageTimer = std::chrono::steady_clock;

/// A player and the sensor that it feeds.
class PlayedSensor {
public:
    PlayedSensor(const ReplayRow& row, const PlayedFiles& files, const ModelObserver& observer = {})
        : row_(row),
          file_(files.of(row.encoding)),
          frames_(files.frames),
          sensor_(row.sensor({.carry_input = row.carry_input, .encoding = row.encoding, .observer = observer})),
          to_protobuf_(Schema::built_in()->root(MessageType::sensor_data), Format{Encoding::flatbuffers}, Format{})
    {
        OpenOptions open;
        open.type = MessageType::sensor_view;
        sensor_->initialize(open_stream(file_, open)->info(), {.now = {}, .step = 100ms, .first = {}});
    }
    std::size_t run()
    {
        std::size_t bytes = 0;
        model_ = {};
        const auto start = StageTimer::now();
        play([&](Bytes result) { bytes += result.size(); });
        whole_ = StageTimer::now() - start;
        return bytes;
    }
    void answer(Answer& answer)
    {
        play([&](Bytes result) { add(answer, result); });
    }
    [[nodiscard]] std::vector<Stage> stages() const
    {
        const auto per_frame = [&](StageTimer::duration time) {
            return std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(frames_);
        };
        return {{"source", per_frame(whole_ - model_)}, {"model", per_frame(model_)}};
    }

private:
    template <class Take>
    void play(Take&& take)
    {
        Nanoseconds now{};
        Frame frame;
        row_.read(file_, [&](Bytes bytes) {
            const auto start = StageTimer::now();
            now += 100ms;
            frame.bytes = bytes;
            const auto results = sensor_->step({&frame, 1}, now, 100ms);
            model_ += StageTimer::now() - start;
            take(results.front().bytes);
        });
    }
    /// The result without the carried input, so that all variants can be compared.
    void add(Answer& answer, Bytes result)
    {
        if (row_.encoding == Encoding::flatbuffers) {
            to_protobuf_.transcode(result, protobuf_);
            return answer.add(protobuf_.bytes());
        }
        if (!row_.carry_input) return answer.add(result);
        osi3::SensorData data;
        if (!data.ParseFromArray(result.data(), static_cast<int>(result.size())))
            throw Error(Cause::malformed, "libprotobuf refuses a result");
        data.clear_sensor_view();
        answer.add(bytes_of(data.SerializeAsString()));
    }

    const ReplayRow& row_;
    std::filesystem::path file_;
    std::uint64_t frames_;
    std::unique_ptr<SensorModel> sensor_;
    StageTimer::duration whole_{}, model_{};
    Transcoder to_protobuf_;
    ByteBuffer protobuf_;
};

Variant variant_of(const ReplayRow& row, const PlayedFiles& files)
{
    return {.name = row.name,
            .what = row.what,
            .role = row.role,
            .bytes_in = std::filesystem::file_size(files.of(row.encoding))};
}

}  // namespace

Variant sensor_variant(const ReplayRow& row, const PlayedFiles& files)
{
    const auto played = std::make_shared<PlayedSensor>(row, files);
    auto variant = variant_of(row, files);
    variant.run = [played] { return played->run(); };
    variant.answer = [played](Answer& answer) { played->answer(answer); };
    variant.stages = [played] { return played->stages(); };
    return variant;
}

void log_performance(const ReplayRow& row, const PlayedFiles& files, const std::filesystem::path& folder)
{
    using enum PerformanceEvent;
    const auto log_in = [&](const char* who) {
        const auto name = std::string(row.name) + ' ' + who;
        return PerformanceLog(
            folder / (name + ".json"),
            {.model_identity = name, .messages = {"osi3.SensorView", "osi3.SensorData"}, .overwrite = true});
    };
    auto player = log_in("player"), sensor = log_in("sensor");
    Nanoseconds now = 100ms;
    std::uint64_t played = 0;
    PlayedSensor model(row, files, [&](PerformanceEvent event, MessageType type, std::uint64_t bytes) {
        if (event == start_deserialize)
            for (const auto at_once : {start_serialize, stop_serialize}) player.add(at_once, now, 0, 0, bytes);
        sensor.add(event, now, type == MessageType::sensor_view ? 0 : 1, 0, bytes);
        if (event == stop_serialize && ++played != files.frames)
            player.add(start_source_calculation, now += 100ms, 0, 0, 0);
    });
    player.add(start_source_calculation, now, 0, 0, 0);
    model.run();
    player.close();
    sensor.close();
}

Variant arrays_variant(const ReplayRow& row, const PlayedFiles& files, const Elements& elements)
{
    const auto columns = std::make_shared<ReadColumns>(row.columns(elements));
    const auto play = [columns, read = row.read, file = files.of(row.encoding)](const TakeColumn& take) {
        read(file, [&](Bytes frame) { (*columns)(frame, take); });
    };
    auto variant = variant_of(row, files);
    variant.run = [play] {
        std::size_t bytes = 0;
        play([&](std::span<const double> column) { bytes += column.size_bytes(); });
        return bytes;
    };
    variant.answer = [play](Answer& answer) { play([&](std::span<const double> column) { answer.add(column); }); };
    return variant;
}

Variant read_of_protobuf_file(const PlayedFiles& files)
{
    return {.name = "read() of the Protobuf file",
            .what = "in blocks of 1 MiB; nothing is done with it",
            .role = Role::yardstick,
            .run = [file = files.protobuf] { return read_all(file); },
            .bytes_in = std::filesystem::file_size(files.protobuf)};
}

namespace {

Round round_of(const PlayedFiles& files, const char* name, PageCache cache)
{
    return {std::string(name) + (cache == PageCache::warm ? ", warm page cache" : ", dropped page cache"),
            static_cast<std::size_t>(files.frames),
            "frame",
            Clock::wall,
            {read_of_protobuf_file(files)}};
}

void prepare(Round& round, const PlayedFiles& files, PageCache cache)
{
    if (cache == PageCache::warm) return;
    for (auto& variant : round.variants)
        variant.before = [files] { drop_from_page_cache(files.protobuf), drop_from_page_cache(files.flat); };
}

}  // namespace

RoundResult measure_sensor(const PlayedFiles& files, const Bench& bench, PageCache cache)
{
    auto round = round_of(files, "every 18th reflection into the sensor", cache);
    for (const auto& row : replay_rows()) round.variants.push_back(sensor_variant(row, files));
    round.question = "How long from a file to a result?";
    prepare(round, files, cache);
    return bench.measure(round);
}

void measure_arrays(const PlayedFiles& files, const Bench& bench, PageCache cache, const Elements& elements)
{
    auto round = round_of(files, "all reflections into arrays", cache);
    for (const auto& row : replay_rows())
        if (row.columns != nullptr) round.variants.push_back(arrays_variant(row, files, elements));
    round.question = "How long from a file to a result?";
    prepare(round, files, cache);
    bench.measure(round);
}

}  // namespace ositrace::bench
