// SPDX-License-Identifier: MPL-2.0
// Which field a path means.
#include <algorithm>
#include <set>

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>

#include "lib/query/program.hpp"

namespace ositrace {

namespace {

constexpr std::size_t most_places = 20'000;  // of a schema that are searched for the beginning of a path
constexpr std::size_t most_levels = 8;

/// How many of the parts are fields, one below the other.
std::size_t known_parts(const MessageTable* table, const std::vector<PathPart>& parts)
{
    for (std::size_t i = 0; i != parts.size(); ++i) {
        const auto* const field = table == nullptr ? nullptr : table->find(parts[i].name);
        if (field == nullptr) return i;
        table = field->child;
    }
    return parts.size();
}

/// A message of the schema, and the field that leads to it.
struct SchemaPlace {
    const MessageTable* table = nullptr;
    std::size_t above = 0;
    const FieldRow* field = nullptr;  ///< null: the root
};

std::vector<PathPart> way_to(const std::vector<SchemaPlace>& places, std::size_t place)
{
    std::vector<PathPart> way;
    for (; places[place].field != nullptr; place = places[place].above) way.push_back({places[place].field->name, {}});
    std::ranges::reverse(way);
    return way;
}

bool is_above(const std::vector<SchemaPlace>& places, std::size_t place, const MessageTable* table)
{
    for (;; place = places[place].above) {
        if (places[place].table == table) return true;
        if (places[place].field == nullptr) return false;
    }
}

std::string text_of(const std::vector<PathPart>& parts)
{
    std::string text;
    for (const auto& part : parts) {
        text.append(text.empty() ? "" : ".").append(part.name);
        if (part.pick) text.append("[").append(*part.pick).append("]");
    }
    return text;
}

std::vector<std::string_view> names_of(const MessageTable& table)
{
    std::vector<std::string_view> names;
    for (const auto place : table.declared_order) names.push_back(table.fields[place].name);
    return names;
}

/// Finds the messages nearest to the root in which a path begins.
class PathFinder {
public:
    PathFinder(const MessageTable& root, std::string_view path) : path_(path), parts_(path_parts(path))
    {
        places_.push_back({&root, 0, nullptr});
    }

    std::vector<PathPart> find()
    {
        std::vector<std::size_t> fitting;
        for (std::size_t level = 0, begin = 0; fitting.empty() && level != most_levels; ++level) {
            const auto end = places_.size();
            for (auto place = begin; place != end; ++place) look_at(place, fitting);
            if (fitting.empty())
                for (auto place = begin; place != end; ++place) go_below(place);
            if (end == places_.size() && fitting.empty()) break;
            begin = end;
        }
        if (fitting.empty()) refuse();
        if (fitting.size() > 1) refuse_several(fitting);
        auto all = way_to(places_, fitting.front());
        all.insert(all.end(), parts_.begin(), parts_.end());
        return all;
    }

private:
    void look_at(std::size_t place, std::vector<std::size_t>& fitting)
    {
        const auto known = known_parts(places_[place].table, parts_);
        if (known == parts_.size()) fitting.push_back(place);
        if (known > best_) {
            best_ = known;
            best_place_ = place;
        }
    }

    void go_below(std::size_t place)
    {
        for (const auto& field : places_[place].table->fields) {
            seen_.insert(field.name);
            if (field.child == nullptr || places_.size() == most_places) continue;
            if (!is_above(places_, place, field.child)) places_.push_back({field.child, place, &field});
        }
    }

    [[noreturn]] void refuse() const
    {
        const auto* table = places_[best_place_].table;
        for (std::size_t i = 0; i != best_; ++i) {
            const auto* const field = table->find(parts_[i].name);
            if (field->child == nullptr) throw Error(Cause::usage, "'" + std::string(field->name) + "' has no fields");
            table = field->child;
        }
        const auto wrong = parts_[best_].name;
        const bool is_anywhere = best_ == 0;
        const auto near =
            is_anywhere ? near_names(wrong, {seen_.begin(), seen_.end()}) : near_names(wrong, names_of(*table));
        throw Error(Cause::usage, std::string(table->full_name) + " has no field '" + std::string(wrong) + "'" + near);
    }

