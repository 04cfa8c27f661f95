// SPDX-License-Identifier: MPL-2.0
#include <ositrace/element_name.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace ositrace {

namespace {

constexpr std::string_view name_key = "entity_name:";
constexpr std::array<std::string_view, 3> entity_types{"Vehicle", "Pedestrian", "MiscObject"};

/// The bytes that tell the text from the word, or that it begins with it.
std::size_t bytes_compared(std::string_view text, std::string_view word) noexcept
{
    const auto differs = std::ranges::mismatch(text, word).in1 - text.begin();
    return std::min(text.size(), static_cast<std::size_t>(differs) + 1);
}

}  // namespace

std::optional<NameFields> name_fields(const MessageTable& table) noexcept
{
    const auto* const reference = table.find("source_reference");
    if (reference == nullptr || !reference->repeated || reference->child == nullptr) return std::nullopt;
    const auto* const identifier = reference->child->find("identifier");
    if (identifier == nullptr || !identifier->repeated || identifier->kind != FieldKind::string) return std::nullopt;
    return NameFields{reference, identifier};
}

std::string_view ReferenceName::next(std::string_view identifier) noexcept
{
    const bool is_first = std::exchange(is_first_, false);
    const bool is_name = std::exchange(follows_type_, false);
    if (identifier.starts_with(name_key)) return identifier.substr(name_key.size());
    if (is_name) return identifier;
    follows_type_ = is_first && std::ranges::find(entity_types, identifier) != entity_types.end();
    return {};
}

std::size_t ReferenceName::deciding_bytes(std::string_view identifier) noexcept
{
    auto most = identifier.starts_with(name_key) ? name_key.size() : bytes_compared(identifier, name_key);
    for (const auto type : entity_types) most = std::max(most, bytes_compared(identifier, type));
    return most;
}

std::string_view name_of(const MessageView& element, const NameFields& fields)
{
    std::string_view name;
    element.for_each_element(*fields.reference, [&](const Value& reference) {
        ReferenceName reader;
        std::get<MessageView>(reference).for_each_element(*fields.identifier, [&](const Value& identifier) {
            name = reader.next(std::get<std::string_view>(identifier));
            return name.empty();
        });
        return name.empty();
    });
    return name;
}

std::string_view name_of(const MessageView& element)
{
    const auto fields = name_fields(element.table());
    return fields ? name_of(element, *fields) : std::string_view();
}

}  // namespace ositrace
