// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/error_of.hpp"

namespace ositrace {

/// What a transcoder makes of a message, or its error.
inline std::string result_of(Transcoder& transcoder, std::string_view in)
{
    ByteBuffer out;
    const auto error = error_of([&] { transcoder.transcode(bytes_of(in), out); });
    return error.empty() ? std::string(text_of(out.bytes())) : error;
}

}  // namespace ositrace
