// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/recording.hpp"

#include <ositrace/record_sink.hpp>

#include "app/terminal/about_output.hpp"
#include "app/terminal/loss.hpp"

namespace ositrace::app {
namespace {

class ToldRecordSink final : public FrameSink {
public:
    ToldRecordSink(const SinkFile& to, const SinkSurroundings& around)
        : sink_(to.file, around.write),
          messages_(around.messages),
          losses_(around.losses),
          stop_(around.stop),
          of_models_(around.models && !to.words.contains("inputs"))
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
        // Ctrl-C while something was waited for; models that returned nothing
        if ((stop_.stop_requested() || of_models_) && sink_.frames() == 0) return sink_.give_up();
        sink_.finish();
        tell();
    }
    void give_up() override
    {
        sink_.give_up();
        tell();
    }

private:
    void tell()
    {
        if (!sink_.writer()) return;
        const bool other_order = tell_about(*sink_.writer(), sink_.file(), messages_, true);
        auto result = sink_.result();
        if (of_models_) result.left_out_metadata = 0;  // the trace's, not theirs
        if (tell_left_out(sink_.file(), {}, result, messages_) || other_order) losses_.not_recorded = true;
    }

    RecordSink sink_;
    Messages& messages_;
    Losses& losses_;
    std::stop_token stop_;
    bool of_models_;
};

}  // namespace

MadeSink make_recording(const SinkRequest& request, const SinkSurroundings& around)
{
    return {std::make_unique<ToldRecordSink>(request.file, around), nullptr};
}

}  // namespace ositrace::app
