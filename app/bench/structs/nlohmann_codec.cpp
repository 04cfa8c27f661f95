// SPDX-License-Identifier: MPL-2.0
#include <nlohmann/json.hpp>

#include "app/bench/structs/tree_codec.hpp"

namespace ositrace::bench {
namespace {

struct Nlohmann {
    using Node = nlohmann::json;
    using View = const nlohmann::json*;

    static Node map(std::size_t) { return Node::object(); }
    static Node array(std::size_t fields)
    {
        Node node = Node::array();
        node.get_ref<Node::array_t&>().reserve(fields);
        return node;
    }
    template <class Value>
    static Node node(Value value)
    {
        return value;
    }
    static View view(const Node& node) noexcept { return &node; }

    static void put(Node& map, const char* key, Node value) { map.emplace(key, std::move(value)); }
    static void append(Node& array, Node value) { array.push_back(std::move(value)); }
    static View in_map(View map, const char* key)
    {
        const auto found = map->find(key);
        return found == map->end() ? nullptr : &*found;
    }
    static View in_array(View array, std::size_t place)
    {
        return array->is_array() && place < array->size() ? &(*array)[place] : nullptr;
    }

    static bool get(View node, bool& value)
    {
        if (!node->is_boolean()) return false;
        value = node->get<bool>();
        return true;
    }
    static bool get(View node, std::int64_t& value)
    {
        if (!node->is_number_integer()) return false;
        value = node->get<std::int64_t>();
        return true;
    }
    static bool get(View node, double& value)
    {
        if (!node->is_number()) return false;
        value = node->get<double>();
        return true;
    }

    static std::size_t write(const Node& tree, std::byte* to)
    {
        const auto text = tree.dump();
        return copied(text.data(), text.size(), to);
    }
    static Node parse(Bytes bytes)
    {
        auto tree = Node::parse(text_of(bytes), nullptr, false);
        if (tree.is_discarded()) throw Error(Cause::malformed, "nlohmann-json does not accept it");
        return tree;
    }
};

}  // namespace

std::unique_ptr<StructCodec> nlohmann_codec(Shape shape)
{
    if (shape == Shape::map) return std::make_unique<TreeCodec<Nlohmann, Shape::map, Leaves::bytes>>();
    return std::make_unique<TreeCodec<Nlohmann, Shape::array, Leaves::bytes>>();
}

}  // namespace ositrace::bench
