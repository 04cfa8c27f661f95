// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>

#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace::test {

/// The sample scene as a file; its container is what the name says.
inline std::filesystem::path write_sample(const std::filesystem::path& file, const SceneOptions& options = {})
{
    SceneSource scene(options, 1);
    const auto writer = create_trace(file, scene.info());
    Frame frame;
    while (scene.read(frame)) writer->write(frame);
    writer->close();
    return file;
}

}  // namespace ositrace::test
