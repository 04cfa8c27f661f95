// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include "lib/io/byte_sink.hpp"

/// Keeps what is written.
class TextSink final : public ositrace::ByteSink {
public:
    using ByteSink::write;
    void write(ositrace::Bytes head, ositrace::Bytes body) override
    {
        text.append(ositrace::text_of(head)).append(ositrace::text_of(body));
    }
    void flush() override {}
    std::string text;
};
