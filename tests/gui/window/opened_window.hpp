// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QWindow>

#include "gui/scene/scene_view.hpp"
#include "gui/window/viewer_window.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/scratch_folder.hpp"

namespace ositrace::test {

using namespace gui;

/// The sample scene in 60 messages; settings and kept indexes of the person who runs the test stay what they are.
inline std::filesystem::path prepared_trace(const ScratchFolder& scratch)
{
    setenv("XDG_CACHE_HOME", (scratch / "cache").c_str(), 1);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ositrace-test-%1").arg(QCoreApplication::applicationName()));
    QSettings().clear();
    SceneOptions options;
    options.frames = 60;
    options.reflections = 2000;
    return ositrace::test::write_sample(scratch / "drive.osi", options);
}

/// A window with the sample scene in it.
struct Opened {
    ViewerWindow window;
    explicit Opened(const std::filesystem::path& file)
    {
        window.set_theme(Theme::dark);
        window.show();
        window.open({QString::fromStdString(file.string())});
        ready = QTest::qWaitForWindowExposed(&window) && settle() &&
                QTest::qWaitFor([&] { return window.viewer().session().is_complete(); }, patience_ms);
        window.activateWindow();
        window.setFocus();
        ready = ready && QTest::qWaitForWindowActive(&window);  // else it takes no keys
    }
    bool settle()
    {
        return QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms);
    }
    /// By way of the window system's events, as a keyboard does: whoever has the focus gets it.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(window.windowHandle(), key, modifiers);
    }
    void key(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&window, static_cast<Qt::Key>(key), modifiers);
    }
    [[nodiscard]] std::uint64_t number() { return window.viewer().snapshot()->channels.front().number; }
    bool shows(std::uint64_t wanted)
    {
        return QTest::qWaitFor([&] { return window.is_settled() && number() == wanted; }, patience_ms);
    }
    PlaybackController& playback() { return window.viewer().playback(); }
    bool ready = false;
};

}  // namespace ositrace::test
