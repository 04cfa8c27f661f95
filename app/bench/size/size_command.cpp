// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/core/round.hpp"
#include "app/bench/core/sample.hpp"
#include "app/bench/core/verdict.hpp"
#include "app/bench/size/block_codec.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"
#include "osi3/osi_sensorview.pb.h"
#include "osi_opponent.hpp"

namespace ositrace::bench {
namespace {

/// The numbers to be written, in the form in which an algorithm has them.
struct ReflectionArrays {
    std::vector<double> signal_strength, time_of_flight;
    [[nodiscard]] std::size_t size() const noexcept { return signal_strength.size(); }
};

/// Writes and reads one form. Reuses its memory.
class ReflectionForm {
public:
    virtual ~ReflectionForm() = default;
    /// The message, until the next call.
    [[nodiscard]] virtual Bytes write(const ReflectionArrays& arrays) = 0;
    /// Reads into the arrays below: floats if the form stores floats, else doubles.
    virtual void read(Bytes message) = 0;

    ReflectionArrays arrays;
    std::vector<float> float_signal_strength, float_time_of_flight;
};

/// The recommendation of the study: a `bytes` field (here number 10000, an extension) of the same LidarSensorView,
/// written by libprotobuf. It contains the first column and then the second. For measuring only, not a format.
enum class ColumnNumbers : std::uint8_t { doubles, floats };

constexpr int column_field = 10'000;

void parse(Bytes message, osi3::SensorView& view)
{
    if (!view.ParseFromArray(message.data(), static_cast<int>(message.size())))
        throw Error(Cause::malformed, "libprotobuf refuses a message");
}

class ProtobufElements final : public ReflectionForm {
public:
    Bytes write(const ReflectionArrays& from) override
    {
        view_.Clear();
        auto& reflections = *view_.add_lidar_sensor_view()->mutable_reflection();
        reflections.Reserve(static_cast<int>(from.size()));
        for (std::size_t i = 0; i < from.size(); ++i) {
            auto& reflection = *reflections.Add();
            reflection.set_signal_strength(from.signal_strength[i]);
            reflection.set_time_of_flight(from.time_of_flight[i]);
        }
        text_.clear();
        view_.AppendToString(&text_);
        return bytes_of(text_);
    }
    void read(Bytes message) override
    {
        parse(message, view_);
        arrays.signal_strength.clear(), arrays.time_of_flight.clear();
        for (const auto& reflection : view_.lidar_sensor_view(0).reflection()) {
            arrays.signal_strength.push_back(reflection.signal_strength());
            arrays.time_of_flight.push_back(reflection.time_of_flight());
        }
    }

private:
    osi3::SensorView view_;
    std::string text_;
};

class FlatElements final : public ReflectionForm {
public:
    Bytes write(const ReflectionArrays& from) override
    {
        namespace flat = osi3_flat;
        builder_.Clear();
        const auto reflections = builder_.CreateVector<flatbuffers::Offset<flat::LidarSensorView_Reflection>>(
            from.size(), [&](std::size_t i) {
                flat::LidarSensorView_ReflectionBuilder reflection(builder_);
                reflection.add_signal_strength(from.signal_strength[i]);
                reflection.add_time_of_flight(from.time_of_flight[i]);
                return reflection.Finish();
            });
        flat::LidarSensorViewBuilder sensor(builder_);
        sensor.add_reflection(reflections);
        const auto sensors = builder_.CreateVector(std::vector{sensor.Finish()});
        flat::SensorViewBuilder view(builder_);
        view.add_lidar_sensor_view(sensors);
        builder_.Finish(view.Finish());
        return std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
    }
    void read(Bytes message) override
    {
        const auto& reflections =
            *flatbuffers::GetRoot<osi3_flat::SensorView>(message.data())->lidar_sensor_view()->Get(0)->reflection();
        arrays.signal_strength.clear(), arrays.time_of_flight.clear();
        for (const auto* reflection : reflections) {
            arrays.signal_strength.push_back(reflection->signal_strength().value_or(0));
            arrays.time_of_flight.push_back(reflection->time_of_flight().value_or(0));
        }
    }

private:
    flatbuffers::FlatBufferBuilder builder_;
};

/// The two columns of T in a bytes field.
template <class T>
class PlainColumns final : public ReflectionForm {
public:
    Bytes write(const ReflectionArrays& from) override
    {
        view_.Clear();
        auto& columns = *view_.add_lidar_sensor_view()->mutable_unknown_fields()->AddLengthDelimited(column_field);
        columns.resize(2 * from.size() * sizeof(T));
        put(columns.data(), from.signal_strength);
        put(columns.data() + from.size() * sizeof(T), from.time_of_flight);
        text_.clear();
        view_.AppendToString(&text_);
        return bytes_of(text_);
    }
    void read(Bytes message) override
    {
        parse(message, view_);
        const auto& columns = view_.lidar_sensor_view(0).unknown_fields().field(0).length_delimited();
        const auto half = columns.size() / 2;
        if constexpr (std::is_same_v<T, float>) {
            get(columns.data(), half, float_signal_strength);
            get(columns.data() + half, half, float_time_of_flight);
        } else {
            get(columns.data(), half, arrays.signal_strength);
            get(columns.data() + half, half, arrays.time_of_flight);
        }
    }

private:
    static void put(char* to, const std::vector<double>& numbers)
    {
        if constexpr (std::is_same_v<T, double>) {
            std::memcpy(to, numbers.data(), numbers.size() * sizeof(T));
        } else {
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const auto number = static_cast<T>(numbers[i]);
                std::memcpy(to + i * sizeof(T), &number, sizeof number);
            }
        }
    }
    static void get(const char* from, std::size_t bytes, std::vector<T>& numbers)
    {
        numbers.resize(bytes / sizeof(T));
        std::memcpy(numbers.data(), from, bytes);
    }

