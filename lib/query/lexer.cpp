// SPDX-License-Identifier: MPL-2.0
#include "lib/query/lexer.hpp"

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>

#include "lib/query/comparison.hpp"

namespace ositrace {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (lower_case(c) >= 'a' && lower_case(c) <= 'z') || c == '_'; }

}  // namespace

Token Lexer::next()
{
    while (at_ != text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (at_ == text_.size()) return {Token::Kind::end, at_, {}};
    const auto c = text_[at_];
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && at_ + 1 != text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (c == '"' || c == '\'') return quoted();
    return sign();
}

Token Lexer::word()
{
    Token token{Token::Kind::word, at_, {}};
    while (at_ != text_.size()) {
        const auto c = text_[at_];
        if (c == '[')
            bracket(token);
        else if (is_letter(c) || is_digit(c) || (c == '.' && at_ + 1 != text_.size() && is_letter(text_[at_ + 1])))
            token.text += text_[at_++];
        else
            break;
    }
    return token;
}

void Lexer::bracket(Token& token)
{
    const auto end = bracket_end(text_, at_);
    if (end == std::string_view::npos) refuse_expression(at_, "']' is missing");
    const auto whole = text_.substr(at_, end - at_);
    if (whole.starts_with("[name=")) {
        token.text += whole;
    } else {
        if (const auto odd = whole.find_first_of("[.\"'", 1); odd != std::string_view::npos)
            refuse_expression(at_ + odd, "expected [INDEX], [id=NUMBER], [name=NAME] or [*]");
        for (const auto c : whole)
            if (c != ' ') token.text += c;
    }
    at_ = end;
    if (at_ != text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
        refuse_expression(at_, "expected '.' after ']'");
}

Token Lexer::number()
{
    const auto begin = at_;
    const auto digits = [&] {
        while (at_ != text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    };
    digits();
    if (at_ != text_.size() && lower_case(text_[at_]) == 'e') {
        ++at_;
        if (at_ != text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
        digits();
    }
    while (at_ != text_.size() && is_letter(text_[at_])) ++at_;  // `3m`: refused where it is read
    return {Token::Kind::number, begin, std::string(text_.substr(begin, at_ - begin))};
}

Token Lexer::quoted()
{
    const auto begin = at_;
    const auto quote = text_[at_++];
    Token token{Token::Kind::text, begin, {}};
    while (at_ != text_.size() && text_[at_] != quote) {
        if (text_[at_] == '\\' && at_ + 1 != text_.size()) ++at_;
        token.text += text_[at_++];
    }
    if (at_ == text_.size()) refuse_expression(begin, "the quote is not closed");
    ++at_;
    return token;
}

Token Lexer::sign()
{
    const auto rest = text_.substr(at_);
    std::string_view found;
    if (const auto comparison = comparison_at(rest)) found = comparison->text;
    for (const std::string_view each : {"&&", "||", "!", "(", ")", ",", "+", "-", "*", "/"})
        if (found.empty() && rest.starts_with(each)) found = each;
    if (found.empty()) {
        const auto byte = static_cast<unsigned char>(rest.front());
        refuse_expression(at_, byte > 0x20 && byte < 0x7f ? "unexpected '" + std::string(1, rest.front()) + "'"
                                                          : "unexpected character");
    }
    const Token token{Token::Kind::sign, at_, std::string(found)};
    at_ += found.size();
    return token;
}

void refuse_expression(std::size_t at, const std::string& reason)
{
    throw Error(Cause::usage, {.file = {}, .frame = {}, .offset = at, .field = {}}, reason);
}

}  // namespace ositrace
