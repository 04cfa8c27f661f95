// SPDX-License-Identifier: MPL-2.0
#include "app/bench/structs/paced_exchange.hpp"
#include "app/bench/structs/process_exchange.hpp"
#include "app/bench/structs/struct_codec.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <ositrace/error.hpp>

using namespace ositrace;
using namespace ositrace::bench;

namespace {

constexpr std::array json_maps{"json-c, map", "libfastjson, map", "strings, map", "nlohmann-json, map"};
constexpr std::array json_arrays{"json-c, array", "libfastjson, array", "strings, array", "nlohmann-json, array"};
constexpr std::array protobuf{"Protobuf", "Protobuf, protobuf-c", "ositrace"};
constexpr std::array flat_tables{"FlatBuffers", "FlatBuffers, verified"};

const StructRow* row(std::string_view name)
{
    const auto rows = struct_rows();
    const auto found = std::ranges::find(rows, name, &StructRow::name);
    return found == rows.end() ? nullptr : &*found;
}

std::vector<std::byte> written(StructCodec& codec, const SensorData& data)
{
    std::vector<std::byte> bytes(StructCodec::max_bytes);
    bytes.resize(codec.write(data, bytes.data()));
    return bytes;
}

/// The samples, and structs with every value at a limit.
std::vector<SensorData> structs_to_test()
{
    auto structs = sample_structs(300);
    structs.emplace_back();
    constexpr auto byte = std::numeric_limits<std::uint8_t>::max();
    for (const bool high : {false, true}) {
        const auto azimuth = high ? std::numeric_limits<std::int16_t>::max() : std::numeric_limits<std::int16_t>::min();
        const auto ratio = high ? std::numeric_limits<std::int8_t>::max() : std::numeric_limits<std::int8_t>::min();
        const float real = high ? 655.35F : -0.05F;
        structs.push_back({{byte, high, byte, byte, byte},
                           {byte, byte, byte},
                           {byte, byte},
                           {byte, real, -real, azimuth, real, byte, ratio},
                           byte});
    }
    return structs;
}

/// The message of an error, or "none".
std::string error_of(StructCodec& codec, Bytes bytes)
{
    SensorData data;
    try {
        codec.read(bytes, data);
    } catch (const Error& error) {
        CHECK(error.cause() == Cause::malformed);
        return error.what();
    }
    return "none";
}

/// An independent encoder: XDR stores every value in 4 bytes, the most significant first (RFC 4506).
std::vector<std::byte> xdr_of(const SensorData& data)
{
    std::vector<std::byte> bytes;
    const auto add = [&](const char*, auto value) {
        std::uint32_t word = 0;
        if constexpr (std::is_floating_point_v<decltype(value)>)
            word = std::bit_cast<std::uint32_t>(value);
        else
            word = static_cast<std::uint32_t>(std::int32_t{value});
        for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(word >> shift));
    };
    for_each_part(data, [&](const char*, std::size_t, auto&& fields) { fields(add); }, add);
    return bytes;
}

}  // namespace

TEST_CASE("every codec reads what it writes")
{
    for (const auto& of : struct_rows()) {
        const auto writer = of.make(), reader = of.make();
        for (const auto& data : structs_to_test()) {
            SensorData read;
            read.target_count = 77;
            reader->read(written(*writer, data), read);
            INFO(of.name);
            CHECK(read == data);
        }
    }
}

TEST_CASE("codecs of one format read what the others write")
{
    const auto all_read_all = [](const auto& names) {
        for (const auto* const writing : names)
            for (const auto* const reading : names) {
                if (row(writing) == nullptr || row(reading) == nullptr) continue;
                const auto writer = row(writing)->make(), reader = row(reading)->make();
                for (const auto& data : structs_to_test()) {
                    SensorData read;
                    reader->read(written(*writer, data), read);
                    INFO(reading << " reads " << writing);
                    CHECK(read == data);
                }
            }
    };
    all_read_all(json_maps);
    all_read_all(json_arrays);
    all_read_all(protobuf);
    all_read_all(flat_tables);
}

TEST_CASE("Protobuf has one canonical form, which all three write")
{
    for (const auto& data : structs_to_test())
        for (const auto* const name : protobuf)
            if (row(name) != nullptr)
                CHECK(written(*row(name)->make(), data) == written(*row("Protobuf")->make(), data));
}

TEST_CASE("XDR is 18 words, the most significant byte first")
{
    if (row("XDR") == nullptr) return;
    for (const auto& data : structs_to_test()) CHECK(written(*row("XDR")->make(), data) == xdr_of(data));
}

TEST_CASE("the samples differ, and are the same in every run")
{
    const auto structs = sample_structs(1000);
    CHECK(structs == sample_structs(1000));
    CHECK(std::ranges::adjacent_find(structs) == structs.end());
    CHECK(numbers_of(structs[0]).size() == 18);
    std::set<float> ranges;
    for (const auto& data : structs) ranges.insert(data.target.range);
    CHECK(ranges.size() > 900);
}

TEST_CASE("a truncated struct is an error")
{
    for (const auto& of : struct_rows()) {
        if (of.leaves == Leaves::objects || std::string_view(of.name) == "FlatBuffers") continue;  // trusted
        const auto codec = of.make();
        const auto whole = written(*codec, sample_structs(1)[0]);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            INFO(of.name << ": " << size << " of " << whole.size() << " bytes");
            CHECK(error_of(*codec, part) != "none");
        }
    }
}

