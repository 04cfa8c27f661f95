// SPDX-License-Identifier: MPL-2.0
// Messages in the encoding that travels.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

#include "app/fmu/ports.hpp"

namespace ositrace::fmu {

/// Of what goes out, as the parameter `encoding` says; warns when the description says another thing. Throws Error
/// (usage).
[[nodiscard]] Encoding output_encoding(const Ports& ports);

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
