// SPDX-License-Identifier: MPL-2.0
#include "lib/recover/frame_verifier.hpp"

#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/recognize.hpp>

#include "lib/io/large_pages.hpp"

namespace ositrace {

namespace {

/// With twice the payload, enough for most outputs.
constexpr std::size_t transcoder_room = 4096;
/// Beyond it the memory is of more use to the output that is written next.
constexpr std::size_t max_kept_scratch = std::size_t{64} << 20;

Format other_format(const Format& format)
{
    return {format.encoding == Encoding::protobuf ? Encoding::flatbuffers : Encoding::protobuf, Layout::numbered};
}

}  // namespace

FrameVerifier::FrameVerifier(Channel channel)
    : channel_(std::move(channel)), reader_(*channel_.root, channel_.format, other_format(channel_.format))
{
}

/// Converting reads every byte; what it makes is thrown away.
std::optional<std::string> FrameVerifier::problem_of(Bytes payload)
try {
    if (const auto room = 2 * payload.size() + transcoder_room; scratch_.capacity() < room) {
        scratch_.clear(room);
        prefer_large_pages(scratch_.data() - ByteBuffer::headroom, scratch_.capacity());
    }
    const auto before = reader_.dropped_unknown_fields();
    reader_.transcode(payload, scratch_);
    unknown_fields_ = reader_.dropped_unknown_fields() - before;
    if (scratch_.capacity() > max_kept_scratch) scratch_ = {};
    return std::nullopt;
} catch (const Error& error) {
    const auto& where = error.where();
    return (where.field.empty() ? std::string() : where.field + ": ") + error.reason();
}

bool FrameVerifier::is_whole(Bytes payload)
{
    return !problem_of(payload) && (unknown_fields_ == 0 || unknown_fields_are_usual_);
}

bool FrameVerifier::is_surely(Bytes payload)
{
    return could_begin(payload) && has_header(payload) && is_whole(payload);
}

bool FrameVerifier::could_begin(Bytes front) const noexcept
{
    return plausible_start(front, *channel_.root, channel_.format);
}

void FrameVerifier::accept(Bytes payload)
{
    unknown_fields_are_usual_ = unknown_fields_are_usual_ || unknown_fields_ != 0;
    header_is_usual_ = header_is_usual_ && has_header(payload);
    last_ = header_of(payload);
}

bool FrameVerifier::has_header_of_last(Bytes payload) const
{
    const auto header = header_of(payload);
    return (header.version || !last_.version) && (header.time || !last_.time);
}

/// A version or a time. A trace whose good frames have neither is not asked for them.
bool FrameVerifier::has_header(Bytes payload) const
{
    if (!header_is_usual_ || !channel_.type) return true;
    const auto header = header_of(payload);
    return header.version || header.time;
}

FrameVerifier::Header FrameVerifier::header_of(Bytes payload) const
try {
    if (!channel_.type) return {};
    const auto& row = row_of(*channel_.type);
    const MessageView message(payload, *channel_.root, channel_.format);
    return {message.message(row.version_field).has_value(),
            row.timestamp_field != 0 && message.message(row.timestamp_field).has_value()};
} catch (const Error&) {
    return {};
}

}  // namespace ositrace
