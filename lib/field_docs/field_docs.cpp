// SPDX-License-Identifier: MPL-2.0
#include <ositrace/field_docs.hpp>

#include <zstd.h>

#include <array>
#include <string>
#include <unordered_map>

#include "lib/field_docs/doc_text.hpp"

namespace ositrace {

namespace {

class DocBook {
public:
    DocBook() : text_(unpacked(embedded_docs()))
    {
        std::string_view rest = text_;
        while (!rest.empty()) {
            const auto name = take(rest, doc_field_end);
            const auto comment = take(rest, doc_field_end);
            const auto unit = take(rest, doc_field_end);
            docs_.try_emplace(name, FieldDoc{comment, unit, take(rest, doc_entry_end)});
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return docs_.size(); }

    [[nodiscard]] const FieldDoc* find(std::string_view name) const
    {
        const auto found = docs_.find(name);
        return found == docs_.end() ? nullptr : &found->second;
    }

private:
    static std::string unpacked(Bytes packed)
    {
        if (packed.empty()) return {};
        std::string text(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
        const auto size = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
        return size == text.size() ? text : std::string();
    }

    static std::string_view take(std::string_view& rest, char end) noexcept
    {
        const auto at = std::min(rest.find(end), rest.size());
        const auto part = rest.substr(0, at);
        rest.remove_prefix(std::min(at + 1, rest.size()));
        return part;
    }

    std::string text_;
    std::unordered_map<std::string_view, FieldDoc> docs_;
};

const DocBook& book()
{
    static const DocBook docs;
    return docs;
}

const FieldDoc* member_doc(std::string_view scope, std::string_view name)
{
    return book().find(std::string(scope).append(".").append(name));
}

bool contains(std::string_view text, std::string_view part) noexcept
{
    return text.find(part) != std::string_view::npos;
}

/// One of `m, m/s, or m/s^2`: the unit of a position, a velocity or an acceleration.
std::string_view chosen_unit(std::string_view units, std::string_view holder) noexcept
{
    std::array<std::string_view, 3> choice;
    for (auto& unit : choice) {
        const auto comma = std::min(units.find(", "), units.size());
        unit = units.substr(0, comma);
        if (unit.starts_with("or ")) unit.remove_prefix(3);
        units.remove_prefix(std::min(comma + 2, units.size()));
    }
    if (contains(holder, "acceleration")) return choice[2];
    return contains(holder, "velocity") || contains(holder, "rate") || contains(holder, "speed") ? choice[1]
                                                                                                 : choice[0];
}

}  // namespace

std::size_t documented_names() { return book().size(); }

const FieldDoc* doc_of(const MessageTable& message) { return book().find(message.full_name); }

const FieldDoc* doc_of(const MessageTable& message, const FieldRow& field)
{
    return member_doc(message.full_name, field.name);
}

const FieldDoc* doc_of(const EnumTable& enumeration) { return book().find(enumeration.full_name); }

const FieldDoc* doc_of(const EnumTable& enumeration, std::string_view value_name)
{
    return member_doc(enumeration.full_name, value_name);
}

std::string_view unit_of(FieldPlace field, FieldPlace holder)
{
    const auto* const doc = field.message == nullptr ? nullptr : doc_of(*field.message, *field.field);
    if (doc == nullptr) return {};
    const bool leaves_a_choice = contains(doc->unit, ", or ");
    if (!leaves_a_choice || holder.message == nullptr) return doc->unit;
    const auto* const outer = doc_of(*holder.message, *holder.field);
    if (outer != nullptr && !outer->unit.empty() && !contains(outer->unit, ", or ")) return outer->unit;
    return chosen_unit(doc->unit, holder.field->name);
}

std::string_view unit_of(const MessageTable& root, const FieldPath& path)
{
    const auto& steps = path.steps();
    FieldPlace holder;
    FieldPlace field{&root, steps.front().field};
    for (std::size_t i = 1; i != steps.size(); ++i) {
        holder = field;
        field = {holder.field->child, steps[i].field};
    }
    return unit_of(field, holder);
}

}  // namespace ositrace
