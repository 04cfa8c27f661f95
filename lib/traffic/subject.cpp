// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/subject.hpp"

#include <algorithm>
#include <charconv>

#include <ositrace/error.hpp>

namespace ositrace::traffic {

Subject::Subject(std::optional<std::string> wanted) : wanted_(std::move(wanted))
{
    if (!wanted_) return;
    if (wanted_->empty()) throw Error(Cause::usage, "host: found an empty text (expected an id or a name)");
    std::uint64_t id = 0;
    const auto* const end = wanted_->data() + wanted_->size();
    const auto [after, error] = std::from_chars(wanted_->data(), end, id);
    if (error == std::errc{} && after == end) id_ = id;
}

std::optional<std::size_t> Subject::in(const TrafficFrame& frame)
{
    const auto found = std::ranges::find_if(frame.objects, [&](const TrafficObject& object) {
        if (!wanted_) return object.is_host;
        return id_ ? object.has_id && object.id == *id_ : object.name == *wanted_;
    });
    if (found == frame.objects.end()) return std::nullopt;
    found_ = true;
    return static_cast<std::size_t>(found - frame.objects.begin());
}

void Subject::check_found() const
{
    if (wanted_ && !found_)
        throw Error(Cause::mismatch,
                    "no frame has an object '" + *wanted_ + "' (expected an id, or a name of the scenario)");
}

}  // namespace ositrace::traffic
