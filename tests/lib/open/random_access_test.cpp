// SPDX-License-Identifier: MPL-2.0
#include <ositrace/random_access.hpp>

#include <cstring>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/random_access.hpp"
#include "tests/lib/open/same_trace.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;

namespace {

/// The frames of 50 seconds in the container of the name; an MCAP has an attachment as well.
std::filesystem::path written(const ScratchFolder& folder, const std::string& name, WriteOptions options = {})
{
    const File from(sample::frames(50, 100));
    const auto source = open_stream(from.path, sample::as_sensor_view());
    auto info = converted_info(source->info(), std::nullopt);
    const auto extension = trace_extension(name).value();
    if (extension.encoding) info = converted_info(source->info(), Format{*extension.encoding, Layout::numbered});
    if (extension.container.metadata) {
        info.metadata.push_back({"mine", {{"key", "value"}}});
        info.attachments.push_back(
            {"map.txt", "text/plain", {}, {}, 3, [](const auto& consume) { consume(bytes_of("map")); }});
    }
    options.sync = false;
    const auto writer = create_trace(folder / name, info, options);
    static_cast<void>(convert(*source, *writer, {.to = info.channels.front().format}));
    writer->close();
    return folder / name;
}

/// A store that returns a few bytes at a time, has another version each time it is asked, and ends early.
class Store final : public RandomAccess {
public:
    explicit Store(std::string bytes, std::uint64_t size) : RandomAccess("store.osi", size), bytes_(std::move(bytes)) {}
    [[nodiscard]] std::string version() const override { return "1"; }

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        if (offset >= bytes_.size()) return 0;
        const auto count = std::min<std::size_t>({into.size(), 7, bytes_.size() - offset});
        std::memcpy(into.data(), bytes_.data() + offset, count);
        return count;
    }

    std::string bytes_;
};

}  // namespace

TEST_CASE("a trace in memory opens as the file does, in every container")
{
    const ScratchFolder folder;
    const auto name = GENERATE("run.osi", "run.osifb", "run.osi.zst", "run.osifb.lz4", "run.mcap");
    const auto chunks = GENERATE("lz4", "none");
    WriteOptions options;
    if (std::string_view(name).ends_with(".mcap")) options.chunk_compression = chunks;
    OpenOptions open;
    open.type = MessageType::sensor_view;
    check_same_in_memory(written(folder, name, options), open);
}

TEST_CASE("a class of one's own is read like a file, piece by piece")
{
    const auto bytes = sample::frames(50, 1000);
    const auto trace = open_trace(std::make_shared<const Store>(bytes, bytes.size()), sample::as_sensor_view());
    CHECK(trace->frame_count() == 50);
    CHECK((text_of(trace->frame(0, 49).bytes) == sample::sensor_view(49, 1000)));
}

TEST_CASE("bytes that end before their size are damage")
{
    const auto bytes = sample::frames(50, 1000);
    const auto store = std::make_shared<const Store>(bytes, bytes.size() + 10);
    CHECK(error_of([&] { (void)open_trace(store, sample::as_sensor_view())->frame_count(); }) ==
          "store.osi: byte " + std::to_string(bytes.size()) + ": the file has shrunk from " +
              std::to_string(bytes.size() + 10) + " to " + std::to_string(bytes.size()) + " bytes while it was read");
}

TEST_CASE("only regular files are read at offsets")
{
    CHECK(error_of([] { (void)open_file("/dev/null"); }).starts_with("/dev/null: is not a regular file"));
    CHECK(error_of([] { (void)open_file("/nowhere"); }) == "/nowhere: No such file or directory");
}

namespace {

/// A source of zeros that ends with some other bytes.
class ZerosSource final : public ByteSource {
public:
    ZerosSource(std::uint64_t zeros, std::string end) : zeros_(zeros), end_(std::move(end)) {}
    std::size_t read(std::span<std::byte> into, std::stop_token) override
    {
        const auto zeros = std::min<std::uint64_t>(into.size(), zeros_ - std::min(zeros_, position_));
        std::fill_n(into.begin(), zeros, std::byte{0});
        const auto done = static_cast<std::size_t>(position_ + zeros - zeros_);
        const auto count = zeros != 0 ? zeros : std::min(into.size(), end_.size() - done);
        if (zeros == 0) std::memcpy(into.data(), end_.data() + done, count);
        position_ += count;
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return name_; }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return position_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    std::filesystem::path name_ = "zeros";
    std::uint64_t zeros_, position_ = 0;
    std::string end_;
};

}  // namespace

TEST_CASE("gigabytes of zeros that are unpacked are a hole in the temporary file, which reading skips")
{
    constexpr auto zeros = std::uint64_t{1} << 30;
    ZerosSource source(zeros, "end");
    const auto file = unpacked_file(source, {});
    CHECK(file->size() == zeros + 3);
    const auto data = file->zeros_end(0);
    CHECK(data <= zeros);
    if (data == 0) {
        WARN("skipped: this file system has no holes");
        return;
    }
    CHECK(data > zeros - (1 << 20));
    CHECK(file->zeros_end(zeros) == zeros);
    std::string end(5, 'x');
    CHECK(file->read_at(zeros - 2, std::as_writable_bytes(std::span(end))) == 5);
    CHECK(end == std::string("\0\0end", 5));
    CHECK(SeekableSource(file).zeros_ahead() == data);
    CHECK(SeekableSource(file, zeros).zeros_ahead() == 0);
    CHECK_THROWS_WITH(open_trace(file)->frame_count(0), Catch::Matchers::ContainsSubstring("zero bytes"));
}
