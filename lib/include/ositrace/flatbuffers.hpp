// SPDX-License-Identifier: MPL-2.0
// Traces and the accessors that flatc generates from `osiconvert schema --fbs`. Templates over flatc's tables: this
// library links no flatbuffers and includes none of its headers, so include the generated header first, of whatever
// release it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

namespace flat_detail {

template <class Verify>
struct VerifierOf;
template <class Table, class Verifier>
struct VerifierOf<bool (Table::*)(Verifier&) const> {
    using type = Verifier;
};

/// The caller's flatbuffers::Verifier, taken from the signature of the generated Verify(): a plain one up to release
/// 24, a template since.
template <class Table>
auto verify_of()
{
    if constexpr (requires { &Table::Verify; })
        return &Table::Verify;
    else
        return &Table::template Verify<false>;
}

}  // namespace flat_detail

/// A table that flatc generates: `osi3_flat::SensorView`.
template <class T>
concept FlatTable = requires { flat_detail::verify_of<T>(); };

/// The file identifier that payloads of a type carry; the text ends in a zero and lives for ever.
[[nodiscard]] inline const char* file_identifier(MessageType type, Layout layout = Layout::numbered) noexcept
{
    return row_of(type).file_identifier[static_cast<std::size_t>(layout)].data();
}

/// The root table of a payload, after flatbuffers' own Verifier has accepted all of it. Borrows the bytes, which must
/// lie at a multiple of 8. `identifier` as from file_identifier(), or null to accept any. Cost: every table is visited
/// once. Throws Error (malformed).
template <FlatTable Table>
[[nodiscard]] const Table& flat_root(Bytes payload, const char* identifier)
{
    using Verifier = typename flat_detail::VerifierOf<decltype(flat_detail::verify_of<Table>())>::type;
    // flatbuffers' own limit of a million tables refuses a full lidar frame. Eight bytes are the least that a table of
    // its own takes.
    const auto max_tables = std::max<std::size_t>(1'000'000, payload.size() / 8);
    const auto* data = reinterpret_cast<const std::uint8_t*>(payload.data());
    Verifier verifier(data, payload.size(), max_message_depth + 1, static_cast<std::uint32_t>(max_tables));
    if (payload.size() > max_encodable_bytes || !verifier.template VerifyBuffer<Table>(identifier))
        throw Error(Cause::malformed,
                    "flatbuffers' Verifier refuses these " + std::to_string(payload.size()) + " bytes" +
                        (identifier == nullptr ? std::string()
                                               : " as a buffer with the identifier " + std::string(identifier)));
    return *reinterpret_cast<const Table*>(data + load_le32(payload.data()));
}

/// The bytes of a builder that was finished. Borrows them until the builder is cleared.
template <class Builder>
[[nodiscard]] Bytes finished_bytes(const Builder& builder)
{
    return {reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()};
}

/// Packs an object of flatc's object API (`SensorViewT`) into a cleared builder and finishes it. Borrows from the
/// builder.
template <FlatTable Table, class Builder>
[[nodiscard]] Bytes pack(const typename Table::NativeTableType& object, Builder& builder, const char* identifier)
{
    builder.Clear();
    builder.Finish(Table::Pack(builder, &object), identifier);
    return finished_bytes(builder);
}

/// Reads the frames of one channel as tables of flatc's code, whatever the channel's encoding. The generated code is
/// for the numbered layout. Borrows the channel's schema. One thread at a time.
template <FlatTable Table>
class FlatReader {
public:
    /// Throws Error (mismatch) when the channel's messages are of no top-level type.
    explicit FlatReader(const Channel& channel)
    {
        if (!channel.type)
            throw Error(Cause::mismatch, "the channel '" + channel.topic + "' has messages of no OSI type");
        identifier_ = file_identifier(*channel.type);
        if (channel.format != numbered)
            transcoder_ = std::make_unique<Transcoder>(*channel.root, channel.format, numbered);
    }
    /// The root table; valid until the next read() and while the frame's owner lives. A FlatBuffers payload is used in
    /// place where it lies at a multiple of 8, else copied. Throws Error (malformed, limit) with the frame's place.
    [[nodiscard]] const Table& read(const Frame& frame)
    try {
        if (transcoder_ != nullptr) {
            transcoder_->transcode(frame.bytes, buffer_);
            return flat_root<Table>(buffer_.bytes(), identifier_);
        }
        if (reinterpret_cast<std::uintptr_t>(frame.bytes.data()) % 8 == 0)
            return flat_root<Table>(frame.bytes, identifier_);
        buffer_.clear(frame.bytes.size());
        buffer_.append(frame.bytes);
        return flat_root<Table>(buffer_.bytes(), identifier_);
    } catch (const Error& error) {
        throw within_frame(error, frame, {});
    }

private:
    static constexpr Format numbered{Encoding::flatbuffers, Layout::numbered};
    const char* identifier_ = nullptr;
    std::unique_ptr<Transcoder> transcoder_;
    ByteBuffer buffer_;
};

}  // namespace ositrace
