// SPDX-License-Identifier: MPL-2.0
#include <memory>

#include <json-c/json.h>

#include "app/bench/structs/tree_codec.hpp"

namespace ositrace::bench {
namespace {

class JsonC {
public:
    struct Free {
        void operator()(json_object* node) const noexcept { ::json_object_put(node); }
        void operator()(json_tokener* tokener) const noexcept { ::json_tokener_free(tokener); }
    };
    using Node = std::unique_ptr<json_object, Free>;
    using View = json_object*;

    static Node map(std::size_t) { return Node(::json_object_new_object()); }
    static Node array(std::size_t fields) { return Node(::json_object_new_array_ext(static_cast<int>(fields))); }
    static Node node(bool value) { return Node(::json_object_new_boolean(value)); }
    static Node node(std::int64_t value) { return Node(::json_object_new_int64(value)); }
    static Node node(double value) { return Node(::json_object_new_double(value)); }
    static View view(const Node& node) noexcept { return node.get(); }

    static void put(Node& map, const char* key, Node value)
    {
        ::json_object_object_add(map.get(), key, value.release());
    }
    static void append(Node& array, Node value) { ::json_object_array_add(array.get(), value.release()); }
    static View in_map(View map, const char* key)
    {
        View found = nullptr;
        return ::json_object_object_get_ex(map, key, &found) ? found : nullptr;
    }
    static View in_array(View array, std::size_t place)
    {
        return ::json_object_is_type(array, json_type_array) ? ::json_object_array_get_idx(array, place) : nullptr;
    }

    static bool get(View node, bool& value)
    {
        value = ::json_object_get_boolean(node) != 0;
        return ::json_object_is_type(node, json_type_boolean);
    }
    static bool get(View node, std::int64_t& value)
    {
        value = ::json_object_get_int64(node);
        return ::json_object_is_type(node, json_type_int);
    }
    static bool get(View node, double& value)
    {
        value = ::json_object_get_double(node);
        return ::json_object_is_type(node, json_type_double) || ::json_object_is_type(node, json_type_int);
    }

    static std::size_t write(const Node& tree, std::byte* to)
    {
        std::size_t size = 0;
        const char* const text = ::json_object_to_json_string_length(tree.get(), JSON_C_TO_STRING_PLAIN, &size);
        return copied(text, size, to);
    }
    Node parse(Bytes bytes)
    {
        ::json_tokener_reset(tokener_.get());
        Node tree(::json_tokener_parse_ex(tokener_.get(), reinterpret_cast<const char*>(bytes.data()),
                                          static_cast<int>(bytes.size())));
        if (!tree) throw Error(Cause::malformed, "json-c does not accept it");
        return tree;
    }
    static void* release(Node tree) noexcept { return tree.release(); }
    static Node adopt(void* tree) noexcept { return Node(static_cast<json_object*>(tree)); }

private:
    std::unique_ptr<json_tokener, Free> tokener_{::json_tokener_new()};
};

}  // namespace

std::unique_ptr<StructCodec> json_c_codec(Shape shape, Leaves leaves) { return tree_codec<JsonC>(shape, leaves); }

}  // namespace ositrace::bench
