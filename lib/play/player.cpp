// SPDX-License-Identifier: MPL-2.0
#include <ositrace/player.hpp>

#include <utility>

#include <ositrace/error.hpp>

#include "lib/play/played_section.hpp"
#include "lib/play/replay.hpp"

namespace ositrace {

void FrameSink::begin(const TraceInfo&, const PlayStart&) {}
void FrameSink::prepare(std::span<const Frame>, const TraceInfo&) {}
void FrameSink::due(const PlayStatus&) {}
void FrameSink::waiting(const PlayWait&) {}
void FrameSink::delivered(const PlayStatus&) {}
void FrameSink::source_ended(const TraceInfo&) {}
void FrameSink::finish() {}
void FrameSink::failed(const std::string&) {}
void FrameSink::give_up() {}
Nanoseconds FrameSink::other_processor_time() const noexcept { return {}; }

namespace {

void check_rate(double rate)
{
    if (!(rate >= Timeline::min_rate && rate <= Timeline::max_rate))
        throw Error(Cause::usage, "a rate is a number from 0.1 to 100");
}

void check(const PlayOptions& options)
{
    if (options.rate) check_rate(*options.rate);
    if (options.step_size && *options.step_size <= Nanoseconds(0))
        throw Error(Cause::usage, "a step must be longer than 0");
    if (options.from && options.to && *options.from >= *options.to)
        throw Error(Cause::usage, "the end of the section must be after its start");
}

}  // namespace

class Player::Implementation final : public Replay {
    using Replay::Replay;
};

Player::Player(std::shared_ptr<const Trace> trace, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options)
{
    check(options);
    auto cursor = trace->reader();
    auto& source = *cursor;
    const auto section = section_of(*trace, options);
    implementation_ = std::make_unique<Implementation>(std::move(trace), std::move(cursor), source, section, sinks,
                                                       clock, std::move(options));
}

Player::Player(FrameSource& source, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options)
{
    check(options);
    if (options.rounds != 1) throw Error(Cause::usage, "a live source is played once");
    const auto section = section_of(options);
    implementation_ =
        std::make_unique<Implementation>(nullptr, nullptr, source, section, sinks, clock, std::move(options));
}

Player::~Player() = default;

PlayReport Player::run(const std::stop_token& stop) { return implementation_->run(stop); }

void Player::pause()
{
    implementation_->request([](PlayRequests& requests) { requests.paused = true; });
}

void Player::resume()
{
    implementation_->request([](PlayRequests& requests) { requests.paused = false; });
}

void Player::set_rate(double rate)
{
    check_rate(rate);
    implementation_->request([=](PlayRequests& requests) { requests.rate = rate; });
}

void Player::seek(Nanoseconds time)
{
    if (!implementation_->seekable()) throw Error(Cause::usage, "a live source does not support seeking");
    implementation_->request([=](PlayRequests& requests) { requests.seek = time; });
}

void Player::step_forward()
{
    implementation_->request([](PlayRequests& requests) { ++requests.steps_forward; });
}

void Player::step_back()
{
    if (!implementation_->seekable()) throw Error(Cause::usage, "a live source does not support seeking");
    implementation_->request([](PlayRequests& requests) { ++requests.steps_back; });
}

}  // namespace ositrace
