// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "lib/io/byte_source.hpp"

namespace ositrace {

/// The byte order mark that editors on Windows write before UTF-8.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// A text as it arrives, without a byte order mark, with line numbers. One thread at a time.
class TextInput {
public:
    explicit TextInput(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

    /// What is there and not yet consumed.
    [[nodiscard]] std::string_view text() const noexcept { return std::string_view(buffer_).substr(front_); }
    /// Reads more text; views of text() become invalid. False at the end of the input or when a stop was requested.
    bool read_more(const std::stop_token& stop);
    /// Steps over the first bytes of text().
    void consume(std::size_t count);
    /// Nothing follows text().
    [[nodiscard]] bool ended() const noexcept { return ended_; }

    /// Of text() in the input.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    /// A place in text() for people: `line 12, column 3`, from 1 as editors count.
    [[nodiscard]] std::string place(std::size_t in_text) const;
    [[nodiscard]] const ByteSource& source() const noexcept { return *source_; }

private:
    std::size_t fill(const std::stop_token& stop);

    static constexpr std::size_t read_bytes = std::size_t{256} << 10;

    std::unique_ptr<ByteSource> source_;
    std::string buffer_;
    std::size_t front_ = 0;  ///< of text() in buffer_
    bool ended_ = false;
    std::uint64_t offset_ = 0;
    std::uint64_t line_ = 1;  ///< that text() begins in
    std::uint64_t column_ = 1;
};

}  // namespace ositrace
