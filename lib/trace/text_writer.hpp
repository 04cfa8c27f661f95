// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/text_parser.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/compressor.hpp"
#include "lib/io/output_file.hpp"
#include "lib/trace/output_options.hpp"

namespace ositrace {

/// `.txth` and `.jsonl`, from messages of either encoding; one channel, no header. Fields that the schema does not know
/// are left out and counted.
class TextWriter final : public TraceWriter {
public:
    /// `compression`: null = none. Throws Error (unsupported) for a channel whose messages cannot be looked into.
    TextWriter(const std::filesystem::path& file, const TraceInfo& info, TextForm form,
               const CompressorRow* compression, const WriteOptions& options);

    void write(const Frame& frame) override;
    void add_channel(const Channel& channel) override;
    [[nodiscard]] std::uint64_t dropped_unknown_fields() const noexcept override { return dropped_; }
    void hand_on() override { sink_->hand_on(); }
    void discard() noexcept override { file_.discard(); }
    std::uint64_t close() override;

private:
    void append_text(const MessageView& message);
    [[nodiscard]] bool begins_evidently(const MessageView& message);

    std::filesystem::path path_;
    Channel channel_;
    TextForm form_;
    OutputFile file_;
    std::unique_ptr<Compressor> compressor_;  ///< writes to file_
    ByteSink* sink_;                          ///< one of the two
    FlushTimes flush_times_;
    ByteBuffer text_;
    std::vector<bool> last_has_;  ///< by place in the root table: singular fields of the message before
    bool first_ = true;
    std::uint64_t dropped_ = 0;
};

}  // namespace ositrace
