// SPDX-License-Identifier: MPL-2.0
// The names that a scenario gives objects: OSI has them in `source_reference`.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Where the elements of a type have their references: `source_reference[*].identifier[*]`.
struct NameFields {
    const FieldRow* reference = nullptr;
    const FieldRow* identifier = nullptr;
};

/// Empty for a type without `source_reference`, such as a detected object: its elements have no names.
[[nodiscard]] OSITRACE_API std::optional<NameFields> name_fields(const MessageTable& table) noexcept;

/// The name of an object of a scenario; empty: it has none. Of several references the first one with a name. Two forms
/// of a reference have one, whatever its type says, because writers leave that out: an identifier `entity_name:Ego`
/// (esmini), and `Vehicle`, `Pedestrian` or `MiscObject` before the name (the comments of OSI for OpenSCENARIO). An id
/// in a map is no name. Borrows the payload. Throws what MessageView throws.
[[nodiscard]] OSITRACE_API std::string_view name_of(const MessageView& element, const NameFields& fields);
/// The same; empty for an element of a type without names.
[[nodiscard]] OSITRACE_API std::string_view name_of(const MessageView& element);

/// The identifiers of one reference, one after the other.
class OSITRACE_API ReferenceName {
public:
    /// The name, if the next identifier has it; else empty.
    [[nodiscard]] std::string_view next(std::string_view identifier) noexcept;
    /// How many bytes of an identifier decide what next() says of it and of those after it; the others are the name, or
    /// do not matter.
    [[nodiscard]] static std::size_t deciding_bytes(std::string_view identifier) noexcept;

private:
    bool is_first_ = true;
    bool follows_type_ = false;
};

}  // namespace ositrace