    [[noreturn]] void refuse_several(const std::vector<std::size_t>& fitting) const
    {
        constexpr std::size_t most_shown = 4;
        std::string names;
        for (std::size_t i = 0; i != std::min(fitting.size(), most_shown); ++i) {
            auto way = way_to(places_, fitting[i]);
            way.insert(way.end(), parts_.begin(), parts_.end());
            names.append(i == 0 ? "" : ", ").append(text_of(way));
        }
        if (fitting.size() > most_shown) names += " and " + std::to_string(fitting.size() - most_shown) + " more";
        throw Error(Cause::usage, "'" + std::string(path_) + "' is ambiguous: " + names);
    }

    std::string_view path_;
    std::vector<PathPart> parts_;
    std::vector<SchemaPlace> places_;
    std::set<std::string_view> seen_;
    std::size_t best_ = 0, best_place_ = 0;
};

/// The number of changed, missing and additional characters.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j != row.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i != a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j != b.size(); ++j) {
            const auto changed = diagonal + (lower_case(a[i]) == lower_case(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string resolved_path(const MessageTable& root, std::string_view path, bool kept_whole)
{
    auto parts = PathFinder(root, path).find();
    const auto* table = &root;
    for (std::size_t i = 0; i != parts.size(); ++i) {
        const auto& field = *table->find(parts[i].name);
        const bool is_last = i + 1 == parts.size();
        if (parts[i].pick == "") parts[i].pick = "*";
        if (field.repeated && !parts[i].pick && !(is_last && kept_whole)) parts[i].pick = "*";
        if (is_last && kept_whole && parts[i].pick == "*") parts[i].pick.reset();
        if (is_last && !kept_whole && field.child != nullptr && field.child->fields.size() == 1 &&
            field.child->fields.front().name == "value")
            return text_of(parts) + ".value";
        table = field.child;
    }
    return text_of(parts);
}

std::string full_path(const MessageTable& root, std::string_view path)
{
    std::string plain;  // without the names of elements, which may have any character
    for (auto rest = path; !rest.empty();) {
        const auto open = std::min(rest.find_first_of("[]"), rest.size());
        plain += rest.substr(0, open);
        if (open == rest.size()) break;
        const auto end = rest[open] == ']' ? std::string_view::npos : bracket_end(rest, open);
        if (end == std::string_view::npos || (end != rest.size() && rest[end] != '.'))
            throw Error(Cause::usage, "'" + std::string(path) + "' is not a path: '[' and ']' do not match");
        const auto bracket = rest.substr(open, end - open);
        if (!bracket.starts_with("[name=")) plain += bracket;
        rest.remove_prefix(end);
    }
    const bool is_path =
        plain.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]*=") ==
        std::string::npos;
    if (path.empty() || !is_path) throw Error(Cause::usage, "'" + std::string(path) + "' is not a path");
    return resolved_path(root, path, false);
}

std::string near_names(std::string_view wrong, std::vector<std::string_view> names)
{
    constexpr std::size_t few = 8, most_shown = 3, longest = 64;
    if (names.empty()) return ": it has none";
    const bool are_few = names.size() <= few;
    if (!are_few) {
        // Two characters that changed places count as two.
        const auto limit = wrong.size() < 4 ? std::size_t{1} : std::max<std::size_t>(2, wrong.size() / 3);
        std::vector<std::pair<std::size_t, std::string_view>> near;
        for (const auto name : names) {
            if (wrong.size() > longest || name.size() > longest) continue;
            const bool is_part = wrong.size() > 2 && name.find(wrong) != std::string_view::npos;
            const auto away = is_part ? 1 : distance(wrong, name);
            if (away <= limit) near.emplace_back(away, name);
        }
        std::ranges::sort(near);
        names.clear();
        for (const auto& [away, name] : near)
            if (names.size() < most_shown) names.push_back(name);
        if (names.empty()) return {};
    }
    std::string text = are_few ? " (known: " : " (near: ";
    for (const auto name : names) text.append(name == names.front() ? "" : ", ").append(name);
    return text + ")";
}

}  // namespace ositrace
