// SPDX-License-Identifier: MPL-2.0
// What messages, enums, fields and enumerators are called in FlatBuffers, so that flatc and the C++ it generates take
// them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include <ositrace/schema.hpp>

namespace ositrace {

/// `osi3.MovingObject.Type` -> `osi3`; empty when there is no package.
[[nodiscard]] std::string_view package_of(std::string_view full_name, const MessageTable* parent) noexcept;

/// `osi3` -> `osi3_flat`: protoc's and flatc's code can then be included together. No package: `flat`.
[[nodiscard]] std::string flat_namespace(std::string_view package);

/// Gives out names, each once; one that is taken gets underscores behind it.
class FlatNames {
public:
    /// `MovingObject_Type`, clear of what flatc derives from other types' names (`MovingObjectT`,
    /// `MovingObjectBuilder`).
    std::string type_name(std::string_view full_name, std::string_view package);
    /// A field of `type`, clear of words that break the generated C++.
    std::string field_name(std::string_view name, std::string_view type);
    std::string enumerator_name(std::string_view name);

private:
    std::unordered_set<std::string> taken_;
};

}  // namespace ositrace
