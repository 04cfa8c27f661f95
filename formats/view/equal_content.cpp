// SPDX-License-Identifier: MPL-2.0
#include <ositrace/equal_content.hpp>

#include "formats/view/value_difference.hpp"

namespace ositrace {

namespace {

using Difference = std::optional<ContentDifference>;
using Rows = std::vector<const FieldRow*>;

Difference compare(const MessageView& a, const MessageView& b);

std::string at(std::string_view outer, Difference& inner)
{
    auto path = std::string(outer);
    if (!inner->field.empty()) path.append(".").append(inner->field);
    return path;
}

Difference compare(const Value& a, const Value& b)
{
    if (!same_value(a, b)) return ContentDifference{{}, describe_difference(a, b)};
    if (const auto* message = std::get_if<MessageView>(&a)) return compare(*message, std::get<MessageView>(b));
    return std::nullopt;
}

Difference compare_elements(const RepeatedView& a, const RepeatedView& b)
{
    const auto name = std::string(a.field().name);
    if (a.size() != b.size())
        return ContentDifference{name, std::to_string(a.size()) + " elements against " + std::to_string(b.size())};
    for (std::size_t i = 0; i < a.size(); ++i)
        if (auto found = compare(a[i], b[i]))
            return ContentDifference{at(name + '[' + std::to_string(i) + ']', found), found->text};
    return std::nullopt;
}

Difference compare_field(const MessageView& a, const FieldRow& in_a, const MessageView& b, const FieldRow& in_b)
{
    if (in_a.repeated != in_b.repeated)
        return ContentDifference{std::string(in_a.name), "repeated in one schema, singular in the other"};
    if (in_a.repeated) return compare_elements(a.repeated(in_a), b.repeated(in_b));
    if (auto found = compare(a.get(in_a), b.get(in_b))) return ContentDifference{at(in_a.name, found), found->text};
    return std::nullopt;
}

void list_fields(const MessageView& message, Rows& rows)
{
    message.for_each_field([&](const FieldRow& row) {
        rows.push_back(&row);
        return true;
    });
}

Difference compare(const MessageView& a, const MessageView& b)
{
    Rows fields_a;
    Rows fields_b;
    list_fields(a, fields_a);
    list_fields(b, fields_b);
    auto in_a = fields_a.begin();
    auto in_b = fields_b.begin();
    while (in_a != fields_a.end() || in_b != fields_b.end()) {
        if (in_b == fields_b.end() || (in_a != fields_a.end() && (*in_a)->number < (*in_b)->number))
            return ContentDifference{std::string((*in_a)->name), "set against not set"};
        if (in_a == fields_a.end() || (*in_b)->number < (*in_a)->number)
            return ContentDifference{std::string((*in_b)->name), "not set against set"};
        if (auto found = compare_field(a, **in_a++, b, **in_b++)) return found;
    }
    return std::nullopt;
}

}  // namespace

std::optional<ContentDifference> first_difference(const MessageView& a, const MessageView& b) { return compare(a, b); }

}  // namespace ositrace
