// SPDX-License-Identifier: MPL-2.0
// Messages in the encoding of a channel.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

#include "app/fmu/ports.hpp"
#include "app/fmu/variables.hpp"

namespace ositrace::fmu {

/// The encoding of the outputs, from the parameter `encoding`; warns if the description states another one. Throws
/// Error (usage).
[[nodiscard]] Encoding output_encoding(const Ports& ports);

/// A message and its owner.
struct OwnedMessage {
    Bytes bytes;
    std::shared_ptr<const void> owner;
};

/// Converts the messages of one channel to one form.
class MessageForm {
public:
    MessageForm(const Channel& from, Format to);
    /// The bytes of the frame if they already have the form. A FlatBuffer is aligned for generated code.
    [[nodiscard]] OwnedMessage of(const Frame& frame);

private:
    Format to_;
    std::optional<Transcoder> transcoder_;
    std::shared_ptr<const Schema> schema_;
};

/// The channel of a message variable whose first message is `first`: FlatBuffers if it states so, else
/// Protobuf; its topic is the variable's name. Throws Error with the variable if the bytes are not a message of its
/// type.
[[nodiscard]] Channel input_channel(const Variable& variable, Bytes first);

}  // namespace ositrace::fmu
