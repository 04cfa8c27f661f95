// SPDX-License-Identifier: MPL-2.0
#include "python/src/frame_cursor.hpp"

#include <algorithm>
#include <utility>

#include <nanobind/nanobind.h>

#include "python/src/convert.hpp"
#include "python/src/parts.hpp"
#include "python/src/time_search.hpp"

namespace ositrace::python {

namespace {

/// A reader unpacks chunks ahead, which a few frames do not need.
constexpr std::uint64_t least_to_read_on = 32;

/// What is read ahead at most: the first frame comes at once, the others in growing batches.
constexpr std::size_t max_frames_ahead = 64;
constexpr std::size_t max_bytes_ahead = std::size_t{1} << 20;

}  // namespace

FrameCursor::FrameCursor(std::shared_ptr<const OpenTrace> trace, const std::vector<std::uint32_t>& channels)
    : trace_(std::move(trace)), wanted_(trace_->channels.size())
{
    for (const auto channel : channels) wanted_.at(channel) = true;
}

FrameCursor::FrameCursor(std::shared_ptr<const OpenTrace> trace, std::vector<FrameNumbers> numbers)
    : trace_(std::move(trace)), numbers_(std::move(numbers))
{
}

bool FrameCursor::read(Frame& frame)
{
    if (numbers_) {
        for (; at_ != numbers_->size(); ++at_, reader_.reset())
            if (read_numbered((*numbers_)[at_], frame)) return true;
        return false;
    }
    if (!reader_) reader_ = trace_->trace->reader();
    while (reader_->read(frame))
        if (wanted_[frame.channel]) return true;
    return false;
}

bool FrameCursor::read_numbered(FrameNumbers& numbers, Frame& frame)
{
    auto& [channel, start, count, step, time] = numbers;
    if (count == 0) return false;
    // In a file of several channels a reader would read the others, too.
    if (!reader_ && step == 1 && count >= least_to_read_on && trace_->channels.size() == 1) {
        reader_ = trace_->trace->reader();
        reader_->seek_frame(start);
    }
    if (reader_) {
        --count;
        if (!reader_->read(frame)) return false;
    } else {
        frame = trace_->trace->frame(channel, start);
        start += static_cast<std::uint64_t>(step);
        --count;
    }
    check_is_in(time, frame, *trace_);
    return true;
}

FrameIterator::FrameIterator(FrameCursor cursor) : cursor_(std::move(cursor)) {}

FrameIterator::~FrameIterator()
{
    const nb::gil_scoped_release no_gil;
    ahead_.clear();
    cursor_.reset();
}

std::optional<FrameOfTrace> FrameIterator::next()
{
    if (ahead_.empty() && !ended_ && !failure_) {
        {
            const nb::gil_scoped_release no_gil;
            read_ahead();
        }
        cursor_->trace().warnings->give();
    }
    if (ahead_.empty()) {
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        return std::nullopt;
    }
    auto frame = cursor_->trace().with_channel(std::move(ahead_.front()));
    ahead_.pop_front();
    return frame;
}

void FrameIterator::read_ahead()
try {
    std::size_t bytes = 0;
    for (Frame frame; ahead_.size() < most_ahead_ && bytes < max_bytes_ahead;) {
        if (!cursor_->read(frame)) {
            ended_ = true;
            return;
        }
        bytes += std::max(frame.bytes.size(), frame.owner_bytes / max_frames_ahead);
        ahead_.push_back(std::move(frame));
        frame = {};
    }
    most_ahead_ = std::min(2 * most_ahead_, max_frames_ahead);
} catch (...) {
    failure_ = std::current_exception();
    ended_ = true;
}

void register_frame_iterator(nb::module_& module)
{
    nb::class_<FrameIterator>(module, "FrameIterator", "Frames one after another.")
        .def(
            "__iter__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig("def __iter__(self) -> FrameIterator"))
        .def(
            "__next__",
            [](FrameIterator& self) {
                auto frame = self.next();
                if (!frame) throw nb::stop_iteration();
                return std::move(*frame);
            },
            nb::sig("def __next__(self) -> Frame"));
}

}  // namespace ositrace::python
