// SPDX-License-Identifier: MPL-2.0
// What the window exports, by menus, dialogs and keys: the same as the commands write.
#include <atomic>
#include <filesystem>
#include <utility>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>

#include <ositrace/error.hpp>

#include "gui/export/background_job.hpp"
#include "gui/export/trace_export.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/window/layout.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/file_dialog.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class ExportTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void the_section_is_what_cut_writes_data();
    void the_section_is_what_cut_writes();
    void the_message_is_what_cat_prints();
    void a_stopped_section_leaves_nothing();
    void a_full_disk_is_an_error();
    void the_open_trace_is_not_replaced();
    void the_offered_folder_can_be_written();
    void the_offered_name_has_the_extension_of_the_trace_data();
    void the_offered_name_has_the_extension_of_the_trace();
    void a_job_is_stopped_by_its_button();
    void the_scene_is_what_the_command_writes();
    void both_views_with_trails_are_what_the_command_writes();
    void a_picture_is_what_the_command_draws();
    void the_window_as_a_video();
    void the_dialog_says_what_is_wrong();

private:
    [[nodiscard]] std::string at(const std::string& name) const { return (scratch_ / name).string(); }
    QByteArray convert(const QStringList& arguments) const;
    /// Fills in the dialog that is about to open, and presses its button.
    void answer_video_dialog(const std::string& name, bool whole_window) const;

    ScratchFolder scratch_;
    std::filesystem::path file_;
};

namespace {

bool status_shows(const ViewerWindow& window, const QString& text)
{
    return QTest::qWaitFor([&] { return window.statusBar()->currentMessage().contains(text); }, patience_ms);
}

}  // namespace

void ExportTest::initTestCase()
{
    file_ = prepared_trace(scratch_);
    QVERIFY(convert({QString::fromStdString(at("drive.osi")), "-o", QString::fromStdString(at("drive.mcap"))}).size());
}

QByteArray ExportTest::convert(const QStringList& arguments) const
{
    QProcess process;
    process.start(program_path("osiconvert"), arguments);
    constexpr int with_losses = 3;  // metadata that a length-prefixed file cannot hold
    if (!process.waitForFinished(patience_ms) || (process.exitCode() != 0 && process.exitCode() != with_losses))
        return {};
    auto out = process.readAllStandardOutput();
    return out.isEmpty() ? QByteArray("done") : out;
}

void ExportTest::the_section_is_what_cut_writes_data()
{
    QTest::addColumn<std::string>("input");
    QTest::addColumn<std::string>("extension");
    QTest::newRow("osi") << std::string("drive.osi") << std::string(".osi");
    QTest::newRow("osi to FlatBuffers") << std::string("drive.osi") << std::string(".osifb");
    QTest::newRow("osi, compressed") << std::string("drive.osi") << std::string(".osi.zst");
    QTest::newRow("osi to text") << std::string("drive.osi") << std::string(".jsonl");
    QTest::newRow("mcap") << std::string("drive.mcap") << std::string(".mcap");
    QTest::newRow("mcap to osi") << std::string("drive.mcap") << std::string(".osi");
}

