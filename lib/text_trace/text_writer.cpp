// SPDX-License-Identifier: MPL-2.0
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_text.hpp>

#include "formats/text/text_boundary.hpp"
#include "lib/text_trace/text_trace.hpp"

namespace ositrace {

TextWriter::TextWriter(const std::filesystem::path& file, const TraceInfo& info, TextForm form,
                       const CompressorRow* compression, const WriteOptions& options)
    : path_(file),
      channel_(info.channels.front()),
      form_(form),
      file_(file, output_options(options)),
      flush_times_(options)
{
    if (channel_.root == nullptr)
        throw Error(
            Cause::unsupported, {.file = file},
            "the messages of the channel '" + channel_.topic + "' have no schema that says what their fields are");
    last_has_.resize(channel_.root->fields.size());
    if (compression) compressor_ = compression->create(file_, {.level = options.level, .threads = options.threads});
    sink_ = compressor_ ? static_cast<ByteSink*>(compressor_.get()) : &file_;
}

void TextWriter::add_channel(const Channel& channel)
try {
    TraceWriter::add_channel(channel);
} catch (const Error& error) {
    throw error.within({.file = path_});
}

void TextWriter::write(const Frame& frame)
{
    text_.clear();
    const auto last_has = last_has_;
    const bool first = first_;
    try {
        append_text({frame.bytes, *channel_.root, channel_.format});
    } catch (const Error& error) {
        last_has_ = last_has;  // the frame is not in the file
        first_ = first;
        throw error.within({.file = path_, .frame = frame.index});
    }
    sink_->write(text_.bytes());
    flush_times_.after_frame(*sink_);
}

void TextWriter::append_text(const MessageView& message)
{
    if (form_ == TextForm::json) {
        dropped_ += append_json(message, text_).unknown_fields;
        text_.append(bytes_of("\n"));
        return;
    }
    if (!begins_evidently(message)) {
        text_.append(bytes_of(text::message_begins));
        text_.append(bytes_of("\n"));
    }
    dropped_ += append_text_format(message, text_).unknown_fields;
}

/// Can a reader tell where this message begins: does its first field repeat one that the message before may contain
/// only once.
bool TextWriter::begins_evidently(const MessageView& message)
{
    std::vector<bool> has(last_has_.size());
    bool empty = true;
    bool evident = false;
    message.for_each_field([&](const FieldRow& field) {
        if (std::exchange(empty, false)) evident = first_ || last_has_[field.index];
        if (!field.repeated) has[field.index] = true;
        return true;
    });
    last_has_ = std::move(has);
    first_ = false;
    return evident;
}

std::uint64_t TextWriter::close()
{
    if (compressor_) compressor_->finish();
    return file_.close();
}

}  // namespace ositrace
