// SPDX-License-Identifier: MPL-2.0
#include "lib/io/decompressor.hpp"
#include "lib/io/damaged_compression.hpp"
#include "lib/io/decompressors.hpp"

#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <ositrace/trace.hpp>

#include "lib/io/input_file.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/trace/sample_frames.hpp"

using namespace ositrace;

namespace {

// What other people's tools write, made by their libraries.

std::string by_zstd(const std::string& text)
{
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

std::string by_lz4(const std::string& text)
{
    std::string out(LZ4F_compressFrameBound(text.size(), nullptr), '\0');
    out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), nullptr));
    return out;
}

std::string by_gzip(const std::string& text)
{
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, text.size()), '\0');
    auto in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string by_lzma(const std::string& text, const std::function<lzma_ret(lzma_stream*)>& start)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    REQUIRE(start(&stream) == LZMA_OK);
    std::string out(text.size() + 4096, '\0');
    stream.next_in = reinterpret_cast<const std::uint8_t*>(text.data());
    stream.avail_in = text.size();
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream.avail_out = out.size();
    REQUIRE(lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END);
    out.resize(stream.total_out);
    lzma_end(&stream);
    return out;
}

std::string by_xz(const std::string& text)
{
    return by_lzma(text, [](lzma_stream* stream) { return lzma_easy_encoder(stream, 1, LZMA_CHECK_CRC64); });
}

std::string by_lzma_alone(const std::string& text)
{
    return by_lzma(text, [](lzma_stream* stream) {
        lzma_options_lzma options;
        lzma_lzma_preset(&options, 1);
        return lzma_alone_encoder(stream, &options);
    });
}

/// Gives its bytes in pieces, as a slow pipe does.
class PiecesSource final : public ByteSource {
public:
    PiecesSource(std::string bytes, std::size_t piece) : bytes_(std::move(bytes)), piece_(piece) {}
    std::size_t read(std::span<std::byte> into, std::stop_token) override
    {
        const auto count = std::min({into.size(), piece_, bytes_.size() - position_});
        std::memcpy(into.data(), bytes_.data() + position_, count);
        position_ += count;
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return name_; }
    std::optional<std::uint64_t> end() const override { return bytes_.size(); }
    std::uint64_t bytes_consumed() const noexcept override { return position_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return bytes_.size(); }

private:
    std::filesystem::path name_ = "run.osi.z";
    std::string bytes_;
    std::size_t piece_;
    std::size_t position_ = 0;
};

std::string unpack(const std::string& compressed, std::size_t piece_in = 1 << 20, std::size_t piece_out = 1 << 16)
{
    const auto* const row =
        decompressor_of(bytes_of(compressed).first(std::min(compressed.size(), probed_compression_bytes)));
    REQUIRE(row != nullptr);
    const auto source = decompressed(*row, std::make_unique<PiecesSource>(compressed, piece_in));
    std::string out;
    std::string piece(piece_out, '\0');
    while (const auto count = source->read(std::as_writable_bytes(std::span(piece)), {})) out.append(piece, 0, count);
    return out;
}

struct Case {
    std::string name;
    std::string (*compress)(const std::string&);
    bool concatenates = true;
    bool has_checksum = true;
};

const std::vector<Case> cases{{"zstd", by_zstd, true, false},
                              {"lz4", by_lz4, true, false},
                              {"gzip", by_gzip},
                              {"xz", by_xz},
                              {"xz", by_lzma_alone, false, false}};

Case any_case() { return GENERATE(from_range(cases)); }

}  // namespace

TEST_CASE("compressed data are recognised by their first bytes")
{
    const auto c = any_case();
    const auto packed = c.compress(sample::frames(10));
    const auto* const row = decompressor_of(bytes_of(packed).first(probed_compression_bytes));
    REQUIRE(row != nullptr);
    CHECK(row->compression == c.name);
    CHECK(decompressor_of(bytes_of(packed).first(3)) == nullptr);
}

TEST_CASE("a trace is not taken for compressed data")
{
    CHECK(decompressor_of(bytes_of(sample::frames(2)).first(32)) == nullptr);
    // Lengths that begin like gzip and like .lzma.
    const auto like_gzip = sample::prefix(0x00088b1f) + sample::sensor_view(1, 100);
    CHECK(decompressor_of(bytes_of(like_gzip).first(32)) == nullptr);
    const auto like_lzma = sample::prefix(0x0000005d) + sample::sensor_view(1, 100);
    CHECK(decompressor_of(bytes_of(like_lzma).first(32)) == nullptr);
}

