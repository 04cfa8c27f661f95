// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace {

/// Proves that a conversion kept everything (`--verify`). For one thread and one channel.
class RoundTrip {
public:
    /// `channel` as it was read, `to` as it is written. The channel's schema must outlive this.
    RoundTrip(const Channel& channel, Format to);

    /// true: converted back, `output` gives `input` byte by byte. false: it does not, but field by field both say the
    /// same. Throws Error (different) naming the first field that differs.
    [[nodiscard]] bool gives_equal_bytes(Bytes input, Bytes output);

private:
    const MessageTable& root_;
    Format from_;
    Format to_;
    Transcoder back_;
    ByteBuffer scratch_;
};

}  // namespace ositrace
