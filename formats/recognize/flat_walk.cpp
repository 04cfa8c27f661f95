// SPDX-License-Identifier: MPL-2.0
#include "formats/recognize/flat_walk.hpp"

#include <algorithm>

#include <ositrace/message_view.hpp>

#include "formats/recognize/text_likeness.hpp"

namespace ositrace {

namespace {

constexpr int max_values_looked_at = 20'000;
constexpr std::size_t elements_looked_at = 16;  // of each vector

class Walk {
public:
    void message(const MessageView& view)
    {
        if (view.unknown_fields() != 0)
            throw Error(Cause::mismatch, std::string(view.table().full_name) + " has no such slots");
        view.for_each_field([&](const FieldRow& field) {
            if (!field.repeated) {
                value(view.get(field));
            } else {
                const auto elements = view.repeated(field);
                for (std::size_t i = 0; i != std::min(elements.size(), elements_looked_at); ++i) value(elements[i]);
            }
            return left_ > 0;
        });
    }

private:
    void value(const Value& found)
    {
        if (left_-- <= 0) return;
        if (const auto* const child = std::get_if<MessageView>(&found)) message(*child);
        const auto* const text = std::get_if<std::string_view>(&found);
        if (text != nullptr && !looks_like_text(bytes_of(*text)))
            throw Error(Cause::mismatch, "a string that is no text");
    }

    int left_ = max_values_looked_at;
};

}  // namespace

std::optional<Error> refute_flat(Bytes buffer, const MessageTable& table, Layout layout)
{
    try {
        Walk().message(MessageView(buffer, table, {Encoding::flatbuffers, layout}));
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

}  // namespace ositrace
