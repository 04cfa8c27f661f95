// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <vector>

#include "formats/text/text_boundary.hpp"
#include "formats/text/text_format_scanner.hpp"

namespace ositrace::text {

namespace {

/// Where something begins that is neither white space nor a comment.
std::optional<std::size_t> content_in(std::string_view text)
{
    for (std::size_t i = 0; (i = text.find_first_not_of(" \n\t\r\f\v", i)) != std::string_view::npos;) {
        if (text[i] != '#') return i;
        i = std::min(text.find('\n', i), text.size());
    }
    return std::nullopt;
}

class TextFormatSplitter final : public MessageSplitter {
public:
    explicit TextFormatSplitter(const MessageTable& root) : root_(root), seen_(root.fields.size()) {}

    std::optional<MessageRange> next(std::string_view text, bool at_end) override
    {
        while (const auto stop = scanner_.next(text)) {
            const bool first = !begin_;
            if (first) begin_ = content_in(text.substr(0, stop->begin));
            if (begin_ && (first || begins_message(*stop))) return take(stop->begin);  // first: what is no field
            if (first) begin_ = stop->begin;
            note(stop->name);
        }
        if (at_end && !begin_) begin_ = content_in(text);
        return at_end && begin_ ? std::optional(take(text.size())) : std::nullopt;
    }

private:
    [[nodiscard]] bool begins_message(const TextFormatScanner::Stop& stop) const
    {
        if (stop.name.empty()) return true;
        const auto* const field = root_.find(stop.name);
        return field != nullptr && seen_[field->index];
    }

    void note(std::string_view name)
    {
        const auto* const field = root_.find(name);
        if (field != nullptr && !field->repeated) seen_[field->index] = true;
    }

    MessageRange take(std::size_t end)
    {
        const MessageRange range{*begin_, end};
        scanner_.restart();
        begin_.reset();
        seen_.assign(seen_.size(), false);
        return range;
    }

    const MessageTable& root_;
    TextFormatScanner scanner_;
    std::optional<std::size_t> begin_;
    std::vector<bool> seen_;  ///< singular fields of this message, by place in the table
};

}  // namespace

std::unique_ptr<MessageSplitter> text_format_splitter(const MessageTable& root)
{
    return std::make_unique<TextFormatSplitter>(root);
}

}  // namespace ositrace::text
