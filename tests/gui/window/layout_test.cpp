// SPDX-License-Identifier: MPL-2.0
// How the window is arranged: kept in a file, restored, undone.
#include <algorithm>

#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>

#include "gui/marks/marks_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/window/recent_files.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/file_dialog.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class LayoutTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void restores_a_layout();
    void saves_and_restores_a_layout_by_keys();
    void undoes_a_change_of_the_layout();
    void brings_back_the_tab_that_was_in_front();
    void a_panel_of_the_menu_has_room_and_is_in_front();
    void gives_names_and_values_room_data();
    void gives_names_and_values_room();
    void no_panel_pushes_the_window_off_the_screen();
    void arranges_the_panels_for_a_task();
    void panels_are_away_while_nothing_is_open();
    void the_welcome_page_has_a_picture_of_a_recent_trace();
    void bookmarks_are_kept_for_their_trace();
    void the_player_takes_no_more_height_than_it_needs();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void LayoutTest::gives_names_and_values_room_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1280, 800);
    QTest::newRow("1600x1000") << QSize(1600, 1000);
}

void LayoutTest::gives_names_and_values_room()
{
    QFETCH(const QSize, size);
    ViewerWindow window;
    window.resize(size);
    window.show();
    window.open({QString::fromStdString(file_.string())});
    QVERIFY(QTest::qWaitForWindowExposed(&window) &&
            QTest::qWaitFor([&] { return window.is_settled() && window.is_examined(); }, patience_ms));
    QCOMPARE(window.size(), size);
    auto* const tree = window.findChild<QTreeView*>(QStringLiteral("message_tree"));
    const auto wide = [&](const char* text) { return tree->fontMetrics().horizontalAdvance(QLatin1String(text)); };
    QVERIFY(tree->columnWidth(0) >= wide("vehicle_classification") + 5 * tree->indentation());
    QVERIFY(tree->columnWidth(1) >= wide("(4, 983000000)") + 8);
    QCOMPARE(tree->textElideMode(), Qt::ElideRight);
    auto* const words = window.findChild<QLineEdit*>(QStringLiteral("object_words"));
    QVERIFY2(words->width() >= wide("Id or type") + 20, qPrintable(QString::number(words->width())));
    const auto* const findings = window.findChild<QTreeView*>(QStringLiteral("findings"));
    window.findChild<QDockWidget*>(QStringLiteral("statistics_dock"))->raise();
    QVERIFY(QTest::qWaitFor(
        [&] { return findings->columnWidth(0) + findings->columnWidth(1) == findings->viewport()->width(); }));
    QCOMPARE(findings->textElideMode(), Qt::ElideRight);
    if (size.width() >= 1600) {
        QVERIFY2(window.scene().width() * 10 >= size.width() * 6, qPrintable(QString::number(window.scene().width())));
        QVERIFY(window.scene().height() * 100 >= size.height() * 55);
    } else {
        QVERIFY2(window.scene().width() > size.width() * 2 / 5, "the scene has most of the window");
    }
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        window.grab().save(path + QStringLiteral("/window_%1.png").arg(size.width()));
}

void LayoutTest::no_panel_pushes_the_window_off_the_screen()
{
    ViewerWindow window;
    const QSize small(800, 500);  // half of 1600 x 1000, on a screen of twice the density
    window.resize(small);
    window.show();
    window.open({QString::fromStdString(file_.string())});
    QVERIFY(QTest::qWaitForWindowExposed(&window) && QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms));
    QVERIFY2(window.size() == small, qPrintable(QString::number(window.minimumSizeHint().height())));
    for (auto* const each : window.findChildren<QDockWidget*>()) {
        each->show();
        each->raise();
        QCoreApplication::processEvents();
        const auto needed = window.minimumSizeHint();
        QVERIFY2(
            needed.width() <= small.width() && needed.height() <= small.height(),
            qPrintable(QStringLiteral("%1 %2x%3").arg(each->objectName()).arg(needed.width()).arg(needed.height())));
        QCOMPARE(window.size(), small);
    }
}

