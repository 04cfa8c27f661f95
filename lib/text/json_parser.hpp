// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <google/protobuf/message.h>

#include "lib/text/dynamic_messages.hpp"

namespace ositrace {

/// Fills an empty message from a JSON object. Throws Error (malformed), with the offset in the text where libprotobuf
/// lets it be known.
void parse_json(std::string_view text, DynamicMessages& messages, google::protobuf::Message& into);

}  // namespace ositrace
