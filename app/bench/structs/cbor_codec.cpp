// SPDX-License-Identifier: MPL-2.0
#include <cstring>
#include <memory>

#include <cbor.h>

#include "app/bench/structs/tree_codec.hpp"

namespace ositrace::bench {
namespace {

struct Cbor {
    struct Free {
        void operator()(cbor_item_t* node) const noexcept { ::cbor_decref(&node); }
    };
    using Node = std::unique_ptr<cbor_item_t, Free>;
    using View = cbor_item_t*;

    static Node map(std::size_t fields) { return Node(::cbor_new_definite_map(fields)); }
    static Node array(std::size_t fields) { return Node(::cbor_new_definite_array(fields)); }
    static Node node(bool value) { return Node(::cbor_build_bool(value)); }
    /// In as few bytes as there can be: CBOR stores a negative number as -1 - value.
    static Node node(std::int64_t value)
    {
        const bool negative = value < 0;
        const auto magnitude = static_cast<std::uint64_t>(negative ? -1 - value : value);
        if (magnitude <= 0xff) {
            const auto byte = static_cast<std::uint8_t>(magnitude);
            return Node(negative ? ::cbor_build_negint8(byte) : ::cbor_build_uint8(byte));
        }
        const auto word = static_cast<std::uint16_t>(magnitude);
        return Node(negative ? ::cbor_build_negint16(word) : ::cbor_build_uint16(word));
    }
    static Node node(double value) { return Node(::cbor_build_float4(static_cast<float>(value))); }
    static View view(const Node& node) noexcept { return node.get(); }

    static void put(Node& map, const char* key, Node value)
    {
        const Node name(::cbor_build_string(key));
        static_cast<void>(::cbor_map_add(map.get(), {name.get(), value.get()}));  // it counts its own references
    }
    static void append(Node& array, Node value) { static_cast<void>(::cbor_array_push(array.get(), value.get())); }
    static View in_map(View map, const char* key)
    {
        if (!::cbor_isa_map(map)) return nullptr;
        const auto* const pairs = ::cbor_map_handle(map);
        const auto size = std::strlen(key);
        for (std::size_t i = 0; i < ::cbor_map_size(map); ++i)
            if (::cbor_isa_string(pairs[i].key) && ::cbor_string_is_definite(pairs[i].key) &&
                ::cbor_string_length(pairs[i].key) == size &&
                std::memcmp(::cbor_string_handle(pairs[i].key), key, size) == 0)
                return pairs[i].value;
        return nullptr;
    }
    static View in_array(View array, std::size_t place)
    {
        if (!::cbor_isa_array(array) || place >= ::cbor_array_size(array)) return nullptr;
        return ::cbor_array_handle(array)[place];
    }

    static bool get(View node, bool& value)
    {
        if (!::cbor_is_bool(node)) return false;
        value = ::cbor_get_bool(node);
        return true;
    }
    static bool get(View node, std::int64_t& value)
    {
        if (!::cbor_is_int(node)) return false;
        const auto magnitude = ::cbor_get_int(node);
        if (magnitude > 0xffff'ffff) return false;
        value = static_cast<std::int64_t>(magnitude);
        if (::cbor_isa_negint(node)) value = -1 - value;
        return true;
    }
    static bool get(View node, double& value)
    {
        if (!::cbor_is_float(node)) return false;
        value = ::cbor_float_get_float(node);
        return true;
    }

    static std::size_t write(const Node& tree, std::byte* to)
    {
        const auto size = ::cbor_serialize(tree.get(), reinterpret_cast<unsigned char*>(to), StructCodec::max_bytes);
        if (size == 0) throw Error(Cause::limit, "libcbor needs more bytes for a struct than expected");
        return size;
    }
    static Node parse(Bytes bytes)
    {
        cbor_load_result result{};
        Node tree(::cbor_load(reinterpret_cast<cbor_data>(bytes.data()), bytes.size(), &result));
        if (!tree) throw Error(Cause::malformed, "libcbor does not accept it");
        return tree;
    }
    static void* release(Node tree) noexcept { return tree.release(); }
    static Node adopt(void* tree) noexcept { return Node(static_cast<cbor_item_t*>(tree)); }
};

}  // namespace

std::unique_ptr<StructCodec> cbor_codec(Shape shape, Leaves leaves) { return tree_codec<Cbor>(shape, leaves); }

}  // namespace ositrace::bench
