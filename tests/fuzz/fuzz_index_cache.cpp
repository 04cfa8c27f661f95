// SPDX-License-Identifier: MPL-2.0
// The kept index of a file: a broken one is no index, and a wrong one that looks right leads to Errors, not to other
// memory. Input: frames (8 bytes), marks; or, by the last byte, the whole cache file.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "lib/io/input_file.hpp"
#include "lib/length_prefixed/index_cache.hpp"
#include "tests/fuzz/memory_file.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr std::size_t header_bytes = 64;
constexpr std::size_t frames_place = 48;
constexpr std::size_t marks_place = 56;
constexpr std::uint64_t trace_frames = 3000;

std::uint64_t checksum_of(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
    for (const auto byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x0000'0100'0000'01b3;
    return hash;
}

void write_file(const std::filesystem::path& name, std::string_view bytes)
{
    std::ofstream(name, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string file_bytes(const std::filesystem::path& name)
{
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A trace of short frames, and where its index is kept.
class Place {
public:
    Place() : folder_(std::filesystem::temp_directory_path() / ("ositrace_fuzz_index_" + std::to_string(::getpid())))
    {
        std::filesystem::create_directories(folder_);
        std::string bytes;
        for (std::uint64_t i = 0; i != trace_frames; ++i) {
            bytes += static_cast<char>(i % 50);
            bytes.append(3, '\0').append(i % 50, 'x');
        }
        write_file(trace_, bytes);
        FileAccess file(open_for_reading(trace_), trace_);
        store_index(folder_, file, {});
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            if (entry.path().filename().string().starts_with("index-")) cache_ = entry.path();
        check(!cache_.empty(), "the index is stored");
        header_ = file_bytes(cache_).substr(0, header_bytes);
    }
    ~Place()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] const std::filesystem::path& trace() const { return trace_; }
    void keep(std::string_view cache) const { write_file(cache_, cache); }

    /// With a header and a checksum that nobody can find fault with.
    [[nodiscard]] std::string well_kept(Bytes frames_and_marks) const
    {
        auto cache = header_;
        const auto marks = frames_and_marks.subspan(std::min<std::size_t>(8, frames_and_marks.size()));
        const auto count = std::uint64_t{marks.size() / sizeof(IndexMark)};
        if (frames_and_marks.size() >= 8) std::memcpy(cache.data() + frames_place, frames_and_marks.data(), 8);
        std::memcpy(cache.data() + marks_place, &count, sizeof count);
        cache += text_of(marks.first(count * sizeof(IndexMark)));
        const auto checksum = checksum_of(cache);
        cache.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
        return cache;
    }

private:
    std::filesystem::path folder_;
    std::filesystem::path trace_ = folder_ / "trace.osi";
    std::filesystem::path cache_;
    std::string header_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Place place;
    Input input(data, size);
    const bool raw = input.choose(8) == 7;
    place.keep(raw ? std::string(input.text()) : place.well_kept(input.rest()));
    const FileAccess file(open_for_reading(place.trace()), place.trace());
    auto kept = load_index(place.folder(), file);
    if (!kept) return 0;
    TraceIndex index(file, {}, std::move(kept));
    const auto frames = index.frame_count();
    for (const auto frame : {std::uint64_t{0}, std::uint64_t{1}, frames / 2, frames - 1, frames, frames + 1})
        attempt([&] {
            const auto found = index.find(frame);
            check(!found || found->offset + 4 + found->length <= file.size(), "a frame lies in the file");
            return "";
        });
    return 0;
}
