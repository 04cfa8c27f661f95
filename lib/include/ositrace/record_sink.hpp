// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include <ositrace/convert.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame_sink.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace {

/// Writes what is played to a trace in any container: all channels in an MCAP, else the only one. Until finish() the
/// file is `<name>.part`, which remains if the process dies; all but its last two seconds can be recovered. If the
/// replay ends in an Error, the file is finished and kept, unless it is empty: then there is no file, and one that was
/// to be replaced remains.
class OSITRACE_API RecordSink final : public FrameSink {
public:
    /// begin() creates the file and throws what create_trace() throws.
    explicit RecordSink(std::filesystem::path file, WriteOptions options = {});
    ~RecordSink() override;

    void begin(const TraceInfo& info, const PlayStart& start) override;
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override;
    void source_ended(const TraceInfo& info) override;
    void finish() override;
    void give_up() override;

    /// Written; the whole file after finish().
    [[nodiscard]] std::uint64_t frames() const noexcept { return result_.frames; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    /// What the container does not support and was dropped; complete after finish().
    [[nodiscard]] const ConvertResult& result() const noexcept { return result_; }
    /// For its channels and times. Null before begin() and if there is no file.
    [[nodiscard]] const TraceWriter* writer() const noexcept { return writer_.get(); }
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

private:
    class Flusher;
    void follow_records(const TraceInfo& info);
    void count(const Frame& frame, const TraceInfo& info);

    std::filesystem::path file_;
    WriteOptions options_;
    std::unique_ptr<TraceWriter> writer_;
    std::size_t channels_ = 0, metadata_ = 0, attachments_ = 0;  ///< of the source, known to the writer
    ConvertResult result_;
    std::uint64_t bytes_ = 0;
    bool finished_ = false;
    std::unique_ptr<Flusher> flusher_;  // gone before the writer
};

}  // namespace ositrace
