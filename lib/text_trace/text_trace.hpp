// SPDX-License-Identifier: MPL-2.0
// `.txth` (Protobuf text format) and `.jsonl` (JSON lines) as containers of one channel: reading and writing.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/text_parser.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "formats/text/text_boundary.hpp"
#include "lib/io/byte_source.hpp"
#include "lib/io/compressor.hpp"
#include "lib/io/output_file.hpp"
#include "lib/trace/output_options.hpp"

namespace ositrace {

/// The byte order mark that editors on Windows write before UTF-8.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// A text as it arrives, without a byte order mark, with line numbers. One thread at a time.
class TextInput {
public:
    explicit TextInput(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

    /// What is there and not yet consumed.
    [[nodiscard]] std::string_view text() const noexcept { return std::string_view(buffer_).substr(front_); }
    /// Reads more text; views of text() become invalid. False at the end of the input or when a stop was requested.
    bool read_more(const std::stop_token& stop);
    /// Steps over the first bytes of text().
    void consume(std::size_t count);
    /// Nothing follows text().
    [[nodiscard]] bool ended() const noexcept { return ended_; }

    /// Of text() in the input.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    /// A place in text() for people: `line 12, column 3`, from 1 as editors count.
    [[nodiscard]] std::string place(std::size_t in_text) const;
    [[nodiscard]] const ByteSource& source() const noexcept { return *source_; }

private:
    std::size_t fill(const std::stop_token& stop);

    static constexpr std::size_t read_bytes = std::size_t{256} << 10;

    std::unique_ptr<ByteSource> source_;
    std::string buffer_;
    std::size_t front_ = 0;  ///< of text() in buffer_
    bool ended_ = false;
    std::uint64_t offset_ = 0;
    std::uint64_t line_ = 1;  ///< that text() begins in
    std::uint64_t column_ = 1;
};

/// The messages of a text as Protobuf frames. Memory: one message and its text.
class TextStream final : public FrameSource {
public:
    /// Reads as much as the recognition of the message type needs. Throws Error (unsupported) without a parser.
    TextStream(std::unique_ptr<ByteSource> source, const ContainerTraits& container, std::string_view compression,
               TextForm form, const OpenOptions& options);

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return input_.source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return input_.source().bytes_total(); }

private:
    void recognize(const OpenOptions& options);
    /// The next message in the input; nullopt at the end or when a stop was requested.
    std::optional<text::MessageRange> next_message(const std::stop_token& stop);
    void report_unfinished();
    void pass_damage(std::uint64_t begin, const Error& problem, const std::stop_token& stop);
    void pass_message(std::size_t next, const Error& problem);
    void check_size(std::size_t bytes) const;
    bool parse(const text::MessageRange& range, Frame& frame);
    [[nodiscard]] Error not_closed(const Error& error, const text::MessageRange& range) const;
    /// An error at a place in the input, seen from the file.
    [[nodiscard]] Error seen_from_file(const Error& error, std::size_t begin) const;

    TextInput input_;
    TextForm form_;
    std::shared_ptr<const TextParser> parser_;
    std::size_t max_message_bytes_;
    bool skip_bad_frames_, follow_;
    std::function<void(const SkippedBytes&)> on_skip_;
    TraceInfo info_;
    [[nodiscard]] std::unique_ptr<text::MessageSplitter> make_splitter() const;
    std::unique_ptr<text::MessageSplitter> splitter_;
    std::uint64_t next_index_ = 0;
};

/// Messages of either encoding as text. Fields that the schema does not know are dropped and counted.
class TextWriter final : public TraceWriter {
public:
    /// `compression`: null = none. Throws Error (unsupported) for a channel without a schema.
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
