// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// An output of bytes in order: a file, or a compressor before one. One thread at a time.
class ByteSink {
public:
    virtual ~ByteSink() = default;
    /// Writes `head`, then `body`; references neither afterwards. Throws Error.
    virtual void write(Bytes head, Bytes body) = 0;
    void write(Bytes bytes) { write({}, bytes); }
    /// Passes on all bytes written so far.
    virtual void flush() = 0;
    /// Passes on the bytes that are ready without waiting for other threads; the rest follows with the next call.
    virtual void hand_on() { flush(); }
};

}  // namespace ositrace
