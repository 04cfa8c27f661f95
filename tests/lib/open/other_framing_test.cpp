// SPDX-License-Identifier: MPL-2.0
// Traces whose messages are separated in other ways than the OSI standard says.
#include <unistd.h>

#include <algorithm>
#include <random>
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

template <int bytes, bool most_first>
std::string with_length(const std::string& payload)
{
    std::string text;
    for (int i = 0; i != bytes; ++i) text += static_cast<char>(payload.size() >> 8 * (most_first ? bytes - 1 - i : i));
    return text + payload;
}

template <const auto& text>
std::string with_text(const std::string& payload)
{
    return payload + text;
}

constexpr char old_separator[] = "$$__$$", newline[] = "\n", line[] = "\r\n----\r\n", nothing[] = "",
               like_a_field[] = "*\n";

struct FramingForm {
    const char* name;
    std::string (*write)(const std::string& payload);
    const char* what;
    bool has_length = true;
    std::size_t longest = 100'000;  ///< message
};

constexpr FramingForm framing_forms[] = {
    {"varint", with_varint, "varints as lengths"},
    {"big-endian", with_length<4, true>, "lengths of its messages have the most significant byte first"},
    {"8 bytes", with_length<8, false>, "lengths of its messages have 8 bytes. "},
    {"8 bytes, big-endian", with_length<8, true>, "lengths of its messages have 8 bytes, the most significant one"},
    {"2 bytes", with_length<2, false>, "lengths of its messages have 2 bytes. ", true, 65'000},
    {"2 bytes, big-endian", with_length<2, true>, "lengths of its messages have 2 bytes, the most", true, 65'000},
    {"separator", with_text<old_separator>, "separated by \"$$__$$\", as before OSI 3.2. ", false},
    {"newline", with_text<newline>, "separated by \"\\n\". ", false},
    {"line", with_text<line>, "separated by \"\\r\\n----\\r\\n\". ", false},
    {"text that begins like a field", with_text<like_a_field>, "separated by \"*\\n\". ", false},
    {"nothing", with_text<nothing>, "follow each other without a length", false},
};
/// A length of 4 bytes may also be a damaged one of the standard.
std::string refusal_of(const FramingForm& form)
{
    return form.write == &with_length<4, true> ? "the length of the first message is damaged, or the lengths of its "
                                                 "messages have the most significant byte first"
                                               : "not a trace of the OSI standard, ";
}
const FramingForm& any_form() { return framing_forms[GENERATE(range(std::size_t{0}, std::size(framing_forms)))]; }

/// GroundTruth { version 3.5.0, timestamp, map_reference of `size` bytes }
std::string sample_message(std::uint8_t seconds, std::size_t size)
{
    return ground_truth_of_release(3, 5, 0) + ground_truth(seconds, size);
}

/// Of many sizes, among them those whose lengths need 1, 2 and 3 bytes.
std::vector<std::string> sample_messages(std::size_t longest = 100'000)
{
    std::vector<std::string> all;
    for (const std::size_t size : {0, 1, 100, 300, 20'000, 70'000, 5, 0})
        all.push_back(sample_message(static_cast<std::uint8_t>(all.size()), std::min(size, longest - 100)));
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

/// At the end of a GroundTruth, as text: map_reference
std::string with_map(const std::string& payload) { return payload + field(15, "+proj=utm"); }

/// MovingObject { id { value } } of a GroundTruth, which looks like a GroundTruth { version { major } }
std::string many_objects()
{
    std::string text;
    for (std::uint8_t id = 0; id != 100; ++id) text += field(5, field(1, varint_field(1, id)));
    return text;
}

std::string random_bytes(std::size_t count)
{
    std::minstd_rand next(36);
    std::string text;
    for (std::size_t i = 0; i != count; ++i) text += static_cast<char>(next() >> 8);
    return text;
}

}  // namespace

TEST_CASE("other framings are recognised by content and read, with one warning")
{
    const auto& form = any_form();
    const bool skip = GENERATE(false, true);
    CAPTURE(form.name, skip);
    const ScratchFolder folder;
    const auto file = folder / "trace.txt";
    const auto messages = sample_messages(form.longest);
    write_file(file, framed(form, messages));
    ToldOfFraming told;
    SECTION("as a stream") { CHECK(payloads_in(*open_stream(file, told.options(skip))) == messages); }
    SECTION("in any order")
    {
        const auto trace = open_trace(file, told.options(skip));
        REQUIRE(trace->frame_count(0) == messages.size());
        for (const std::size_t i : {5, 0, 7, 4}) CHECK(text_of(trace->frame(0, i).bytes) == messages[i]);
    }
    SECTION("as the input of a command") { CHECK(payloads_in(*open_source(file, told.options(skip))) == messages); }
    REQUIRE(told.warnings.size() == 1);
    CHECK(told.warnings.front().starts_with(file.string() + ": "));
    CHECK(told.warnings.front().find(form.what) != std::string::npos);
    CHECK(told.skipped.empty());
}

TEST_CASE("a text that ends every message is no text between them")
{
    const auto& form = any_form();
    CAPTURE(form.name);
    std::vector<std::string> messages;
    for (std::uint8_t i = 0; i != 5; ++i) messages.push_back(with_map(sample_message(i, 0)));
    const ScratchFolder folder;
    write_file(folder / "trace.osi", framed(form, messages));
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(folder / "trace.osi", told.options())) == messages);
}

TEST_CASE("the first message may have a version, and all a time")
{
    const auto& form = any_form();
    CAPTURE(form.name);
    std::vector<std::string> messages{sample_message(0, 7)};
    for (std::uint8_t i = 1; i != 5; ++i) messages.push_back(ground_truth(i, 7));
    const ScratchFolder folder;
    write_file(folder / "trace.osi", framed(form, messages));
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(folder / "trace.osi", told.options())) == messages);
}

