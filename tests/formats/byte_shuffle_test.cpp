// SPDX-License-Identifier: MPL-2.0
// Kernels that shuffle bytes in wide registers give what their portable twins and the slow path give, wherever and by
// whatever a run is interrupted. On a processor without these registers all of them are portable.
#include "formats/core/byte_shuffle.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/columns.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/result_of.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

constexpr Format of_wire{}, of_tables{Encoding::flatbuffers};
constexpr std::array<std::string_view, 3> double_fields{"signal_strength", "time_of_flight", "doppler_shift"};

const MessageTable& view_table() { return Schema::built_in()->root(MessageType::sensor_view); }
const FieldRow& lidar_row() { return *view_table().find("lidar_sensor_view"); }
const FieldRow& reflection_row() { return *lidar_row().child->find("reflection"); }
std::uint32_t number_of_double(std::string_view field) { return reflection_row().child->find(field)->number; }

/// With the first `count` fields, in this order or the other.
Message reflection_of(std::size_t i, std::size_t count, bool backwards = false)
{
    Message message;
    for (std::size_t n = 0; n != count; ++n) {
        const auto place = backwards ? count - 1 - n : n;
        message.real(number_of_double(double_fields[place]), static_cast<double>(i) + static_cast<double>(place) / 8);
    }
    return message;
}

std::vector<Message> reflections_like(std::size_t elements, std::size_t count, bool backwards = false)
{
    std::vector<Message> run;
    for (std::size_t i = 0; i != elements; ++i) run.push_back(reflection_of(i, count, backwards));
    return run;
}

std::string view_with(const std::vector<Message>& elements)
{
    Message sensor;
    for (const auto& each : elements) sensor.message(reflection_row().number, each);
    return Message().message(lidar_row().number, sensor).str();
}

/// Kernels are portable while it exists.
class Portable {
public:
    Portable() { shuffles_bytes() = false; }
    Portable(const Portable&) = delete;
    Portable& operator=(const Portable&) = delete;
    ~Portable() { shuffles_bytes() = before_; }

private:
    bool before_ = shuffles_bytes();
};

/// Three ways into another encoding.
class ThreeWays {
public:
    ThreeWays(Format from, Format to, std::size_t limit = max_encodable_bytes)
        : shuffling_(view_table(), from, to, {.limits = {limit}}),
          portable_(view_table(), from, to, {.limits = {limit}}),
          slow_(view_table(), from, to, {.limits = {limit}, .shapes = false})
    {
    }
    /// The result or the error, which are the same.
    std::string operator()(const std::string& in)
    {
        const auto shuffled = result_of(shuffling_, in);
        const Portable portable;
        const auto twin = result_of(portable_, in);
        const auto slow = result_of(slow_, in);
        if (shuffled != twin) FAIL_CHECK("not that of the portable twin");
        if (shuffled != slow) FAIL_CHECK("not that of the slow path");
        return slow;
    }

private:
    Transcoder shuffling_, portable_, slow_;
};

/// All columns of a view, or the error.
std::string columns_in(const std::string& view, std::size_t leaves)
{
    std::string text;
    ColumnReader reader(reflection_row(), std::span(double_fields).first(leaves));
    for (int i = 0; i != 2; ++i)  // what it has learned is used the second time
        text = error_of([&] {
            const MessageView message(bytes_of(view), view_table(), of_wire);
            reader.read(std::get<MessageView>(message.repeated(lidar_row())[0]));
        });
    for (std::size_t leaf = 0; leaf != leaves; ++leaf) text += text_of(std::as_bytes(reader.reals(leaf)));
    return text + std::string(text_of(std::as_bytes(reader.presence())));
}

void check_same_columns(const std::string& view)
{
    for (const std::size_t leaves : {1u, 2u, 3u}) {
        const auto shuffled = columns_in(view, leaves);
        const Portable portable;
        if (shuffled != columns_in(view, leaves)) FAIL_CHECK("other columns than those of the portable twin");
    }
}

