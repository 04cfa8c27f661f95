// SPDX-License-Identifier: MPL-2.0
// The libraries that build a tree of objects: json-c, libfastjson, nlohmann-json and libcbor. They differ in names
// only.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <ositrace/error.hpp>

#include "app/bench/structs/struct_codec.hpp"

namespace ositrace::bench {

/// The integer, if the field can hold it. Throws Error (malformed).
template <std::integral Field>
[[nodiscard]] Field narrowed(std::int64_t value, const char* key)
{
    if (!std::in_range<Field>(value))
        throw Error(Cause::malformed,
                    std::string(key) + " is " + std::to_string(value) + ", which its field cannot hold");
    return static_cast<Field>(value);
}

[[noreturn]] inline void throw_missing(const char* key)
{
    throw Error(Cause::malformed, std::string(key) + " is missing or has another type");
}

/// A `Library` has
/// - `Node`, which owns a tree, and `View`, a borrowed node that is false if there is none;
/// - `Node map(fields)`, `Node array(fields)`, `Node node(bool | std::int64_t | double)`, `View view(const Node&)`,
/// - `void put(Node& map, const char* key, Node)`, `void append(Node& array, Node)`,
/// - `View in_map(View, const char* key)`, `View in_array(View, place)`,
/// - `bool get(View, bool& | std::int64_t& | double&)`: false for another type,
/// - `std::size_t write(const Node&, std::byte* to)`: throws Error (limit); `Node parse(Bytes)`: throws Error
///   (malformed),
/// - `void* release(Node)`, `Node adopt(void*)`.
template <class Library, Shape shape, Leaves leaves>
class TreeCodec final : public StructCodec {
    using Node = typename Library::Node;
    using View = typename Library::View;

public:
    std::size_t write(const SensorData& data, std::byte* to) override
    {
        auto tree = tree_of(data);
        if constexpr (leaves == Leaves::bytes) {
            return library_.write(tree, to);
        } else {
            void* const pointer = library_.release(std::move(tree));
            store(to, pointer);
            return sizeof pointer;
        }
    }
    void read(Bytes bytes, SensorData& data) override
    {
        if constexpr (leaves == Leaves::bytes) {
            const auto tree = library_.parse(bytes);
            read_tree(library_.view(tree), data);
        } else {
            const auto tree = library_.adopt(load<void*>(bytes.data()));
            read_tree(library_.view(tree), data);
        }
    }

private:
    Node container(std::size_t fields)
    {
        if constexpr (shape == Shape::map)
            return library_.map(fields);
        else
            return library_.array(fields);
    }
    void add(Node& to, const char* key, Node node)
    {
        if constexpr (shape == Shape::map)
            library_.put(to, key, std::move(node));
        else
            library_.append(to, std::move(node));
    }
    template <class Field>
    Node node(Field value)
    {
        if constexpr (std::is_same_v<Field, bool>)
            return library_.node(value);
        else if constexpr (std::is_floating_point_v<Field>)
            return library_.node(static_cast<double>(value));
        else
            return library_.node(std::int64_t{value});
    }
    Node tree_of(const SensorData& data)
    {
        auto tree = container(parts_of_sensor_data);
        for_each_part(
            data,
            [&](const char* key, std::size_t fields, auto&& visit) {
                auto part = container(fields);
                visit([&](const char* name, auto value) { add(part, name, node(value)); });
                add(tree, key, std::move(part));
            },
            [&](const char* key, auto value) { add(tree, key, node(value)); });
        return tree;
    }

    View child(View of, const char* key, std::size_t place)
    {
        View found{};
        if constexpr (shape == Shape::map)
            found = library_.in_map(of, key);
        else
            found = library_.in_array(of, place);
        if (!found) throw_missing(key);
        return found;
    }
    template <class Field>
    void get(View node, const char* key, Field& value)
    {
        std::conditional_t<std::is_same_v<Field, bool>, bool,
                           std::conditional_t<std::is_floating_point_v<Field>, double, std::int64_t>>
            wide{};
        if (!library_.get(node, wide)) throw_missing(key);
        if constexpr (std::is_same_v<Field, bool>)
            value = wide;
        else if constexpr (std::is_floating_point_v<Field>)
            value = static_cast<Field>(wide);
        else
            value = narrowed<Field>(wide, key);
    }
    void read_tree(View tree, SensorData& data)
    {
        std::size_t place = 0;
        for_each_part(
            data,
            [&](const char* key, std::size_t, auto&& visit) {
                const auto part = child(tree, key, place++);
                std::size_t place_in_part = 0;
                visit([&](const char* name, auto& value) { get(child(part, name, place_in_part++), name, value); });
            },
            [&](const char* key, auto& value) { get(child(tree, key, place++), key, value); });
    }

    Library library_;
};

/// Copies what a library has written. Throws Error (limit).
inline std::size_t copied(const void* text, std::size_t size, std::byte* to)
{
    if (size > StructCodec::max_bytes)
        throw Error(Cause::limit, "a struct takes " + std::to_string(size) + " bytes, expected at most " +
                                      std::to_string(StructCodec::max_bytes));
    std::memcpy(to, text, size);
    return size;
}

template <class Library>
std::unique_ptr<StructCodec> tree_codec(Shape shape, Leaves leaves)
{
    const bool map = shape == Shape::map;
    if (leaves == Leaves::objects) {
        if (map) return std::make_unique<TreeCodec<Library, Shape::map, Leaves::objects>>();
        return std::make_unique<TreeCodec<Library, Shape::array, Leaves::objects>>();
    }
    if (map) return std::make_unique<TreeCodec<Library, Shape::map, Leaves::bytes>>();
    return std::make_unique<TreeCodec<Library, Shape::array, Leaves::bytes>>();
}

}  // namespace ositrace::bench
