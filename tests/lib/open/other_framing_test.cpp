// SPDX-License-Identifier: MPL-2.0
// Traces whose messages are separated in other ways than the OSI standard says.
#include <unistd.h>

#include <thread>

#include <ositrace/check.hpp>
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

std::string with_varint(const std::string& payload)
{
    std::string text;
    auto length = payload.size();
    for (; length >= 128; length >>= 7) text += static_cast<char>(length | 128);
    return text + static_cast<char>(length) + payload;
}

std::string with_big_endian(const std::string& payload)
{
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(payload.size() >> shift);
    return text + payload;
}

std::string with_separator(const std::string& payload) { return payload + "$$__$$"; }

struct FramingForm {
    const char* name;
    std::string (*write)(const std::string& payload);
    const char* what;
};

constexpr FramingForm framing_forms[] = {
    {"varint", with_varint, "varints as lengths"},
    {"big-endian", with_big_endian, "most significant byte first"},
    {"separator", with_separator, "separated by '$$__$$'"},
};

/// GroundTruth { version 3.5.0, timestamp, map_reference of `size` bytes }
std::string sample_message(std::uint8_t seconds, std::size_t size)
{
    return ground_truth_of_release(3, 5, 0) + ground_truth(seconds, size);
}

/// Of many sizes, among them those whose lengths need 1, 2 and 3 bytes.
std::vector<std::string> sample_messages()
{
    std::vector<std::string> all;
    for (const std::size_t size : {0, 1, 100, 300, 20'000, 70'000, 5, 0})
        all.push_back(sample_message(static_cast<std::uint8_t>(all.size()), size));
    return all;
}

std::string framed(const FramingForm& form, const std::vector<std::string>& payloads)
{
    std::string text;
    for (const auto& payload : payloads) text += form.write(payload);
    return text;
}

std::vector<std::string> payloads_in(FrameSource& source)
{
    std::vector<std::string> payloads;
    for (Frame frame; source.read(frame);) payloads.emplace_back(text_of(frame.bytes));
    return payloads;
}

struct ToldOfFraming {
    std::vector<std::string> warnings;
    std::vector<SkippedBytes> skipped;
    OpenOptions options(bool skip = false)
    {
        OpenOptions open;
        open.skip_bad_frames = skip;
        open.on_skip = [this](const SkippedBytes& bytes) { skipped.push_back(bytes); };
        open.on_warning = [this](const Error& error) { warnings.emplace_back(error.what()); };
        return open;
    }
};

}  // namespace

TEST_CASE("other framings are recognised by content and read, with one warning")
{
    const auto& form = GENERATE(framing_forms[0], framing_forms[1], framing_forms[2]);
    const bool skip = GENERATE(false, true);
    CAPTURE(form.name, skip);
    const ScratchFolder folder;
    const auto file = folder / "trace.txt";
    write_file(file, framed(form, sample_messages()));
    ToldOfFraming told;
    SECTION("as a stream") { CHECK(payloads_in(*open_stream(file, told.options(skip))) == sample_messages()); }
    SECTION("in any order")
    {
        const auto trace = open_trace(file, told.options(skip));
        REQUIRE(trace->frame_count(0) == sample_messages().size());
        for (const std::size_t i : {5, 0, 7, 4}) CHECK(text_of(trace->frame(0, i).bytes) == sample_messages()[i]);
    }
    SECTION("as the input of a command")
    {
        CHECK(payloads_in(*open_source(file, told.options(skip))) == sample_messages());
    }
    REQUIRE(told.warnings.size() == 1);
    CHECK(told.warnings.front().starts_with(file.string() + ": "));
    CHECK(told.warnings.front().find(form.what) != std::string::npos);
    CHECK(told.skipped.empty());
}

TEST_CASE("a message without a length is one frame, and so is one before a separator")
{
    const auto payload = sample_message(3, 40'000);
    const ScratchFolder folder;
    const auto file = folder / "single.osi";
    write_file(file, payload + GENERATE("", "$$__$$"));
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(file, told.options(GENERATE(false, true)))) == std::vector{payload});
    CHECK(told.warnings.size() == 1);
}