/// What may be between two elements alike, or instead of one.
std::vector<Message> interruptions(std::size_t count)
{
    const auto alike = reflection_of(7, count).str();
    return {Message(),
            reflection_of(5, count % 3 + 1),
            reflection_of(5, count, true),
            Message().raw(alike).varint(301, 1),
            Message().raw(alike).real(number_of_double(double_fields[0]), 4),
            Message().raw(alike.substr(0, alike.size() - 1)),
            Message().raw(alike + '\0'),
            Message().raw(alike).message(number_of_double("normal_to_surface"), Message().real(1, 2))};
}

}  // namespace

TEST_CASE("runs of any length and order of double_fields are the same shuffled")
{
    ThreeWays there(of_wire, of_tables), back(of_tables, of_wire);
    for (const std::size_t count : {1u, 2u, 3u})
        for (const bool backwards : {false, true})
            for (const std::size_t elements :
                 {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 31u, 32u, 33u, 34u, 63u, 64u, 65u, 1025u, 5000u}) {
                const auto view = view_with(reflections_like(elements, count, backwards));
                const auto again = back(there(view));
                CHECK(again.size() == view.size());
                check_same_columns(view);
            }
}

TEST_CASE("whatever interrupts a run is read as by the portable twins")
{
    ThreeWays there(of_wire, of_tables), back(of_tables, of_wire);
    for (const std::size_t count : {1u, 2u, 3u})
        for (const auto& stranger : interruptions(count))
            for (const std::size_t place : {0u, 1u, 2u, 37u, 38u, 39u, 98u, 99u}) {
                auto list = reflections_like(100, count);
                list[place] = stranger;
                back(there(view_with(list)));
                check_same_columns(view_with(list));
                list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), reflection_of(1, count));
                back(there(view_with(list)));
            }
}

TEST_CASE("any byte of a run may be another one")
{
    ThreeWays there(of_wire, of_tables);
    for (const std::size_t count : {1u, 2u, 3u}) {
        const auto view = view_with(reflections_like(48, count));
        for (std::size_t at = 0; at != view.size(); ++at)
            for (const char change : {'\x01', '\x7f'}) {
                auto changed = view;
                changed[at] = static_cast<char>(changed[at] ^ change);
                there(changed);
                if (at % 5 == 0) check_same_columns(changed);
            }
    }
}

TEST_CASE("any word of a FlatBuffer may be another one, or those of two tables exchanged")
{
    ThreeWays back(of_tables, of_wire);
    for (const std::size_t count : {1u, 2u, 3u}) {
        const auto flat = ThreeWays(of_wire, of_tables)(view_with(reflections_like(48, count)));
        for (std::size_t at = 0; at + 4 <= flat.size(); at += 4) {
            for (const std::uint32_t change : {1u, 4u, 0x18u, 0x80u, 0xffff'ffffu}) {
                auto changed = flat;
                const auto word = load_le32(bytes_of(flat).data() + at) ^ change;
                std::memcpy(changed.data() + at, &word, sizeof word);
                back(changed);
            }
            auto swapped = flat;  // with offsets that stay right, a run goes back
            if (at + 8 > flat.size()) continue;
            const auto first = load_le32(bytes_of(flat).data() + at),
                       second = load_le32(bytes_of(flat).data() + at + 4);
            const auto to_second = second + 4, to_first = first - 4;
            std::memcpy(swapped.data() + at, &to_second, sizeof to_second);
            std::memcpy(swapped.data() + at + 4, &to_first, sizeof to_first);
            back(swapped);
        }
    }
}

TEST_CASE("the limit of the output ends a run where it ends that of the portable twins")
{
    const auto view = view_with(reflections_like(40, 2));
    const auto flat = ThreeWays(of_wire, of_tables)(view);
    for (std::size_t missing = 0; missing < 400; ++missing) {
        ThreeWays there(of_wire, of_tables, flat.size() - missing), back(of_tables, of_wire, view.size() - missing);
        for (int i = 0; i != 2; ++i) {
            there(view);
            back(flat);
        }
    }
}

TEST_CASE("a message cut off anywhere in a run fails as with the portable twins")
{
    ThreeWays there(of_wire, of_tables);
    const auto view = view_with(reflections_like(40, 2));
    for (std::size_t size = 0; size <= view.size(); ++size) {
        there(view.substr(0, size));
        check_same_columns(view.substr(0, size) + Message().message(lidar_row().number, Message()).str());
    }
}