void LayoutTest::arranges_the_panels_for_a_task()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto shown = [&] {
        QStringList names;
        for (const auto* const each : opened.window.findChildren<QDockWidget*>())
            if (!each->isHidden()) names += each->objectName().section(QLatin1Char('_'), 0, 0);
        names.sort();
        return names.join(QLatin1Char(' '));
    };
    const auto before = shown();
    const auto is_in_front = [&](const char* name) {
        const auto* const dock = opened.window.findChild<QDockWidget*>(QLatin1String(name));
        return QTest::qWaitFor([&] { return !dock->visibleRegion().isEmpty(); }, patience_ms);
    };
    opened.key(Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(shown(), QStringLiteral("channels message objects plots states time"));
    QVERIFY(is_in_front("plots_dock") && is_in_front("message_dock") && is_in_front("objects_dock"));
    opened.key(Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(shown(), QStringLiteral("channels compare objects statistics time"));
    QVERIFY(is_in_front("compare_dock") && is_in_front("objects_dock"));
    opened.key(Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(shown(), QStringLiteral("time"));
    opened.key(Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(shown(), before);
    QVERIFY(is_in_front("message_dock") && is_in_front("objects_dock"));
}

void LayoutTest::panels_are_away_while_nothing_is_open()
{
    ViewerWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto shown = [&] {
        return std::ranges::count_if(window.findChildren<QDockWidget*>(),
                                     [](const QDockWidget* each) { return !each->isHidden(); });
    };
    QCOMPARE(shown(), 0);
    window.open({QString::fromStdString(file_.string())});
    QVERIFY(QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms));
    QCOMPARE(shown(), 5);
    window.findChild<QDockWidget*>(QStringLiteral("objects_dock"))->hide();
    window.open({});
    QVERIFY(QTest::qWaitFor([&] { return shown() == 0; }, patience_ms));
    window.open({QString::fromStdString(file_.string())});
    QVERIFY(QTest::qWaitFor([&] { return window.is_settled() && shown() != 0; }, patience_ms));
    QCOMPARE(shown(), 4);
    QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("objects_dock"))->isHidden());
}

void LayoutTest::the_welcome_page_has_a_picture_of_a_recent_trace()
{
    const auto file = QString::fromStdString(file_.string());
    ViewerWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.open({file});
    QVERIFY(QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms));
    window.open({});
    const auto recent = recent_picture(file);
    QCOMPARE(recent.picture.size(), recent_picture_size);
    QVERIFY2(recent.about.startsWith(QStringLiteral("SensorView, ")), qPrintable(recent.about));
    auto* const card = window.findChild<QToolButton*>(QStringLiteral("recent"));
    QVERIFY(card != nullptr && card->text().contains(recent.about));
    QTest::mouseClick(card, Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms));
    clear_recent_files();
    QVERIFY(recent_picture(file).picture.isNull());
}

void LayoutTest::bookmarks_are_kept_for_their_trace()
{
    const auto other = scratch_ / "other.osi";
    std::filesystem::copy_file(file_, other);
    const auto open = [](ViewerWindow& window, const std::filesystem::path& file) {
        window.open({QString::fromStdString(file.string())});
        return QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms);
    };
    const auto list = [](ViewerWindow& window) -> MarkList& { return window.findChild<MarksPanel*>()->list(); };
    {
        ViewerWindow window;
        window.restore_arrangement();
        window.show();
        QVERIFY(open(window, file_));
        list(window).add_bookmark(std::chrono::seconds(1), std::nullopt, QStringLiteral("here"));
        QVERIFY(open(window, other));
        QCOMPARE(list(window).rowCount(), 0);
        QVERIFY(open(window, file_));
        QCOMPARE(list(window).rowCount(), 1);
    }
    ViewerWindow window;
    window.show();
    QVERIFY(open(window, file_));  // as for a picture
    QCOMPARE(list(window).rowCount(), 0);
    ViewerWindow again;
    again.restore_arrangement();
    again.show();
    QVERIFY(open(again, file_));
    QCOMPARE(list(again).rowCount(), 1);
    QCOMPARE(list(again).rows().front().mark.text, QStringLiteral("here"));
    list(again).remove({0});
    QVERIFY(kept_bookmarks(QString::fromStdString(file_.string())).isEmpty());
}

void LayoutTest::the_player_takes_no_more_height_than_it_needs()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto* const player = opened.window.findChild<QDockWidget*>(QStringLiteral("time_dock"));
    const auto needed = player->widget()->sizeHint().height();
    QVERIFY2(QTest::qWaitFor([&] { return player->height() <= needed + 4; }, 5000),
             qPrintable(QStringLiteral("%1 of %2").arg(player->height()).arg(needed)));
}

