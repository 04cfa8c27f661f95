// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ositrace {

/// A word, a number, a text or a sign of an expression.
struct Token {
    enum class Kind : std::uint8_t { end, number, text, word, sign };
    Kind kind = Kind::end;
    std::size_t at = 0;
    std::string text;  ///< of a quoted text without its quotes
};

/// Divides an expression into tokens. A path with its brackets is one word.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}
    /// Throws Error (usage) with the byte.
    Token next();

private:
    Token word();
    void bracket(Token& token);
    Token number();
    Token quoted();
    Token sign();

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Throws Error (usage): what is wrong at a byte of an expression.
[[noreturn]] void refuse_expression(std::size_t at, const std::string& reason);

}  // namespace ositrace
