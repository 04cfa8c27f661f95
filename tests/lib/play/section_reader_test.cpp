// SPDX-License-Identifier: MPL-2.0
#include <future>
#include <vector>

#include "lib/play/section_reader.hpp"
#include "lib/play/step_queue.hpp"
#include "lib/play/step_reader.hpp"
#include "tests/catch.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// Frames of two channels at 0 s and 1 s, and others at 50 s, the second of which waits until what was there before was
/// taken.
class SlowBehindTheSection final : public FrameSource {
public:
    SlowBehindTheSection() { info_.channels.resize(2); }
    const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token) override
    {
        constexpr std::uint64_t inside = 4, frames = 8;
        if (next_ == frames) return false;
        if (next_ == inside + 1) was_taken_in_time = taken.get_future().wait_for(10s) == std::future_status::ready;
        frame.index = next_;
        frame.channel = static_cast<std::uint32_t>(next_ % 2);
        frame.time = next_ < inside ? Nanoseconds(next_ / 2 * 1s) : Nanoseconds(50s);
        ++next_;
        return true;
    }
    std::uint64_t bytes_consumed() const noexcept override { return 0; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

    std::promise<void> taken;
    bool was_taken_in_time = false;

private:
    TraceInfo info_;
    std::uint64_t next_ = 0;
};

}  // namespace

TEST_CASE("the frames of a section do not wait for those behind it to be read")
{
    SlowBehindTheSection source;
    SectionReader frames({source}, {.times = {0s, 2s}, .to_last_frame = false});
    MomentReader moments(frames, true);
    StepQueue steps(moments, 1 << 20, false);
    std::vector<std::pair<Nanoseconds, std::size_t>> taken;
    while (const auto step = steps.take({})) {
        taken.emplace_back(step->moment.time, step->frames.size());
        if (taken.size() == 2) source.taken.set_value();
    }
    CHECK(taken == std::vector<std::pair<Nanoseconds, std::size_t>>{{0s, 2}, {1s, 2}});
    CHECK(source.was_taken_in_time);
}
