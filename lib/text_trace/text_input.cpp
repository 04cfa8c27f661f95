// SPDX-License-Identifier: MPL-2.0
#include "lib/text_trace/text_input.hpp"

#include <algorithm>
#include <span>

namespace ositrace {

namespace {

/// Walks on over text, as editors count.
void step_over(std::string_view text, std::uint64_t& line, std::uint64_t& column)
{
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    line += lines;
    if (lines != 0)
        column = text.size() - text.rfind('\n');
    else
        column += text.size();
}

}  // namespace

bool TextInput::read_more(const std::stop_token& stop)
{
    if (ended_) return false;
    buffer_.erase(0, front_);
    front_ = 0;
    const bool at_start = offset_ == 0 && buffer_.empty();
    const auto count = fill(stop);
    if (!at_start) return count != 0;
    while (buffer_.size() < byte_order_mark.size() && fill(stop) != 0) {
    }
    if (buffer_.starts_with(byte_order_mark)) offset_ = front_ = byte_order_mark.size();
    return count != 0;
}

std::size_t TextInput::fill(const std::stop_token& stop)
{
    const auto size = buffer_.size();
    buffer_.resize(size + read_bytes);
    const auto count = source_->read(std::as_writable_bytes(std::span(buffer_).subspan(size)), stop);
    buffer_.resize(size + count);
    ended_ = count == 0 && !stop.stop_requested();
    return count;
}

void TextInput::consume(std::size_t count)
{
    step_over(text().substr(0, count), line_, column_);
    front_ += count;
    offset_ += count;
}

std::string TextInput::place(std::size_t in_text) const
{
    auto line = line_;
    auto column = column_;
    step_over(text().substr(0, in_text), line, column);
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace ositrace
