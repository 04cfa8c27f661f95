// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/xml.hpp"

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
    put(value);
    text_ += '"';
    return *this;
}

XmlWriter& XmlWriter::text(std::string_view content)
{
    text_ += '>';
    in_tag_ = false;
    has_text_ = true;
    put(content);
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

/// What XML 1.0 has no way to say, control characters, and bytes beyond ASCII, which need not be UTF-8, are shown as `?`.
void XmlWriter::put(std::string_view content)
{
    for (const char c : content) {
        switch (c) {
        case '<': text_ += "&lt;"; break;
        case '>': text_ += "&gt;"; break;
        case '&': text_ += "&amp;"; break;
        case '"': text_ += "&quot;"; break;
        default: text_ += c >= ' ' && c < '\x7f' ? c : '?';
        }
    }
}

}  // namespace ositrace::app
