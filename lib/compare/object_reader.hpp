// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <ositrace/compare_objects.hpp>

#include "lib/picture/host_pose.hpp"

namespace ositrace::compare {

/// A sensor in global coordinates, with the motion of its host.
struct SensorMotion {
    picture::Placement placement{picture::Vector{}};
    picture::HostPose host;

    /// In the frame of the sensor.
    [[nodiscard]] picture::Vector to_local(const std::array<double, 3>& position) const noexcept;
};

class ObjectColumns;

/// The objects of messages. Reuses its memory; the schemas must outlive it.
class ObjectReader {
public:
    static constexpr std::size_t most_objects = 100'000;  ///< of a message

    /// The elements of `list`, without those that have no valid place: their number is added to `left_out`. `sensor`:
    /// they are detections of this sensor; null: they are in global coordinates. Throws Error (malformed, limit).
    [[nodiscard]] std::vector<ComparedObject> read(const MessageView& parent, const FieldRow& list,
                                                   const SensorMotion* sensor, std::size_t& left_out);

private:
    ObjectColumns& columns_of(const FieldRow& list);

    std::map<const FieldRow*, std::shared_ptr<ObjectColumns>> columns_;
};

}  // namespace ositrace::compare
