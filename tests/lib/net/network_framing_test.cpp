// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_framing.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <sstream>

#include "tests/catch.hpp"
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
        result.lost.insert(result.lost.end(), taken.lost.begin(), taken.lost.end());
        if (taken.complete) result.messages.push_back(text(assembly.take()));
    }
    return result;
}

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
    CHECK(error_of([&] { return assembly.filled(4); }) ==
          "byte 0: length 101 exceeds the limit of 100 bytes (--max-message raises it)");
}

TEST_CASE("a message is cut into parts of 8192 bytes, counted from 1, the last one negative")
{
    CHECK(datagrams_of("abc") == Texts{datagram(-1, "abc")});
    CHECK(datagrams_of("") == Texts{datagram(-1, "")});
    const auto whole = message_of(8192);
    CHECK(datagrams_of(whole) == Texts{datagram(-1, whole)});
    const auto longer = message_of(20'000);
    CHECK(datagrams_of(longer) == Texts{datagram(1, longer.substr(0, 8192)), datagram(2, longer.substr(8192, 8192)),
                                        datagram(-3, longer.substr(16384))});
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

TEST_CASE("a datagram that comes twice in a row counts once")
{
    const auto twice = assemble(
        {datagram(1, "a"), datagram(1, "a"), datagram(2, "b"), datagram(2, "b"), datagram(-3, "c"), datagram(-3, "c")});
    CHECK(twice.messages == Texts{"abc"});
    CHECK(twice.lost.empty());
    const auto early_twice =
        assemble({datagram(1, "a"), datagram(-3, "c"), datagram(-3, "c"), datagram(2, "b"), datagram(2, "b")});
    CHECK(early_twice.messages == Texts{"abc"});
    CHECK(early_twice.lost.empty());
    const auto other_bytes = assemble({datagram(1, "a"), datagram(2, "b"), datagram(2, "B"), datagram(-3, "c")});
    CHECK(other_bytes.messages.empty());
    CHECK(other_bytes.lost == Texts{"part 2 of a message came where part 3 was due"});
}

TEST_CASE("two neighbours that have changed places lose nothing")
{
    const auto end = assemble({datagram(1, "a"), datagram(-3, "c"), datagram(2, "b"), datagram(-1, "next")});
    CHECK(end.messages == Texts{"abc", "next"});
    CHECK(end.lost.empty());
    const auto middle = assemble({datagram(1, "a"), datagram(3, "c"), datagram(2, "b"), datagram(-4, "d")});
    CHECK(middle.messages == Texts{"abcd"});
    CHECK(middle.lost.empty());
    const auto limited =
        assemble({datagram(1, "abc"), datagram(-3, "ghi"), datagram(2, "def"), datagram(-1, "next")}, 8);
    CHECK(limited.messages == Texts{"next"});
    CHECK(limited.lost == Texts{"the message exceeds the limit of 8 bytes (--max-message raises it)"});
}

TEST_CASE("the end of a message whose beginning is lost does not take the beginning of the next one")
{
    const auto result = assemble({datagram(-2, "B"), datagram(1, "c"), datagram(-2, "d")});
    CHECK(result.messages == Texts{"cd"});
    CHECK(result.lost == Texts{"part 2 of a message came where part 1 was due"});
    const auto whole = assemble({datagram(2, "B"), datagram(-1, "next")});
    CHECK(whole.messages == Texts{"next"});
    CHECK(whole.lost == Texts{"part 2 of a message came where part 1 was due"});
}

TEST_CASE("a part that arrives between the parts of the next message costs its own message only")
{
    const auto result = assemble(
        {datagram(1, "a"), datagram(2, "b"), datagram(1, "A"), datagram(-3, "c"), datagram(2, "B"), datagram(-3, "C")});
    CHECK(result.messages == Texts{"ABC"});
    CHECK(result.lost == Texts{"part 1 of a message came where part 3 of the one before was due"});
}

namespace {

/// Messages of so many parts, each part unlike all others.
std::vector<Texts> stream_of(const std::vector<int>& sizes)
{
    std::vector<Texts> messages;
    for (std::size_t message = 0; message != sizes.size(); ++message) {
        auto& parts = messages.emplace_back();
        for (int part = 1; part <= sizes[message]; ++part)
            parts.push_back(datagram(part == sizes[message] ? -part : part,
                                     std::to_string(message) + "." + std::to_string(part) + " "));
    }
    return messages;
}

Assembled assemble(const std::vector<Texts>& messages)
{
    Texts row;
    for (const auto& parts : messages) row.insert(row.end(), parts.begin(), parts.end());
    return assemble(row);
}

/// All of these messages but one, which is not there in any form.
bool is_all_but(const Texts& found, const Texts& all, std::size_t missing)
{
    auto expected = all;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(missing));
    return found == expected;
}

}  // namespace

TEST_CASE(
    "two parts of a message that have changed places count as one lost message at most, and one that is lost as one")
{
    for (int size = 2; size != 9; ++size)
        for (const int other : {1, 2, size, 10}) {
            const auto stream = stream_of({other, size, other, size, other});
            const auto all = assemble(stream).messages;
            REQUIRE(all.size() == 5);
            const auto parts = static_cast<std::size_t>(size);
            for (std::size_t a = 0; a != parts; ++a) {
                for (std::size_t b = a + 1; b != parts; ++b) {
                    auto swapped = stream;
                    std::swap(swapped[1][a], swapped[1][b]);
                    const auto result = assemble(swapped);
                    INFO(size << " parts, " << a + 1 << " and " << b + 1 << " swapped, others of " << other);
                    const bool neighbours = b == a + 1 && a != 0;
                    CHECK(result.lost.size() == (neighbours ? 0 : 1));
                    CHECK((neighbours ? result.messages == all : is_all_but(result.messages, all, 1)));
                }
                auto without = stream;
                without[1].erase(without[1].begin() + static_cast<std::ptrdiff_t>(a));
                const auto result = assemble(without);
                INFO(size << " parts, " << a + 1 << " lost, others of " << other);
                CHECK(result.lost.size() == 1);
                CHECK(is_all_but(result.messages, all, 1));
            }
        }
}

TEST_CASE("what is no part says why, and ends the message it came into")
{
    const auto lost_of = [](const std::string& bytes) {
        return assemble({datagram(1, "a"), bytes, datagram(-2, "b"), datagram(-1, "next")});
    };
    CHECK(lost_of("").lost == Texts{"a datagram of 0 bytes has no header of 8 bytes"});
    CHECK(lost_of("1234567").lost == Texts{"a datagram of 7 bytes has no header of 8 bytes"});
    CHECK(lost_of(datagram(2, "abc") + "d").lost == Texts{"a datagram of 12 bytes announces 3 after its header of 8"});
    CHECK(lost_of(datagram(2, "abc").substr(0, 10)).lost ==
          Texts{"a datagram of 10 bytes announces 3 after its header of 8"});
    CHECK(lost_of(datagram(0, "a")).lost ==
          Texts{"a datagram has the counter 0, expected 1 and up, or -1 and down in the last part"});
    CHECK(lost_of(datagram(std::numeric_limits<int>::min(), "a")).lost.size() == 1);
    CHECK(lost_of(datagram(0, "a")).messages == Texts{"next"});
}

TEST_CASE("parts that never end take no more memory than the limit")
{
    Texts datagrams;
    for (int i = 1; i != 40; ++i) datagrams.push_back(datagram(i, std::string(100, 'x')));
    datagrams.push_back(datagram(-1, std::string(1000, 'y')));
    const auto result = assemble(datagrams, 1000);
    CHECK(result.lost == Texts{"the message exceeds the limit of 1000 bytes (--max-message raises it)"});
    CHECK(result.messages == Texts{std::string(1000, 'y')});
}

TEST_CASE("no order of datagrams makes a message of parts out of turn, but for neighbours")
{
    std::mt19937 random(7);
    int messages = 0;
    for (int round = 0; round != 1000; ++round) {
        PartAssembly assembly(500);
        Texts row;
        std::vector<std::int32_t> counters;  // of each in `row`
        for (int i = 0; i != 60; ++i) {
            // Its bytes are its place in the row, and padding.
            const auto counter = static_cast<std::int32_t>(random() % 9) - 4;
            auto each = datagram(counter, std::to_string(row.size()) + std::string(1 + random() % 200, ' '));
            if (random() % 8 == 0) each.resize(random() % (each.size() + 1));
            if (random() % 6 == 0 && !row.empty()) {
                each = row.back();
            } else {
                row.push_back(each);
                counters.push_back(counter);
            }
            if (!assembly.add(bytes_of(each)).complete) continue;
            ++messages;
            std::istringstream message(text(assembly.take()));
            std::vector<std::size_t> places;
            for (std::size_t place = 0; message >> place;) places.push_back(place);
            REQUIRE_FALSE(places.empty());
            for (std::size_t part = 1; part <= places.size(); ++part) {
                const auto number = static_cast<std::int32_t>(part);
                REQUIRE(counters.at(places[part - 1]) == (part == places.size() ? -number : number));
                if (part > 1) REQUIRE(places[part - 2] <= places[part - 1] + 1);
                if (part > 2) REQUIRE(places[part - 3] < places[part - 1]);
            }
        }
        const Texts whole{datagram(1, "a"), datagram(2, "b"), datagram(3, "c"), datagram(-4, "d")};
        for (const auto& part : whole) REQUIRE(assembly.add(bytes_of(part)).complete == (&part == &whole.back()));
        REQUIRE(text(assembly.take()) == "abcd");
    }
    CHECK(messages > 1000);
}
