// SPDX-License-Identifier: MPL-2.0
// The results of the models in a form that can be compared. Not measured.
#include <flatbuffers/reflection.h>
#include <google/protobuf/message.h>

#include <ositrace/error.hpp>

#include <osi3/osi_sensordata.pb.h>

#include "app/bench/dummy/opponents.hpp"

namespace ositrace::bench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Stores a number in a field, or appends it to a repeated one.
void put(Message& to, const FieldDescriptor& field, std::int64_t integer, double real)
{
    const auto& r = *to.GetReflection();
    const bool add = field.is_repeated();
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: return add ? r.AddDouble(&to, &field, real) : r.SetDouble(&to, &field, real);
    case FieldDescriptor::CPPTYPE_FLOAT:
        return add ? r.AddFloat(&to, &field, static_cast<float>(real))
                   : r.SetFloat(&to, &field, static_cast<float>(real));
    case FieldDescriptor::CPPTYPE_INT64:
        return add ? r.AddInt64(&to, &field, integer) : r.SetInt64(&to, &field, integer);
    case FieldDescriptor::CPPTYPE_UINT64:
        return add ? r.AddUInt64(&to, &field, static_cast<std::uint64_t>(integer))
                   : r.SetUInt64(&to, &field, static_cast<std::uint64_t>(integer));
    case FieldDescriptor::CPPTYPE_INT32:
        return add ? r.AddInt32(&to, &field, static_cast<std::int32_t>(integer))
                   : r.SetInt32(&to, &field, static_cast<std::int32_t>(integer));
    case FieldDescriptor::CPPTYPE_UINT32:
        return add ? r.AddUInt32(&to, &field, static_cast<std::uint32_t>(integer))
                   : r.SetUInt32(&to, &field, static_cast<std::uint32_t>(integer));
    case FieldDescriptor::CPPTYPE_BOOL:
        return add ? r.AddBool(&to, &field, integer != 0) : r.SetBool(&to, &field, integer != 0);
    case FieldDescriptor::CPPTYPE_ENUM:
        return add ? r.AddEnumValue(&to, &field, static_cast<int>(integer))
                   : r.SetEnumValue(&to, &field, static_cast<int>(integer));
    default: throw Error(Cause::unsupported, "no number: " + field.full_name());
    }
}

/// Copies tables and structs field by field; a field is known by its name.
class FlatToProtobuf {
public:
    explicit FlatToProtobuf(const reflection::Schema& schema) : schema_(schema) {}

    void table(const reflection::Object& type, const flatbuffers::Table& from, Message& to) const
    {
        for (const auto* const field : *type.fields())
            if (from.CheckField(field->offset())) table_field(*field, from, to);
    }

private:
    void structure(const reflection::Object& type, const flatbuffers::Struct& from, Message& to) const
    {
        for (const auto* const field : *type.fields()) {
            const auto* const data = from.GetAddressOf(field->offset());
            number(field->type()->base_type(), data, to, target(*field, to));
        }
    }
    void table_field(const reflection::Field& field, const flatbuffers::Table& from, Message& to) const
    {
        const auto& into = target(field, to);
        const auto base = field.type()->base_type();
        if (base == reflection::String) {
            to.GetReflection()->SetString(&to, &into, flatbuffers::GetFieldS(from, field)->str());
        } else if (base == reflection::Vector) {
            vector(*field.type(), *from.GetPointer<const flatbuffers::VectorOfAny*>(field.offset()), to, into);
        } else if (base == reflection::Obj) {
            const auto& type = *schema_.objects()->Get(static_cast<flatbuffers::uoffset_t>(field.type()->index()));
            auto& child = *to.GetReflection()->MutableMessage(&to, &into);
            if (type.is_struct())
                structure(type, *from.GetStruct<const flatbuffers::Struct*>(field.offset()), child);
            else
                table(type, *from.GetPointer<const flatbuffers::Table*>(field.offset()), child);
        } else {
            number(base, from.GetAddressOf(field.offset()), to, into);
        }
    }
    void vector(const reflection::Type& type, const flatbuffers::VectorOfAny& from, Message& to,
                const FieldDescriptor& into) const
    {
        if (into.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !into.is_repeated())  // bytes
            return to.GetReflection()->SetString(&to, &into,
                                                 std::string(reinterpret_cast<const char*>(from.Data()), from.size()));
        for (flatbuffers::uoffset_t i = 0; i != from.size(); ++i) element(type, from, i, to, into);
    }
    void element(const reflection::Type& type, const flatbuffers::VectorOfAny& from, flatbuffers::uoffset_t i,
                 Message& to, const FieldDescriptor& into) const
    {
        if (type.element() == reflection::String)
            return to.GetReflection()->AddString(&to, &into, flatbuffers::GetAnyVectorElemS(&from, type.element(), i));
        if (type.element() != reflection::Obj)
            return number(type.element(), from.Data() + i * flatbuffers::GetTypeSize(type.element()), to, into);
        const auto& object = *schema_.objects()->Get(static_cast<flatbuffers::uoffset_t>(type.index()));
        auto& child = *to.GetReflection()->AddMessage(&to, &into);
        if (object.is_struct())
            structure(object,
                      *flatbuffers::GetAnyVectorElemAddressOf<const flatbuffers::Struct>(
                          &from, i, static_cast<std::size_t>(object.bytesize())),
                      child);
        else
            table(object, *flatbuffers::GetAnyVectorElemPointer<const flatbuffers::Table>(&from, i), child);
    }
    static void number(reflection::BaseType type, const std::uint8_t* data, Message& to, const FieldDescriptor& into)
    {
        put(to, into, flatbuffers::GetAnyValueI(type, data), flatbuffers::GetAnyValueF(type, data));
    }
    static const FieldDescriptor& target(const reflection::Field& field, const Message& to)
    {
        const auto* const found = to.GetDescriptor()->FindFieldByName(field.name()->str());
        if (found == nullptr) throw Error(Cause::mismatch, to.GetTypeName() + " has no field " + field.name()->str());
        return *found;
    }