    osi3::SensorView view_;
    std::string text_;
};

/// libprotobuf, message reused: a Reflection each.
std::unique_ptr<ReflectionForm> protobuf_elements() { return std::make_unique<ProtobufElements>(); }
/// FlatBufferBuilder reused, read without the Verifier: a Reflection each.
std::unique_ptr<ReflectionForm> flat_elements() { return std::make_unique<FlatElements>(); }

std::unique_ptr<ReflectionForm> plain_columns(ColumnNumbers numbers)
{
    if (numbers == ColumnNumbers::floats) return std::make_unique<PlainColumns<float>>();
    return std::make_unique<PlainColumns<double>>();
}

constexpr std::size_t block_bytes = std::size_t{4} << 20;

struct CompressionWork {
    std::unique_ptr<BlockCodec> codec;
    std::vector<Block> packed;
    Block unpacked;

    std::size_t compress(const std::vector<Block>& blocks)
    {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            codec->compress(blocks[i], packed[i]);
            bytes += packed[i].size();
        }
        return bytes;
    }
    Bytes decompress(std::size_t i, std::size_t size)
    {
        if (unpacked.size() < size) unpacked.resize(size);
        const std::span out(unpacked.data(), size);
        codec->decompress(packed[i], out);
        return out;
    }
};

Variant variant_of(const CodecRow& row, const std::vector<Block>& blocks, const std::shared_ptr<CompressionWork>& work)
{
    Variant variant{.name = row.name,
                    .what = row.what,
                    .role = row.compression == Compression::none ? Role::yardstick : Role::other};
    variant.answer = [work, &blocks](Answer& answer) {
        for (std::size_t i = 0; i < blocks.size(); ++i) answer.add(work->decompress(i, blocks[i].size()));
    };
    return variant;
}

std::shared_ptr<CompressionWork> work_for(const CodecRow& row, const std::vector<Block>& blocks)
{
    auto work = std::make_shared<CompressionWork>();
    work->codec = make_codec(row);
    work->packed.resize(blocks.size());
    return work;
}

std::size_t bytes_of_all(const std::vector<Block>& blocks)
{
    std::size_t bytes = 0;
    for (const auto& block : blocks) bytes += block.size();
    return bytes;
}

/// Frames joined as in the chunks of an MCAP file: blocks of up to 4 MiB; a larger frame is a block of its own.
std::vector<Block> blocks_of(const std::vector<FrameBytes>& frames)
{
    std::vector<Block> blocks;
    for (const auto& frame : frames) {
        if (blocks.empty() || blocks.back().size() + frame.size() > block_bytes) blocks.emplace_back();
        blocks.back().insert(blocks.back().end(), frame.begin(), frame.end());
    }
    return blocks;
}

/// The blocks are borrowed.
Variant compress_variant(const CodecRow& row, const std::vector<Block>& blocks)
{
    const auto work = work_for(row, blocks);
    auto variant = variant_of(row, blocks, work);
    variant.bytes_in = bytes_of_all(blocks);
    variant.run = [work, &blocks] { return work->compress(blocks); };
    return variant;
}

