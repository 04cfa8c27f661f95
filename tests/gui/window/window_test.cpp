// SPDX-License-Identifier: MPL-2.0
// The window with real clicks, on a display.
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>
#include <QTimer>
#include <QUrl>

#include "gui/channels/channel_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/tree/message_tree_view.hpp"
#include "gui/window/view_benchmark.hpp"
#include "gui/window/window_picture.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::gui::test;

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void invites_when_nothing_is_open();
    void shows_the_first_message_of_what_is_opened();
    void says_on_the_screen_why_nothing_is_shown();
    void opens_what_its_dialog_is_told();
    void hides_a_channel_by_its_box();
    void picks_what_is_clicked();
    void scene_table_and_tree_share_one_selection();
    void takes_what_is_dropped();
    void restores_a_layout();
    void undoes_a_change_of_the_layout();
    void grabs_itself_in_both_themes();
    void writes_no_picture_of_what_does_not_open();
    void measures_nothing_where_there_is_no_message();
    void saves_a_picture_under_a_name_without_suffix();

private:
    void answer_dialog(const std::filesystem::path& name);
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void WindowTest::invites_when_nothing_is_open()
{
    ViewerWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(window.findChild<QWidget*>(QStringLiteral("welcome"))->isVisible());
    QTest::keyClick(&window, Qt::Key_Space);
    QTest::keyClick(&window, Qt::Key_Right);
    QTest::keyClick(&window, Qt::Key_Tab);
    QTest::keyClick(&window, Qt::Key_H);
    QVERIFY(!window.viewer().playback().playing());
}

void WindowTest::shows_the_first_message_of_what_is_opened()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    QCOMPARE(opened.number(), std::uint64_t(0));
    QVERIFY(opened.window.scene().isVisible());
    QVERIFY(opened.window.windowTitle().startsWith(QStringLiteral("drive.osi")));
}

void WindowTest::says_on_the_screen_why_nothing_is_shown()
{
    write_file(scratch_ / "noise.osi", "no trace at all, just words in a row");
    ViewerWindow window;
    window.show();
    window.open({QString::fromStdString((scratch_ / "noise.osi").string())});
    auto* const welcome = window.findChild<QWidget*>(QStringLiteral("welcome"));
    const auto says_it = [&] {
        const auto labels = welcome->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* each) { return each->isVisible() && each->text().contains("noise.osi: "); });
    };
    QVERIFY(QTest::qWaitFor(says_it, patience_ms));
}

/// Types a name into the dialog that a key is about to open.
void WindowTest::answer_dialog(const std::filesystem::path& name)
{
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QTimer::singleShot(500, this, [name] {
        auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QString::fromStdString(name.string()));
        QMetaObject::invokeMethod(dialog, "accept");
    });
}

void WindowTest::opens_what_its_dialog_is_told()
{
    SceneOptions options;
    options.frames = 7;
    options.reflections = 0;
    const auto other = ositrace::test::write_sample(scratch_ / "other.mcap", options);
    Opened opened(file_);
    QVERIFY(opened.ready);
    answer_dialog(other);
    opened.key(Qt::Key_O, Qt::ControlModifier);
    const auto& session = opened.window.viewer().session();
    QVERIFY(QTest::qWaitFor([&] { return session.channels()->size() == 1 && session.channels()->front().times->count == 7; }, patience_ms));
    QVERIFY(opened.settle());
    QVERIFY(opened.window.windowTitle().startsWith(QStringLiteral("other.mcap")));
}

void WindowTest::hides_a_channel_by_its_box()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& panel = *opened.window.findChild<ChannelPanel*>();
    auto* const row = panel.row_of(0);
    QVERIFY(row != nullptr);
    QVERIFY(!opened.window.viewer().moment()->picture->layers.empty());
    const auto place = panel.visualItemRect(row);
    QTest::mouseClick(panel.viewport(), Qt::LeftButton, {}, {place.left() + 8, place.center().y()});
    QVERIFY(!opened.window.viewer().session().channels()->front().shown);
    const auto is_empty = [&] {
        const auto& picture = *opened.window.viewer().moment()->picture;
        return picture.clouds.empty() && std::all_of(picture.layers.begin(), picture.layers.end(), [](const auto& each) { return each->things.empty(); });
    };
    QVERIFY(QTest::qWaitFor(is_empty, patience_ms));
    QVERIFY(opened.window.viewer().moment()->channels.front().frame);
}

void WindowTest::picks_what_is_clicked()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    const auto& picture = *opened.window.viewer().moment()->picture;
    QVERIFY(picture.host);
    const ViewTransform view(scene.camera(), picture.origin, {scene.width(), scene.height()});
    const auto& centre = picture.host->centre;
    const auto place = view.project({centre[0], centre[1], centre[2]});
    QVERIFY(place);
    const QPoint at(static_cast<int>(place->x), static_cast<int>(place->y));
    QTest::mouseClick(&scene, Qt::LeftButton, {}, at);
    QVERIFY(QTest::qWaitFor([&] { return opened.window.viewer().selection().current().has_value(); }, 5000));
    const auto& selected = *opened.window.viewer().selection().current();
    QVERIFY(selected.thing && selected.thing->category == Category::host);
    QVERIFY(selected.path.find("moving_object") != std::string::npos);
    opened.key(Qt::Key_Escape);
    QVERIFY(!opened.window.viewer().selection().current());
}

