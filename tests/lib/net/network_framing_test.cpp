// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_framing.hpp>

#include <algorithm>
#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include "tests/error_of.hpp"
#include "tests/lib/net/raw_socket.hpp"

using namespace ositrace;

namespace {

std::string text(const ByteBuffer& buffer) { return std::string(text_of(buffer.bytes())); }

/// Bytes that differ wherever one looks.
std::string message_of(std::size_t size)
{
    std::string message(size, '\0');
    for (std::size_t i = 0; i != size; ++i) message[i] = static_cast<char>(i * 7 + i / 251);
    return message;
}

std::vector<std::string> datagrams_of(const std::string& message)
{
    std::vector<std::string> datagrams;
    MessageParts parts(bytes_of(message));
    std::array<std::byte, datagram_header_bytes> header;
    Bytes part;
    while (parts.next(header, part)) datagrams.push_back(std::string(text_of(header)) + std::string(text_of(part)));
    return datagrams;
}

/// The messages that come of datagrams, and why others did not.
struct Assembled {
    std::vector<std::string> messages;
    std::vector<std::string> lost;
};

Assembled assemble(const std::vector<std::string>& datagrams, std::size_t limit = 1 << 20)
{
    Assembled result;
    PartAssembly assembly(limit);
    for (const auto& each : datagrams) {
        const auto taken = assembly.add(bytes_of(each));
        if (!taken.lost.empty()) result.lost.push_back(taken.lost);
        if (taken.complete) result.messages.push_back(text(assembly.take()));
    }
    return result;
}

std::int32_t counter_of(const std::string& bytes) { return load<std::int32_t>(bytes_of(bytes).data()); }

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("messages of a byte stream do not depend on the pieces they come in")
{
    const Texts messages{message_of(5), "", message_of(300'000), "x"};
    std::string stream;
    for (const auto& message : messages) stream += behind_its_length(message);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, stream.size()}) {
        MessageAssembly assembly(300'000);
        Texts seen;
        for (std::size_t at = 0; at < stream.size();) {
            const auto wanted = assembly.wanted();
            const auto count = std::min({piece, wanted.size(), stream.size() - at});
            if (count == 0) break;
            std::copy_n(reinterpret_cast<const std::byte*>(stream.data()) + at, count, wanted.begin());
            at += count;
            if (assembly.filled(count)) seen.push_back(text(assembly.take()));
        }
        CHECK(seen == messages);
        CHECK(assembly.cut_off().empty());
    }
}

TEST_CASE("a length that is only announced takes no memory")
{
    MessageAssembly assembly(std::size_t{1} << 31);
    const std::string announced("\xff\xff\xff\x7f", 4);
    std::copy_n(reinterpret_cast<const std::byte*>(announced.data()), 4, assembly.wanted().begin());
    CHECK_FALSE(assembly.filled(4));
    std::size_t arrived = 0;
    while (arrived < 1'000'000) {
        const auto wanted = assembly.wanted();
        CHECK(wanted.size() <= std::max<std::size_t>(65536, arrived));
        std::fill(wanted.begin(), wanted.end(), std::byte{1});
        arrived += wanted.size();
        REQUIRE_FALSE(assembly.filled(wanted.size()));
    }
    CHECK(assembly.cut_off() == std::to_string(arrived) + " of 2147483647 bytes");
}

TEST_CASE("an announced length over the limit names the limit")
{
    MessageAssembly assembly(100);
    const auto announced = behind_its_length(std::string(101, 'x'));
    std::copy_n(reinterpret_cast<const std::byte*>(announced.data()), 4, assembly.wanted().begin());
    CHECK(error_of([&] { return assembly.filled(4); }) == "byte 0: length 101 exceeds the limit of 100 bytes (--max-message raises it)");
}

TEST_CASE("a message is cut into parts of 8192 bytes, counted from 1, the last one negative")
{
    CHECK(datagrams_of("abc") == Texts{datagram(-1, "abc")});
    CHECK(datagrams_of("") == Texts{datagram(-1, "")});
    const auto whole = message_of(8192);
    CHECK(datagrams_of(whole) == Texts{datagram(-1, whole)});
    const auto longer = message_of(20'000);
    CHECK(datagrams_of(longer) ==
          Texts{datagram(1, longer.substr(0, 8192)), datagram(2, longer.substr(8192, 8192)), datagram(-3, longer.substr(16384))});
}

TEST_CASE("parts in turn become the message again")
{
    Texts messages;
    Texts datagrams;
    for (const std::size_t size : {0, 1, 8192, 8193, 40'000, 5}) {
        messages.push_back(message_of(size));
        for (const auto& each : datagrams_of(messages.back())) datagrams.push_back(each);
    }
    const auto result = assemble(datagrams);
    CHECK(result.messages == messages);
    CHECK(result.lost.empty());
}

TEST_CASE("a message with a lost part is lost, once, and the next one is not")
{
    const auto next = datagram(-1, "next");
    const auto first_lost = assemble({datagram(2, "b"), datagram(3, "c"), datagram(-4, "d"), next});
    CHECK(first_lost.messages == Texts{"next"});
    CHECK(first_lost.lost == Texts{"part 2 of a message came where part 1 was due"});
    const auto middle_lost = assemble({datagram(1, "a"), datagram(3, "c"), datagram(4, "d"), datagram(-5, "e"), next});
    CHECK(middle_lost.messages == Texts{"next"});
    CHECK(middle_lost.lost == Texts{"part 3 of a message came where part 2 was due"});
    const auto last_lost = assemble({datagram(1, "a"), datagram(2, "b"), next});
    CHECK(last_lost.messages == Texts{"next"});
    CHECK(last_lost.lost == Texts{"part 1 of a message came where part 3 of the one before was due"});
    const auto two_lost = assemble({datagram(2, "b"), datagram(-3, "c"), datagram(2, "b"), datagram(-3, "d"), next});
    CHECK(two_lost.messages == Texts{"next"});
    CHECK(two_lost.lost.size() == 2);
}

TEST_CASE("a datagram that comes twice in a row counts once, parts out of turn lose their message")
{
    const auto twice = assemble({datagram(1, "a"), datagram(1, "a"), datagram(2, "b"), datagram(2, "b"), datagram(-3, "c"), datagram(-3, "c")});
    CHECK(twice.messages == Texts{"abc"});
    CHECK(twice.lost.empty());
    const auto out_of_turn = assemble({datagram(1, "a"), datagram(-3, "c"), datagram(2, "b"), datagram(-1, "next")});
    CHECK(out_of_turn.messages == Texts{"next"});
    CHECK(out_of_turn.lost.size() == 2);  // the part behind the end looks like one of another message
    const auto other_bytes = assemble({datagram(1, "a"), datagram(2, "b"), datagram(2, "B"), datagram(-3, "c")});
    CHECK(other_bytes.messages.empty());
    CHECK(other_bytes.lost == Texts{"part 2 of a message came where part 3 was due"});
}

TEST_CASE("what is no part says why, and ends the message it came into")
{
    const auto lost_of = [](const std::string& bytes) { return assemble({datagram(1, "a"), bytes, datagram(-2, "b"), datagram(-1, "next")}); };
    CHECK(lost_of("").lost == Texts{"a datagram of 0 bytes has no header of 8 bytes"});
    CHECK(lost_of("1234567").lost == Texts{"a datagram of 7 bytes has no header of 8 bytes"});
    CHECK(lost_of(datagram(2, "abc") + "d").lost == Texts{"a datagram of 12 bytes announces 3 behind its header of 8"});
    CHECK(lost_of(datagram(2, "abc").substr(0, 10)).lost == Texts{"a datagram of 10 bytes announces 3 behind its header of 8"});
    CHECK(lost_of(datagram(0, "a")).lost == Texts{"a datagram has the counter 0, expected 1 and up, or -1 and down in the last part"});
    CHECK(lost_of(datagram(std::numeric_limits<int>::min(), "a")).lost.size() == 1);
    CHECK(lost_of(datagram(0, "a")).messages == Texts{"next"});
}

TEST_CASE("parts that never end take no more memory than the limit")
{
    Texts datagrams;
    for (int i = 1; i != 40; ++i) datagrams.push_back(datagram(i, std::string(100, 'x')));
    datagrams.push_back(datagram(-1, std::string(1000, 'y')));
    const auto result = assemble(datagrams, 1000);
    CHECK(result.lost == Texts{"more than the limit of 1000 bytes (--max-message raises it)"});
    CHECK(result.messages == Texts{std::string(1000, 'y')});
}

TEST_CASE("no order of datagrams makes a message of parts that did not stand in a row")
{
    std::mt19937 random(7);
    for (int round = 0; round != 300; ++round) {
        PartAssembly assembly(500);
        Texts row;  // what came, repetitions left out
        for (int i = 0; i != 60; ++i) {
            auto each = datagram(static_cast<std::int32_t>(random() % 9) - 4, std::string(random() % 200, static_cast<char>('a' + random() % 26)));
            if (random() % 8 == 0) each.resize(random() % (each.size() + 1));
            if (random() % 6 == 0 && !row.empty()) each = row.back();
            if (row.empty() || row.back() != each || (each.size() >= 8 && counter_of(each) == -1)) row.push_back(each);
            if (!assembly.add(bytes_of(each)).complete) continue;
            const auto message = text(assembly.take());
            const auto parts = static_cast<std::size_t>(-counter_of(each));
            REQUIRE(row.size() >= parts);
            std::string expected;
            bool in_turn = true;
            for (std::size_t part = 1; part <= parts; ++part) {
                const auto& stood = row[row.size() - parts + part - 1];
                const auto number = static_cast<std::int32_t>(part);
                in_turn = in_turn && counter_of(stood) == (part == parts ? -number : number);
                expected += stood.substr(8);
            }
            REQUIRE(in_turn);
            REQUIRE(message == expected);
        }
    }
}