    const reflection::Schema& schema_;
};

void clear_default(Message& message, const FieldDescriptor& field);

void clear_defaults(Message& message)
{
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const auto* const field : fields) clear_default(message, *field);
}

void clear_default(Message& message, const FieldDescriptor& field)
{
    const auto& r = *message.GetReflection();
    const bool is_message = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (field.is_repeated()) {
        for (int i = 0; is_message && i < r.FieldSize(message, &field); ++i)
            clear_defaults(*r.MutableRepeatedMessage(&message, &field, i));
        return;
    }
    const auto is_zero = [&] {
        switch (field.cpp_type()) {
        case FieldDescriptor::CPPTYPE_DOUBLE: return r.GetDouble(message, &field) == 0;
        case FieldDescriptor::CPPTYPE_FLOAT: return r.GetFloat(message, &field) == 0;
        case FieldDescriptor::CPPTYPE_INT64: return r.GetInt64(message, &field) == 0;
        case FieldDescriptor::CPPTYPE_UINT64: return r.GetUInt64(message, &field) == 0;
        case FieldDescriptor::CPPTYPE_INT32: return r.GetInt32(message, &field) == 0;
        case FieldDescriptor::CPPTYPE_UINT32: return r.GetUInt32(message, &field) == 0;
        case FieldDescriptor::CPPTYPE_BOOL: return !r.GetBool(message, &field);
        case FieldDescriptor::CPPTYPE_ENUM: return r.GetEnumValue(message, &field) == 0;
        default: return false;
        }
    };
    if (is_message)
        clear_defaults(*r.MutableMessage(&message, &field));
    else if (is_zero())
        r.ClearField(&message, &field);
}

}  // namespace

std::string protobuf_of_sensor_data(Bytes message, Bytes binary_schema)
{
    const auto& schema = *reflection::GetSchema(binary_schema.data());
    osi3::SensorData data;
    FlatToProtobuf(schema).table(*schema.root_table(),
                                 *flatbuffers::GetAnyRoot(reinterpret_cast<const std::uint8_t*>(message.data())), data);
    return data.SerializeAsString();
}

std::string without_defaults(Bytes sensor_data)
{
    osi3::SensorData data;
    if (!data.ParseFromArray(sensor_data.data(), static_cast<int>(sensor_data.size())))
        throw Error(Cause::malformed, "libprotobuf cannot parse a SensorData");
    clear_defaults(data);
    return data.SerializeAsString();
}

}  // namespace ositrace::bench
