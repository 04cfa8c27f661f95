// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <vector>

#include <ositrace/schema.hpp>

namespace ositrace {

/// A .proto file.
struct ProtoFile {
    std::string
        name;  ///< as imports state it, `osi3/osi_common.proto`: relative, and below the folder it is written to
    std::string text;
};

/// The .proto files of a schema, each after its imports, and google/protobuf/descriptor.proto if they import it. With
/// the comments that the descriptor set contains. Throws Error (malformed, limit), also if a name leads out of a
/// folder.
[[nodiscard]] std::vector<ProtoFile> proto_files(const Schema& schema);

}  // namespace ositrace
