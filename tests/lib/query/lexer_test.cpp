// SPDX-License-Identifier: MPL-2.0
// The tokens of an expression, and the bytes at which it is refused.
#include <string>

#include "lib/query/lexer.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;

namespace {

/// `word:speed@0 sign:>@6`, up to the end.
std::string tokens_of(std::string_view expression)
{
    constexpr const char* kinds[] = {"end", "number", "text", "word", "sign"};
    Lexer lexer(expression);
    std::string tokens;
    for (auto token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next())
        tokens += (tokens.empty() ? "" : " ") + std::string(kinds[static_cast<std::size_t>(token.kind)]) + ':' +
                  token.text + '@' + std::to_string(token.at);
    return tokens;
}

std::string refusal_of(std::string_view expression)
{
    return error_of([&] { return tokens_of(expression); });
}

}  // namespace

TEST_CASE("the end of an expression is a token after its blanks, again and again")
{
    Lexer lexer("a \t ");
    CHECK(lexer.next().kind == Token::Kind::word);
    for (int i = 0; i != 2; ++i) {
        const auto end = lexer.next();
        CHECK(end.kind == Token::Kind::end);
        CHECK(end.at == 4);
        CHECK(end.text.empty());
    }
}

TEST_CASE("a path with its brackets is one word without blanks")
{
    CHECK(tokens_of("moving_object[ id = 7 ].base.position.x<1") ==
          "word:moving_object[id=7].base.position.x@0 sign:<@39 number:1@40");
    CHECK(tokens_of("lane[*][0].id") == "word:lane[*][0].id@0");
    CHECK(tokens_of("a b") == "word:a@0 word:b@2");
    CHECK(tokens_of("a1.b2") == "word:a1.b2@0");
}

TEST_CASE("a dot belongs to what follows it")
{
    CHECK(tokens_of(".5") == "number:.5@0");
    CHECK(tokens_of("a.b .5") == "word:a.b@0 number:.5@4");
    CHECK(tokens_of("1.") == "number:1.@0");
    CHECK(refusal_of("a.") == "byte 1: unexpected '.'");
    CHECK(refusal_of("a .") == "byte 2: unexpected '.'");
}

TEST_CASE("a sign before a number is a token of its own, one in its exponent is not")
{
    CHECK(tokens_of("-1e-3") == "sign:-@0 number:1e-3@1");
    CHECK(tokens_of("1E+3+2") == "number:1E+3@0 sign:+@4 number:2@5");
    CHECK(tokens_of("1e") == "number:1e@0");
    CHECK(tokens_of("3m/s") == "number:3m@0 sign:/@2 word:s@3");
}

TEST_CASE("a quoted text is what is between its quotes, a backslash keeps the next character")
{
    CHECK(tokens_of(R"("it's")") == "text:it's@0");
    CHECK(tokens_of(R"('say "no"' 'it\'s')") == R"(text:say "no"@0 text:it's@11)");
    CHECK(tokens_of(R"("\\")") == R"(text:\@0)");
    CHECK(tokens_of("''") == "text:@0");
    CHECK(refusal_of("a == 'b") == "byte 5: the quote is not closed");
    CHECK(refusal_of("'\\'") == "byte 0: the quote is not closed");
    CHECK(refusal_of("'\\") == "byte 0: the quote is not closed");
}

TEST_CASE("the longest sign is taken")
{
    CHECK(tokens_of("a<=b") == "word:a@0 sign:<=@1 word:b@3");
    CHECK(tokens_of("!a!=b&&!c||d") ==
          "sign:!@0 word:a@1 sign:!=@2 word:b@4 sign:&&@5 sign:!@7 word:c@8 sign:||@9 word:d@11");
    CHECK(tokens_of("(a,b)") == "sign:(@0 word:a@1 sign:,@2 word:b@3 sign:)@4");
}

TEST_CASE("what begins no token is refused at its byte, and named if it can be printed")
{
    CHECK(refusal_of("a & b") == "byte 2: unexpected '&'");
    CHECK(refusal_of("a ; b") == "byte 2: unexpected ';'");
    CHECK(refusal_of("\u00e4") == "byte 0: unexpected character");
    CHECK(refusal_of("a\n") == "byte 1: unexpected character");
    CHECK(refusal_of(std::string_view("a\0", 2)) == "byte 1: unexpected character");
}

TEST_CASE("brackets in a path are refused where they are wrong")
{
    CHECK(refusal_of("a[1") == "byte 1: ']' is missing");
    CHECK(refusal_of("a[1.5]") == "byte 3: expected [INDEX], [id=NUMBER], [name=NAME] or [*]");
    CHECK(refusal_of("a[[1]]") == "byte 2: expected [INDEX], [id=NUMBER], [name=NAME] or [*]");
    CHECK(refusal_of("a['b']") == "byte 2: expected [INDEX], [id=NUMBER], [name=NAME] or [*]");
    CHECK(refusal_of("a[1]b") == "byte 4: expected '.' after ']'");
}
