// SPDX-License-Identifier: MPL-2.0
#include "lib/io/compressor.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>

#include "lib/io/block_encoders.hpp"
#include "lib/io/output_file.hpp"
#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

struct Memory final : ByteSink {
    using ByteSink::write;
    void write(Bytes head, Bytes body) override { contents.append(text_of(head)).append(text_of(body)); }
    void flush() override {}
    std::string contents;
};

const CompressorRow& row_named(std::string_view name)
{
    const auto rows = compressors();
    return *std::ranges::find(rows, name, &CompressorRow::compression);
}

std::string compressed(const CompressorRow& row, std::string_view contents, CompressionOptions options)
{
    Memory out;
    const auto compressor = row.create(out, options);
    constexpr std::size_t piece = 300'007;
    for (std::size_t at = 0; at < contents.size(); at += piece)
        static_cast<ByteSink&>(*compressor).write(bytes_of(contents.substr(at, piece)));
    compressor->finish();
    return out.contents;
}

// Half of it compresses, half does not.
std::string sample(std::size_t size)
{
    std::mt19937 random(42);
    std::string result(size, '\0');
    for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<char>(i / mebibyte % 2 == 0 ? i / 100 : random());
    return result;
}

bool has_program(const std::string& name) { return std::system((name + " --version >/dev/null 2>&1").c_str()) == 0; }

// What the program of that name makes of it.
std::string decompressed_by(const std::string& program, const std::string& contents)
{
    const ScratchFolder folder;
    write_file(folder / "in", contents);
    const auto command = program + " -q -d -c < " + (folder / "in").string() + " > " + (folder / "out").string();
    CHECK(std::system(command.c_str()) == 0);
    return read_file(folder / "out");
}

}  // namespace

TEST_CASE("the programs zstd and lz4 read what is compressed")
{
    const auto* const name = GENERATE("zstd", "lz4");
    if (!has_program(name)) {
        WARN(name << " is not installed");
        return;
    }
    const auto size =
        GENERATE(as<std::size_t>{}, 0, 1, 15, 16, 100, mebibyte - 1, mebibyte, mebibyte + 1, 5 * mebibyte + 12345);
    const auto contents = sample(size);
    const auto level = GENERATE(as<std::optional<int>>{}, std::nullopt, 1, 2, 5, 12);
    CHECK(decompressed_by(name, compressed(row_named(name), contents, {.level = level, .threads = 1})) == contents);
}

TEST_CASE("what is compressed does not depend on the number of threads")
{
    const auto& row = row_named(GENERATE("zstd", "lz4"));
    const auto contents = sample(20 * mebibyte + 12345);
    const auto expected = compressed(row, contents, {.level = 1, .threads = 1});
    for (const unsigned threads : {2u, 3u, 7u})
        CHECK(compressed(row, contents, {.level = 1, .threads = threads}) == expected);
}

TEST_CASE("a compressor that is given up does not wait for its threads for ever")
{
    Memory out;
    const auto contents = sample(5 * mebibyte);
    for (const auto& row : compressors())
        static_cast<ByteSink&>(*row.create(out, {.level = 1, .threads = 4})).write(bytes_of(contents));
}

TEST_CASE("everything can be decompressed after a flush")
{
    const auto* const name = GENERATE("zstd", "lz4");
    if (!has_program(name)) {
        WARN(name << " is not installed");
        return;
    }
    Memory out;
    const auto compressor = row_named(name).create(out, {.level = 1, .threads = 2});
    std::string expected;
    for (int i = 0; i < 3; ++i) {
        const auto contents = sample(static_cast<std::size_t>(i) * 2 * mebibyte + 1000);
        static_cast<ByteSink&>(*compressor).write(bytes_of(contents));
        compressor->flush();
        expected += contents;
    }
    compressor->finish();
    CHECK(decompressed_by(name, out.contents) == expected);
}

TEST_CASE("a full disk behind a compressor is an error that names it")
{
    const auto& row = row_named(GENERATE("zstd", "lz4"));
    OutputFile full("/dev/full");
    const auto compressor = row.create(full, {.level = 1, .threads = 2});
    const auto contents = sample(8 * mebibyte);
    CHECK_THROWS_WITH(static_cast<ByteSink&>(*compressor).write(bytes_of(contents)),
                      "/dev/full: No space left on device");
}

// contrib/seekable_format/zstd_seekable_compression_format.md
TEST_CASE("the seek table of a zstd file gives the sizes of its frames, before and after decompression")
{
    const auto contents = sample(2 * mebibyte + 1000);
    const auto file = compressed(row_named("zstd"), contents, {.level = 3, .threads = 1});
    const auto le32 = [&](std::size_t at) { return load_le32(bytes_of(file).data() + at); };
    CHECK(le32(file.size() - 4) == 0x8F92EAB1);
    CHECK(file[file.size() - 5] == 0);
    const auto frames = le32(file.size() - 9);
    REQUIRE(frames == 3);
    const auto table = file.size() - 9 - 8 * frames;
    CHECK(le32(table - 8) == 0x184D2A5E);
    CHECK(le32(table - 4) == 8 * frames + 9);
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < frames; ++i) {
        CHECK(le32(total) == 0xFD2FB528);  // every frame begins where the table says
        total += le32(table + 8 * i);
        CHECK(le32(table + 8 * i + 4) == (i < 2 ? mebibyte : 1000));
    }
    CHECK(total == table - 8);
}

// Values of the reference implementation (xxhsum -H32).
TEST_CASE("XXH32 is that of the reference, however the bytes are cut")
{
    const auto hash = [](std::string_view text, std::size_t piece) {
        Xxh32 result;
        for (std::size_t at = 0; at < text.size(); at += piece) result.add(bytes_of(text.substr(at, piece)));
        return result.value();
    };
    CHECK(hash("", 1) == 0x02cc5d05);
    CHECK(hash("a", 1) == 0x550d7456);
    CHECK(hash("Nobody inspects the spammish repetition", 100) == 0xe2293b2f);
    for (const std::size_t piece : {1u, 3u, 7u, 16u, 17u})
        CHECK(hash("Nobody inspects the spammish repetition", piece) == 0xe2293b2f);
}
