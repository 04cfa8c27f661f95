// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include <ositrace/export.hpp>
#include <ositrace/frame_sink.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace {

/// Writes what is played to a trace in any container: all channels in an MCAP, else the only one. Until finish() the file is
/// `<name>.part`; it stays when the process dies, and what is in it, all but the last two seconds, can be recovered. A replay that ends in
/// an Error is finished and kept.
class OSITRACE_API RecordSink final : public FrameSink {
public:
    /// The file is made by begin(), which throws what create_trace() throws.
    /// `on_written`: called with the complete output, for what it has to say of itself.
    explicit RecordSink(std::filesystem::path file, WriteOptions options = {}, std::function<void(const TraceWriter&)> on_written = {});
    ~RecordSink() override;

    void begin(const TraceInfo& info, const PlayStart& start) override;
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override;
    void source_ended(const TraceInfo& info) override;
    void finish() override;
    void give_up() override;

    /// Written; the whole file after finish().
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

private:
    class Flusher;
    void follow_records(const TraceInfo& info);

    std::filesystem::path file_;
    WriteOptions options_;
    std::function<void(const TraceWriter&)> on_written_;
    std::unique_ptr<TraceWriter> writer_;
    std::size_t channels_ = 0, metadata_ = 0, attachments_ = 0;  ///< of the source, known to the writer
    std::uint64_t frames_ = 0;
    std::uint64_t bytes_ = 0;
    std::unique_ptr<Flusher> flusher_;  // gone before the writer
};

}  // namespace ositrace
