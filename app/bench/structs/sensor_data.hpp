// SPDX-License-Identifier: MPL-2.0
// The C struct of the published benchmark: what a radar reports, as the README of its program shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ositrace::bench {

struct SensorVersion {
    std::uint8_t data_type = 0;
    bool result = false;
    std::uint8_t master = 0, second = 0, step = 0;
    friend bool operator==(const SensorVersion&, const SensorVersion&) = default;
};

struct SensorStatus {
    std::uint8_t mode = 0, roll_count = 0, configuration = 0;
    friend bool operator==(const SensorStatus&, const SensorStatus&) = default;
};

struct TargetStatus {
    std::uint8_t targets = 0, roll_count = 0;
    friend bool operator==(const TargetStatus&, const TargetStatus&) = default;
};

struct TargetInfo {
    std::uint8_t index = 0;
    float cross_section = 0, range = 0;
    std::int16_t azimuth = 0;
    float speed = 0;
    std::uint8_t roll_count = 0;
    std::int8_t noise_ratio = 0;
    friend bool operator==(const TargetInfo&, const TargetInfo&) = default;
};

struct SensorData {
    SensorVersion version;
    SensorStatus status;
    TargetStatus target_status;
    TargetInfo target;
    std::uint8_t target_count = 0;
    friend bool operator==(const SensorData&, const SensorData&) = default;
};

/// Visits the parts of a struct in order: `part(key, number of fields, fields)` for a struct in it, where
/// `fields(field)` calls `field(key, value)` for each value, and `field(key, value)` for its own value. The keys are
/// those of the published program.
template <class Data, class Part, class Field>
void for_each_part(Data& data, Part&& part, Field&& field)
{
    part("version", 5, [&](auto&& of_part) {
        of_part("dataType", data.version.data_type);
        of_part("result", data.version.result);
        of_part("master", data.version.master);
        of_part("second", data.version.second);
        of_part("step", data.version.step);
    });
    part("sStatus", 3, [&](auto&& of_part) {
        of_part("actl_mode", data.status.mode);
        of_part("rollcount", data.status.roll_count);
        of_part("cfgStatus", data.status.configuration);
    });
    part("tStatus", 2, [&](auto&& of_part) {
        of_part("noOfTarget", data.target_status.targets);
        of_part("rollcount", data.target_status.roll_count);
    });
    part("tInfo", 7, [&](auto&& of_part) {
        of_part("index", data.target.index);
        of_part("rcs", data.target.cross_section);
        of_part("range", data.target.range);
        of_part("azimuth", data.target.azimuth);
        of_part("vrel", data.target.speed);
        of_part("rollCount", data.target.roll_count);
        of_part("SNR", data.target.noise_ratio);
    });
    field("tInfoSize", data.target_count);
}
inline constexpr std::size_t parts_of_sensor_data = 5;

/// Every value as a double, in order: the common form of all results.
[[nodiscard]] std::vector<double> numbers_of(const SensorData& data);

/// Different structs, the same in every run: values as the radar reports them, in steps of 0.5, 0.01 and 0.05.
[[nodiscard]] std::vector<SensorData> sample_structs(std::size_t count);

}  // namespace ositrace::bench
