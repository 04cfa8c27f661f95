// SPDX-License-Identifier: MPL-2.0
#include <cstdint>
#include <string>

#include <ositrace/byte_buffer.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

namespace {

std::string text(const ByteBuffer& buffer) { return std::string(text_of(buffer.bytes())); }

}  // namespace

TEST_CASE("bytes are appended and prepended")
{
    ByteBuffer buffer;
    CHECK(buffer.empty());
    buffer.append(bytes_of("bc"));
    buffer.append({});
    buffer.prepend(bytes_of("a"));
    buffer.append(bytes_of("d"));
    CHECK(text(buffer) == "abcd");
    buffer.drop_front(1);
    CHECK(text(buffer) == "bcd");
    buffer.resize(2);
    CHECK(text(buffer) == "bc");
}

TEST_CASE("a prefix goes into the headroom without moving the payload")
{
    ByteBuffer buffer;
    buffer.clear();
    buffer.append(bytes_of(std::string(1000, 'x')));
    const auto* const payload = buffer.data();
    for (std::size_t i = 0; i != ByteBuffer::headroom; ++i) buffer.prepend(bytes_of("p"));
    CHECK(buffer.data() + ByteBuffer::headroom == payload);
    buffer.prepend(bytes_of("q"));
    CHECK(text(buffer) == "q" + std::string(ByteBuffer::headroom, 'p') + std::string(1000, 'x'));
}

TEST_CASE("contents that are filled from the front start aligned")
{
    ByteBuffer buffer;
    for (const std::size_t capacity : {0, 1, 100, 5000}) {
        buffer.clear(capacity);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 16 == 0);
    }
}

TEST_CASE("contents survive growth on either side")
{
    ByteBuffer buffer;
    std::string expected;
    for (int i = 0; i != 300; ++i) {
        const std::string part(static_cast<std::size_t>(i) * 3, static_cast<char>('a' + i % 26));
        if (i % 2 != 0) {
            buffer.append(bytes_of(part));
            expected += part;
        } else {
            buffer.prepend(bytes_of(part));
            expected = part + expected;
        }
    }
    CHECK(text(buffer) == expected);
}

TEST_CASE("memory is kept by clear() and only grows")
{
    ByteBuffer buffer;
    buffer.clear(10'000);
    const auto capacity = buffer.capacity();
    CHECK(capacity >= 10'000 + ByteBuffer::headroom);
    buffer.clear(10);
    CHECK(buffer.capacity() == capacity);
    buffer.clear_to_back(10'000);
    CHECK(buffer.capacity() == capacity);
    CHECK(buffer.empty());
}

TEST_CASE("what is filled from the back keeps headroom in front")
{
    ByteBuffer buffer;
    buffer.clear_to_back(100);
    buffer.prepend(bytes_of(std::string(100, 'x')));
    const auto* const payload = buffer.data();
    buffer.prepend(bytes_of("1234"));
    CHECK(buffer.data() + 4 == payload);
}

TEST_CASE("a moved buffer leaves an empty one that can be used")
{
    ByteBuffer a;
    a.append(bytes_of("abc"));
    ByteBuffer b(std::move(a));
    CHECK(text(b) == "abc");
    CHECK(a.empty());
    a.append(bytes_of("d"));
    CHECK(text(a) == "d");
    b = std::move(a);
    CHECK(text(b) == "d");
}
