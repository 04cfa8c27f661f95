// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/xml.hpp"

#include <ositrace/utf8.hpp>

namespace ositrace::app {

XmlWriter& XmlWriter::begin(std::string_view element)
{
    close_tag();
    text_.append(2 * open_.size(), ' ').append("<").append(element);
    open_.emplace_back(element);
    in_tag_ = true;
    has_text_ = false;
    return *this;
}

XmlWriter& XmlWriter::attribute(std::string_view name, std::string_view value)
{
    text_.append(" ").append(name).append("=\"");
    put(value, true);
    text_ += '"';
    return *this;
}

XmlWriter& XmlWriter::text(std::string_view content)
{
    text_ += '>';
    in_tag_ = false;
    has_text_ = true;
    put(content, false);
    return *this;
}

XmlWriter& XmlWriter::end()
{
    const auto name = open_.back();
    open_.pop_back();
    if (in_tag_) {
        text_ += "/>\n";
    } else {
        if (!has_text_) text_.append(2 * open_.size(), ' ');
        text_.append("</").append(name).append(">\n");
    }
    in_tag_ = has_text_ = false;
    return *this;
}

void XmlWriter::close_tag()
{
    if (in_tag_) text_ += ">\n";
    in_tag_ = false;
}

void XmlWriter::put(std::string_view content, bool in_attribute)
{
    constexpr std::string_view replacement = "\xef\xbf\xbd", no_character = "\xef\xbf\xbe", nor_this = "\xef\xbf\xbf";
    while (!content.empty()) {
        const auto c = content.front();
        const auto character = content.substr(0, utf8_length(content));
        content.remove_prefix(character.empty() ? 1 : character.size());
        switch (c) {
        case '<': text_ += "&lt;"; break;
        case '>': text_ += "&gt;"; break;
        case '&': text_ += "&amp;"; break;
        case '"': text_ += in_attribute ? "&quot;" : "\""; break;
        // A reader makes spaces of those in an attribute, and a line break of a carriage return anywhere.
        case '\n': text_ += in_attribute ? "&#10;" : "\n"; break;
        case '\t': text_ += in_attribute ? "&#9;" : "\t"; break;
        case '\r': text_ += "&#13;"; break;
        default: {
            const bool control = (c >= '\0' && c < ' ') || c == '\x7f';
            text_ += control || character.empty() || character == no_character || character == nor_this ? replacement
                                                                                                        : character;
        }
        }
    }
}

}  // namespace ositrace::app
