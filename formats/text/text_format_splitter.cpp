// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "formats/text/text_boundary.hpp"
#include "formats/text/text_format_scanner.hpp"

namespace ositrace::text {

namespace {

/// Messages that may begin inside of the braces of a damaged one, before these are no longer believed. Of a text that
/// is not indented many fields inside of a message have the name of the one that begins a message.
constexpr std::size_t most_inside = 8;
constexpr std::size_t most_inside_unindented = 256;

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
    TextFormatSplitter(const MessageTable& root, bool damaged)
        : root_(root), damaged_(damaged), begins_(root.fields.size())
    {
        message_.seen.resize(root.fields.size());
    }

    std::optional<MessageRange> next(std::string_view text, bool at_end) override
    {
        while (const auto stop = scanner_.next(text)) {
            if (stop->inside) {
                if (note_inside(*stop)) return take(*message_.restart, true);
                continue;
            }
            const bool first = !message_.begin;
            if (first) message_.begin = content_in(text.substr(0, stop->begin));
            if (message_.begin && (first || begins_message(*stop))) return take(stop->begin, false);  // no field
            if (first) message_.begin = stop->begin;
            note(stop->name, first);
        }
        if (at_end && !message_.begin) message_.begin = content_in(text);
        return at_end && message_.begin ? std::optional(take(text.size(), false)) : std::nullopt;
    }

    void was_read() override
    {
        const auto& seen = last_.seen;
        if (last_.first != nullptr) begins_[last_.first->index] = true;
        if (std::exchange(any_read_, true))
            std::transform(expected_.begin(), expected_.end(), seen.begin(), expected_.begin(),
                           std::logical_and<bool>());
        else
            expected_ = seen;
        fragments_ = false;
    }

    void restart() override
    {
        fragments_ = !last_.indented;
        begin_anew();
    }

    std::optional<std::size_t> restart_seen() const override { return message_.restart; }

private:
    /// What is known of a message.
    struct Seen {
        std::optional<std::size_t> begin;
        std::vector<bool> seen;           ///< singular fields, by place in the table
        const FieldRow* first = nullptr;  ///< its first field, if it may occur only once
        std::optional<std::size_t> restart;
        std::size_t restarts = 0;
        bool indented = true;
    };

    [[nodiscard]] bool begins_message(const TextFormatScanner::Stop& stop) const
    {
        if (stop.name.empty()) return true;
        const auto* const field = root_.find(stop.name);
        return field != nullptr && message_.seen[field->index];
    }

    void note(std::string_view name, bool first)
    {
        const auto* const field = root_.find(name);
        if (field == nullptr || field->repeated) return;
        message_.seen[field->index] = true;
        if (!first) return;
        message_.first = field;
        if (first_ever_ == nullptr) first_ever_ = field;
    }

    /// True: the braces of this message will not be closed.
    bool note_inside(const TextFormatScanner::Stop& stop)
    {
        if (!stop.name.empty() && !begins_others(stop.name)) {
            if (!message_.restart && root_.find(stop.name) == nullptr) message_.indented = false;
            return false;
        }
        if (!message_.restart) message_.restart = stop.begin;
        return damaged_ && ++message_.restarts > (message_.indented ? most_inside : most_inside_unindented);
    }

    [[nodiscard]] bool begins_others(std::string_view name) const
    {
        const auto* const field = root_.find(name);
        return field != nullptr && (any_read_ ? begins_[field->index] : field == first_ever_);
    }

    MessageRange take(std::size_t end, bool cut_off)
    {
        MessageRange range{*message_.begin, end, cut_off};
        range.restart = message_.restart;
        range.indented = message_.indented;
        range.partial = fragments_ && any_read_ &&
                        !std::equal(expected_.begin(), expected_.end(), message_.seen.begin(), std::less_equal<bool>());
        last_ = message_;
        begin_anew();
        return range;
    }

    void begin_anew()
    {
        scanner_.restart();
        auto seen = std::move(message_.seen);
        seen.assign(seen.size(), false);
        message_ = {};
        message_.seen = std::move(seen);
    }

    const MessageTable& root_;
    bool damaged_;
    TextFormatScanner scanner_;
    Seen message_;
    Seen last_;
    std::vector<bool> begins_;    ///< fields with which messages begin
    std::vector<bool> expected_;  ///< fields of every message that was read
    const FieldRow* first_ever_ = nullptr;
    bool any_read_ = false;
    bool fragments_ = false;  ///< after a restart in a text that is not indented
};

}  // namespace

std::unique_ptr<MessageSplitter> text_format_splitter(const MessageTable& root, bool damaged)
{
    return std::make_unique<TextFormatSplitter>(root, damaged);
}

}  // namespace ositrace::text
