// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/played_files.hpp"

#include <ositrace/convert.hpp>
#include <ositrace/dummy_source.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/trace/topic_check.hpp"

namespace ositrace::bench {
namespace {

/// One channel and some frames of another source.
class OneChannel final : public FrameSource {
public:
    OneChannel(const std::filesystem::path& trace, FrameSource& from, const PlayedPart& part)
        : from_(from), frames_(part.frames)
    {
        check_topic(from.info(), part.topic);
        const auto& channels = from.info().channels;
        for (channel_ = 0; channel_ < channels.size(); ++channel_) {
            const auto& channel = channels[channel_];
            if (channel.type == MessageType::sensor_view && channel.root != nullptr &&
                (!part.topic || part.topic->matches(channel.topic)))
                break;
        }
        if (channel_ == channels.size())
            throw Error(
                Cause::mismatch, {.file = trace},
                std::string("no channel of osi3.SensorView, which the dummy sensor takes") +
                    (part.topic ? ", that --topic matches" : ". `osiconvert wrap gt2sv` makes one of GroundTruth."));
        info_.file = from.info().file;
        info_.channels = {channels[channel_]};
    }
    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override
    {
        while (from_.read(frame, stop)) {
            if (frame.index >= frames_.to) return false;
            if (frame.channel != channel_ || frame.index < frames_.from) continue;
            frame.channel = 0;
            return true;
        }
        return false;
    }
    std::uint64_t bytes_consumed() const noexcept override { return from_.bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return from_.bytes_total(); }

private:
    FrameSource& from_;
    FrameRange frames_;
    TraceInfo info_;
    std::uint32_t channel_ = 0;
};

std::uint64_t write_in(const Format& format, FrameSource& from, const std::filesystem::path& file, std::stop_token stop)
{
    const auto out = create_trace(file, converted_info(from.info(), format), {});
    const auto done = convert(from, *out, {.to = format}, stop);
    out->close();
    return done.frames;
}

PlayedFiles in_folder(const std::filesystem::path& folder)
{
    return {folder / "played.osi", folder / "played.osifb", 0};
}

OpenOptions of_sensor_view(std::stop_token stop)
{
    OpenOptions open;
    open.type = MessageType::sensor_view;
    open.stop = stop;
    return open;
}

}  // namespace

PlayedFiles files_of_trace(const std::filesystem::path& trace, const OpenOptions& open, const PlayedPart& part,
                           const std::filesystem::path& folder)
{
    auto files = in_folder(folder);
    const auto in = open_stream(trace, open);
    OneChannel channel(trace, *in, part);
    files.frames = write_in({Encoding::flatbuffers}, channel, files.flat, open.stop);
    if (files.frames == 0)
        throw Error(Cause::mismatch, {.file = trace}, "no frame of osi3.SensorView in the requested part");
    // Converted through the other encoding, so that both are equal if the trace has fields that are not in the schema.
    const auto back = open_stream(files.flat, of_sensor_view(open.stop));
    write_in({}, *back, files.protobuf, open.stop);
    return files;
}

PlayedFiles files_of_study(bool quick, const std::filesystem::path& folder, std::stop_token stop)
{
    using namespace std::chrono_literals;
    constexpr std::uint32_t reflections = 668'052;
    constexpr Nanoseconds period = 120ms;  // 968 MB in 6 s are 50 frames
    auto files = in_folder(folder);
    files.frames = quick ? 5 : 50;
    const auto source = dummy_source({.moving_objects = 10,
                                      .reflections = quick ? reflections / 100 : reflections,
                                      .reflection_fields = 3,
                                      .ray_scene = true});
    source->initialize({}, {.now = {}, .step = period, .first = {}});
    const auto out = create_trace(files.protobuf, source->outputs(), {});
    for (std::uint64_t i = 0; i < files.frames && !stop.stop_requested(); ++i)
        out->write(source->step({}, static_cast<std::int64_t>(i) * period, period).front());
    out->close();
    const auto in = open_stream(files.protobuf, of_sensor_view(stop));
    write_in({Encoding::flatbuffers}, *in, files.flat, stop);
    return files;
}

}  // namespace ositrace::bench
