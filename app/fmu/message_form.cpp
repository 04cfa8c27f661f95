// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/message_form.hpp"

#include <cstdint>
#include <utility>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/schema.hpp>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

namespace {

constexpr std::uintptr_t flat_alignment = 8;  // of the largest scalar in it

bool is_aligned(Bytes bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data()) % flat_alignment == 0; }

OwnedMessage message_in(std::shared_ptr<const ByteBuffer> buffer)
{
    const auto bytes = buffer->bytes();
    return {bytes, std::move(buffer)};
}

}  // namespace

Encoding output_encoding(const Ports& ports)
{
    const auto& name = ports.text(encoding_name);
    const auto encoding = encoding_named(name);
    if (!encoding) throw Error(Cause::usage, "unknown encoding '" + name + "' (known: protobuf, flatbuffers)");
    if (*encoding != this_kind().encoding)
        ports.warn("the output is " + name + ", but its MIME type states " +
                   std::string(row_of(this_kind().encoding).name));
    return *encoding;
}

MessageForm::MessageForm(const Channel& from, Format to) : to_(to), schema_(from.schema)
{
    const bool same =
        from.format.encoding == to.encoding && (to.encoding == Encoding::protobuf || from.format.layout == to.layout);
    if (!same) transcoder_.emplace(*from.root, from.format, to);
}

OwnedMessage MessageForm::of(const Frame& frame)
{
    if (!transcoder_ && (to_.encoding == Encoding::protobuf || is_aligned(frame.bytes)))
        return {frame.bytes, frame.owner};
    const auto buffer = std::make_shared<ByteBuffer>();
    if (transcoder_)
        transcoder_->transcode(frame.bytes, *buffer);
    else
        buffer->append(frame.bytes);
    return message_in(buffer);
}

Channel input_channel(const Variable& variable, Bytes first)
{
    Channel channel;
    channel.topic = variable.name;
    channel.type = variable.type;
    channel.type_name = row_of(*variable.type).full_name;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(*variable.type);
    try {
        channel.format = recognize({&first, 1}, *channel.schema, {.type = variable.type}).format;
    } catch (const Error& e) {
        throw Error(e.cause(), variable.name + ": " + e.what());
    }
    return channel;
}

}  // namespace ositrace::fmu
