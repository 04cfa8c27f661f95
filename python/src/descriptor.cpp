// SPDX-License-Identifier: MPL-2.0
#include "python/src/descriptor.hpp"

#include <string>
#include <string_view>

#include <nanobind/stl/string.h>

#include "python/src/convert.hpp"
#include "python/src/parts.hpp"

namespace ositrace::python {

namespace {

std::string_view last_part(std::string_view full_name) noexcept
{
    return full_name.substr(full_name.rfind('.') + 1);  // npos + 1 is 0
}

nb::object descriptor_of(const Descriptor& self) { return nb::cast(self); }

nb::list fields_of(const Descriptor& self)
{
    nb::list fields;
    for (const auto place : self.table->declared_order)
        fields.append(FieldDescriptor{&self.table->fields[place], self.table, self.schema});
    return fields;
}

nb::dict fields_by_name(const Descriptor& self)
{
    nb::dict fields;
    for (const auto& row : self.table->fields)
        fields[text_object(row.name)] = FieldDescriptor{&row, self.table, self.schema};
    return fields;
}

nb::list enums_of(const Descriptor& self)
{
    nb::list enums;
    for (const auto& table : self.schema->enums())
        if (table->parent == self.table) enums.append(EnumDescriptor{table.get(), self.schema});
    return enums;
}

nb::object name_of_number(const EnumDescriptor& self, std::int64_t number)
{
    const auto name = number == static_cast<std::int32_t>(number)
                          ? self.table->name_of(static_cast<std::int32_t>(number))
                          : std::string_view();
    if (!name.empty()) return text_object(name);
    const auto text = std::string(self.table->full_name) + " has no name for " + std::to_string(number);
    throw nb::value_error(text.c_str());
}

std::int32_t number_of_name(const EnumDescriptor& self, const std::string& name)
{
    for (const auto& value : self.table->values)
        if (value.name == name) return value.number;
    const auto text = std::string(self.table->full_name) + " has no value '" + name + "'";
    throw nb::value_error(text.c_str());
}

nb::list items_of(const EnumDescriptor& self)
{
    nb::list items;
    for (const auto& value : self.table->values) items.append(nb::make_tuple(text_object(value.name), value.number));
    return items;
}

std::string described(std::string_view kind, std::string_view name)
{
    return "<" + std::string(kind) + " " + std::string(name) + ">";
}

std::string full_name(const FieldDescriptor& self)
{
    return std::string(self.table->full_name) + "." + std::string(self.row->name);
}

void register_enum(nb::module_& module)
{
    nb::class_<EnumDescriptor>(module, "EnumDescriptor", "An enum of a schema.")
        .def_prop_ro("name", [](const EnumDescriptor& self) { return text_object(last_part(self.table->full_name)); })
        .def_prop_ro("full_name", [](const EnumDescriptor& self) { return text_object(self.table->full_name); })
        .def("Name", &name_of_number, nb::arg("number"), "The name of a number; ValueError where it has none.")
        .def("Value", &number_of_name, nb::arg("name"), "The number of a name; ValueError where there is none.")
        .def("items", &items_of, "Pairs (name, number), as declared.")
        .def("__repr__", [](const EnumDescriptor& self) { return described("enum", self.table->full_name); });
}

void register_field(nb::module_& module)
{
    nb::class_<FieldDescriptor>(module, "FieldDescriptor", "A field of a message type.")
        .def_prop_ro("name", [](const FieldDescriptor& self) { return text_object(self.row->name); })
        .def_prop_ro("full_name", &full_name)
        .def_prop_ro("number", [](const FieldDescriptor& self) { return self.row->number; })
        .def_prop_ro(
            "type", [](const FieldDescriptor& self) { return static_cast<int>(self.row->kind); },
            "The number of descriptor.proto: 1 double, 2 float, 9 string, 11 message, 14 enum ...")
        .def_prop_ro("is_repeated", [](const FieldDescriptor& self) { return self.row->repeated; })
        .def_prop_ro(
            "message_type",
            [](const FieldDescriptor& self) {
                return self.row->child == nullptr ? nb::none() : descriptor_of({self.row->child, self.schema});
            },
            "The type of a message field, else None.")
        .def_prop_ro(
            "enum_type",
            [](const FieldDescriptor& self) {
                const auto* const table = self.row->enumeration;
                return table == nullptr ? nb::object(nb::none()) : nb::cast(EnumDescriptor{table, self.schema});
            },
            "The type of an enum field, else None.")
        .def("__repr__", [](const FieldDescriptor& self) { return described("field", full_name(self)); });
}

}  // namespace

void register_descriptors(nb::module_& module)
{
    register_enum(module);
    register_field(module);
    nb::class_<Descriptor>(module, "Descriptor", "A message type.")
        .def_prop_ro("name", [](const Descriptor& self) { return text_object(last_part(self.table->full_name)); })
        .def_prop_ro("full_name", [](const Descriptor& self) { return text_object(self.table->full_name); })
        .def_prop_ro(
            "file", [](const Descriptor& self) { return text_object(self.table->file); }, "`osi_object.proto`")
        .def_prop_ro("fields", &fields_of, "As declared.")
        .def_prop_ro("fields_by_name", &fields_by_name)
        .def_prop_ro("enum_types", &enums_of, "The enums that are declared in the message.")
        .def("__repr__", [](const Descriptor& self) { return described("message", self.table->full_name); });
}

}  // namespace ositrace::python
