// SPDX-License-Identifier: MPL-2.0
#include <cstring>
#include <memory>

#include <libfastjson/json.h>
#include <libfastjson/json_tokener.h>

#include "app/bench/structs/tree_codec.hpp"

namespace ositrace::bench {
namespace {

class FastJson {
public:
    struct Free {
        void operator()(fjson_object* node) const noexcept { ::fjson_object_put(node); }
        void operator()(fjson_tokener* tokener) const noexcept { ::fjson_tokener_free(tokener); }
    };
    using Node = std::unique_ptr<fjson_object, Free>;
    using View = fjson_object*;

    static Node map(std::size_t) { return Node(::fjson_object_new_object()); }
    static Node array(std::size_t) { return Node(::fjson_object_new_array()); }
    static Node node(bool value) { return Node(::fjson_object_new_boolean(value)); }
    static Node node(std::int64_t value) { return Node(::fjson_object_new_int64(value)); }
    static Node node(double value) { return Node(::fjson_object_new_double(value)); }
    static View view(const Node& node) noexcept { return node.get(); }

    static void put(Node& map, const char* key, Node value)
    {
        ::fjson_object_object_add(map.get(), key, value.release());
    }
    static void append(Node& array, Node value) { ::fjson_object_array_add(array.get(), value.release()); }
    static View in_map(View map, const char* key)
    {
        View found = nullptr;
        return ::fjson_object_object_get_ex(map, key, &found) ? found : nullptr;
    }
    static View in_array(View array, std::size_t place)
    {
        return ::fjson_object_is_type(array, fjson_type_array)
                   ? ::fjson_object_array_get_idx(array, static_cast<int>(place))
                   : nullptr;
    }

    static bool get(View node, bool& value)
    {
        value = ::fjson_object_get_boolean(node) != 0;
        return ::fjson_object_is_type(node, fjson_type_boolean);
    }
    static bool get(View node, std::int64_t& value)
    {
        value = ::fjson_object_get_int64(node);
        return ::fjson_object_is_type(node, fjson_type_int);
    }
    static bool get(View node, double& value)
    {
        value = ::fjson_object_get_double(node);
        return ::fjson_object_is_type(node, fjson_type_double) || ::fjson_object_is_type(node, fjson_type_int);
    }

    static std::size_t write(const Node& tree, std::byte* to)
    {
        const char* const text = ::fjson_object_to_json_string_ext(tree.get(), FJSON_TO_STRING_PLAIN);
        return copied(text, std::strlen(text), to);
    }
    Node parse(Bytes bytes)
    {
        ::fjson_tokener_reset(tokener_.get());
        Node tree(::fjson_tokener_parse_ex(tokener_.get(), reinterpret_cast<const char*>(bytes.data()),
                                           static_cast<int>(bytes.size())));
        if (!tree) throw Error(Cause::malformed, "libfastjson does not accept it");
        return tree;
    }
    static void* release(Node tree) noexcept { return tree.release(); }
    static Node adopt(void* tree) noexcept { return Node(static_cast<fjson_object*>(tree)); }

private:
    std::unique_ptr<fjson_tokener, Free> tokener_{::fjson_tokener_new()};
};

}  // namespace

std::unique_ptr<StructCodec> fastjson_codec(Shape shape, Leaves leaves) { return tree_codec<FastJson>(shape, leaves); }

}  // namespace ositrace::bench
