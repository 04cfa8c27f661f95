// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <string_view>

#include <flatbuffers/flatbuffers.h>
#include <google/protobuf/message.h>

namespace opponent {

/// The generated conversions of one message, found by its name. The message handed over is of the type that prototype()
/// gives.
struct Row {
    std::string_view full_name;
    const google::protobuf::Message& (*prototype)();
    /// Finishes the builder; `identifier` may be null.
    void (*to_flat)(const google::protobuf::Message& in, flatbuffers::FlatBufferBuilder& out, const char* identifier);
    /// Sets what is present in a buffer; trusts it.
    void (*to_proto)(const void* in, google::protobuf::Message& out);
    bool (*verify)(flatbuffers::Verifier& verifier, const char* identifier);
};

}  // namespace opponent
