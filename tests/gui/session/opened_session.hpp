// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <QTest>

#include "gui/session/session.hpp"
#include "gui/session/snapshot.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/scratch_folder.hpp"

namespace ositrace::test {

using namespace gui;

/// False when the files were not read to their ends in time.
inline bool open_all(gui::Session& session, const std::vector<std::filesystem::path>& files)
{
    for (const auto& each : files) session.open(each);
    return QTest::qWaitFor([&] { return session.is_complete(); }, patience_ms);
}

inline gui::SnapshotRequest request_at(const gui::Session& session, Nanoseconds time, std::uint64_t generation = 1)
{
    return {.channels = session.channels(), .time = time, .generation = generation};
}

}  // namespace ositrace::test