void WindowTest::scene_table_and_tree_share_one_selection()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& selection = opened.window.viewer().selection();
    auto& table = opened.window.findChild<ObjectPanel*>()->view();
    auto& panel = *opened.window.findChild<MessageTreePanel*>();
    auto& tree = panel.view();
    const auto click = [](QAbstractItemView& view, const QModelIndex& index) {
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    };
    const auto path_in_tree = [&] { return panel.model().node(tree.currentIndex()).path(); };

    click(table, table.model()->index(2, 0));
    QVERIFY(selection.current() && selection.current()->thing);
    const auto first = *selection.current();
    QVERIFY(first.path.find("moving_object[") != std::string::npos);
    QCOMPARE(path_in_tree(), first.path);
    QVERIFY(opened.window.scene().options().selected == first.thing);

    // The speed of another one, in the tree: table and scene go along.
    const auto list = first.path.substr(0, first.path.rfind('['));
    const auto speed = panel.model().find(first.source, list + (first.path == list + "[1]" ? "[2]" : "[1]") + ".base.velocity");
    tree.expand(speed.parent().parent());
    tree.expand(speed.parent());
    QTest::qWait(50);
    click(tree, speed);
    QVERIFY(selection.current() && selection.current()->thing && selection.current()->thing != first.thing);
    QVERIFY(selection.current()->path.ends_with(".base.velocity"));
    QCOMPARE(table.model()->index(table.currentIndex().row(), 0).data().toString(), QString::number(selection.current()->thing->id));
    QVERIFY(opened.window.scene().options().selected == selection.current()->thing);
    const auto chosen = selection.current();
    opened.key(Qt::Key_End);
    QVERIFY(opened.shows(59));
    QVERIFY(selection.current()->thing == chosen->thing);
    QCOMPARE(path_in_tree(), selection.current()->path);
}

void WindowTest::takes_what_is_dropped()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    SceneOptions options;
    options.frames = 3;
    options.reflections = 0;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(ositrace::test::write_sample(scratch_ / "dropped.mcap", options).string()))});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&opened.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&opened.window, &drop);
    auto& session = opened.window.viewer().session();
    QVERIFY(QTest::qWaitFor([&] { return session.channels()->size() == 2 && session.is_complete() && opened.window.is_settled(); }, patience_ms));
    QCOMPARE(opened.window.viewer().moment()->channels.size(), std::size_t(2));
    QDragEnterEvent again({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&opened.window, &again);
    QDropEvent alone({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&opened.window, &alone);
    QVERIFY(QTest::qWaitFor([&] { return session.channels()->size() == 1 && session.is_complete(); }, patience_ms));
    QVERIFY(QTest::qWaitFor([&] { return opened.window.viewer().moment() && opened.window.viewer().is_settled(); }, patience_ms));
    QVERIFY(opened.window.scene().isVisible());
    QVERIFY(opened.settle());
    QCOMPARE(session.channels()->front().times->count, std::uint64_t(3));
}

void WindowTest::restores_a_layout()
{
    const auto file = QString::fromStdString((scratch_ / "mine.osiview.json").string());
    gui::Layout kept;
    {
        Opened opened(file_);
        QVERIFY(opened.ready);
        opened.window.findChild<QDockWidget*>(QStringLiteral("objects_dock"))->hide();
        opened.window.scene().set_view(View::bird);
        opened.window.scene().set_shown(Category::lane, false);
        opened.window.scene().set_labels(false);
        opened.window.set_theme(Theme::light);
        kept = opened.window.layout_now();
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

    write_file(scratch_ / "broken.osiview.json", "{\"format\": 3");
    QVERIFY(!read_layout(QString::fromStdString((scratch_ / "broken.osiview.json").string()), why));
    QVERIFY(why.contains("broken.osiview.json"));
    QVERIFY(!read_layout(QString::fromStdString((scratch_ / "absent.osiview.json").string()), why));
    const auto odd = layout_of(R"({"format":"osiview layout","panels":"!!","hidden":[-1,99,3,"x"],"point_size":1e99,"camera":{"distance":-5,"yaw":"x"}})", why);
    QVERIFY(odd && odd->hidden == std::vector<int>{3} && odd->point_size <= 20 && odd->camera->distance > 0);
    opened.window.apply(*odd);
}

void WindowTest::undoes_a_change_of_the_layout()
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

void WindowTest::grabs_itself_in_both_themes()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto brightness = [&] { return QColor(opened.window.grab().toImage().pixel(4, opened.window.height() - 4)).lightness(); };
    QVERIFY(brightness() < 100);
    opened.window.set_theme(Theme::light);
    QTest::qWait(50);
    QVERIFY(brightness() > 150);
    opened.window.set_theme(Theme::dark);
}

void WindowTest::writes_no_picture_of_what_does_not_open()
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
    QVERIFY(write_window_picture(window, name, false).contains(QStringLiteral("exists")));
}

void WindowTest::measures_nothing_where_there_is_no_message()
{
    const auto file = scratch_ / "empty_channel.mcap";
    create_trace(file, SceneSource({}, 1).info())->close();
    ViewerWindow window;
    window.show();
    window.viewer().open({file});
    QCOMPARE(run_benchmark(window, std::chrono::steady_clock::now()), QStringLiteral("there is no message to show"));
}

void WindowTest::saves_a_picture_under_a_name_without_suffix()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto name = scratch_ / "saved";
    answer_dialog(name);
    opened.key(Qt::Key_C);
    QVERIFY(!QImage(QString::fromStdString(name.string() + ".png")).isNull());
}

int main(int argc, char** argv)
{
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QApplication application(argc, argv);
    WindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "window_test.moc"