Variant decompress_variant(const CodecRow& row, const std::vector<Block>& blocks)
{
    const auto work = work_for(row, blocks);
    work->compress(blocks);
    auto variant = variant_of(row, blocks, work);
    variant.bytes_in = bytes_of_all(blocks);  // the rate refers to the uncompressed contents, as in other tools
    variant.run = [work, &blocks] {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) bytes += work->decompress(i, blocks[i].size()).size();
        return bytes;
    };
    return variant;
}

/// A form of the message, compressed or not.
struct StoredForm {
    const char* name;
    const char* what;
    std::unique_ptr<ReflectionForm> (*make)();
    bool floats = false;
    Role role = Role::other;
};

constexpr std::array forms{
    StoredForm{"Protobuf", "a Reflection each, libprotobuf, message reused", protobuf_elements, false, Role::naive},
    StoredForm{"FlatBuffers", "a Reflection each, builder reused, read without the Verifier", flat_elements},
    StoredForm{"columns of doubles", "one bytes field (extension 10000) of the same Protobuf message",
               [] { return plain_columns(ColumnNumbers::doubles); }},
    StoredForm{"columns of floats", "the same, rounded to float", [] { return plain_columns(ColumnNumbers::floats); },
               true},
};

struct PlainColumnWork {
    std::unique_ptr<ReflectionForm> form;
    std::unique_ptr<BlockCodec> codec;  ///< null: not compressed
    bool floats = false;
    Bytes message;
    Block packed, unpacked;

    std::size_t write(const ReflectionArrays& arrays)
    {
        message = form->write(arrays);
        if (!codec) return message.size();
        codec->compress(message, packed);
        return packed.size();
    }
    void read()
    {
        if (!codec) return form->read(message);
        unpacked.resize(message.size());
        codec->decompress(packed, unpacked);
        form->read(unpacked);
    }
    void add_to(Answer& answer) const
    {
        if (floats) {
            answer.add_coarse(form->float_signal_strength);
            answer.add_coarse(form->float_time_of_flight);
        } else {
            answer.add(form->arrays.signal_strength);
            answer.add(form->arrays.time_of_flight);
        }
    }
};

std::shared_ptr<PlainColumnWork> work_for(const StoredForm& form, const CodecRow& codec)
{
    auto work = std::make_shared<PlainColumnWork>();
    work->form = form.make();
    work->floats = form.floats;
    if (codec.compression != Compression::none) work->codec = make_codec(codec);
    return work;
}

Variant variant_of(const StoredForm& form, const CodecRow& codec, const std::shared_ptr<PlainColumnWork>& work)
{
    const bool plain = codec.compression == Compression::none;
    Variant variant{.name = form.name, .what = form.what, .role = plain ? form.role : Role::other};
    if (!plain) variant.name += std::string(", ") + codec.name, variant.what += std::string(", ") + codec.what;
    variant.keeps_less = form.floats;
    variant.answer = [work](Answer& answer) {
        work->read();
        work->add_to(answer);
    };
    return variant;
}

std::span<const StoredForm> stored_forms() noexcept { return forms; }

/// Arrays to a (compressed) message, and back. The arrays are borrowed.
Variant write_variant(const StoredForm& form, const CodecRow& codec, const ReflectionArrays& arrays)
{
    const auto work = work_for(form, codec);
    auto variant = variant_of(form, codec, work);
    variant.run = [work, &arrays] { return work->write(arrays); };
    return variant;
}

Variant read_variant(const StoredForm& form, const CodecRow& codec, const ReflectionArrays& arrays)
{
    const auto work = work_for(form, codec);
    const auto size = work->write(arrays);
    auto variant = variant_of(form, codec, work);
    variant.run = [work, size] { return work->read(), size; };
    return variant;
}

void measure_compression(const std::vector<FrameBytes>& frames, const char* encoding, const Bench& bench)
{
    const auto blocks = blocks_of(frames);
    for (const bool compress : {true, false}) {
        Round round{std::string(encoding) + (compress ? ", compressing" : ", decompressing"),
                    frames.size(),
                    "frame",
                    Clock::thread,
                    {}};
        round.question = "What does compressing cost, and what does it save?";
        for (const auto& codec : codecs())
            round.variants.push_back((compress ? compress_variant : decompress_variant)(codec, blocks));
        bench.measure(round);
    }
}

