// SPDX-License-Identifier: MPL-2.0
// Messages that are neither ground truth nor of a sensor: what of them has a place.
#pragma once

#include "lib/picture/moment_sources.hpp"

namespace ositrace::picture {

/// HostVehicleData, TrafficUpdate, StreamingUpdate, TrafficCommand, TrafficCommandUpdate, MotionRequest. What is broken
/// becomes a note.
void show_other_message(OpenSource& source, Picture& picture);

}  // namespace ositrace::picture
