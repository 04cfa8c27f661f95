// SPDX-License-Identifier: MPL-2.0
#include <cstring>
#include <vector>

#include <ositrace/error.hpp>

#include "app/bench/structs/struct_codec.hpp"

namespace ositrace::bench {
namespace {

class MemcpyCodec final : public StructCodec {
public:
    std::size_t write(const SensorData& data, std::byte* to) override
    {
        std::memcpy(to, &data, sizeof data);
        return sizeof data;
    }
    void read(Bytes bytes, SensorData& data) override
    {
        if (bytes.size() != sizeof data) throw Error(Cause::malformed, "no struct");
        std::memcpy(&data, bytes.data(), sizeof data);
    }
};

std::vector<StructRow> all_rows()
{
    using enum Shape;
    using enum Leaves;
    return {
        {"memcpy, the reference", "copies the struct into a buffer, and from there into another struct",
         Role::yardstick, memcpy_codec},
#ifdef OSITRACE_WITH_JSON_C
        {"json-c, map", "objects to text, text to objects, looked up by key", Role::naive,
         [] { return json_c_codec(map, bytes); }},
        {"json-c, array", "the same as arrays of arrays, looked up by place", Role::other,
         [] { return json_c_codec(array, bytes); }},
#endif
#ifdef OSITRACE_WITH_FASTJSON
        {"libfastjson, map", "as json-c, from which it was forked", Role::other,
         [] { return fastjson_codec(map, bytes); }},
        {"libfastjson, array", "as arrays of arrays", Role::other, [] { return fastjson_codec(array, bytes); }},
#endif
        {"strings, map", "JSON written by printf() and parsed by hand, each key searched for", Role::other,
         [] { return string_codec(map); }},
        {"strings, array", "the same as arrays of arrays, parsed from front to back", Role::other,
         [] { return string_codec(array); }},
#ifdef OSITRACE_WITH_NLOHMANN
        {"nlohmann-json, map", "left out of the published report", Role::other, [] { return nlohmann_codec(map); }},
        {"nlohmann-json, array", "as arrays of arrays", Role::other, [] { return nlohmann_codec(array); }},
#endif
#ifdef OSITRACE_WITH_CBOR
        {"CBOR, map", "libcbor: items to bytes, bytes to items, looked up by key", Role::other,
         [] { return cbor_codec(map, bytes); }},
        {"CBOR, array", "the same as arrays of arrays, looked up by place", Role::other,
         [] { return cbor_codec(array, bytes); }},
#endif
        {"Protobuf", "libprotobuf, a message that is reused", Role::other, protobuf_codec},
#ifdef OSITRACE_WITH_PROTOBUF_C
        {"Protobuf, protobuf-c", "the C library of the published report, a new message in every parse", Role::other,
         protobuf_c_codec},
#endif
#ifdef OSITRACE_WITH_XDR
        {"XDR", "libtirpc with the code of rpcgen", Role::other, xdr_codec},
#endif
        {"FlatBuffers", "flatc's code, tables, builder reused, input trusted", Role::other,
         [] { return flat_codec(FlatForm::trusted); }},
        {"FlatBuffers, verified", "the same after FlatBuffers' Verifier", Role::other,
         [] { return flat_codec(FlatForm::verified); }},
        {"FlatBuffers, struct", "one fixed struct, which cannot be extended; verified", Role::other,
         [] { return flat_codec(FlatForm::fixed); }},
        {"ositrace", "on the Protobuf wire, read through a view, without message objects; every access is checked",
         Role::ours, our_codec},
#ifdef OSITRACE_WITH_JSON_C
        {"json-c objects, map", "as published: objects are handed over, no text is written or parsed", Role::other,
         [] { return json_c_codec(map, objects); }, objects},
        {"json-c objects, array", "the same as arrays of arrays", Role::other,
         [] { return json_c_codec(array, objects); }, objects},
#endif
#ifdef OSITRACE_WITH_FASTJSON
        {"libfastjson objects, map", "as published: objects are handed over", Role::other,
         [] { return fastjson_codec(map, objects); }, objects},
        {"libfastjson objects, array", "the same as arrays of arrays", Role::other,
         [] { return fastjson_codec(array, objects); }, objects},
#endif
#ifdef OSITRACE_WITH_CBOR
        {"CBOR items, map", "as published: items are handed over, no bytes are written or parsed", Role::other,
         [] { return cbor_codec(map, objects); }, objects},
        {"CBOR items, array", "the same as arrays of arrays", Role::other, [] { return cbor_codec(array, objects); },
         objects},
#endif
    };
}

}  // namespace

std::unique_ptr<StructCodec> memcpy_codec() { return std::make_unique<MemcpyCodec>(); }

std::span<const StructRow> struct_rows()
{
    static const auto rows = all_rows();
    return rows;
}

std::span<const std::string> missing_libraries()
{
    static const std::vector<std::string> missing{
#ifndef OSITRACE_WITH_JSON_C
        "json-c (libjson-c-dev)",
#endif
#ifndef OSITRACE_WITH_FASTJSON
        "libfastjson (libfastjson-dev)",
#endif
#ifndef OSITRACE_WITH_NLOHMANN
        "nlohmann-json (nlohmann-json3-dev)",
#endif
#ifndef OSITRACE_WITH_CBOR
        "libcbor (libcbor-dev)",
#endif
#ifndef OSITRACE_WITH_PROTOBUF_C
        "protobuf-c (libprotobuf-c-dev, protobuf-c-compiler)",
#endif
#ifndef OSITRACE_WITH_XDR
        "XDR (libtirpc-dev, rpcsvc-proto)",
#endif
    };
    return missing;
}

}  // namespace ositrace::bench