TEST_CASE("what other tools compressed comes back, in pieces of any size")
{
    const auto c = any_case();
    const auto text = sample::frames(200, 3000);
    const auto packed = c.compress(text);
    CHECK((unpack(packed) == text));
    CHECK((unpack(packed, 1, 1000) == text));
    CHECK((unpack(packed, 100, 7) == text));
    CHECK(unpack(c.compress("")).empty());
}

TEST_CASE("frames and members that follow each other are one text")
{
    const auto c = any_case();
    if (!c.concatenates) return;
    const auto packed = c.compress("one") + c.compress("") + c.compress("two");
    CHECK(unpack(packed) == "onetwo");
    CHECK(unpack(packed, 1) == "onetwo");
}

TEST_CASE("zeros behind gzip and xz data are padding")
{
    CHECK(unpack(by_gzip("one") + std::string(512, '\0') + by_gzip("two")) == "onetwo");
    CHECK(unpack(by_xz("one") + std::string(8, '\0') + by_xz("two") + std::string(4, '\0')) == "onetwo");
}

TEST_CASE("skippable frames in front do not hide zstd")
{
    const auto skippable = std::string("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
    CHECK(unpack(skippable + by_zstd("text")) == "text");
}

TEST_CASE("compressed data that end early are an error at their end")
{
    const auto c = any_case();
    const auto packed = c.compress(sample::frames(200, 3000));
    const auto cut = packed.size() - 5;
    CHECK(error_of([&] { unpack(packed.substr(0, cut)); }) ==
          "run.osi.z: byte " + std::to_string(cut) + ": the file is truncated: it ends in the middle of its " + c.name +
              " data");
}

TEST_CASE("corrupt compressed data are an error at a byte of the file")
{
    const auto c = any_case();
    auto packed = c.compress(sample::frames(2000));
    for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 16; ++i) packed[i] = static_cast<char>(~packed[i]);
    std::string unpacked;
    const auto error = error_of([&] { unpacked = unpack(packed); });
    INFO(error);
    const auto expected = ": corrupt " + c.name + " data: ";
    // Without a checksum some damage only changes the text.
    const bool noticed = error.starts_with("run.osi.z: byte ") && error.find(expected) != std::string::npos;
    const bool other_text = error.empty() && unpacked != sample::frames(2000);
    CHECK((noticed || (!c.has_checksum && other_text)));
}

TEST_CASE("rubbish behind compressed data is an error")
{
    const auto c = any_case();
    const auto packed = c.compress("text") + "rubbish behind it";
    const auto error = error_of([&] { unpack(packed); });
    INFO(error);
    CHECK(error.find("corrupt " + c.name + " data: ") != std::string::npos);
}

TEST_CASE("compressed files open as streams and as traces, whatever their name is")
{
    const auto c = any_case();
    const ScratchFolder folder;
    const auto file = folder / "run.osi";
    write_file(file, c.compress(sample::frames(300, 1000)));
    const auto stream = open_stream(file, sample::as_sensor_view());
    CHECK(stream->info().compression == c.name);
    Frame frame;
    std::uint64_t count = 0;
    while (stream->read(frame)) ++count;
    CHECK(count == 300);
    CHECK(stream->bytes_consumed() == std::filesystem::file_size(file));
    const auto trace = open_trace(file, sample::as_sensor_view());
    CHECK(trace->frame_count() == 300);
    CHECK(trace->frame(0, 299).time == std::chrono::seconds(299));
    CHECK(trace->info().compression == c.name);
    CHECK(folder.names().size() == 1);
}

namespace {

std::string salvage(const std::filesystem::path& name, std::vector<CompressionDamage>& damages)
{
    auto file = std::make_shared<const FileAccess>(open_for_reading(name), name);
    std::array<std::byte, probed_compression_bytes> front{};
    const auto probed = Bytes(front).first(file->read_at(0, front, 0));
    const auto log = std::make_shared<CompressionLog>();
    DamagedCompression source(*decompressor_of(probed), file, log);
    std::string text;
    std::vector<std::byte> room(1000);
    while (const auto count = source.read(room, {})) text += text_of(Bytes(room).first(count));
    damages = log->take().damages;
    return text;
}

}  // namespace

TEST_CASE("of a damaged member comes out what stands in front of the damage, and the next one comes out whole")
{
    const auto c = any_case();
    if (!c.concatenates) return;
    const auto first = sample::frames(300), damaged = sample::frames(400), last = sample::frames(500);
    const auto front = c.compress(first), middle = c.compress(damaged), back = c.compress(last);
    const ScratchFolder folder;
    for (std::size_t place = 0; place < middle.size(); place += std::max<std::size_t>(1, middle.size() / 40)) {
        INFO(c.name << " with byte " << place << " flipped");
        auto broken = middle;
        broken[place] = static_cast<char>(~broken[place]);
        write_file(folder / "x", front + broken + back);
        std::vector<CompressionDamage> damages;
        const auto text = salvage(folder / "x", damages);
        CHECK(text.starts_with(first));
        CHECK(text.ends_with(last));
        CHECK((!damages.empty() || !c.has_checksum || text == first + damaged + last));
        for (const auto& damage : damages) {
            CHECK(damage.offset >= front.size());
            CHECK(damage.offset + damage.bytes <= front.size() + middle.size());
            CHECK(damage.from >= first.size());
            CHECK(damage.to <= text.size() - last.size());
        }
    }
}

