// SPDX-License-Identifier: MPL-2.0
// What the window writes: pictures of itself and of the scene, and measurements.
#include <array>

#include <QCheckBox>

#include "gui/command/view_benchmark.hpp"
#include "gui/widgets/link_label.hpp"
#include "gui/widgets/theme_colours.hpp"
#include "gui/window/window_picture.hpp"
#include "tests/gui/contrast.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class PicturesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void grabs_itself_in_both_themes();
    void outlines_an_empty_box_in_both_themes();
    void texts_can_be_read_in_both_themes();
    void links_follow_the_theme();
    void writes_no_picture_of_what_does_not_open();
    void measures_nothing_where_there_is_no_message();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void PicturesTest::grabs_itself_in_both_themes()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto brightness = [&] {
        return QColor(opened.window.grab().toImage().pixel(4, opened.window.height() - 4)).lightness();
    };
    QVERIFY(brightness() < 100);
    opened.window.set_theme(Theme::light);
    QTest::qWait(50);
    QVERIFY(brightness() > 150);
    opened.window.set_theme(Theme::dark);
}

void PicturesTest::outlines_an_empty_box_in_both_themes()
{
    ViewerWindow window;
    for (const auto theme : {Theme::dark, Theme::light}) {
        window.set_theme(theme);
        QCheckBox box;
        box.resize(40, 40);
        const auto picture = box.grab().toImage();
        const auto around = QColor(picture.pixel(0, 0)).lightness();
        int most = 0;  // of the contrast along the row that crosses the box
        for (int x = 0; x < 20; ++x) most = std::max(most, std::abs(QColor(picture.pixel(x, 20)).lightness() - around));
        QVERIFY2(most > 60, qPrintable(QString::number(most)));
    }
    window.set_theme(Theme::dark);
}

void PicturesTest::links_follow_the_theme()
{
    ViewerWindow window;
    window.set_theme(Theme::dark);
    LinkLabel label;
    label.setTextFormat(Qt::RichText);
    label.setText(QStringLiteral("<a href=\"1\">\u2588\u2588\u2588\u2588</a>"));  // filled with its colour
    for (const auto theme : {Theme::dark, Theme::light, Theme::dark}) {
        window.set_theme(theme);
        QCoreApplication::sendPostedEvents();
        label.resize(label.sizeHint());
        const auto picture = label.grab().toImage();
        const auto numbers = [](const QColor& colour) {
            return std::array{colour.redF(), colour.greenF(), colour.blueF()};
        };
        const auto around = numbers(QApplication::palette().color(QPalette::Window));
        double most = 0;
        for (int x = 0; x < picture.width(); ++x)
            most = std::max(most, contrast(numbers(picture.pixelColor(x, picture.height() / 2)), around));
        QVERIFY2(most >= 4.5, qPrintable(QString::number(most)));
    }
}

void PicturesTest::texts_can_be_read_in_both_themes()
{
    ViewerWindow window;
    const auto check = [](QPalette::ColorRole text, QPalette::ColorRole ground) {
        const auto palette = QApplication::palette();
        const auto numbers = [&](QPalette::ColorRole role) {
            const auto colour = palette.color(role);
            return std::array{colour.redF(), colour.greenF(), colour.blueF()};
        };
        const auto found = contrast(numbers(text), numbers(ground));
        QVERIFY2(found >= 4.5, qPrintable(QStringLiteral("%1 on %2: %3").arg(text).arg(ground).arg(found)));
    };
    for (const auto theme : {Theme::dark, Theme::light}) {
        window.set_theme(theme);
        for (const auto text : {QPalette::WindowText, QPalette::Text, QPalette::PlaceholderText, QPalette::Link})
            for (const auto ground : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button})
                check(text, ground);
        for (const auto tone : {Tone::information, Tone::warning, Tone::error, Tone::time}) {
            const auto least = tone == Tone::time ? 3.0 : 4.5;  // a mark
            const auto numbers = [](const QColor& colour) {
                return std::array{colour.redF(), colour.greenF(), colour.blueF()};
            };
            for (const auto ground : {QPalette::Base, QPalette::AlternateBase, QPalette::Window}) {
                const auto found = contrast(numbers(colour_of(tone)), numbers(QApplication::palette().color(ground)));
                QVERIFY2(found >= least, qPrintable(QStringLiteral("%1: %2").arg(static_cast<int>(tone)).arg(found)));
            }
        }
        check(QPalette::HighlightedText, QPalette::Highlight);
        check(QPalette::ToolTipText, QPalette::ToolTipBase);
    }
    window.set_theme(Theme::dark);
}

void PicturesTest::writes_no_picture_of_what_does_not_open()
{
    const auto output = scratch_ / "none.png";
    const auto name = QString::fromStdString(output.string());
    ViewerWindow window;
    window.show();
    window.viewer().open({file_, scratch_ / "absent.osi"});
    QVERIFY(write_window_picture(window, name, false).contains(QStringLiteral("absent.osi")));
    QVERIFY(!std::filesystem::exists(output));
    window.viewer().open({file_});
    QCOMPARE(write_window_picture(window, name, false), QString());
    QVERIFY2(window.is_examined(), "the statistics are on the picture, too");
    QVERIFY(write_window_picture(window, name, false).contains(QStringLiteral("exists")));
}

void PicturesTest::measures_nothing_where_there_is_no_message()
{
    const auto file = scratch_ / "empty_channel.mcap";
    create_trace(file, SceneSource({}, 1).info())->close();
    ViewerWindow window;
    window.show();
    window.viewer().open({file});
    QCOMPARE(run_benchmark(window, std::chrono::steady_clock::now(), std::chrono::seconds(1)),
             QStringLiteral("there is no message to show"));
}

OSIVIEW_TEST(PicturesTest, QApplication)
#include "pictures_test.moc"
