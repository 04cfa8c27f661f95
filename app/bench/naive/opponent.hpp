// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <string_view>

#include <flatbuffers/flatbuffers.h>
#include <google/protobuf/message.h>

namespace opponent {

/// The generated conversions of one message, found by its name. The passed messages must have the type of prototype().
struct Row {
    std::string_view full_name;
    const google::protobuf::Message& (*prototype)();
    /// Finishes the builder; `identifier` may be null.
    void (*to_flat)(const google::protobuf::Message& in, flatbuffers::FlatBufferBuilder& out, const char* identifier);
    /// Sets the fields that are present in a buffer, which is trusted.
    void (*to_proto)(const void* in, google::protobuf::Message& out);
    bool (*verify)(flatbuffers::Verifier& verifier, const char* identifier);
};

}  // namespace opponent
