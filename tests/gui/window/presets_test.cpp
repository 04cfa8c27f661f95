// SPDX-License-Identifier: MPL-2.0
// What the window looks like: the welcome page, and each arrangement of the panels in both themes. With
// OSIVIEW_TEST_GRAB=FOLDER all real traces are shown in three sizes, and the pictures are written there to be looked at
// (QT_SCALE_FACTOR=2 for 200 %).
#include <array>
#include <filesystem>
#include <set>
#include <vector>

#include <QDockWidget>

#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"
#include "tests/places.hpp"

using namespace ositrace::gui;
using ositrace::test::Opened;
using ositrace::test::patience_ms;

class PresetsTest : public QObject {
    Q_OBJECT
    const ScratchFolder scratch_;
    const std::filesystem::path sample_ = ositrace::test::prepared_trace(scratch_);
    const QString grabbed_ = qEnvironmentVariable("OSIVIEW_TEST_GRAB");

    void keep(const QImage& picture, const QString& name) const;
    void look_at(Opened& opened, const QString& trace, QSize size) const;

private slots:
    void the_welcome_page_fits();
    void every_arrangement_shows_the_scene_and_its_panels();
};

struct Preset {
    Qt::Key key;
    const char* name;
    std::vector<const char*> panels;
    double least_width, least_height;  ///< of the scene, as a share of the window
};

const std::array presets{
    Preset{Qt::Key_1, "inspect", {"message_dock", "objects_dock"}, 0.5, 0.55},
    Preset{Qt::Key_2, "plot", {"message_dock", "objects_dock", "plots_dock"}, 0.5, 0.3},
    Preset{Qt::Key_3, "compare", {"compare_dock", "objects_dock"}, 0.5, 0.3},
    Preset{Qt::Key_4, "scene", {}, 0.99, 0.7},
};

constexpr std::array sizes{QSize(1280, 720), QSize(1600, 1000)};

/// Something is drawn: more than a ground and a text.
std::size_t colours_of(const QImage& picture)
{
    std::set<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 4)
        for (int x = 0; x < picture.width(); x += 4) colours.insert(picture.pixel(x, y));
    return colours.size();
}

QString named(const QString& what, Theme theme, QSize size)
{
    return QStringLiteral("%1_%2_%3x%4")
        .arg(what, theme == Theme::dark ? "dark" : "light")
        .arg(size.width())
        .arg(size.height());
}

void PresetsTest::keep(const QImage& picture, const QString& name) const
{
    if (!grabbed_.isEmpty()) QVERIFY(picture.save(QStringLiteral("%1/%2.png").arg(grabbed_, name)));
}

void PresetsTest::the_welcome_page_fits()
{
    ViewerWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    for (const auto& size : sizes)
        for (const auto theme : {Theme::dark, Theme::light}) {
            window.set_theme(theme);
            window.resize(size);
            QCoreApplication::processEvents();  // the theme reaches the widgets
            const auto picture = window.grab().toImage();
            QVERIFY(colours_of(picture) > 20);
            keep(picture, named("welcome", theme, size));
        }
}

void PresetsTest::look_at(Opened& opened, const QString& trace, QSize size) const
{
    opened.window.resize(size);
    for (const auto& preset : presets) {
        opened.key(preset.key, Qt::ControlModifier);
        for (const auto* const each : preset.panels) {
            const auto* const dock = opened.window.findChild<QDockWidget*>(QLatin1String(each));
            QVERIFY2(QTest::qWaitFor([&] { return !dock->visibleRegion().isEmpty(); }, patience_ms), each);
            QVERIFY2(opened.window.rect().contains(QRect(dock->mapTo(&opened.window, QPoint()), dock->size())), each);
        }
        for (const auto theme : {Theme::dark, Theme::light}) {
            opened.window.set_theme(theme);
            QVERIFY(opened.settle());
            const auto& scene = opened.window.scene();
            const auto what = named(trace + '_' + QLatin1String(preset.name), theme, size);
            QVERIFY2(scene.width() >= preset.least_width * size.width() &&
                         scene.height() >= preset.least_height * size.height(),
                     qPrintable(QStringLiteral("%1: %2 x %3").arg(what).arg(scene.width()).arg(scene.height())));
            const auto picture = opened.window.grab().toImage();
            const QRect area(scene.mapTo(&opened.window, QPoint()) * picture.devicePixelRatio(),
                             scene.size() * picture.devicePixelRatio());
            QVERIFY2(colours_of(picture.copy(area)) > 20, qPrintable(what));
            keep(picture, what);
        }
    }
}

void PresetsTest::every_arrangement_shows_the_scene_and_its_panels()
{
    std::vector<std::filesystem::path> files{sample_};
    const auto traces = ositrace::test::shared_folder() / "traces";
    if (!grabbed_.isEmpty() && std::filesystem::is_directory(traces))
        for (const auto& each : std::filesystem::directory_iterator(traces))
            if (each.path().extension() == ".osi" || each.path().extension() == ".mcap") files.push_back(each.path());
    for (const auto& file : files) {
        Opened opened(file);
        QVERIFY2(opened.ready, file.c_str());
        const auto name = QString::fromStdString(file.stem().string());
        for (const auto& size : sizes)
            if (size == sizes.front() || !grabbed_.isEmpty()) look_at(opened, name, size);
    }
}

OSIVIEW_TEST(PresetsTest, QApplication)
#include "presets_test.moc"
