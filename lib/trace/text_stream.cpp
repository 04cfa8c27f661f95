// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/text_stream.hpp"

#include <utility>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>

#include "lib/trace/text_recognition.hpp"

namespace ositrace {

namespace {

/// Of a text, that is looked at before a decision on its message type must fall.
constexpr std::size_t max_recognition_bytes = std::size_t{4} << 20;

}  // namespace

TextStream::TextStream(std::unique_ptr<ByteSource> source, std::string_view container, std::string_view compression,
                       TextForm form, const OpenOptions& options)
    : input_(std::move(source)),
      form_(form),
      parser_(options.text_parser),
      max_message_bytes_(options.max_message_bytes),
      skip_bad_frames_(options.skip_bad_frames),
      on_skip_(options.on_skip)
{
    info_.file = input_.source().name();
    info_.container = container;
    info_.compression = compression;
    if (parser_ == nullptr)
        throw Error(Cause::unsupported, {.file = info_.file},
                    "is text: reading it needs libprotobuf, which this program was built without (in a program of your "
                    "own, give "
                    "OpenOptions the parser of ositrace::ositrace_text)");
    recognize(options);
    splitter_ = make_splitter();
}

std::unique_ptr<text::Splitter> TextStream::make_splitter() const
{
    return form_ == TextForm::json ? text::json_splitter() : text::text_format_splitter(*info_.channels.front().root);
}

void TextStream::recognize(const OpenOptions& options)
{
    for (std::size_t enough = 0;;) {
        if (input_.text().size() >= enough || input_.ended()) {
            try {
                info_.channels.assign(1, recognize_text(info_.file, input_.text(), form_, options));
                return;
            } catch (const Error& error) {
                if (error.cause() != Cause::ambiguous || input_.ended() || enough >= max_recognition_bytes) throw;
            }
            enough = input_.text().size() * 2;
        }
        if (!input_.read_more(options.stop) && options.stop.stop_requested())
            throw Error(Cause::cancelled, {.file = info_.file}, "stopped while waiting for the first frame");
    }
}

bool TextStream::read(Frame& frame, std::stop_token stop)
{
    while (const auto range = next_message(stop)) {
        const bool parsed = parse(*range, frame);
        input_.consume(range->end);
        if (parsed) return true;
    }
    return false;
}

std::optional<text::MessageRange> TextStream::next_message(const std::stop_token& stop)
{
    for (;;) {
        try {
            if (auto range = splitter_->next(input_.text(), input_.ended())) return range;
            check_size(input_.text().size());
        } catch (const Error& error) {
            const auto seen = seen_from_file(error, 0);
            if (!skip_bad_frames_ || form_ != TextForm::json || error.cause() != Cause::malformed) throw seen;
            pass_line(error.where().offset.value_or(0), seen, stop);
            continue;
        }
        if (input_.ended()) return std::nullopt;
        if (!input_.read_more(stop) && stop.stop_requested()) return std::nullopt;
    }
}

/// What is no object ends with its line.
void TextStream::pass_line(std::uint64_t begin, const Error& problem, const std::stop_token& stop)
{
    input_.consume(static_cast<std::size_t>(begin));
    const auto offset = input_.offset();
    for (;;) {
        const auto end = input_.text().find('\n');
        input_.consume(end == std::string_view::npos ? input_.text().size() : end + 1);
        if (end != std::string_view::npos || !input_.read_more(stop)) break;
    }
    splitter_ = make_splitter();
    if (on_skip_) on_skip_({next_index_, offset, input_.offset() - offset, problem});
}

void TextStream::check_size(std::size_t bytes) const
{
    if (bytes > max_message_bytes_)
        throw Error(Cause::limit, {.offset = 0},
                    "a message whose text exceeds the limit of " + std::to_string(max_message_bytes_) + " bytes");
}

bool TextStream::parse(const text::MessageRange& range, Frame& frame)
{
    const auto& channel = info_.channels.front();
    auto payload = std::make_shared<ByteBuffer>();
    const auto offset = input_.offset() + range.begin;
    try {
        check_size(range.end - range.begin);
        if (range.cut_off) throw Error(Cause::truncated, {.offset = 0}, "the object that begins here has no end");
        parser_->parse(input_.text().substr(range.begin, range.end - range.begin), form_, *channel.root,
                       *channel.schema, *payload);
    } catch (const Error& error) {
        const auto seen = seen_from_file(error, range.begin);
        if (!skip_bad_frames_) throw seen;
        if (on_skip_) on_skip_({next_index_, offset, range.end - range.begin, seen});
        return false;
    }
    frame = Frame{};
    frame.bytes = payload->bytes();
    frame.owner = std::move(payload);
    frame.index = next_index_++;
    frame.offset = offset;
    return true;
}

Error TextStream::seen_from_file(const Error& error, std::size_t begin) const
{
    const auto inside = begin + error.where().offset.value_or(0);
    Location where = error.where();
    where.file = info_.file;
    where.frame = next_index_;
    where.offset = input_.offset() + inside;
    return {error.cause(), where, input_.place(inside) + ": " + error.reason()};
}

}  // namespace ositrace
