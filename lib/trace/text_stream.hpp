// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <ositrace/text_parser.hpp>
#include <ositrace/trace.hpp>

#include "formats/text/text_boundary.hpp"
#include "lib/trace/text_input.hpp"

namespace ositrace {

/// The messages of a text as Protobuf frames. Memory: one message and its text.
class TextStream final : public FrameSource {
public:
    /// Reads as much as it takes to tell the message type. Throws Error (unsupported) without a parser.
    TextStream(std::unique_ptr<ByteSource> source, std::string_view container, std::string_view compression,
               TextForm form, const OpenOptions& options);

    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop) override;
    std::uint64_t bytes_consumed() const noexcept override { return input_.source().bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return input_.source().bytes_total(); }

private:
    void recognize(const OpenOptions& options);
    /// The next message in the input; nullopt at the end or when a stop was requested.
    std::optional<text::MessageRange> next_message(const std::stop_token& stop);
    void pass_line(std::uint64_t begin, const Error& problem, const std::stop_token& stop);
    void check_size(std::size_t bytes) const;
    bool parse(const text::MessageRange& range, Frame& frame);
    /// An error at a place in the input, seen from the file.
    [[nodiscard]] Error seen_from_file(const Error& error, std::size_t begin) const;

    TextInput input_;
    TextForm form_;
    std::shared_ptr<const TextParser> parser_;
    std::size_t max_message_bytes_;
    bool skip_bad_frames_;
    std::function<void(const SkippedBytes&)> on_skip_;
    TraceInfo info_;
    [[nodiscard]] std::unique_ptr<text::Splitter> make_splitter() const;
    std::unique_ptr<text::Splitter> splitter_;
    std::uint64_t next_index_ = 0;
};

}  // namespace ositrace
