// SPDX-License-Identifier: MPL-2.0
// Edits of hostile frames: each ends in frames or in one Error, keeps the frames that it must, and loses none of the
// others. Input: frames, each behind two bytes of length; then choices: type, encoding.
#include <array>
#include <memory>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <ositrace/edit/concat.hpp>
#include <ositrace/edit/cut.hpp>
#include <ositrace/edit/split.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/edit/wrap.hpp>

#include "tests/fuzz/memory_file.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

using Payloads = std::vector<std::string>;

Payloads split_into_frames(Bytes bytes)
{
    constexpr std::size_t most_frames = 16;
    Payloads frames;
    while (bytes.size() >= 2 && frames.size() < most_frames) {
        const auto length = std::min<std::size_t>(load<std::uint16_t>(bytes.data()), bytes.size() - 2);
        frames.emplace_back(text_of(bytes.subspan(2, length)));
        bytes = bytes.subspan(2 + length);
    }
    return frames;
}

class MemoryFrames final : public FrameSource {
public:
    MemoryFrames(const Payloads& payloads, MessageType type, Format format) : payloads_(payloads)
    {
        info_.file = "fuzz.osi";
        info_.compression = "none";
        Channel channel;
        channel.type = type;
        channel.type_name = row_of(type).full_name;
        channel.format = format;
        channel.schema = Schema::built_in();
        channel.root = &channel.schema->root(type);
        info_.channels.push_back(std::move(channel));
    }
    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token = {}) override
    {
        if (next_ == payloads_.size()) return false;
        frame = {};
        frame.bytes = bytes_of(payloads_[next_]);
        frame.index = next_++;
        return true;
    }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return next_; }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

private:
    const Payloads& payloads_;
    TraceInfo info_;
    std::size_t next_ = 0;
};

struct Read {
    Payloads frames;
    std::string error;
};

Read read_all(FrameSource& source)
{
    Read read;
    read.error = attempt([&] {
                     for (Frame frame; source.read(frame);) read.frames.emplace_back(text_of(frame.bytes));
                     return "";
                 }).error;
    return read;
}

template <class Edit>
Read edited(Edit&& edit)
{
    Read read;
    const auto made = attempt([&] {
        read = read_all(*edit());
        return "";
    });
    if (!made.done()) read.error = made.error;
    return read;
}

void check_cut(const Payloads& payloads, const std::function<std::unique_ptr<FrameSource>()>& source)
{
    check(edited([&] { return cut(source(), {}); }).frames == payloads, "a cut of everything changes nothing");
    CutOptions without_static;
    without_static.frames.from = 1;
    without_static.carry_static = false;
    if (const auto rest = edited([&] { return cut(source(), without_static); });
        rest.error.empty() && !payloads.empty())
        check(rest.frames == Payloads(payloads.begin() + 1, payloads.end()),
              "a cut takes the frames that it is asked for");
    CutOptions carrying;
    carrying.every = 3;
    const auto some = edited([&] { return cut(source(), carrying); });
    check(!some.error.empty() || some.frames.size() == (payloads.size() + 2) / 3, "every third frame is there");
    CutOptions timed;
    timed.time = TimeRange::parse("+1:");
    static_cast<void>(edited([&] { return cut(source(), timed); }));
}

void check_split(const Payloads& payloads, const std::function<std::unique_ptr<FrameSource>()>& source)
{
    std::size_t frames = 0;
    const auto done = attempt([&] {
        SplitOptions options;
        options.every_frames = 2;
        options.every_time = Nanoseconds(1'000'000'000);
        Splitter splitter(source(), options);
        while (splitter.next())
            for (Frame frame; splitter.piece().read(frame);) ++frames;
        return "";
    });
    check(!done.done() || frames == payloads.size(), "the pieces have all frames");
}

void check_concat(const Payloads& payloads, MessageType type)
{
    std::string bytes;
    for (const auto& payload : payloads) {
        std::array<std::byte, 4> prefix{};
        store_le32(prefix.data(), static_cast<std::uint32_t>(payload.size()));
        bytes.append(text_of(prefix)).append(payload);
    }
    const FileHandle file(::memfd_create("fuzz", MFD_CLOEXEC));
    check(::write(static_cast<int>(file.native()), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "memory is there");
    const std::filesystem::path path = "/proc/self/fd/" + std::to_string(file.native());
    OpenOptions open;
    open.type = type;
    const auto joined = edited([&] { return concat({path, path}, open, {.retime = true, .on_backward = {}}); });
    check(!joined.error.empty() || joined.frames.size() == 2 * payloads.size(),
          "two traces one behind the other have the frames of both");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::array types{MessageType::ground_truth, MessageType::sensor_view, MessageType::sensor_data};
    Input input(data, size);
    const auto type = types[input.choose(types.size())];
    const Format format{input.choose() ? Encoding::flatbuffers : Encoding::protobuf, Layout::numbered};
    const auto payloads = split_into_frames(input.rest());
    const std::function<std::unique_ptr<FrameSource>()> source = [&] {
        return std::make_unique<MemoryFrames>(payloads, type, format);
    };

    check_cut(payloads, source);
    check_split(payloads, source);
    StaticCounts counts;
    const auto full = edited([&] { return expand_static(source(), counts); });
    check(!full.error.empty() || full.frames.size() == payloads.size(), "expanding keeps the number of frames");
    const auto lean = edited([&] { return compact_static(source(), counts); });
    check(!lean.error.empty() || lean.frames.size() == payloads.size(), "compacting keeps the number of frames");
    static_cast<void>(
        edited([&] { return wrap_ground_truth(source(), {.host = 7, .sensor_id = 3, .mounting = Mounting{}}); }));
    static_cast<void>(edited([&] { return unwrap_ground_truth(source()); }));
    if (format.encoding == Encoding::protobuf) check_concat(payloads, type);
    return 0;
}
