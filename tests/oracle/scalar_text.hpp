// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <google/protobuf/message.h>

namespace oracle {

/// A number, flag, enumerator or text of a message as text, a float as the same double; `index` < 0: of a singular
/// field.
std::string scalar_text(const google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field,
                        int index);

}  // namespace oracle
