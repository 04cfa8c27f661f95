// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/sink_kinds.hpp"

#include <ositrace/error.hpp>
#include <ositrace/record_sink.hpp>
#include <ositrace/trace_name.hpp>

#include "app/terminal/loss.hpp"
#include "lib/io/output_file.hpp"

namespace ositrace::app {
namespace {

WriteOptions write_options(const SinkFile& to, const SinkContext& context)
{
    auto options = context.write;
    options.flush_frames = context.timed && is_written_in_place(to.file);
    const auto word = to.words.find("compression");
    if (word == to.words.end()) return options;
    const auto written = output_extension(to.file, options);
    if (!written || !written->container.chunks)
        throw Error(Cause::usage, to.file.string() + ": compression=" + word->second + " applies to MCAP files only");
    try {
        options.chunk_compression = parse_chunk_compression(word->second);
    } catch (const Error& error) {
        throw error.within({.file = to.file.string()});
    }
    return options;
}

class ReportingRecordSink final : public FrameSink {
public:
    ReportingRecordSink(const SinkFile& to, const SinkContext& context)
        : sink_(to.file, write_options(to, context)),
          messages_(context.messages),
          losses_(context.losses),
          stop_(context.stop),
          of_models_(context.models && !to.words.contains("inputs"))
    {
    }

    void begin(const TraceInfo& info, const PlayStart& start) override { sink_.begin(info, start); }
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override
    {
        sink_.take(frames, now, info);
    }
    void source_ended(const TraceInfo& info) override { sink_.source_ended(info); }
    void finish() override
    {
        // Ctrl-C before the first frame, or models that returned nothing
        if ((stop_.stop_requested() || of_models_) && sink_.frames() == 0) return sink_.give_up();
        sink_.finish();
        report();
    }
    void give_up() override
    {
        sink_.give_up();
        report();
    }

private:
    void report()
    {
        if (!sink_.writer()) return;
        const bool other_order = report_output(*sink_.writer(), sink_.file(), messages_, true);
        auto result = sink_.result();
        if (of_models_) result.left_out_metadata = 0;  // of the trace, not of the models
        if (report_loss(sink_.file(), {}, result, messages_) || other_order) losses_.not_recorded = true;
    }

    RecordSink sink_;
    Messages& messages_;
    Losses& losses_;
    std::stop_token stop_;
    bool of_models_;
};

}  // namespace

CreatedSink make_recording(const SinkRequest& request, const SinkContext& context)
{
    return {std::make_unique<ReportingRecordSink>(request.file, context), nullptr};
}

}  // namespace ositrace::app
