// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/sample.hpp"

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/trace_writer.hpp>
#include <ositrace/transcoder.hpp>

#include "app/bench/core/report.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/trace/topic_check.hpp"

namespace ositrace::bench {
namespace {

constexpr Format protobuf_format{};
constexpr Format flat_format{Encoding::flatbuffers, Layout::numbered};

FrameBytes copy_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

/// Converts frames of one encoding to both. Fields that are not in the schema are dropped from both, so that all
/// variants have the same task.
class BothForms {
public:
    BothForms(const Channel& channel, Sample& sample)
        : sample_(sample),
          own_(channel.format),
          to_flat_(*sample.table, protobuf_format, flat_format),
          to_protobuf_(*sample.table, flat_format, protobuf_format)
    {
        if (own_.layout == Layout::declared)
            throw Error(Cause::unsupported, "layout 'declared': convert the trace to layout 'numbered' first");
    }
    void take(Bytes payload)
    {
        const bool is_flat = own_.encoding == Encoding::flatbuffers;
        if (is_flat) {
            to_protobuf_.transcode(payload, out_);
            sample_.protobuf.push_back(copy_of(out_.bytes()));
        } else {
            sample_.protobuf.push_back(copy_of(payload));
        }
        to_flat_.transcode(sample_.protobuf.back(), out_);
        sample_.flat.push_back(copy_of(out_.bytes()));
        if (!is_flat && to_flat_.dropped_unknown_fields() != sample_.unknown_fields) {
            sample_.unknown_fields = to_flat_.dropped_unknown_fields();
            to_protobuf_.transcode(sample_.flat.back(), out_);
            sample_.protobuf.back() = copy_of(out_.bytes());
        }
        sample_.protobuf_bytes += sample_.protobuf.back().size();
        sample_.flat_bytes += sample_.flat.back().size();
    }

private:
    Sample& sample_;
    Format own_;
    Transcoder to_flat_, to_protobuf_;
    ByteBuffer out_;
};

bool is_wanted(const Channel& channel, const SampleOptions& options)
{
    return channel.type && channel.root != nullptr && (!options.topic || options.topic->matches(channel.topic));
}

}  // namespace

std::string Sample::text() const
{
    const auto frames = protobuf.size();
    auto text = file.filename().string() + ": " + (whole ? "" : "the first ") + app::count_text(frames, "frame") +
                " of " + channel.type_name + ", a frame is " + app::bytes_text(protobuf_bytes / frames) +
                " in Protobuf, " + app::bytes_text(flat_bytes / frames) + " in FlatBuffers (" +
                ratio_text(static_cast<double>(flat_bytes) / static_cast<double>(protobuf_bytes)) + "x)";
    if (unknown_fields != 0)
        text += "; " + app::count_text(unknown_fields, "field") + " dropped, because the schema does not have them";
    return text;
}

Sample load_sample(const std::filesystem::path& file, const SampleOptions& options)
{
    const auto in = open_stream(file, options.open);
    Sample sample;
    sample.file = file;
    std::optional<std::uint32_t> channel;
    std::optional<BothForms> forms;
    for (Frame frame; in->read(frame, options.stop);) {
        if (frame.index >= options.frames.to) break;
        const auto& its_channel = in->info().channels.at(frame.channel);
        if (frame.index < options.frames.from ||
            (channel ? frame.channel != *channel : !is_wanted(its_channel, options)))
            continue;
        if (!forms) {
            channel = frame.channel;
            sample.channel = its_channel;
            sample.type = *its_channel.type;
            sample.table = &Schema::built_in()->root(sample.type);
            forms.emplace(its_channel, sample);
        } else if (sample.protobuf_bytes + frame.bytes.size() > options.most_bytes) {
            sample.whole = false;
            break;
        }
        try {
            forms->take(frame.bytes);
        } catch (const Error& error) {
            throw within_frame(error, frame, file);
        }
    }
    check_topic(in->info(), options.topic);
    if (sample.protobuf.empty())
        throw Error(Cause::mismatch, {.file = file}, "no frame of an OSI message in the requested part");
    return sample;
}

std::filesystem::path write_frames(const std::filesystem::path& file, const Sample& sample, const Format& format)
{
    TraceInfo info;
    info.channels.push_back(sample.channel);
    info.channels.front().format = format;
    info.channels.front().schema = Schema::built_in();
    info.channels.front().root = sample.table;
    const auto out = create_trace(file, info, {});
    Frame frame;
    for (const auto& bytes : format.encoding == Encoding::flatbuffers ? sample.flat : sample.protobuf) {
        frame.bytes = bytes;
        out->write(frame);
    }
    out->close();
    return file;
}

}  // namespace ositrace::bench