/// From message 20 to message 30, selected by keys.
void ExportTest::the_section_is_what_cut_writes()
{
    QFETCH(const std::string, input);
    QFETCH(const std::string, extension);
    Opened opened(scratch_ / input);
    QVERIFY(opened.ready);
    opened.playback().go_to_message(20);
    QVERIFY(opened.shows(20));
    opened.key(Qt::Key_I);
    opened.playback().go_to_message(30);
    QVERIFY(opened.shows(30));
    opened.key(Qt::Key_O);
    const auto section = opened.playback().section();
    QVERIFY(section);
    const auto ours = at("ours" + extension), theirs = at("theirs" + extension);
    std::filesystem::remove(ours);
    std::filesystem::remove(theirs);
    answer_file_dialog(ours);
    opened.key(Qt::Key_E, Qt::ControlModifier);
    QVERIFY2(status_shows(opened.window, QStringLiteral("11 frames")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    const auto time = QStringLiteral("%1ns..%2ns").arg(section->from.count()).arg(section->to.count());
    QVERIFY(!convert({"cut", QString::fromStdString(at(input)), "-o", QString::fromStdString(theirs), "--time", time})
                 .isEmpty());
    QVERIFY(std::filesystem::file_size(ours) > 1000);
    QVERIFY2(read_file(ours) == read_file(theirs), extension.c_str());
}

void ExportTest::the_message_is_what_cat_prints()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.playback().go_to_message(7);
    QVERIFY(opened.shows(7));
    answer_file_dialog(at("message.json"));
    opened.window.commands().action(Command::export_json).trigger();
    QVERIFY2(status_shows(opened.window, QStringLiteral("message 7 of")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    const auto printed = convert({"cat", QString::fromStdString(file_.string()), "--frames", "7:8"});
    QVERIFY(printed.size() > 1000);
    QVERIFY(read_file(at("message.json")) == printed.toStdString());
}

void ExportTest::a_stopped_section_leaves_nothing()
{
    const auto trace = open_trace(file_);
    const auto before = scratch_.names();
    for (const auto* const name : {"stopped.osi", "stopped.mcap", "stopped.osi.zst"}) {
        std::stop_source stop;
        try {
            export_section(*trace, std::nullopt, std::nullopt, at(name), {file_}, stop.get_token(),
                           [&](double) { stop.request_stop(); });
            QFAIL("it was not stopped");
        } catch (const Error& error) {
            QCOMPARE(error.cause(), Cause::cancelled);
        }
        QVERIFY(scratch_.names() == before);
    }
}

void ExportTest::a_full_disk_is_an_error()
{
    const auto trace = open_trace(file_);
    try {
        export_section(*trace, std::nullopt, std::nullopt, "/dev/full", {file_}, {}, [](double) {});
        QFAIL("a full disk is no error");
    } catch (const Error& error) {
        QCOMPARE(QString::fromUtf8(error.what()), QStringLiteral("/dev/full: No space left on device"));
    }
}

void ExportTest::the_open_trace_is_not_replaced()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto before = read_file(file_);
    answer_file_dialog(file_);
    // The dialog asks whether to replace it.
    when_opened<QMessageBox>([](QMessageBox& question) { question.button(QMessageBox::Yes)->click(); });
    opened.window.commands().action(Command::export_section).trigger();
    QVERIFY2(status_shows(opened.window, QStringLiteral("drive.osi")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    QVERIFY(read_file(file_) == before);
    const auto* const failure = opened.window.findChild<QMessageBox*>(QStringLiteral("failure"));
    QVERIFY2(failure != nullptr && failure->isVisible(), "a person sees that nothing was written");
    QVERIFY(failure->text().contains(QStringLiteral("drive.osi")));
}

void ExportTest::the_offered_folder_can_be_written()
{
    const auto folder = scratch_ / "gone";
    std::filesystem::create_directory(folder);
    std::filesystem::copy_file(file_, folder / "drive.osi");
    Opened opened(folder / "drive.osi");
    QVERIFY(opened.ready);
    std::filesystem::remove_all(folder);
    QString offered;
    when_opened<QFileDialog>([&](QFileDialog& dialog) {
        offered = dialog.directory().path();
        dialog.reject();
    });
    opened.window.commands().action(Command::export_section).trigger();
    QCOMPARE(offered, QDir::homePath());
}

void ExportTest::the_offered_name_has_the_extension_of_the_trace_data()
{
    QTest::addColumn<std::string>("input");
    QTest::addColumn<QString>("offered");
    QTest::newRow("osi") << std::string("drive.osi") << QStringLiteral("drive_part.osi");
    QTest::newRow("mcap") << std::string("drive.mcap") << QStringLiteral("drive_part.mcap");
    QTest::newRow("capital letters") << std::string("RUN.MCAP") << QStringLiteral("RUN_part.mcap");
}

void ExportTest::the_offered_name_has_the_extension_of_the_trace()
{
    QFETCH(const std::string, input);
    QFETCH(const QString, offered);
    if (!std::filesystem::exists(at(input))) std::filesystem::copy_file(at("drive.mcap"), at(input));
    Opened opened(scratch_ / input);
    QVERIFY(opened.ready);
    QString name;
    when_opened<QFileDialog>([&](QFileDialog& dialog) {
        name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
        dialog.reject();
    });
    opened.window.commands().action(Command::export_section).trigger();
    QCOMPARE(name, offered);
}

void ExportTest::a_job_is_stopped_by_its_button()
{
    QWidget parent;
    parent.show();
    QString line;
    std::atomic<bool> is_told = false;
    auto* const job = new BackgroundJob(
        QStringLiteral("Export"),
        [&](const std::stop_token& stop, JobProgress& progress) -> QString {
            progress = 0.5;
            while (!stop.stop_requested()) std::this_thread::yield();
            is_told = true;
            throw Error(Cause::cancelled, "stopped");
        },
        parent);
    connect(job, &BackgroundJob::ended, &parent, [&](const QString& text) { line = text; });
    auto* const dialog = parent.findChild<QProgressDialog*>(QStringLiteral("export_progress"));
    QVERIFY(dialog != nullptr);
    QVERIFY(QTest::qWaitFor([&] { return dialog->isVisible() && dialog->value() == 500; }, patience_ms));
    QTest::mouseClick(dialog->findChild<QPushButton*>(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !line.isEmpty(); }, patience_ms));
    QVERIFY(is_told);
    QCOMPARE(line, QStringLiteral("The export was stopped: nothing was written"));
}

void ExportTest::answer_video_dialog(const std::string& name, bool whole_window) const
{
    when_opened<QDialog>([name, whole_window](QDialog& dialog) {
        QCOMPARE(dialog.objectName(), QStringLiteral("video_dialog"));
        dialog.findChild<QComboBox*>(QStringLiteral("video_what"))->setCurrentIndex(whole_window ? 1 : 0);
        dialog.findChild<QLineEdit*>(QStringLiteral("video_fps"))->setText(QStringLiteral("2.5"));
        dialog.findChild<QLineEdit*>(QStringLiteral("video_file"))->setText(QString::fromStdString(name));
        if (!whole_window) {
            dialog.findChild<QSpinBox*>(QStringLiteral("video_width"))->setValue(320);
            dialog.findChild<QSpinBox*>(QStringLiteral("video_height"))->setValue(200);
        }
        QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("video_summary"))->text(),
                 QStringLiteral("15 frames, 6.00 s of video"));
        if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
            dialog.grab().save(path + QStringLiteral("/video_dialog.png"));
        auto* const buttons = dialog.findChild<QDialogButtonBox*>();
        QTest::mouseClick(buttons->button(QDialogButtonBox::Ok), Qt::LeftButton);
    });
}

void ExportTest::the_scene_is_what_the_command_writes()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_B);  // from above the camera of the window is that of the command; in 3D it keeps its direction
    opened.key(Qt::Key_H);  // which shows no more than the command does
    QVERIFY(opened.settle());
    answer_video_dialog(at("ours"), false);
    opened.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(status_shows(opened.window, QStringLiteral("15 frames")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    QProcess process;
    process.start(program_path("osiview"),
                  {QString::fromStdString(file_.string()), "--video", QString::fromStdString(at("theirs")), "--fps",
                   "2.5", "--size", "320x200", "--view", "bird"});
    QVERIFY(process.waitForFinished(patience_ms));
    const auto names = QDir(QString::fromStdString(at("ours"))).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(names.size(), 15);
    for (const auto& name : names) {
        const QImage ours(QString::fromStdString(at("ours/")) + name);
        QCOMPARE(ours.size(), QSize(320, 200));
        QCOMPARE(ours, QImage(QString::fromStdString(at("theirs/")) + name));
    }
}

void ExportTest::both_views_with_trails_are_what_the_command_writes()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    for (const auto key : {Qt::Key_B, Qt::Key_V, Qt::Key_T}) opened.key(key);
    auto& second = *opened.window.views().second();
    second.set_view(View::bird);
    for (auto* const view : opened.window.views().all()) view->look_at_host();
    second.set_shown(Category::lane, false);
    QVERIFY(opened.settle());
    const auto layout = QString::fromStdString(at("two.osiview.json"));
    QVERIFY(write_layout(layout, opened.window.layout_now()).isEmpty());
    answer_video_dialog(at("both"), false);
    opened.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(status_shows(opened.window, QStringLiteral("15 frames")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    QProcess process;
    process.start(program_path("osiview"),
                  {QString::fromStdString(file_.string()), "--video", QString::fromStdString(at("both_theirs")),
                   "--fps", "2.5", "--size", "320x200", "--layout", layout});
    QVERIFY(process.waitForFinished(patience_ms));
    for (const auto* const name : {"/frame_000000.png", "/frame_000007.png", "/frame_000014.png"}) {
        const QImage ours(QString::fromStdString(at("both")) + name);
        QCOMPARE(ours.size(), QSize(320, 200));
        QCOMPARE(ours, QImage(QString::fromStdString(at("both_theirs")) + name));
    }
}

/// Asks for what the dialog offers besides: the size of a slide in the other theme.
void ExportTest::a_picture_is_what_the_command_draws()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_B);
    opened.key(Qt::Key_H);
    opened.playback().go_to_message(12);
    QVERIFY(opened.shows(12));
    QVERIFY(opened.settle());
    const auto at_name = QString::fromStdString(at("ours")), name = at_name + QStringLiteral(".png");
    auto answer = [&, last = 0](int preset, bool whole_window) mutable {
        when_opened<QDialog>([=, before = std::exchange(last, preset)](QDialog& dialog) {
            QCOMPARE(dialog.objectName(), QStringLiteral("picture_dialog"));
            auto& file = *dialog.findChild<QLineEdit*>(QStringLiteral("picture_file"));
            QVERIFY2(file.text().endsWith(QStringLiteral("_1.200s.png")), qPrintable(file.text()));
            auto& save = *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
            file.setText(QStringLiteral("picture.jpg"));
            QVERIFY(!save.isEnabled());
            file.setText(at_name);
            dialog.findChild<QComboBox*>(QStringLiteral("picture_what"))->setCurrentIndex(whole_window ? 1 : 0);
            auto& sizes = *dialog.findChild<QComboBox*>(QStringLiteral("picture_preset"));
            QCOMPARE(sizes.currentIndex(), before);  // that of the last picture
            sizes.setCurrentIndex(preset);
            dialog.findChild<QComboBox*>(QStringLiteral("picture_theme"))->setCurrentIndex(1);
            if (preset == 0) {
                dialog.findChild<QSpinBox*>(QStringLiteral("picture_width"))->setValue(640);
                dialog.findChild<QSpinBox*>(QStringLiteral("picture_height"))->setValue(360);
            }
            if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
                dialog.grab().save(path + QStringLiteral("/picture_dialog.png"));
            QTest::mouseClick(&save, Qt::LeftButton);
        });
        opened.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&opened.window));
        opened.key(Qt::Key_C);
    };
    answer(0, false);
    QVERIFY2(status_shows(opened.window, QStringLiteral("640 x 360 pixels, at 1.200s")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    QProcess process;
    process.start(program_path("osiview"),
                  {QString::fromStdString(file_.string()), "--screenshot", QString::fromStdString(at("theirs.png")),
                   "--time", "1.2", "--size", "640x360", "--view", "bird", "--theme", "light"});
    QVERIFY(process.waitForFinished(patience_ms));
    const QImage theirs(QString::fromStdString(at("theirs.png")));
    QCOMPARE(theirs.size(), QSize(640, 360));
    QCOMPARE(QImage(name), theirs);

    // Text of a slide is twice as large, and what is shown is the same.
    QFile::remove(name);
    answer(1, false);
    QVERIFY2(status_shows(opened.window, QStringLiteral("1920 x 1080 pixels")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    const QImage slide(name);
    QCOMPARE(slide.size(), QSize(1920, 1080));
    QFile::remove(name);
    answer(1, true);
    const auto shown = opened.window.size();
    QVERIFY2(status_shows(opened.window, QStringLiteral("%1 x %2 pixels").arg(shown.width()).arg(shown.height())),
             qPrintable(opened.window.statusBar()->currentMessage()));
    QCOMPARE(QImage(name).size(), shown);
}

void ExportTest::the_window_as_a_video()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.playback().go_to_message(12);
    QVERIFY(opened.shows(12));
    answer_video_dialog(at("window"), true);
    opened.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(status_shows(opened.window, QStringLiteral("15 frames")),
             qPrintable(opened.window.statusBar()->currentMessage()));
    const auto names = QDir(QString::fromStdString(at("window"))).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(names.size(), 15);
    QImage before;
    for (const auto& name : names) {
        const QImage frame(QString::fromStdString(at("window/")) + name);
        QCOMPARE(frame.size(), opened.window.size());
        QVERIFY2(frame != before, qPrintable(name));
        before = frame;
    }
    QVERIFY(opened.shows(12));  // the time is what it was
}

void ExportTest::the_dialog_says_what_is_wrong()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    when_opened<QDialog>([](QDialog& dialog) {
        auto* const summary = dialog.findChild<QLabel*>(QStringLiteral("video_summary"));
        auto* const button = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        auto* const file = dialog.findChild<QLineEdit*>(QStringLiteral("video_file"));
        file->setText(QStringLiteral("video.avi"));
        QVERIFY(!button->isEnabled() && summary->text().contains("is not the name of a video"));
        file->setText(QStringLiteral("frames"));
        QVERIFY(button->isEnabled());
        dialog.findChild<QLineEdit*>(QStringLiteral("video_rate"))->setText(QStringLiteral("quick"));
        QVERIFY(!button->isEnabled() && summary->text().startsWith("Speed"));
        QTest::keyClick(&dialog, Qt::Key_Escape);
    });
    opened.window.commands().action(Command::export_video).trigger();
}

OSIVIEW_TEST(ExportTest, QApplication)
#include "export_test.moc"
