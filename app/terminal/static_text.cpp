// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/static_text.hpp"

#include <map>

#include <ositrace/error.hpp>

#include "app/terminal/near_word.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// Frames whose static data is listed field by field; the rest is only counted.
constexpr std::uint64_t parts_listed = 3;

}  // namespace

bool parse_static_choice(const std::string& text)
{
    if (text != "carry" && text != "drop") throw unknown_word("choice for --static", text, {"carry", "drop"});
    return text == "carry";
}

std::string fields_text(const CarriedPart& part)
{
    std::map<std::uint64_t, std::string> by_frame;
    for (const auto& field : part.fields) {
        auto& list = by_frame[field.from_frame];
        if (!list.empty()) list += ", ";
        if (field.elements > 1) list += std::to_string(field.elements) + ' ';
        list += field.path;
    }
    std::string text;
    for (const auto& [frame, list] : by_frame)
        text.append(text.empty() ? "" : "; ").append(list).append(" from frame ").append(std::to_string(frame));
    return text;
}

void CarriedReport::add(const CarriedPart& part)
{
    const auto frame = "frame " + std::to_string(part.frame);
    const auto what = part.fields.empty() ? " to the start: " + frame + ", the only one of its channel"
                                          : " into " + frame + ": " + fields_text(part);
    const auto line = shown_file(file_, "standard input") + ": static data copied" + what;
    ++parts_ <= parts_listed ? messages_.warning(line) : messages_.detail(line);
}

void CarriedReport::finish()
{
    if (parts_ > parts_listed)
        messages_.warning(shown_file(file_, "standard input") + ": static data copied into " +
                          count_text(parts_ - parts_listed, "more frame"));
}

}  // namespace ositrace::app
