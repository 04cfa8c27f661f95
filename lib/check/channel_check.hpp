// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/check/content_check.hpp"
#include "lib/check/time_check.hpp"
#include "lib/check/times_in_order.hpp"

namespace ositrace {

/// Everything that is checked in the frames of one channel, in their order.
class ChannelCheck {
public:
    /// Borrows `times`, to be finished before this is, and `findings`.
    ChannelCheck(const Channel& channel, bool name_channel, const RuleSet* rules, TimesInOrder& times,
                 Findings& findings);
    ChannelCheck(const ChannelCheck&) = delete;  // the plan and the findings point into it
    ChannelCheck& operator=(const ChannelCheck&) = delete;

    void look_at(const Frame& frame);
    void finish();

    [[nodiscard]] const Channel& channel() const noexcept { return channel_; }
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] const std::set<OsiVersion>& osi_versions() const noexcept { return versions_; }

private:
    bool is_of_other_type(const Frame& frame);
    void check_readable(const Frame& frame);
    void check_time(const Frame& frame);
    void check_container_times(const Frame& frame);
    void check_version(const Frame& frame);
    void unreadable(const Error& error);

    /// More versions than this are not kept in mind.
    static constexpr std::size_t max_versions = 100;

    Channel channel_;
    std::string topic_;  ///< empty where the file has one channel only
    Findings& findings_;
    std::optional<ContentPlan> plan_;
    std::optional<ContentCheck> content_;
    std::optional<Transcoder> reader_;
    TimeCheck times_;
    TimesInOrder& times_in_order_;
    ByteBuffer scratch_;
    FindingPlace place_;
    std::set<OsiVersion> versions_;
    std::optional<OsiVersion> last_version_;
    std::uint64_t frames_ = 0;
    std::uint64_t unknown_fields_ = 0;
};

}  // namespace ositrace
