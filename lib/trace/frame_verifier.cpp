// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/frame_verifier.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/message_view.hpp>
#include <ositrace/recognize.hpp>

#include "formats/framing/length_prefix.hpp"
#include "formats/protobuf/wire.hpp"
#include "lib/io/buffer_pool.hpp"
#include "lib/system/large_memory.hpp"

namespace ositrace {

namespace {

/// With twice the payload, enough for most outputs.
constexpr std::size_t transcoder_room = 4096;
/// After a FlatBuffer.
constexpr std::size_t max_padding = 32;
/// Larger memory is of more use to the output that is written next.
constexpr std::size_t max_kept_scratch = std::size_t{64} << 20;

}  // namespace

FirstBytes first_bytes_of(const MessageTable& table, Format format)
{
    FirstBytes bytes{};
    // A FlatBuffer begins with the offset of its root.
    if (format.encoding == Encoding::flatbuffers)
        for (std::size_t byte = 0; byte < bytes.size(); byte += 4) bytes[byte] = true;
    else
        for (const auto& field : table.fields)
            for (std::uint8_t wire_type = 0; wire_type != 8; ++wire_type) {
                if (!wire::accepts(field, wire_type)) continue;
                const auto tag = wire::make_tag(field.number, wire_type);
                if (tag < 0x80) bytes[tag] = true;
                bytes[tag % 0x80 + 0x80] = true;
            }
    return bytes;
}

FrameVerifier::FrameVerifier(Channel channel)
    : channel_(std::move(channel)),
      first_bytes_(first_bytes_of(*channel_.root, channel_.format)),
      reader_(*channel_.root, channel_.format)
{
}

std::optional<Error> FrameVerifier::problem_of(Bytes payload)
try {
    if (const auto room = 2 * payload.size() + transcoder_room; scratch_.capacity() < room) {
        scratch_.clear(room);
        prefer_large_pages(scratch_.data() - ByteBuffer::headroom, scratch_.capacity());
    }
    const auto before = reader_.unknown_fields();
    reader_.read(payload, scratch_);
    unknown_fields_ = reader_.unknown_fields() - before;
    bytes_read_ = payload.size();
    if (scratch_.capacity() > max_kept_scratch) scratch_ = {};
    return std::nullopt;
} catch (const Error& error) {
    bytes_read_ = std::min<std::uint64_t>(error.where().offset.value_or(payload.size()), payload.size());
    return error;
}

bool FrameVerifier::is_complete(Bytes payload)
{
    bytes_read_ = 0;
    return !problem_of(payload) && has_header(payload);
}

bool FrameVerifier::is_message(Bytes payload)
{
    bytes_read_ = 0;
    return could_begin(payload) && is_complete(payload);
}

bool FrameVerifier::has_bytes_after(Bytes payload)
{
    return channel_.format.encoding == Encoding::flatbuffers && payload.size() > max_padding &&
           !problem_of(payload.first(payload.size() - max_padding));
}

std::size_t FrameVerifier::end_of(Bytes payload)
{
    auto end = payload.size();
    if (channel_.format.encoding != Encoding::flatbuffers) return end;
    for (auto too_short = end - std::min(end, max_padding); end - too_short > 1;) {
        const auto middle = too_short + (end - too_short) / 2;
        (problem_of(payload.first(middle)) ? too_short : end) = middle;
    }
    return end;
}

bool FrameVerifier::is_plausible(Bytes front) const noexcept
{
    return plausible_start(front, *channel_.root, channel_.format);
}

void FrameVerifier::accept(Bytes payload)
{
    unknown_fields_are_usual_ = unknown_fields_are_usual_ || unknown_fields_ != 0;
    learn(payload);
}

bool FrameVerifier::accept_all(std::span<const Bytes> payloads)
{
    bool unknown_fields = false;
    for (const auto payload : payloads) {
        if (problem_of(payload)) return false;
        unknown_fields = unknown_fields || unknown_fields_ != 0;
    }
    unknown_fields_are_usual_ = unknown_fields_are_usual_ || unknown_fields;
    for (const auto payload : payloads) learn(payload);
    return true;
}

void FrameVerifier::learn(Bytes payload)
{
    std::array<std::byte, 3> front;
    if (unknown_fields_are_usual_ && payload.size() >= front.size() &&
        !is_plausible(payload.first(std::min(payload.size(), length_prefix::judged_bytes)))) {
        std::ranges::copy(payload.first(front.size()), front.begin());
        unknown_front_ = front;
    }
    header_is_usual_ = header_is_usual_ && has_header(payload);
    last_ = header_of(payload);
}

bool FrameVerifier::has_version_and_time(Bytes payload) const
{
    const auto header = header_of(payload);
    return header.version && header.time;
}

bool FrameVerifier::has_header_of(Bytes model, Bytes payload) const
{
    return has_all_of(header_of(model), header_of(payload));
}

bool FrameVerifier::has_header_of_last(Bytes payload) const { return has_all_of(last_, header_of(payload)); }

bool FrameVerifier::has_all_of(const Header& model, const Header& header)
{
    return (header.version || !model.version) && (header.time || !model.time);
}

/// A version or a time. A trace whose good frames have neither needs none.
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
    const auto has = [&](std::uint32_t number) {
        const auto* const field = channel_.root->find(number);
        return field != nullptr && message.has(*field);
    };
    return {has(row.version_field), row.timestamp_field != 0 && has(row.timestamp_field)};
} catch (const Error&) {
    return {};
}

}  // namespace ositrace
