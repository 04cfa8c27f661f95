// SPDX-License-Identifier: MPL-2.0
// An open trace, as the classes of ositrace/_trace.py use it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <ositrace/count_text.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

#include "python/src/frame.hpp"

namespace ositrace::python {

/// What was skipped in a damaged file, noted by the threads that read.
struct SkippedPlaces {
    void add(const SkippedBytes& place)
    {
        add(std::string(place.error.what()) + " (" + count_text(place.bytes, "byte") + " skipped)");
    }
    /// A place that was skipped before, by another reader of the trace, is noted once.
    void add(std::string text)
    {
        const std::scoped_lock lock(mutex);
        if (known.insert(text).second) texts.push_back(std::move(text));
    }

    std::mutex mutex;
    std::vector<std::string> texts;
    std::unordered_set<std::string> known;
};

/// Warnings about a trace, noted by the threads that read. They become Python's when the call that read returns.
class PendingWarnings {
public:
    void add(std::string text)
    {
        const std::scoped_lock lock(mutex_);
        texts_.push_back(std::move(text));
        any_ = true;
    }
    /// Holds the GIL when called. Throws what a filter of warnings raises.
    void give();

private:
    std::mutex mutex_;
    std::vector<std::string> texts_;
    std::atomic<bool> any_ = false;
};

/// The trace and its channels; shared by the Python object and the iterators over it.
struct OpenTrace {
    OpenTrace(std::shared_ptr<const Trace> opened, bool skip, std::shared_ptr<SkippedPlaces> places,
              std::shared_ptr<PendingWarnings> pending, bool far);
    /// The same trace with the map in a file beside it. Throws Error naming the map.
    OpenTrace(const OpenTrace& other, const std::filesystem::path& map);

    std::shared_ptr<const Trace> trace;
    std::vector<std::shared_ptr<const ChannelOfTrace>> channels;
    bool skips_damage;
    std::shared_ptr<SkippedPlaces> skipped;
    std::shared_ptr<PendingWarnings> warnings;
    std::filesystem::path map_file;  ///< that was given; empty: none
    bool is_far;                     ///< an object in a store, which is not read as a whole to find a part

    /// Reads without the GIL; then come the warnings.
    template <class Read>
    auto without_gil(Read&& read) const
    {
        auto result = [&] {
            const nanobind::gil_scoped_release no_gil;
            return read();
        }();
        warnings->give();
        return result;
    }
    [[nodiscard]] FrameOfTrace with_channel(Frame frame) const { return {frame, channels[frame.channel]}; }
    /// Is no time of a channel before that of an earlier frame? The first call reads all times.
    [[nodiscard]] bool times_go_forward(std::uint32_t channel) const;
    /// The map that was given, else the one in or beside the trace, which the first call finds; null: there is none.
    [[nodiscard]] std::shared_ptr<const TraceMap> map() const;

private:
    OpenTrace(const OpenTrace& other, std::shared_ptr<const TraceMap> map);

    mutable std::mutex map_mutex_;
    mutable std::optional<std::shared_ptr<const TraceMap>> map_;
    mutable std::mutex order_mutex_;
    mutable std::vector<std::optional<bool>> go_forward_;  ///< by channel
};

/// The Python object; close() takes the trace away.
class TraceHandle {
public:
    explicit TraceHandle(std::shared_ptr<const OpenTrace> open) : open_(std::move(open)) {}
    TraceHandle(TraceHandle&&) = default;
    TraceHandle& operator=(TraceHandle&&) = delete;
    ~TraceHandle() { close(); }

    [[nodiscard]] bool closed() const noexcept { return open_ == nullptr; }
    void close()
    {
        const nanobind::gil_scoped_release no_gil;  // the trace may have threads that read from a file object
        open_.reset();
    }
    /// A copy, because another thread may close the trace while this one works without the GIL.
    [[nodiscard]] std::shared_ptr<const OpenTrace> open() const
    {
        if (open_ == nullptr) throw nanobind::value_error("the trace is closed");
        return open_;
    }

private:
    std::shared_ptr<const OpenTrace> open_;
};

}  // namespace ositrace::python
