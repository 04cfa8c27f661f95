// SPDX-License-Identifier: MPL-2.0
// A schema as text for people and other tools.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// The part of a schema to print.
struct SchemaTextOptions {
    Layout layout = Layout::numbered;
    /// Only this top-level type and what it reaches. Empty: everything; a FlatBuffers schema then has no root type.
    std::optional<MessageType> type;
};

/// The FlatBuffers schema (IDL) of the messages this library writes; flatc 2.0.8 compiles it. Namespace `osi3_flat`,
/// nested messages and enums are joined by an underscore: `osi3.MovingObject.Type` becomes
/// `osi3_flat.MovingObject_Type`. Comments of the .proto files are copied if the descriptor set has them. Throws
/// Error (unsupported, mismatch) for what FlatBuffers cannot express.
[[nodiscard]] OSITRACE_API std::string flatbuffers_schema(const Schema& schema, const SchemaTextOptions& options = {});

/// The same as a binary schema (`.bfbs`), as flatc and MCAP files use it. Needs a root type.
[[nodiscard]] OSITRACE_API std::vector<std::byte> flatbuffers_binary_schema(const Schema& schema,
                                                                            const SchemaTextOptions& options);

/// The serialized FileDescriptorSet of a schema with google/protobuf/descriptor.proto, which OSI imports and few sets
/// contain: protoc and DescriptorPool accept it without any other file.
[[nodiscard]] OSITRACE_API std::vector<std::byte> complete_descriptor_set(const Schema& schema);

/// Messages, enums and fields, one a line: number, name, kind, slot.
[[nodiscard]] OSITRACE_API std::string schema_listing(const Schema& schema, const SchemaTextOptions& options = {});

}  // namespace ositrace
