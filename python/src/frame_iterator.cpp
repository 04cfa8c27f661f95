// SPDX-License-Identifier: MPL-2.0
#include "python/src/frame_iterator.hpp"

#include <algorithm>
#include <utility>

#include <nanobind/nanobind.h>

#include "python/src/convert.hpp"

namespace ositrace::python {

namespace {

/// What is read ahead at most: the first frame comes at once, the others in growing batches.
constexpr std::size_t max_frames_ahead = 64;
constexpr std::size_t max_bytes_ahead = std::size_t{1} << 20;

}  // namespace

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
        const nb::gil_scoped_release no_gil;
        read_ahead();
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