/// The reflections of all sensors in the first frame that has any.
ReflectionArrays arrays_of(const Sample& sample, const Elements& elements)
{
    const auto read = our_reader(*sample.table, elements, Format{});
    ReflectionArrays arrays;
    for (const auto& frame : sample.protobuf) {
        std::size_t column = 0;
        read(frame, [&](std::span<const double> numbers) {
            auto& to = column++ % 2 == 0 ? arrays.signal_strength : arrays.time_of_flight;
            to.insert(to.end(), numbers.begin(), numbers.end());
        });
        if (arrays.size() != 0) break;
    }
    return arrays;
}

Variant copy_of_arrays(const ReflectionArrays& arrays)
{
    const auto copy = std::make_shared<std::vector<double>>(2 * arrays.size());
    const auto run = [copy, &arrays] {
        const auto bytes = arrays.size() * sizeof(double);
        std::memcpy(copy->data(), arrays.signal_strength.data(), bytes);
        std::memcpy(copy->data() + arrays.size(), arrays.time_of_flight.data(), bytes);
        return 2 * bytes;
    };
    return {.name = "memcpy of the arrays",
            .what = "two columns of doubles: what memory allows",
            .role = Role::yardstick,
            .run = run};
}

/// The expectation of the first report for plain columns: less of everything. Doubles, not compressed.
Table published_sizes(const RoundResult& writing, const RoundResult& reading)
{
    const auto of = [](const RoundResult& round, const char* variant) -> const Timing& {
        return *std::ranges::find(round.timings, std::string_view(variant), &Timing::name);
    };
    auto table = verdict_table();
    const auto add = [&](const char* what, const RoundResult& round, auto&& value) {
        for (const char* other : {"FlatBuffers", "Protobuf"})
            add_claim(table, std::string(what) + " than " + other, "less",
                      value(of(round, "columns of doubles")) / value(of(round, other)));
    };
    const auto bytes = [](const Timing& timing) { return static_cast<double>(timing.bytes); };
    const auto median = [](const Timing& timing) { return timing.median(); };
    add("reflections as plain columns in one field are more promising: fewer bytes", writing, bytes);
    add("... less time to write", writing, median);
    add("... less time to read", reading, median);
    return table;
}

void measure_plain_columns(const ReflectionArrays& arrays, const Bench& bench)
{
    std::vector<RoundResult> results;
    for (const bool write : {true, false}) {
        Round round{write ? "writing reflections" : "reading reflections",
                    arrays.size(),
                    "reflection",
                    Clock::thread,
                    {copy_of_arrays(arrays)}};
        round.question = "Would plain columns be better? An experiment";
        for (const auto& codec : codecs()) {
            if (codec.level > 3) continue;
            for (const auto& form : stored_forms())
                round.variants.push_back((write ? write_variant : read_variant)(form, codec, arrays));
        }
        results.push_back(bench.measure(round));
    }
    bench.show(published_sizes(results[0], results[1]));
}

class SizeBench final : public TraceBenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "size",
                .summary = "bytes per frame by encoding and compression, and what compressing costs",
                .usage = {"size TRACE [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {"Where there are lidar reflections, also the experiment that a study recommended: "
                          "reflections as plain columns in one bytes",
                          "field of the same message. It is a measurement, not a format."},
                .examples = {"size drive.osi", "size lidar.osi --html report.html"}};
    }

protected:
    std::string title() const override { return "What a trace weighs"; }
    void measure(const Sample& sample, const Bench& bench) override;
};

void SizeBench::measure(const Sample& sample, const Bench& bench)
{
    bench.say("Frames are compressed as in MCAP chunks, joined up to 4 MiB; MB/s are those of the uncompressed side.");
    measure_compression(sample.protobuf, "Protobuf", bench);
    measure_compression(sample.flat, "FlatBuffers", bench);
    const auto* const elements = elements_in(sample);
    if (elements == nullptr || elements->kind != ElementKind::reflections) return;
    const auto arrays = arrays_of(sample, *elements);
    bench.say("Writing and reading: signal_strength and time_of_flight of " +
              app::count_text(arrays.size(), "reflection") +
              " from arrays to a message and back. Floats are compared as floats: they hold 7 digits.");
    measure_plain_columns(arrays, bench);
}

}  // namespace

std::unique_ptr<TraceBenchCommand> size_bench() { return std::make_unique<SizeBench>(); }

}  // namespace ositrace::bench