TEST_CASE("other framings are read from a pipe, too")
{
    const auto& form = GENERATE(framing_forms[0], framing_forms[1], framing_forms[2]);
    CAPTURE(form.name);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    std::thread writer([&] {
        const auto text = framed(form, sample_messages());
        for (std::size_t at = 0; at != text.size();) {
            const auto count = ::write(ends[1], text.data() + at, text.size() - at);
            if (count <= 0) break;
            at += static_cast<std::size_t>(count);
        }
        ::close(ends[1]);
    });
    ToldOfFraming told;
    std::vector<std::string> read;
    CHECK(error_of([&] {
              read = payloads_in(*open_stream("/dev/fd/" + std::to_string(ends[0]), told.options()));
          }).empty());
    ::close(ends[0]);
    writer.join();
    CHECK(read == sample_messages());
    CHECK(told.warnings.size() == 1);
}

TEST_CASE("a cut in another framing is an error with its place, and what is before it is recovered")
{
    const auto& form = GENERATE(framing_forms[0], framing_forms[1]);
    CAPTURE(form.name);
    const ScratchFolder folder;
    const auto file = folder / "cut.osi";
    const auto whole = framed(form, sample_messages());
    auto last = sample_messages().back();
    write_file(file, whole.substr(0, whole.size() - 3));
    CHECK(error_of([&] {
              ToldOfFraming told;
              payloads_in(*open_stream(file, told.options()));
          }) == file.string() + ": frame 7 at byte " + std::to_string(whole.size() - form.write(last).size()) +
                    ": the file is truncated: the message needs " + std::to_string(last.size()) + " bytes, " +
                    std::to_string(last.size() - 3) + " are left");
    ToldOfFraming told;
    auto expected = sample_messages();
    expected.pop_back();
    CHECK(payloads_in(*open_stream(file, told.options(true))) == expected);
    REQUIRE(told.skipped.size() == 1);
    CHECK(told.skipped.front().bytes == form.write(last).size() - 3);
}

TEST_CASE("a standard trace is never read in another way")
{
    const bool skip = GENERATE(false, true);
    const ScratchFolder folder;
    const auto file = folder / "standard.osi";
    std::string text;
    for (const auto& payload : sample_messages()) text += length_prefixed(payload);
    SECTION("whole") {}
    SECTION("the first length is damaged") { text[3] = '\x7f'; }
    SECTION("the first length is 0") { text.replace(0, 4, 4, '\0'); }
    SECTION("cut within the first frame") { text.resize(7); }
    write_file(file, text);
    ToldOfFraming told;
    static_cast<void>(error_of([&] { payloads_in(*open_stream(file, told.options(skip))); }));
    CHECK(std::ranges::none_of(
        told.warnings, [](const std::string& warning) { return warning.find("standard trace") != std::string::npos; }));
}

TEST_CASE("what is no OSI message in any framing is refused as before")
{
    const ScratchFolder folder;
    const auto file = folder / "other.osi";
    const std::string zeros(100, '\0');
    write_file(file, GENERATE(std::string("\x0a\x05hello\x0a\x05world", 14), std::string("\0\0\0\5\1\2\3\4\5", 9),
                              std::string("\x05\x01\x02\x03\x04\x05", 6), std::string(40, '\xff')));
    ToldOfFraming told;
    CHECK_FALSE(error_of([&] { payloads_in(*open_stream(file, told.options())); }).empty());
    CHECK(told.warnings.empty());
}

TEST_CASE("check reports another framing")
{
    const ScratchFolder folder;
    const auto file = folder / "trace.osi";
    write_file(file, framed(framing_forms[0], sample_messages()));
    const auto result = check_trace(file);
    CHECK(std::ranges::any_of(result.findings, [](const Finding& finding) {
        return finding.id.ends_with("framing.only_messages") && finding.message.find("varints") != std::string::npos;
    }));
    CHECK(result.frames == sample_messages().size());
}
