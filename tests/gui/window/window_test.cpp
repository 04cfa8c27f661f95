// SPDX-License-Identifier: MPL-2.0
// Opening, on a display: by name, by the dialog, by a drop.
#include <algorithm>

#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QUrl>

#include <ositrace/byte_buffer.hpp>

#include "gui/channels/channel_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/window/recent_files.hpp"
#include "lib/messages/osi_writer.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/file_dialog.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void invites_when_nothing_is_open();
    void shows_the_first_message_of_what_is_opened();
    void says_of_several_files_whose_message_it_is();
    void names_of_channels_have_the_colour_of_the_theme();
    void says_on_the_screen_why_nothing_is_shown();
    void opens_the_file_of_its_dialog();
    void what_cannot_be_opened_leaves_what_is_open();
    void takes_what_is_dropped();
    void another_trace_without_a_host_comes_into_view();
    void all_road_users_are_in_the_first_picture_of_every_size();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

namespace {

/// One message without a host, with a car at each place.
QString write_cars(const std::filesystem::path& file, const std::vector<scene::Vector>& places)
{
    Channel channel;
    channel.type = MessageType::ground_truth;
    channel.topic = channel.type_name = std::string(row_of(*channel.type).full_name);
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(*channel.type);
    TraceInfo info;
    info.channels.push_back(channel);
    ByteBuffer bytes;
    scene::OsiWriter out(bytes, *channel.root);
    out.time("timestamp", Nanoseconds(0));
    for (std::size_t i = 0; i != places.size(); ++i)
        out.message("moving_object", [&] {
            out.id("id", i);
            out.message("base", [&] {
                out.dimension("dimension", {4, 2, 1.5});
                out.vector("position", places[i]);
            });
            out.enumeration("type", "TYPE_VEHICLE");
        });
    const auto writer = create_trace(file, info);
    Frame frame;
    frame.bytes = bytes.bytes();
    writer->write(frame);
    writer->close();
    return QString::fromStdString(file.string());
}

std::size_t cars_in_view(const SceneView& view)
{
    const auto& picture = *view.state().picture;
    const ViewTransform transform(view.state().camera, picture.origin, {view.width(), view.height()});
    std::size_t count = 0;
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things) {
            const auto at = transform.project(to_vector(thing.centre));
            if (at && view.rect().contains(static_cast<int>(at->x), static_cast<int>(at->y))) ++count;
        }
    return count;
}

}  // namespace

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

void WindowTest::says_of_several_files_whose_message_it_is()
{
    const auto other = scratch_ / "other_sv.osi";
    std::filesystem::copy_file(file_, other);
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.window.open_additional({QString::fromStdString(other.string())});
    const auto& tree = opened.window.findChild<MessageTreePanel*>()->model();
    QVERIFY(QTest::qWaitFor([&] { return tree.rowCount() == 2; }, patience_ms));
    QCOMPARE(tree.index(0, MessageTreeModel::field_column).data().toString(), QStringLiteral("SensorView (drive.osi)"));
    QCOMPARE(tree.index(1, MessageTreeModel::field_column).data().toString(),
             QStringLiteral("SensorView (other_sv.osi)"));
    const auto value = tree.index(0, MessageTreeModel::value_column);
    const auto text = value.data().toString();
    QVERIFY2(text.startsWith(QStringLiteral("#0 \u00b7 ")) && text.endsWith(QStringLiteral(" kB")),
             qUtf8Printable(text));
    QVERIFY(value.data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("message 0 \u00b7 0.000 s \u00b7 ")));
}

void WindowTest::names_of_channels_have_the_colour_of_the_theme()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto* const row = opened.window.findChild<ChannelPanel*>()->row_of(0);
    for (const auto theme : {Theme::light, Theme::dark}) {
        opened.window.set_theme(theme);
        for (int column = 0; column != ChannelPanel::column_count; ++column)
            QVERIFY2(!row->data(column, Qt::ForegroundRole).isValid(),
                     "a colour of its own, which is of one theme only");
    }
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
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* each) {
            return each->isVisible() && each->text().contains("noise.osi: ");
        });
    };
    QVERIFY(QTest::qWaitFor(says_it, patience_ms));
    QVERIFY2(recent_files().filter(QStringLiteral("noise.osi")).isEmpty(), "it is not offered again");
}

