// SPDX-License-Identifier: MPL-2.0
#include "python/src/arguments.hpp"

#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/schema_file.hpp>

#include "python/src/source.hpp"

namespace ositrace::python {

MessageType type_named(const std::string& name)
{
    for (const auto& row : message_types())
        if (name == row.name || name == row.full_name || name == row.code) return row.type;
    std::string known;
    for (const auto& row : message_types()) known += (known.empty() ? "" : ", ") + std::string(row.name);
    throw Error(Cause::usage, "unknown message type '" + name + "' (known: " + known + ")");
}

std::shared_ptr<const Schema> schema_of(nanobind::handle schema)
{
    if (schema.is_none()) return nullptr;
    const auto source = source_of(schema);
    const nanobind::gil_scoped_release no_gil;
    if (!source.bytes) return load_schema(source.path);
    if (source.bytes->size() > max_descriptor_set_bytes)
        throw Error(Cause::limit,
                    "a descriptor set exceeds the limit of " + std::to_string(max_descriptor_set_bytes) + " bytes");
    std::vector<std::byte> descriptor_set(source.bytes->size());
    static_cast<void>(source.bytes->read_at(0, descriptor_set));
    return Schema::compile(descriptor_set);
}

}  // namespace ositrace::python
