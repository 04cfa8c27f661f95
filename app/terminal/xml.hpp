// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ositrace::app {

/// Writes one XML document, indented by two. Attributes follow the element they belong to. Line breaks, tabs and UTF-8
/// are kept; what XML cannot carry, control characters and bytes that are not UTF-8, becomes U+FFFD.
class XmlWriter {
public:
    XmlWriter& begin(std::string_view element);
    XmlWriter& attribute(std::string_view name, std::string_view value);
    XmlWriter& attribute(std::string_view name, std::uint64_t value)
    {
        return attribute(name, std::string_view(std::to_string(value)));
    }
    XmlWriter& text(std::string_view content);
    XmlWriter& end();
    /// The document, ended by a newline.
    [[nodiscard]] std::string document() const { return text_; }

private:
    void close_tag();
    void put(std::string_view content, bool in_attribute);

    std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    std::vector<std::string> open_;
    bool in_tag_ = false;
    bool has_text_ = false;
};

}  // namespace ositrace::app
