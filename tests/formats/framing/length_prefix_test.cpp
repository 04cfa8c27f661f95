// SPDX-License-Identifier: MPL-2.0
#include "formats/framing/length_prefix.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace ositrace;

namespace {

std::string framed(const std::string& payload)
{
    std::string text(4, '\0');
    store_le32(reinterpret_cast<std::byte*>(text.data()), static_cast<std::uint32_t>(payload.size()));
    return text + payload;
}

std::string reason_of(std::uint32_t length, std::size_t limit, std::optional<std::uint64_t> remaining)
{
    try {
        length_prefix::check_length(length, limit, remaining);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The whole input is at hand.
length_prefix::Peek over(const std::string& input)
{
    return [&input](std::uint64_t offset, std::size_t count) -> std::optional<Bytes> {
        const auto bytes = bytes_of(input);
        const auto first = std::min<std::size_t>(offset, bytes.size());
        return bytes.subspan(first, std::min(count, bytes.size() - first));
    };
}

bool starts_with_a(Bytes bytes) { return text_of(bytes).starts_with("a"); }

}  // namespace

TEST_CASE("a length is there when its four bytes are")
{
    CHECK(length_prefix::length_at(bytes_of({"\x05\0\0\0", 4})) == 5u);
    CHECK(length_prefix::length_at(bytes_of({"\xff\xff\xff\xff", 4})) == 0xffffffffu);
    CHECK_FALSE(length_prefix::length_at(bytes_of({"\x05\0\0", 3})));
    CHECK_FALSE(length_prefix::length_at({}));
}

TEST_CASE("a length over the limit names both, and the option")
{
    CHECK(reason_of(2147483904, 536870912, {}) ==
          "length 2147483904 exceeds the limit of 536870912 bytes (--max-message raises it)");
    CHECK(reason_of(10, 10, {}).empty());
}

TEST_CASE("a length beyond the end says how much is there")
{
    CHECK(reason_of(350, 1000, 17) == "17 of 350 bytes before the end of the file");
    CHECK(reason_of(350, 1000, 350).empty());
    CHECK(reason_of(350, 1000, {}).empty());
}

TEST_CASE("leading zeros are counted to the first other byte, wherever it lies")
{
    const auto zeros = GENERATE(0u, 1u, 7u, 8u, 9u, 31u);
    const std::string text(zeros, '\0');
    CHECK(length_prefix::leading_zeros(bytes_of(text)) == zeros);
    CHECK(length_prefix::leading_zeros(bytes_of(text + "x\0\0")) == zeros);
}

TEST_CASE("a record is believed when three more like it follow, or the end")
{
    const auto four = framed("a1") + framed("a22") + framed("a") + framed("a4");
    CHECK(length_prefix::could_begin_at(0, 100, over(four), starts_with_a));
    const auto then_garbage = four + "garbage!";
    CHECK(length_prefix::could_begin_at(0, 100, over(then_garbage), starts_with_a));
    const auto last = framed("a1");
    CHECK(length_prefix::could_begin_at(0, 100, over(last), starts_with_a));
}

TEST_CASE("a record is not believed when")
{
    std::string input;
    SECTION("it is empty") { input = framed("") + framed("a") + framed("a"); }
    SECTION("its payload starts otherwise") { input = framed("b") + framed("a") + framed("a"); }
    SECTION("it is longer than the limit") { input = framed(std::string(101, 'a')); }
    SECTION("the file ends in it") { input = framed("aaaa").substr(0, 7); }
    SECTION("a follower starts otherwise") { input = framed("a") + framed("b") + framed("a") + framed("a"); }
    SECTION("a follower is longer than the limit") { input = framed("a") + "\xff\xff\xff\xff"; }
    SECTION("a prefix is cut off") { input = framed("a") + std::string("\1\0", 2); }
    CHECK_FALSE(length_prefix::could_begin_at(0, 100, over(input), starts_with_a));
}

TEST_CASE("empty records between others are let pass")
{
    const auto input = framed("a") + framed("") + framed("a") + framed("a");
    CHECK(length_prefix::could_begin_at(0, 100, over(input), starts_with_a));
}
