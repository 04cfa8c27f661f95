// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The comments of the .proto files, from a descriptor set that has kept them (SourceCodeInfo); most have not.
class SchemaComments {
public:
    /// Borrows the bytes. Throws Error (malformed).
    explicit SchemaComments(Bytes descriptor_set);

    /// The comment on a message `osi3.MovingObject`, an enum, a field `osi3.MovingObject.base` or an enumerator
    /// `osi3.MovingObject.Type.TYPE_CAR`, as it is in the file; empty when there is none.
    [[nodiscard]] std::string_view of(const std::string& full_name) const;
    [[nodiscard]] std::string_view of(std::string_view scope, std::string_view name) const;

private:
    std::unordered_map<std::string, std::string_view> by_name_;
};

/// A comment as lines without the blank that follows `//`, without empty lines at both ends, and without a backslash at
/// the end of a line, which would carry a C++ comment over to the next one.
[[nodiscard]] std::vector<std::string> comment_lines(std::string_view comment);

}  // namespace ositrace