TEST_CASE("one wrong bit is an error or another value, and nothing worse")
{
    const auto data = sample_structs(1)[0];
    for (const auto& of : struct_rows()) {
        if (of.leaves == Leaves::objects || std::string_view(of.name) == "FlatBuffers") continue;  // trusted
        const auto codec = of.make();
        const auto whole = written(*codec, data);
        for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
            auto wrong = whole;
            wrong[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
            static_cast<void>(error_of(*codec, wrong));
        }
        SensorData read;
        codec->read(whole, read);  // a failed read leaves nothing behind
        CHECK(read == data);
    }
}

TEST_CASE("a value that its field cannot hold is an error that names it")
{
    const std::string text = R"([[256,true,0,0,0],[0,0,0],[0,0],[0,0.5,0.5,0,0.5,0,0],0])";
    for (const auto* const name : json_arrays) {
        if (row(name) == nullptr) continue;
        const auto codec = row(name)->make();
        CHECK(error_of(*codec, bytes_of(text)) == (std::string_view(name) == "strings, array"
                                                       ? "dataType is not a number or is out of range"
                                                       : "dataType is 256, which its field cannot hold"));
        CHECK(error_of(*codec, bytes_of("[]")) == (std::string_view(name) == "strings, array"
                                                       ? "expected a '[' before ']'"
                                                       : "version is missing or has another type"));
    }
}

TEST_CASE("two threads: every struct arrives or is counted as lost")
{
    using namespace std::chrono_literals;
    const auto structs = sample_structs(50);
    for (const auto& of : struct_rows()) {
        const auto writer = of.make(), reader = of.make();
        const auto run = exchange_paced(*writer, *reader, structs, 30, 20us);
        INFO(of.name);
        CHECK(run.due == 30);
        CHECK((run.sent >= 1 && run.sent <= 30));  // fewer if this machine wakes a thread late
        CHECK(run.lost < run.sent);
        CHECK(run.elapsed >= 30 * 20e3);
    }
}

TEST_CASE("two threads: a struct is lost while the one before is being parsed")
{
    using namespace std::chrono_literals;
    struct Slow final : StructCodec {
        std::size_t write(const SensorData& data, std::byte* to) override { return memcpy_codec()->write(data, to); }
        void read(Bytes bytes, SensorData& data) override
        {
            std::this_thread::sleep_for(20ms);
            memcpy_codec()->read(bytes, data);
        }
    };
    Slow slow;
    const auto structs = sample_structs(50);
    const auto run = exchange_paced(slow, slow, structs, 100, 1ms);
    CHECK(run.lost < run.sent);
    CHECK(run.sent - run.lost <= 10);
}

TEST_CASE("two threads: a struct that arrives changed, and one that cannot be parsed, end the run")
{
    using namespace std::chrono_literals;
    struct Wrong final : StructCodec {
        std::size_t write(const SensorData& data, std::byte* to) override { return memcpy_codec()->write(data, to); }
        void read(Bytes bytes, SensorData& data) override
        {
            memcpy_codec()->read(bytes, data);
            ++data.target_count;
        }
    };
    const auto structs = sample_structs(5);
    Wrong wrong;
    CHECK_THROWS_WITH(exchange_paced(wrong, wrong, structs, 20, 100us), "a struct arrived changed in the other thread");
    const auto text = string_codec(Shape::array);
    CHECK_THROWS_WITH(exchange_paced(wrong, *text, structs, 20, 100us), Catch::Matchers::StartsWith("expected a '['"));
}

TEST_CASE("another process parses every struct")
{
    const auto structs = sample_structs(100);
    for (const auto transport : {Transport::pipe, Transport::shared_memory})
        for (const auto& of : struct_rows()) {
            if (of.leaves == Leaves::objects) continue;
            ProcessExchange exchange(of, transport, structs);
            for (const std::size_t passes : {1, 3}) {
                INFO(of.name);
                CHECK(exchange.run(passes) > passes * structs.size() * 30);
                CHECK(std::ranges::equal(exchange.received(), structs));
                CHECK(exchange.sender_time() > 0);
                CHECK(exchange.receiver_time() > 0);
            }
        }
}

TEST_CASE("what another process cannot parse is an error of the run")
{
    struct Unreadable final : StructCodec {
        std::size_t write(const SensorData& data, std::byte* to) override { return memcpy_codec()->write(data, to); }
        void read(Bytes, SensorData&) override { throw Error(Cause::malformed, "not readable"); }
    };
    const StructRow unreadable{"unreadable", "", Role::other,
                               []() -> std::unique_ptr<StructCodec> { return std::make_unique<Unreadable>(); }};
    const auto structs = sample_structs(10);
    for (const auto transport : {Transport::pipe, Transport::shared_memory}) {
        ProcessExchange exchange(unreadable, transport, structs);
        CHECK_THROWS_WITH(exchange.run(2), "in the other process: not readable");
    }
}

TEST_CASE("a process that ends while it parses is an error, not an endless wait")
{
    struct Ending final : StructCodec {
        std::size_t write(const SensorData& data, std::byte* to) override { return memcpy_codec()->write(data, to); }
        void read(Bytes, SensorData&) override { std::_Exit(0); }
    };
    const StructRow ending{"ending", "", Role::other,
                           []() -> std::unique_ptr<StructCodec> { return std::make_unique<Ending>(); }};
    const auto structs = sample_structs(10);
    ProcessExchange exchange(ending, Transport::shared_memory, structs);
    CHECK_THROWS_WITH(exchange.run(2), "the process that parses structs has ended");
}
