// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <utility>

#include <ositrace/trace.hpp>

#include "lib/io/file_source.hpp"
#include "lib/trace/container.hpp"

namespace ositrace {

std::unique_ptr<FrameSource> open_stream(const std::filesystem::path& file, const OpenOptions& options)
{
    std::unique_ptr<ByteSource> source = FileSource::open(file, {.follow = options.follow});
    std::array<std::byte, probed_bytes> probe;
    const auto front = Bytes(probe).first(read_fully(*source, probe, options.stop));
    const auto& container = container_of(front);
    return container.open_stream(put_back(front, std::move(source)), "none", options);
}

}  // namespace ositrace
