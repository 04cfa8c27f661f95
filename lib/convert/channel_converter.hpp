// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/convert/round_trip.hpp"

namespace ositrace {

/// A payload in its new form.
struct Converted {
    Bytes bytes;  ///< the input itself where nothing had to be done, else in the scratch buffer
    std::uint64_t dropped_unknown_fields = 0;
    bool other_wire_form = false;  ///< verified: same content, other bytes
};

/// The layout of Protobuf means nothing.
[[nodiscard]] inline bool same_form(Format a, Format b) noexcept
{
    return a.encoding == b.encoding && (a.encoding == Encoding::protobuf || a.layout == b.layout);
}

/// Converts the messages of one channel. One thread at a time.
class ChannelConverter {
public:
    ChannelConverter(Channel channel, const ConvertOptions& options);

    /// Throws Error with offset in the payload and field path.
    [[nodiscard]] Converted convert(Bytes payload, ByteBuffer& scratch);

private:
    void check_declared_release(Bytes payload) const;

    Channel channel_;
    bool declared_;                         ///< the layout belongs to one OSI release
    std::optional<Transcoder> transcoder_;  ///< empty: the payloads are passed through
    std::optional<RoundTrip> round_trip_;
};

}  // namespace ositrace
