// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/play_log.hpp"

#include <chrono>

#include <ositrace/message_type.hpp>

namespace ositrace::app {
namespace {

Nanoseconds system_time() { return std::chrono::system_clock::now().time_since_epoch(); }

/// All of them: a stream may bring a new channel on the way, and the list stands at the head of the log.
PerformanceLogOptions log_options(bool overwrite)
{
    PerformanceLogOptions options{"osiplay", {}, overwrite};
    for (const auto& row : message_types()) options.messages.emplace_back("osi3." + std::string(row.name));
    return options;
}

}  // namespace

PlayLog::PlayLog(const std::filesystem::path& file, bool overwrite) : log_(file, log_options(overwrite))
{
    std::uint32_t place = 0;
    for (const auto& name : log_options(overwrite).messages) messages_[name] = place++;
}

void PlayLog::add(PerformanceEvent event, Nanoseconds at, const PlayStatus& status)
{
    for (const auto& frame : status.step) {
        const auto message = messages_.find(status.info->channels.at(frame.channel).type_name);
        if (message != messages_.end()) log_.add(event, at, status.now, message->second, 0, frame.bytes.size());
    }
}

void PlayLog::step_is_due(const PlayStatus& status, bool at_a_rate)
{
    const auto now = system_time();
    add(PerformanceEvent::start_source_calculation, at_a_rate ? now - status.late : last_taken_.value_or(now), status);
    add(PerformanceEvent::start_serialize, now, status);
}

void PlayLog::step_was_taken(const PlayStatus& status)
{
    last_taken_ = system_time();
    add(PerformanceEvent::stop_serialize, *last_taken_, status);
}

void PlayLog::close() { log_.close(); }

}  // namespace ositrace::app
