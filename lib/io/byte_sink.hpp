// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Where bytes go, in order: a file, or a compressor in front of one. One thread at a time.
class ByteSink {
public:
    virtual ~ByteSink() = default;
    /// Takes both parts, one behind the other; neither is kept. Throws Error.
    virtual void write(Bytes head, Bytes body) = 0;
    void write(Bytes bytes) { write({}, bytes); }
    /// Passes on everything taken so far.
    virtual void flush() = 0;
    /// Passes on what can be passed on without waiting for somebody's work; the rest follows with the next call.
    virtual void hand_on() { flush(); }
};

}  // namespace ositrace
