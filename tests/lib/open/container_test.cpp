// SPDX-License-Identifier: MPL-2.0
// A container that exists only here: one row, and traces in it are recognised, read, written and converted.
#include "lib/open/container.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_summary.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/random_access.hpp"
#include "tests/lib/trace/stream_fixture.hpp"

using namespace ositrace;

namespace {

constexpr ContainerTraits tally_container{.name = "tally", .extension = ".tally", .log_times = true, .index = true};
constexpr std::string_view magic = "TALLY:";

/// `TALLY:`, then for each frame one byte of its log time in seconds, one byte of its length, and its payload.
class TallyStream final : public TraceReader {
public:
    TallyStream(std::unique_ptr<ByteSource> source, std::string_view compression) : source_(std::move(source))
    {
        info_.file = source_->name();
        info_.container = tally_container;
        info_.compression = compression;
        Channel channel;
        channel.type = MessageType::sensor_view;
        channel.type_name = "osi3.SensorView";
        channel.topic = "SensorView";
        channel.schema = Schema::built_in();
        channel.root = &channel.schema->root(MessageType::sensor_view);
        info_.channels.push_back(channel);
        std::array<std::byte, magic.size()> front;
        offset_ = read_fully(*source_, front, {});
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop = {}) override
    {
        std::array<std::byte, 2> head;
        if (read_fully(*source_, head, stop) != head.size()) return false;
        std::vector<std::byte> bytes(std::to_integer<std::size_t>(head[1]));
        read_fully(*source_, bytes, stop);
        const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        frame = {};
        frame.bytes = *owner;
        frame.owner = owner;
        frame.index = next_++;
        frame.offset = offset_;
        frame.log_time = std::chrono::seconds(std::to_integer<int>(head[0]));
        frame.time = timestamp_of(frame.bytes, info_.channels.front());
        offset_ += head.size() + owner->size();
        return true;
    }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return source_->bytes_consumed(); }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return source_->bytes_total(); }
    void seek_frame(std::uint64_t) override {}
    void seek_time(Nanoseconds) override {}

private:
    std::unique_ptr<ByteSource> source_;
    TraceInfo info_;
    std::uint64_t next_ = 0;
    std::uint64_t offset_ = 0;
};

class TallyTrace final : public Trace {
public:
    TallyTrace(std::shared_ptr<const RandomAccess> file, std::string_view compression)
        : file_(std::move(file)), compression_(compression)
    {
        auto stream = open();
        info_ = stream->info();
        for (Frame frame; stream->read(frame);) frames_.push_back(frame);
    }
    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    [[nodiscard]] std::uint64_t frame_count(std::uint32_t) const override { return frames_.size(); }
    [[nodiscard]] Frame frame(std::uint32_t, std::uint64_t i) const override { return frames_.at(i); }
    [[nodiscard]] std::uint64_t frame_bytes(std::uint32_t, std::uint64_t i) const override
    {
        return frames_.at(i).bytes.size();
    }
    [[nodiscard]] FrameSizes frame_sizes(std::uint32_t) const override { return {}; }
    [[nodiscard]] std::optional<std::uint64_t> frame_at(std::uint32_t, Nanoseconds) const override { return 0; }
    [[nodiscard]] std::unique_ptr<TraceReader> reader() const override { return open(); }

private:
    [[nodiscard]] std::unique_ptr<TallyStream> open() const
    {
        return std::make_unique<TallyStream>(std::make_unique<SeekableSource>(file_), compression_);
    }
    std::shared_ptr<const RandomAccess> file_;
    std::string compression_;
    TraceInfo info_;
    std::vector<Frame> frames_;
};

class TallyWriter final : public TraceWriter {
public:
    explicit TallyWriter(const std::filesystem::path& file) : out_(file, std::ios::binary) { out_ << magic; }
    void write(const Frame& frame) override
    {
        out_ << static_cast<char>(frame.index + 100) << static_cast<char>(frame.bytes.size()) << text_of(frame.bytes);
    }
    std::uint64_t close() override
    {
        const auto bytes = static_cast<std::uint64_t>(out_.tellp());
        out_.close();
        return bytes;
    }

private:
    std::ofstream out_;
};

const ContainerRow tally_row{
    tally_container,
    [](Bytes front) { return text_of(front).starts_with(magic); },
    [](std::unique_ptr<ByteSource> source, std::string_view compression, const OpenOptions&)
        -> std::unique_ptr<FrameSource> { return std::make_unique<TallyStream>(std::move(source), compression); },
    [](std::shared_ptr<const RandomAccess> file, std::string_view compression, const OpenOptions&)
        -> std::shared_ptr<const Trace> { return std::make_shared<TallyTrace>(std::move(file), compression); },
    [](const std::filesystem::path& file, const TraceInfo&, const CompressorRow*,
       const WriteOptions&) -> std::unique_ptr<TraceWriter> { return std::make_unique<TallyWriter>(file); },
    "is empty; a tally begins with TALLY:",
};

void convert_file(const std::filesystem::path& from, const std::filesystem::path& to)
{
    const auto source = open_source(from, sample::as_sensor_view());
    const auto writer = create_trace(to, converted_info(source->info(), std::nullopt), {.sync = false});
    static_cast<void>(convert(*source, *writer, {}));
    writer->close();
}

}  // namespace

TEST_CASE("a container is added by one row")
{
    const File from(sample::frames(20));
    const auto file = from.folder / "run.tally";
    CHECK_FALSE(trace_extension("run.tally"));
    CHECK(error_of([&] { convert_file(from.path, file); }).find("unknown extension '.tally'") != std::string::npos);

    const AddedContainer added(tally_row);
    CHECK(trace_extension("run.TALLY.zst")->container == tally_container);
    CHECK(std::ranges::count(trace_extensions(), tally_container, &TraceExtension::container) == 1);
    convert_file(from.path, file);
    CHECK(read_file(file).starts_with(magic));

    const auto trace = open_trace(file);
    CHECK(trace->info().container.name == "tally");
    CHECK(trace->frame_count() == 20);
    CHECK(trace->frame(0, 19).log_time == std::chrono::seconds(119));
    CHECK(open_indexed(file) != nullptr);
    CHECK(walk(file).payloads == walk(from.path).payloads);
    CHECK(summarize(*trace).channels.front().end == std::chrono::seconds(19));

    const auto contents = read_file(file);
    CHECK(open_trace(in_memory(bytes_of(contents), "memory"))->frame_count() == 20);

    convert_file(file, from.folder / "back.osi");
    CHECK(read_file(from.folder / "back.osi") == read_file(from.path));

    write_file(file, "");
    CHECK(from.without_folder(error_of([&] { (void)open_stream(file); })) ==
          "run.tally: is empty; a tally begins with TALLY:");
}

TEST_CASE("a container that is removed is unknown again")
{
    {
        const AddedContainer added(tally_row);
        CHECK(container_of(bytes_of(magic)).traits == tally_container);
    }
    CHECK(container_of(bytes_of(magic)).traits != tally_container);
}
