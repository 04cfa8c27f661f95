// SPDX-License-Identifier: MPL-2.0
#include "tests/fuzz/roots.hpp"

#include <vector>

#include "tests/formats/every_kind.hpp"

namespace fuzzing {

namespace {

std::vector<const ositrace::MessageTable*> make_roots()
{
    static const auto osi = ositrace::Schema::built_in();
    std::vector<const ositrace::MessageTable*> roots{&by_hand::every_kind()};
    for (const auto& type : ositrace::message_types()) roots.push_back(&osi->root(type.type));
    for (const auto* const name :
         {"osi3.LidarSensorView", "osi3.MovingObject", "osi3.LaneBoundary", "osi3.HostVehicleData.VehicleBasics"})
        if (const auto* const table = osi->find(name)) roots.push_back(table);
    return roots;
}

}  // namespace

std::span<const ositrace::MessageTable* const> roots()
{
    static const auto all = make_roots();
    return all;
}

}  // namespace fuzzing