TEST_CASE("a message without a length is one frame, and so is one before a separator")
{
    const auto payload = GENERATE(sample_message(3, 40'000), ground_truth(1, 5) + many_objects());
    const ScratchFolder folder;
    const auto file = folder / "single.osi";
    write_file(file, payload + GENERATE("", "$$__$$", "\n"));
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(file, told.options(GENERATE(false, true)))) == std::vector{payload});
    CHECK(told.warnings.size() == 1);
}

TEST_CASE("other framings are read from a pipe, too")
{
    const auto& form = any_form();
    CAPTURE(form.name);
    const auto messages = sample_messages(form.longest);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    std::thread writer([&] {
        const auto text = framed(form, messages);
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
    CHECK(read == messages);
    CHECK(told.warnings.size() == 1);
}

TEST_CASE("a cut in another framing is an error with its place, and what is before it is recovered")
{
    const auto& form = any_form();
    if (!form.has_length) return;
    CAPTURE(form.name);
    const auto messages = sample_messages(form.longest);
    const ScratchFolder folder;
    const auto file = folder / "cut.osi";
    const auto whole = framed(form, messages);
    const auto& last = messages.back();
    write_file(file, whole.substr(0, whole.size() - 3));
    CHECK(error_of([&] {
              ToldOfFraming told;
              payloads_in(*open_stream(file, told.options()));
          }) == file.string() + ": frame 7 at byte " + std::to_string(whole.size() - form.write(last).size()) +
                    ": the file is truncated: the message needs " + std::to_string(last.size()) + " bytes, and " +
                    std::to_string(last.size() - 3) + " are left");
    ToldOfFraming told;
    auto expected = messages;
    expected.pop_back();
    CHECK(payloads_in(*open_stream(file, told.options(true))) == expected);
    REQUIRE(told.skipped.size() == 1);
    CHECK(told.skipped.front().bytes == form.write(last).size() - 3);
}

TEST_CASE("a cut in a message before a text is an error, and what is before it is recovered")
{
    const auto& form = any_form();
    if (form.has_length) return;
    CAPTURE(form.name);
    const ScratchFolder folder;
    const auto file = folder / "cut.osi";
    auto messages = sample_messages();
    const auto whole = framed(form, messages);
    write_file(file, whole + messages[4].substr(0, 10'000));
    CHECK(error_of([&] {
              ToldOfFraming told;
              payloads_in(*open_stream(file, told.options()));
          })
              .find("frame 8 at byte " + std::to_string(whole.size() + 12) +
                    ": the file is truncated: the field needs 20004 bytes") != std::string::npos);
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(file, told.options(true))) == messages);
    CHECK(told.skipped.size() == 1);
}

TEST_CASE("the text between messages may also come before the first one")
{
    const std::string text = GENERATE(old_separator, line, "####");
    std::string whole;
    for (const auto& message : sample_messages()) whole += text + message;
    const bool also_last = GENERATE(false, true);
    const ScratchFolder folder;
    write_file(folder / "trace.osi", also_last ? whole + text : whole);
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(folder / "trace.osi", told.options())) == sample_messages());
    REQUIRE(told.warnings.size() == 1);
    CHECK(told.warnings.front().find("separated by") != std::string::npos);
}