void LayoutTest::restores_a_layout()
{
    const auto file = QString::fromStdString((scratch_ / "mine.osiview.json").string());
    const QJsonObject columns{{"object_columns_hidden", QJsonArray{"z"}},
                              {"object_fields", QJsonArray{"base.acceleration.x"}}};
    gui::Layout kept;
    {
        Opened opened(file_);
        QVERIFY(opened.ready);
        opened.window.findChild<QDockWidget*>(QStringLiteral("objects_dock"))->hide();
        opened.window.scene().set_view(View::bird);
        opened.window.scene().set_shown(Category::lane, false);
        opened.window.scene().set_labels(false);
        opened.window.set_theme(Theme::light);
        opened.window.findChild<ObjectPanel*>()->restore(columns);
        kept = opened.window.layout_now();
        for (const auto* const each : {"find", "states", "analysis", "object_fields", "window", "panels"})
            QVERIFY2(to_json(kept).contains(QLatin1String(each)), each);
        QVERIFY(write_layout(file, kept).isEmpty());
    }
    QString why;
    const auto read = read_layout(file, why);
    QVERIFY2(read, qPrintable(why));
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.window.apply(*read);
    QVERIFY(opened.window.findChild<QDockWidget*>(QStringLiteral("objects_dock"))->isHidden());
    QCOMPARE(opened.window.scene().view(), View::bird);
    QVERIFY(!opened.window.scene().options().shows(Category::lane));
    QVERIFY(!opened.window.scene().labels());
    QCOMPARE(opened.window.layout_now().theme, std::optional(Theme::light));
    QJsonObject restored;
    opened.window.findChild<ObjectPanel*>()->save(restored);
    QCOMPARE(restored, columns);

    write_file(scratch_ / "broken.osiview.json", "{\"format\": 3");
    QVERIFY(!read_layout(QString::fromStdString((scratch_ / "broken.osiview.json").string()), why));
    QVERIFY(why.contains("broken.osiview.json"));
    QVERIFY(!read_layout(QString::fromStdString((scratch_ / "absent.osiview.json").string()), why));
    const auto odd = layout_of(R"({"format":"osiview layout","panels":"!!","hidden":[-1,99,3,"x"],"point_size":1e99,)"
                               R"("find":7,"states":{},"object_fields":"x","analysis":[],)"
                               R"("camera":{"distance":-5,"yaw":"x"}})",
                               why);
    QVERIFY(odd && odd->hidden == std::vector<int>{3} && odd->point_size <= 20 && odd->camera->distance > 0);
    opened.window.apply(*odd);
}

void LayoutTest::saves_and_restores_a_layout_by_keys()
{
    const auto name = scratch_ / "typed.osiview.json";
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    auto* const objects = opened.window.findChild<QDockWidget*>(QStringLiteral("objects_dock"));
    opened.press(Qt::Key_BracketRight);
    opened.press(Qt::Key_B);
    opened.press(Qt::Key_N);
    QVERIFY(objects->isHidden() && scene.view() == View::bird && !scene.labels());
    answer_file_dialog(name);
    opened.press(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(std::filesystem::exists(name));
    opened.window.activateWindow();  // the display has no window manager that would
    QVERIFY(QTest::qWaitForWindowActive(&opened.window));

    opened.press(Qt::Key_BracketRight);
    opened.press(Qt::Key_3);
    opened.press(Qt::Key_N);
    QVERIFY(!objects->isHidden() && scene.view() == View::orbit && scene.labels());
    opened.press(Qt::Key_K, Qt::ControlModifier);
    auto* const found = opened.window.findChild<QDialog*>(QStringLiteral("command_palette"));
    QVERIFY(found != nullptr);
    found->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(found));
    auto* const palette = found->windowHandle();
    for (const char letter : QByteArray("layout open")) QTest::keyClick(palette, letter);
    answer_file_dialog(name);
    QTest::keyClick(palette, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return objects->isHidden(); }, patience_ms));
    QCOMPARE(scene.view(), View::bird);
    QVERIFY(!scene.labels());
    QVERIFY(opened.settle());
}

void LayoutTest::undoes_a_change_of_the_layout()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto* const dock = opened.window.findChild<QDockWidget*>(QStringLiteral("message_dock"));
    QTest::qWait(600);
    dock->hide();
    QTest::qWait(600);
    opened.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!dock->isHidden());
    opened.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(dock->isHidden());
}

void LayoutTest::brings_back_the_tab_that_was_in_front()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    for (const char* const name : {"objects_dock", "statistics_dock"}) {
        auto* const front = opened.window.findChild<QDockWidget*>(QLatin1String(name));
        const auto is_in_front = [&] { return front->isVisible() && !front->visibleRegion().isEmpty(); };
        front->raise();
        QVERIFY(QTest::qWaitFor(is_in_front, patience_ms));
        opened.press(Qt::Key_BracketRight);
        QTest::qWait(50);
        QVERIFY(front->isHidden());
        opened.press(Qt::Key_BracketRight);
        QTest::qWait(50);
        QVERIFY2(is_in_front(), name);
    }
}

void LayoutTest::a_panel_of_the_menu_has_room_and_is_in_front()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    for (const char* const name : {"states_dock", "marks_dock", "camera_dock", "plots_dock"}) {
        auto* const dock = opened.window.findChild<QDockWidget*>(QLatin1String(name));
        QVERIFY(dock->isHidden());
        dock->toggleViewAction()->trigger();
        const auto is_shown = [&] {
            return !dock->visibleRegion().isEmpty() && dock->height() > opened.window.height() / 5;
        };
        QVERIFY2(QTest::qWaitFor(is_shown, patience_ms), name);
    }
}

OSIVIEW_TEST(LayoutTest, QApplication)
#include "layout_test.moc"
