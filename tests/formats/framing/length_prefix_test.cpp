// SPDX-License-Identifier: MPL-2.0
#include "formats/framing/length_prefix.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace ositrace;

namespace {

std::string reason_of(std::uint32_t length, std::size_t limit, std::optional<std::uint64_t> remaining)
{
    try {
        length_prefix::check_length(length, limit, remaining);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a length is there when its four bytes are")
{
    CHECK(length_prefix::length_at(bytes_of({"\x05\0\0\0", 4})) == 5u);
    CHECK(length_prefix::length_at(bytes_of({"\xff\xff\xff\xff", 4})) == 0xffffffffu);
    CHECK_FALSE(length_prefix::length_at(bytes_of({"\x05\0\0", 3})));
    CHECK_FALSE(length_prefix::length_at({}));
}

TEST_CASE("a length over the limit names both, and the option that can raise it")
{
    CHECK(reason_of(2147483647, 536870912, {}) ==
          "length 2147483647 exceeds the limit of 536870912 bytes (--max-message raises it)");
    CHECK(reason_of(2147483648, 536870912, {}) == "length 2147483648 exceeds the limit of 536870912 bytes");
    CHECK(reason_of(10, 10, {}).empty());
}

TEST_CASE("a length beyond the end says how much is there")
{
    CHECK(reason_of(350, 1000, 17) == "the file is truncated: the frame needs 350 bytes, and 17 are left");
    CHECK(reason_of(350, 1000, 350).empty());
    CHECK(reason_of(350, 1000, {}).empty());
}

TEST_CASE("leading zeros are counted to the first other byte, wherever it lies")
{
    const auto zeros = GENERATE(0u, 1u, 7u, 8u, 9u, 31u, 4095u, 4096u, 8200u);
    const std::string text(zeros, '\0');
    CHECK(length_prefix::leading_zeros(bytes_of(text)) == zeros);
    CHECK(length_prefix::leading_zeros(bytes_of(text + "x\0\0")) == zeros);
}

TEST_CASE("zeros at the end are one damage, whose kind depends on their number")
{
    CHECK(length_prefix::zero_tail(508).damage() == Damage::empty_tail);
    CHECK(length_prefix::zero_tail(512).damage() == Damage::preallocated_tail);
    CHECK(length_prefix::empty_flatbuffer().damage() == Damage::empty_message);
}
