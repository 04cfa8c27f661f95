// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <ositrace/recover.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/damaged_compression.hpp"
#include "lib/io/random_access.hpp"

namespace ositrace {

/// The frames of a damaged length-prefixed file that are whole messages, with all that is lost between them: losses
/// that touch are reported as one, when it is known what follows. `damages`: of its compression, in the order of the
/// file. Throws Error as recognize_damaged() does. Memory: that of ResyncReader, and an entry for each of `damages`.
[[nodiscard]] std::unique_ptr<FrameSource> open_whole_frames(std::shared_ptr<const RandomAccess> file,
                                                             std::string_view compression,
                                                             std::vector<CompressionDamage> damages,
                                                             const OpenOptions& options,
                                                             std::function<void(const LostBytes&)> on_loss);

}  // namespace ositrace
