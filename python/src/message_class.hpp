// SPDX-License-Identifier: MPL-2.0
// The types of messages, with what makes their attributes fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <nanobind/nanobind.h>

#include <ositrace/schema.hpp>

namespace ositrace::python {

class MessageClasses;

/// One message type: its fields by the names that code has for them, which Python interns, so that a name is found by
/// its address. Needs the GIL.
class MessageClass {
public:
    MessageClass(const MessageTable& table, MessageClasses& classes);

    [[nodiscard]] const MessageTable& table() const noexcept { return *table_; }
    [[nodiscard]] MessageClasses& classes() const noexcept { return *classes_; }
    /// nullptr: no field, or a name that is not interned.
    [[nodiscard]] const FieldRow* find(PyObject* interned) const noexcept
    {
        for (auto i = start_of(interned);; i = (i + 1) & mask_)
            if (entries_[i].name == interned || entries_[i].name == nullptr) return entries_[i].field;
    }

private:
    struct Entry {
        PyObject* name = nullptr;
        const FieldRow* field = nullptr;
    };
    [[nodiscard]] std::size_t start_of(PyObject* name) const noexcept
    {
        return (reinterpret_cast<std::uintptr_t>(name) >> 4) & mask_;
    }

    const MessageTable* table_;
    MessageClasses* classes_;
    std::size_t mask_;
    std::vector<Entry> entries_;
};

/// The message types of a schema, each made when it is first met.
class MessageClasses {
public:
    explicit MessageClasses(std::shared_ptr<const Schema> schema);

    [[nodiscard]] const MessageClass& of(const MessageTable& table)
    {
        auto& found = classes_[table.index];
        if (!found) found = std::make_unique<MessageClass>(table, *this);
        return *found;
    }
    [[nodiscard]] const std::shared_ptr<const Schema>& schema() const noexcept { return schema_; }

private:
    std::shared_ptr<const Schema> schema_;
    std::vector<std::unique_ptr<MessageClass>> classes_;  ///< by MessageTable::index
};

}  // namespace ositrace::python
