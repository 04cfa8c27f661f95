// SPDX-License-Identifier: MPL-2.0
// Messages in the encoding that travels.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

namespace ositrace::fmu {

/// `protobuf` or `flatbuffers`, as the parameter says. Throws Error (usage).
[[nodiscard]] Format encoding_of(const std::string& name);

/// A message and what keeps it alive.
struct Message {
    Bytes bytes;
    std::shared_ptr<const void> owner;
};

/// Brings the messages of one channel into one form.
class MessageForm {
public:
    MessageForm(const Channel& from, Format to);
    /// The frame's own bytes where they have the form already. A FlatBuffer is aligned for generated code.
    [[nodiscard]] Message of(const Frame& frame);

private:
    Format to_;
    std::optional<Transcoder> transcoder_;
    std::shared_ptr<const Schema> schema_;
};

}  // namespace ositrace::fmu
