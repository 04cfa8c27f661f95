// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// Are messages of the type that their channel says? Looks into few, which costs a converter nothing: of each channel
/// into number 0, 1, 2, 4, 8 ... and every 256th, until one is not. One thread at a time.
class TypeWatch {
public:
    explicit TypeWatch(std::filesystem::path file) : file_(std::move(file)) {}
    void look_at(const Frame& frame, const Channel& channel)
    {
        if (seen_.size() <= frame.channel) seen_.resize(frame.channel + std::size_t{1});
        const auto number = seen_[frame.channel]++;
        if ((number % frames_between == 0 || std::has_single_bit(number)) && !found_) look_into(frame, channel);
    }
    /// `run.osi: frame 20 at byte 1921963: fits SensorView, not GroundTruth`
    [[nodiscard]] const std::optional<Error>& found() const noexcept { return found_; }

private:
    static constexpr std::uint64_t frames_between = 256;
    void look_into(const Frame& frame, const Channel& channel);

    std::filesystem::path file_;
    std::vector<std::uint64_t> seen_;  ///< by channel
    std::optional<Error> found_;
};

}  // namespace ositrace
