// SPDX-License-Identifier: MPL-2.0
#include "formats/protobuf/named_writer.hpp"

namespace ositrace {

std::size_t NamedWriter::place(FieldName field) const noexcept
{
    const auto mixed = (reinterpret_cast<std::uintptr_t>(field.text().data()) ^ (std::uintptr_t{table_->index} << 20)) *
                       0x9e37'79b9'7f4a'7c15;
    return static_cast<std::size_t>(mixed >> 55) % known_.size();
}

void NamedWriter::look_up(Known& known, FieldName field) const
{
    known.tag.emplace(*table_, field.text());
    known.table = table_;
    known.name = field.text().data();
}

void NamedWriter::id(FieldName field, std::uint64_t value)
{
    message(field, [&] { unsigned_integer("value", value); });
}

void NamedWriter::version(FieldName field, const std::optional<OsiVersion>& version)
{
    if (!version) return;
    message(field, [&] {
        unsigned_integer("version_major", version->major);
        unsigned_integer("version_minor", version->minor);
        unsigned_integer("version_patch", version->patch);
    });
}

}  // namespace ositrace
