// SPDX-License-Identifier: MPL-2.0
#include "python/src/message_class.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace ositrace::python {

MessageClass::MessageClass(const MessageTable& table, MessageClasses& classes)
    : table_(&table), classes_(&classes), mask_(std::bit_ceil(2 * table.fields.size() + 1) - 1), entries_(mask_ + 1)
{
    for (const auto& field : table.fields) {
        // The reference is never returned: the class may end without the GIL, and the name is one of few.
        auto* const name = PyUnicode_InternFromString(std::string(field.name).c_str());
        if (name == nullptr) throw nanobind::python_error();
        auto i = start_of(name);
        while (entries_[i].name != nullptr) i = (i + 1) & mask_;
        entries_[i] = {name, &field};
    }
}

MessageClasses::MessageClasses(std::shared_ptr<const Schema> schema)
    : schema_(std::move(schema)), classes_(schema_->messages().size())
{
}

}  // namespace ositrace::python
