// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/fmu.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace::fmu {

/// Gives a message the encoding that a model's variable wants. One thread at a time; keeps the channel's schema.
class InputEncoder {
public:
    InputEncoder(const Channel& channel, const Format& wanted);

    [[nodiscard]] bool converts() const noexcept { return transcoder_.has_value(); }
    /// The message as it is, or its other form, which lives until the next call. Throws Error.
    [[nodiscard]] Bytes encode(Bytes message);

private:
    std::shared_ptr<const Schema> schema_;
    std::optional<Transcoder> transcoder_;
    ByteBuffer converted_;
};

}  // namespace ositrace::fmu
