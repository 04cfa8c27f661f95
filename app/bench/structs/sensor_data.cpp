// SPDX-License-Identifier: MPL-2.0
#include "app/bench/structs/sensor_data.hpp"

namespace ositrace::bench {
namespace {

/// A linear congruential generator: the same numbers with every compiler and library.
class Dice {
public:
    int below(int end)
    {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(end));
    }
    std::uint8_t byte(int end) { return static_cast<std::uint8_t>(below(end)); }

private:
    std::uint64_t state_ = 20;
};

float in_steps(int steps, float offset, float per_unit) { return (static_cast<float>(steps) + offset) / per_unit; }

}  // namespace

std::vector<double> numbers_of(const SensorData& data)
{
    std::vector<double> numbers;
    const auto add = [&](const char*, auto value) { numbers.push_back(static_cast<double>(value)); };
    for_each_part(data, [&](const char*, std::size_t, auto&& fields) { fields(add); }, add);
    return numbers;
}

std::vector<SensorData> sample_structs(std::size_t count)
{
    Dice dice;
    std::vector<SensorData> structs(count);
    for (auto& data : structs) {
        data.version = {dice.byte(2), dice.below(2) == 1, dice.byte(4), dice.byte(16), dice.byte(256)};
        data.status = {dice.byte(4), dice.byte(4), dice.byte(8)};
        data.target_status = {dice.byte(9), dice.byte(4)};
        data.target.index = dice.byte(65);
        data.target.cross_section = in_steps(dice.below(256), -100, 2);
        data.target.range = in_steps(dice.below(65'536), 0, 100);
        data.target.azimuth = static_cast<std::int16_t>(dice.below(256) * 2 - 90);
        data.target.speed = in_steps(dice.below(2048), -700, 20);
        data.target.roll_count = dice.byte(4);
        data.target.noise_ratio = static_cast<std::int8_t>(dice.below(256) - 128);
        data.target_count = dice.byte(9);
    }
    return structs;
}

}  // namespace ositrace::bench
