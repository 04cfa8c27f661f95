// SPDX-License-Identifier: MPL-2.0
#include "tests/fuzz/message_mutator.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "formats/protobuf/wire.hpp"
#include "tests/fuzz/roots.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace fuzzing {

namespace {

using namespace ositrace;

constexpr int max_depth = 12;

struct Node {
    std::uint32_t tag = 0;
    std::string value;                   ///< what follows the tag, without a length
    std::vector<Node> children;          ///< of a message
    const MessageTable* type = nullptr;  ///< of a message that was taken apart
};

std::optional<std::vector<Node>> taken_apart(Bytes message, const MessageTable& table, int depth)
{
    std::vector<Node> nodes;
    const auto* at = message.data();
    const auto* const end = at + message.size();
    while (at != end) {
        Node node;
        at = wire::read_tag(at, end, node.tag);
        if (at == nullptr) return std::nullopt;
        const auto* const value = at;
        at = wire::skip_field(at, end, node.tag, max_depth);
        if (at == nullptr) return std::nullopt;
        node.value = text_of({value, at});
        if (wire::wire_type_of(node.tag) == wire::length_delimited) {
            std::size_t length = 0;
            const auto* const content = wire::read_length(value, at, length);
            node.value = text_of({content, length});
            const auto* const field = table.find(wire::number_of(node.tag));
            if (field != nullptr && field->child != nullptr && depth < max_depth) {
                if (auto children = taken_apart({content, length}, *field->child, depth + 1)) {
                    node.children = std::move(*children);
                    node.type = field->child;
                }
            }
        }
        nodes.push_back(std::move(node));
    }
    return nodes;
}

void put_varint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

std::string put_together(const std::vector<Node>& nodes)
{
    std::string out;
    for (const auto& node : nodes) {
        put_varint(out, node.tag);
        const auto value = node.type != nullptr ? put_together(node.children) : node.value;
        if (wire::wire_type_of(node.tag) == wire::length_delimited) put_varint(out, value.size());
        out += value;
    }
    return out;
}

class Mutation {
public:
    explicit Mutation(unsigned seed) : random_(seed) {}

    void apply(std::vector<Node>& message, const MessageTable& table)
    {
        auto* nodes = &message;
        const auto* type = &table;
        // Down to a message somewhere.
        while (chance(3)) {
            std::vector<Node*> messages;
            for (auto& node : *nodes)
                if (node.type != nullptr) messages.push_back(&node);
            if (messages.empty()) break;
            auto& chosen = *messages[below(messages.size())];
            nodes = &chosen.children;
            type = chosen.type;
        }
        const auto kind = nodes->empty() ? 0 : below(8);
        switch (kind) {
        case 0:
        case 1: add_field(*nodes, *type); break;
        case 2: nodes->erase(nodes->begin() + static_cast<std::ptrdiff_t>(below(nodes->size()))); break;
        case 3: std::swap(any(*nodes), any(*nodes)); break;
        case 4: repeat(*nodes); break;
        default: change(any(*nodes)); break;
        }
    }

private:
    bool chance(unsigned of_4) { return random_() % 4 < of_4; }
    std::size_t below(std::size_t count) { return random_() % count; }
    Node& any(std::vector<Node>& nodes) { return nodes[below(nodes.size())]; }

    void repeat(std::vector<Node>& nodes)
    {
        const auto copy = any(nodes);
        const auto times = chance(1) ? 1 + below(20) : 1;
        const auto place = static_cast<std::ptrdiff_t>(chance(2) ? nodes.size() : below(nodes.size()));
        nodes.insert(nodes.begin() + place, times, copy);
    }

    void add_field(std::vector<Node>& nodes, const MessageTable& type)
    {
        if (type.fields.empty()) return;
        const auto& field = type.fields[below(type.fields.size())];
        Node node;
        const bool packed = field.repeated && field.wire_type != wire::length_delimited && chance(2);
        const auto wire_type = packed ? static_cast<std::uint8_t>(wire::length_delimited) : field.wire_type;
        node.tag = wire::make_tag(field.number, wire_type);
        if (field.kind == FieldKind::message) node.type = field.child;
        for (std::size_t i = packed ? below(5) : 1; i != 0; --i) node.value += scalar(field.wire_type);
        nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(below(nodes.size() + 1)), std::move(node));
    }

    std::string scalar(std::uint8_t wire_type)
    {
        std::string bytes;
        switch (wire_type) {
        case wire::varint: put_varint(bytes, chance(2) ? below(3) : random_() >> below(64)); break;
        case wire::fixed64: bytes.assign(8, static_cast<char>(random_())); break;
        case wire::fixed32: bytes.assign(4, static_cast<char>(random_())); break;
        default: bytes.assign(below(4) * below(9), 'x'); break;
        }
        return bytes;
    }

    void change(Node& node)
    {
        const auto wire_type = wire::wire_type_of(node.tag);
        if (node.type != nullptr) {
            if (!node.children.empty()) repeat(node.children);
        } else if (wire_type == wire::length_delimited) {
            const auto old = node.value.size();
            node.value.resize(old + 16);
            auto* const memory = reinterpret_cast<std::uint8_t*>(node.value.data());
            node.value.resize(LLVMFuzzerMutate(memory, old, old + 16));
        } else if (wire_type != wire::start_group) {
            node.value = scalar(wire_type);
        }
    }

    std::minstd_rand random_;
};

}  // namespace

bool mutate_payload(const std::uint8_t* data, std::size_t size, std::size_t root, unsigned seed, std::uint8_t* to,
                    std::size_t max_size, std::size_t& new_size)
{
    const auto& table = *roots()[root % roots().size()];
    auto message = taken_apart({reinterpret_cast<const std::byte*>(data), size}, table, 0);
    if (!message) return false;
    Mutation mutation(seed);
    for (auto times = 1 + seed % 3; times != 0; --times) mutation.apply(*message, table);
    const auto bytes = put_together(*message);
    if (bytes.size() > max_size) return false;
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    new_size = bytes.size();
    return true;
}

std::size_t mutate_message(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                           std::size_t choices)
{
    if (seed % 4 == 0 || size < choices || max_size < choices) return LLVMFuzzerMutate(data, size, max_size);
    const std::string tail(reinterpret_cast<const char*>(data) + size - choices, choices);
    std::size_t payload = 0;
    const auto root = static_cast<std::uint8_t>(tail.back());
    if (!mutate_payload(data, size - choices, root, seed / 4, data, max_size - choices, payload))
        return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data + payload, tail.data(), choices);
    return payload + choices;
}

}  // namespace fuzzing
