// SPDX-License-Identifier: MPL-2.0
// What the module with Qt Network does for osiview, which loads it when a URL is opened and does not link it. No
// exception crosses this boundary, and no type with a virtual destructor of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ositrace::gui {

/// The answer to a request for bytes [offset, offset + wanted) of a URL.
struct RangeAnswer {
    std::vector<std::byte> bytes;  ///< at most as many as wanted; fewer at the end of the file
    std::uint64_t size = 0;        ///< of the whole file
    std::string version;           ///< ETag, else Last-Modified; empty: the server states none
    std::string problem;           ///< why there are no bytes; empty: there are
};

/// Requests over HTTP and HTTPS. Any thread, several at once; the work is done in a thread of its own.
class RangeFetcher {
public:
    virtual ~RangeFetcher() = default;
    /// Waits for the answer; `is_stopped` is asked some times a second, and ends it.
    [[nodiscard]] virtual RangeAnswer fetch(const std::string& url, std::uint64_t offset, std::size_t wanted,
                                            bool (*is_stopped)(const void* of), const void* of) noexcept = 0;
};

/// The function of the module, by its name `osiview_range_fetcher`. The caller deletes what it returns.
using MakeRangeFetcher = RangeFetcher* (*)();

}  // namespace ositrace::gui