TEST_CASE("after a restart a decompressor is as new, whatever it has read")
{
    const auto c = any_case();
    const auto text = sample::frames(300);
    const auto packed = c.compress(text);
    const auto front = bytes_of(packed).first(probed_compression_bytes);
    const auto& row = *decompressor_of(front);
    CHECK(row.may_begin(front));
    const auto decompressor = row.create_for_damage();
    std::vector<std::byte> room(text.size() + 1);
    for (const std::size_t read_before : {std::size_t{0}, packed.size() / 2, packed.size()}) {
        for (auto in = bytes_of(packed).first(read_before); !in.empty();) {
            const auto done = decompressor->decompress(in, room);
            if (done.taken == 0 && done.made == 0) break;
            in = in.subspan(done.taken);
        }
        try {  // an error is forgotten, too
            const std::string wrong(100, '\x55');
            decompressor->decompress(bytes_of(wrong), room);
        } catch (const Error&) {
        }
        decompressor->restart();
        std::string out;
        for (auto in = bytes_of(packed);;) {
            const auto done = decompressor->decompress(in, room);
            out += text_of(Bytes(room).first(done.made));
            in = in.subspan(done.taken);
            if (done.taken == 0 && done.made == 0) break;
        }
        CHECK(out == text);
        CHECK(decompressor->complete());
    }
}

TEST_CASE("what only looks like the begin of compressed data costs little")
{
    using namespace std::string_literals;
    CHECK_FALSE(may_begin_zstd(bytes_of("\x28\xb5\x2f\xfd\x28\xb5\x2f\xfd\x28\xb5\x2f\xfd"s)));  // a reserved bit
    CHECK_FALSE(may_begin_zstd(bytes_of("\x28\xb5\x2f\xfd\x20\x07\x06\0\0"s)));                  // a reserved type
    CHECK_FALSE(may_begin_zstd(bytes_of("\x28\xb5\x2f\xfd\x20\x07\xff\xff\xf1"s)));              // a long block
    CHECK(may_begin_zstd(bytes_of("\x28\xb5\x2f\xfd\x20\x01\x09\0\0x"s)));
    CHECK(may_begin_zstd(bytes_of("\x28\xb5\x2f\xfd\x20"s)));  // the end of the input
    CHECK_FALSE(may_begin_xz(bytes_of("\xfd\x37zXZ\0\0\x04\xfd\x37zXZ\0\0\x04"s)));
    const ScratchFolder folder;
    const auto text = sample::frames(300);
    struct Magics {
        const char* name;
        std::string (*compress)(const std::string&);
        std::string repeated;
    };
    for (const auto& [name, compress, magic] :
         {Magics{"x.zst", by_zstd, "\x28\xb5\x2f\xfd"s}, Magics{"x.xz", by_xz, "\xfd\x37zXZ\0\0\x04"s},
          Magics{"y.zst", by_zstd, "\x28\xb5\x2f\xfd\x20\x01\x09\0\0"s}}) {
        auto file = compress(text);
        const auto front = file.size();
        while (file.size() < front + 300'000) file += magic;
        const auto end = file.size();
        write_file(folder / name, file + compress(text));
        std::vector<CompressionDamage> damages;
        CHECK(salvage(folder / name, damages).ends_with(text));
        CHECK(!damages.empty());
        if (name[0] == 'x') CHECK(damages.size() == 1);
        std::uint64_t lost = 0;
        for (const auto& damage : damages) lost += damage.bytes;
        CHECK(lost <= end - front);
    }
}

TEST_CASE("what was stored in a block comes out, although the frame states another length")
{
    using namespace std::string_literals;
    const std::string content(69, 'c');
    // A zstd frame (RFC 8878) of one segment that claims 480 bytes: one block, stored, the last.
    const auto frame = "\x28\xb5\x2f\xfd\x60\xe0\0\x29\x02\0"s + content;
    const ScratchFolder folder;
    write_file(folder / "x.zst", frame);
    std::vector<CompressionDamage> damages;
    CHECK(salvage(folder / "x.zst", damages) == content.substr(1));
    CHECK(damages.size() == 1);
}
