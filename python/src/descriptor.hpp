// SPDX-License-Identifier: MPL-2.0
// Message types, fields and enums of a schema in Python, with the names that Protobuf's descriptors have.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include <ositrace/schema.hpp>

namespace ositrace::python {

struct Descriptor {
    const MessageTable* table;
    std::shared_ptr<const Schema> schema;
};

struct FieldDescriptor {
    const FieldRow* row;
    const MessageTable* table;  ///< the message that has the field
    std::shared_ptr<const Schema> schema;
};

/// An enum type, as the classes that protoc generates have it: Name(), Value(), keys(), values(), items().
struct EnumDescriptor {
    const EnumTable* table;
    std::shared_ptr<const Schema> schema;
};

}  // namespace ositrace::python
