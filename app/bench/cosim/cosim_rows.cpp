// SPDX-License-Identifier: MPL-2.0
#include <array>

#include "app/bench/cosim/cosim_variants.hpp"
#include "app/bench/cosim/published.hpp"
#include "app/bench/dummy/opponents.hpp"

#include "bench_lines_of_code.hpp"

namespace ositrace::bench {
namespace {

CosimRow protobuf_row(const char* name, const char* what, ProtobufMemory memory, Role role = Role::other)
{
    return {.name = name,
            .what = what,
            .role = role,
            .form = SensorDataForm::protobuf,
            .source = [memory](const auto& options) { return protobuf_source(options, memory); },
            .sensor = [memory](const auto& options) { return protobuf_sensor(options, memory); },
            .lines = lines_of_protobuf_models};
}

SensorDataForm form_of(FlatLayout layout)
{
    switch (layout) {
    case FlatLayout::numbered: return SensorDataForm::numbered;
    case FlatLayout::declared: return SensorDataForm::declared;
    case FlatLayout::structs: break;
    }
    return SensorDataForm::structs;
}

CosimRow builder_row(const char* name, const char* what, FlatLayout layout, FlatInput input,
                     FlatBuilder builder = FlatBuilder::reused)
{
    const auto& forms = flat_forms(layout);
    return {.name = name,
            .what = what,
            .role = Role::other,
            .form = form_of(layout),
            .source = [&forms, builder](const auto& options) { return forms.builder_source(options, builder); },
            .sensor = [&forms, builder,
                       input](const auto& options) { return forms.builder_sensor(options, input, builder); },
            .lines = layout == FlatLayout::structs ? lines_of_struct_models : lines_of_builder_models};
}

CosimRow objects_row(const char* name, const char* what, FlatObjects kept)
{
    const auto& forms = flat_forms(FlatLayout::declared);
    return {.name = name,
            .what = what,
            .role = Role::other,
            .form = SensorDataForm::declared,
            .source = [&forms, kept](const auto& options) { return forms.object_source(options, kept); },
            .sensor = [&forms,
                       kept](const auto& options) { return forms.object_sensor(options, FlatInput::trusted, kept); },
            .lines = lines_of_object_models};
}

CosimRow ours(const char* name, const char* what, Encoding encoding)
{
    return {.name = name,
            .what = what,
            .role = Role::ours,
            .form = encoding == Encoding::protobuf ? SensorDataForm::protobuf : SensorDataForm::numbered,
            .source =
                [encoding](auto options) {
                    options.encoding = encoding;
                    return dummy_source(options);
                },
            .sensor =
                [encoding](auto options) {
                    options.encoding = encoding;
                    return dummy_sensor(options);
                },
            .lines = lines_of_our_models};
}

}  // namespace

std::span<const CosimRow> cosim_rows()
{
    using enum FlatLayout;
    using enum FlatInput;
    static const std::array rows{
        protobuf_row(row::protobuf, "libprotobuf, new messages in every step, as published", ProtobufMemory::fresh,
                     Role::naive),
        protobuf_row("Protobuf, reused", "libprotobuf, messages kept and cleared", ProtobufMemory::reused),
        protobuf_row("Protobuf, arena", "libprotobuf, messages on an arena that is reset", ProtobufMemory::arena),
        ours("ositrace, Protobuf", "read and written on the wire, no objects; every access is checked",
             Encoding::protobuf),
        builder_row(
            row::builder,
            "flatc's code, a new FlatBufferBuilder in every step, layout declared with plain defaults, input trusted: "
            "as published",
            declared, trusted, FlatBuilder::fresh),
        builder_row("FlatBuffers", "the same with the builder reused", declared, trusted),
        builder_row("FlatBuffers, verified", "the same after FlatBuffers' Verifier", declared, verified),
        builder_row("FlatBuffers, numbered", "our layout, which keeps presence: slots by field number", numbered,
                    trusted),
        builder_row("FlatBuffers, numbered, verified", "the same after FlatBuffers' Verifier", numbered, verified),
        objects_row(row::objects, "flatc's objects, new in every step, packed; layout declared, input trusted",
                    FlatObjects::fresh),
        objects_row(row::update, "the same with objects that are kept and changed", FlatObjects::update),
        builder_row(
            row::structs,
            "reflections, vectors, identifiers as structs: no other release of OSI can read that; input trusted",
            structs, trusted),
        builder_row("FlatBuffers structs, verified", "the same after FlatBuffers' Verifier", structs, verified),
        ours("ositrace, FlatBuffers", "read and written as FlatBuffers, no objects; every access is checked",
             Encoding::flatbuffers),
    };
    return rows;
}

}  // namespace ositrace::bench