void WindowTest::opens_the_file_of_its_dialog()
{
    SceneOptions options;
    options.frames = 7;
    options.reflections = 0;
    const auto other = ositrace::test::write_sample(scratch_ / "other.mcap", options);
    Opened opened(file_);
    QVERIFY(opened.ready);
    answer_file_dialog(other);
    opened.key(Qt::Key_O, Qt::ControlModifier);
    const auto& session = opened.window.viewer().session();
    QVERIFY(QTest::qWaitFor(
        [&] { return session.channels()->size() == 1 && session.channels()->front().times->count == 7; }, patience_ms));
    QVERIFY(opened.settle());
    QVERIFY(opened.window.windowTitle().startsWith(QStringLiteral("other.mcap")));
    QVERIFY(recent_files().front().endsWith(QStringLiteral("/other.mcap")));
}

void WindowTest::what_cannot_be_opened_leaves_what_is_open()
{
    write_file(scratch_ / "words.osi", "no trace at all, just words in a row");
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto before = opened.window.viewer().snapshot();
    for (const auto* const name : {"words.osi", "missing.osi"}) {
        opened.window.open({QString::fromStdString((scratch_ / name).string())});
        QMessageBox* failure = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] {
                failure = opened.window.findChild<QMessageBox*>(QStringLiteral("failure"));
                return failure != nullptr;
            },
            patience_ms));
        QVERIFY2(failure->text().contains(QLatin1String(name)), qPrintable(failure->text()));
        delete failure;
        QCOMPARE(opened.window.viewer().session().channels()->size(), std::size_t{1});
        QCOMPARE(opened.window.viewer().snapshot(), before);
    }
}

void WindowTest::takes_what_is_dropped()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    SceneOptions options;
    options.frames = 3;
    options.reflections = 0;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(
        QString::fromStdString(ositrace::test::write_sample(scratch_ / "dropped.mcap", options).string()))});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&opened.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&opened.window, &drop);
    auto& session = opened.window.viewer().session();
    QVERIFY(QTest::qWaitFor(
        [&] { return session.channels()->size() == 2 && session.is_complete() && opened.window.is_settled(); },
        patience_ms));
    QCOMPARE(opened.window.viewer().snapshot()->channels.size(), std::size_t(2));
    QDragEnterEvent again({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&opened.window, &again);
    QDropEvent alone({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&opened.window, &alone);
    QVERIFY(QTest::qWaitFor([&] { return session.channels()->size() == 1 && session.is_complete(); }, patience_ms));
    QVERIFY(QTest::qWaitFor([&] { return opened.window.viewer().snapshot() && opened.window.viewer().is_settled(); },
                            patience_ms));
    QVERIFY(opened.window.scene().isVisible());
    QVERIFY(opened.settle());
    QCOMPARE(session.channels()->front().times->count, std::uint64_t(3));
}

void WindowTest::another_trace_without_a_host_comes_into_view()
{
    const auto near = write_cars(scratch_ / "near.osi", {{0, 0, 0}, {60, 20, 0}, {90, -4, 0}}),
               far = write_cars(scratch_ / "far.osi", {{5000, -3000, 0}, {5040, -3010, 0}}),
               beside = write_cars(scratch_ / "beside.osi", {{300, 10, 0}, {340, 0, 0}});
    Opened opened(scratch_ / "near.osi");
    QVERIFY(opened.ready);
    const auto sees = [&](std::size_t cars) {
        return QTest::qWaitFor(
            [&] {
                const auto& scene = opened.window.scene();
                return opened.window.is_settled() && scene.state().picture && cars_in_view(scene) == cars;
            },
            patience_ms);
    };
    QVERIFY(sees(3));
    opened.window.open({far});
    QVERIFY(sees(2));
    opened.window.open({near});
    QVERIFY(sees(3));
    opened.window.open_additional({beside});
    QVERIFY(sees(5));
    const auto kilometres = write_cars(scratch_ / "kilometres.osi", {{4000, 100, 0}, {4060, 90, 0}});
    opened.window.open_additional({kilometres});
    QVERIFY(sees(7));
}

void WindowTest::all_road_users_are_in_the_first_picture_of_every_size()
{
    const auto file = write_cars(scratch_ / "wide.osi", {{0, 0, 0}, {-60, -200, 0}, {90, 160, 0}});
    for (const QSize size : {QSize(1000, 700), QSize(1280, 800), QSize(1580, 600)}) {
        ViewerWindow window;
        window.resize(size);
        window.show();
        window.open({file});
        QVERIFY(QTest::qWaitFor([&] { return window.is_settled() && window.scene().state().picture; }, patience_ms));
        QCOMPARE(cars_in_view(window.scene()), std::size_t{3});
        window.resize(size.width(), 990);
        QTRY_COMPARE(window.height(), 990);
        QCOMPARE(cars_in_view(window.scene()), std::size_t{3});
        window.scene().reset_camera();
        QCOMPARE(cars_in_view(window.scene()), std::size_t{3});
    }
}

OSIVIEW_TEST(WindowTest, QApplication)
#include "window_test.moc"