TEST_CASE("damage near the beginning in another framing is an error that names the framing")
{
    const auto& form = any_form();
    CAPTURE(form.name);
    const auto message = sample_message(1, 2'868);  // 2880 bytes, 0xb40: as 2 bytes no varint
    auto text = framed(form, {message, message});
    SECTION("cut in the first message") { text.resize(1'000); }
    SECTION("cut in the second message") { text.resize(text.size() - 200); }
    SECTION("bytes between the first messages") { text.insert(form.write(message).size(), 9, '\xff'); }
    const ScratchFolder folder;
    const auto file = folder / "damaged.osi";
    write_file(file, text);
    for (const bool skip : {false, true}) {
        ToldOfFraming told;
        const auto problem = error_of([&] { payloads_in(*open_stream(file, told.options(skip))); });
        CAPTURE(problem);
        CHECK(problem.starts_with(file.string() + ": frame 0 at byte 0: " + refusal_of(form)));
        const std::string what = form.what;
        CHECK(problem.find(form.has_length ? what.substr(0, what.find(". ")) : "its messages have no lengths") !=
              std::string::npos);
        CHECK(told.warnings.empty());
    }
}

TEST_CASE("a first length that is destroyed may be damage, whatever its bytes are")
{
    const auto payload = sample_message(1, 2'000);
    const ScratchFolder folder;
    const auto file = folder / "destroyed.osi";
    const auto lengths = random_bytes(4 * 300);
    for (std::size_t at = 0; at != lengths.size(); at += 4) {
        write_file(file, lengths.substr(at, 4) + payload + length_prefixed(payload) + length_prefixed(payload));
        ToldOfFraming told;
        try {
            payloads_in(*open_stream(file, told.options()));
            FAIL("read");
        } catch (const Error& error) {
            CAPTURE(error.what());
            CHECK(is_damage(error));
            CHECK(error.damage() == Damage::first_frame);
            CHECK(error.where().offset == 0);
            CHECK(error.reason().find("not a trace of the OSI standard") == std::string::npos);
        }
        CHECK(told.warnings.empty());
    }
}

TEST_CASE("messages without lengths whose version is not their first field are not merged to one")
{
    // HostVehicleData { location { dimension { length: 0 } } version timestamp }
    const auto message = field(1, field(1, std::string("\x09\0\0\0\0\0\0\0\0", 9))) +
                         field(9, varint_field(1, 3) + varint_field(2, 5)) + field(10, varint_field(1, 7));
    const ScratchFolder folder;
    const auto file = folder / "data.osi";
    write_file(file, message);
    ToldOfFraming told;
    CHECK(payloads_in(*open_stream(file, told.options())) == std::vector{message});
    write_file(file, message + message);
    CHECK(payloads_in(*open_stream(file, told.options())) == std::vector{message, message});
    const auto head = field(9, varint_field(1, 3)) + field(10, varint_field(1, 7)) + field(11, varint_field(1, 2));
    write_file(file, head + head);
    CHECK_FALSE(error_of([&] { payloads_in(*open_stream(file, told.options())); }).empty());
}

TEST_CASE("a live pipe with another framing is refused by its first bytes")
{
    const auto& form = any_form();
    CAPTURE(form.name);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const auto text = framed(form, {sample_message(1, 100)}).substr(0, 80);
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ToldOfFraming told;
    auto options = told.options();
    options.live = true;
    const auto problem =
        error_of([&] { static_cast<void>(open_stream("/dev/fd/" + std::to_string(ends[0]), options)); });
    CHECK(problem.find(refusal_of(form)) != std::string::npos);
    CHECK(problem.find("'osiconvert convert'") != std::string::npos);
    ::close(ends[0]);
    ::close(ends[1]);
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
    SECTION("begins with empty messages") { text.insert(0, 8, '\0'); }
    SECTION("one message, whose fields are messages") { text = length_prefixed(ground_truth(1, 5) + many_objects()); }
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
                              std::string("\x05\x01\x02\x03\x04\x05", 6), std::string(40, '\xff'),
                              std::string("\0\0\0\0\0\0\0\5\1\2\3\4\5", 13),
                              std::string("\x0a\x05hello\n\x0a\x05world\n"), random_bytes(100'000)));
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
