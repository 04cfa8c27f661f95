// SPDX-License-Identifier: MPL-2.0
// A sensor model beside a trace: what is shown of it, and what happens when it crashes or hangs.
#include <functional>

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/trace.hpp>

#include "gui/channels/channel_panel.hpp"
#include "gui/command/view_benchmark.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

class ModelTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        qputenv("OSITRACE_FMU_HOST", ositrace::test::program("ositrace-fmu-host").c_str());
        file_ = prepared_trace(scratch_);
    }
    void shows_what_the_dummy_sensor_returns();
    void shows_what_an_fmu_returns();
    void a_crash_names_the_frame_and_a_seek_begins_anew();
    void a_hang_is_ended_and_blocks_nothing();
    void records_what_it_returns();
    void is_removed_with_its_channel();
    void an_invalid_parameter_is_said();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

namespace {

std::filesystem::path test_model(int fmi)
{
    return ositrace::test::model_folder() / ("test_model_fmi" + std::to_string(fmi) + ".fmu");
}

struct WithModel : Opened {
    using Opened::Opened;
    bool comes(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, patience_ms); }
    /// As a person fills in the dialog.
    bool run(const std::filesystem::path& fmu, const std::map<QString, QString>& parameters, const QString& record = {})
    {
        bool filled = false;
        QTimer::singleShot(0, &window, [&, this] {
            auto* const dialog = window.findChild<QDialog*>(QStringLiteral("model"));
            if (!fmu.empty()) {
                dialog->findChild<QComboBox*>(QStringLiteral("kind"))->setCurrentIndex(1);
                auto* const file = dialog->findChild<QLineEdit*>(QStringLiteral("fmu"));
                file->setText(QString::fromStdString(fmu.string()));
                QTest::keyClick(file, Qt::Key_Return);
            }
            auto* const table = dialog->findChild<QTableWidget*>(QStringLiteral("parameters"));
            auto* const ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
            if (!QTest::qWaitFor([&] { return ok->isEnabled() && table->rowCount() != 0; }, patience_ms))
                return dialog->reject();
            std::size_t set = 0;
            for (int row = 0; row != table->rowCount(); ++row) {
                const auto value = parameters.find(table->item(row, 0)->text());
                if (value == parameters.end()) continue;
                table->item(row, 2)->setText(value->second);
                ++set;
            }
            dialog->findChild<QLineEdit*>(QStringLiteral("record"))->setText(record);
            filled = set == parameters.size();
            QTest::mouseClick(ok, Qt::LeftButton);
        });
        window.commands().action(Command::run_model).trigger();
        return filled;
    }
    [[nodiscard]] const OpenTrace& model() { return window.viewer().session().traces().back(); }
    /// The message of the model on the screen.
    [[nodiscard]] const ShownFrame* shown()
    {
        const auto& snapshot = window.viewer().snapshot();
        const auto& channels = *window.viewer().session().channels();
        if (!window.is_settled() || snapshot->channels.size() != channels.size() || channels.size() < 2) return nullptr;
        return &snapshot->channels.back();
    }
    bool shows_frame_at(Nanoseconds time)
    {
        return comes([&] {
            const auto* const frame = shown();
            return frame != nullptr && frame->frame && frame->time == time;
        });
    }
    [[nodiscard]] QString problems() { return window.viewer().problems().join(QLatin1Char('\n')); }
    bool says(const QString& text)
    {
        return comes([&] { return problems().contains(text); });
    }
};

/// What the dummy sensor returns for frame `number`, alone.
std::vector<std::byte> computed(const std::filesystem::path& file, std::uint64_t number,
                                const DummySensorOptions& options)
{
    const auto trace = open_trace(file);
    const auto sensor = dummy_sensor(options);
    const auto frame = trace->frame(0, number);
    sensor->initialize(trace->info(), {*frame.time, 100ms, {&frame, 1}});
    const auto returned = sensor->step({&frame, 1}, *frame.time, 100ms);
    return {returned.front().bytes.begin(), returned.front().bytes.end()};
}

}  // namespace

void ModelTest::shows_what_the_dummy_sensor_returns()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.run({}, {{QStringLiteral("nominal_range"), QStringLiteral("60")}}));
    QVERIFY(opened.shows_frame_at(0s));
    for (const auto time : {Nanoseconds(3s), Nanoseconds(1'250ms), Nanoseconds(5'900ms)}) {
        opened.playback().seek(time);
        const auto number = static_cast<std::uint64_t>(time / 100ms);
        QVERIFY(opened.shows_frame_at(Nanoseconds(100ms) * static_cast<std::int64_t>(number)));
        const auto& shown = opened.shown()->frame->bytes;
        const auto expected = computed(file_, number, {.nominal_range = 60});
        QVERIFY2(std::ranges::equal(shown, expected), "bytes of the model for the input of this time");
    }
    const auto& channels = *opened.window.viewer().session().channels();
    QVERIFY(channels.back().channel->type == MessageType::sensor_data);
    const auto& layers = opened.window.viewer().snapshot()->picture->layers;
    QVERIFY2(std::ranges::any_of(layers,
                                 [&](const auto& layer) {
                                     return std::ranges::any_of(layer->things, [&](const auto& thing) {
                                         return thing.key.source == channels.size() - 1;
                                     });
                                 }),
             "its objects are drawn beside the ground truth");
    QVERIFY2(opened.problems().isEmpty(), qUtf8Printable(opened.problems()));
}

void ModelTest::shows_what_an_fmu_returns()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    for (const int fmi : {2, 3}) {
        QVERIFY(opened.run(test_model(fmi), {}));
        QVERIFY(opened.shows_frame_at(opened.playback().time()));
        opened.playback().seek(2s);
        QVERIFY(opened.shows_frame_at(2s));
        QVERIFY(opened.model().file.string().starts_with("test_model_fmi"));
    }
}

void ModelTest::a_crash_names_the_frame_and_a_seek_begins_anew()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.run(test_model(2), {{QStringLiteral("behaviour"), QStringLiteral("crash")},
                                       {QStringLiteral("at"), QStringLiteral("17")}}));
    QVERIFY(opened.says(QStringLiteral("test_model_fmi2 crashed (SIGSEGV) at frame 17")));
    QVERIFY2(opened.shows_frame_at(0s), "what it returned before stays");
    opened.playback().seek(1'600ms);
    QVERIFY(opened.shows_frame_at(1'600ms));
    // The model counts its steps: a new one, from here, does not crash before the end.
    opened.playback().seek(4'500ms);
    QVERIFY(opened.shows_frame_at(4'500ms));
    QVERIFY(opened.comes([&] { return !opened.problems().contains(QStringLiteral("crashed")); }));
}

void ModelTest::a_hang_is_ended_and_blocks_nothing()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    GuiWatchdog watchdog;
    QVERIFY(opened.run(test_model(3), {{QStringLiteral("behaviour"), QStringLiteral("hang")},
                                       {QStringLiteral("at"), QStringLiteral("3")}}));
    QVERIFY(opened.shows_frame_at(0s));
    opened.playback().go_to_message(5);
    QVERIFY2(opened.says(QStringLiteral("not computed yet")), "the panel says so while it hangs");
    QVERIFY(opened.comes([&] { return opened.shown() != nullptr && !opened.shown()->frame; }));
    QVERIFY(opened.says(QStringLiteral("test_model_fmi3 did not return within 10 s at frame 3")));
    watchdog.reset();
    opened.window.commands().action(Command::remove_model).trigger();
    QTest::qWait(50);
    const auto block = std::chrono::duration<double, std::milli>(watchdog.longest_block()).count();
    QVERIFY2(block < 1000, qPrintable(QString::number(block)));
}

void ModelTest::records_what_it_returns()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    opened.playback().seek(3s);
    const auto file = scratch_ / "returned.mcap";
    QVERIFY(opened.run({}, {}, QString::fromStdString(file.string())));
    QVERIFY(opened.comes([&] { return opened.model().state.contains(QStringLiteral("60 messages are recorded in")); }));
    const auto trace = open_trace(file);
    QCOMPARE(trace->frame_count(), std::uint64_t(60));
    QVERIFY(std::ranges::equal(trace->frame(0, 42).bytes, computed(file_, 42, {})));
}

void ModelTest::is_removed_with_its_channel()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.run({}, {}));
    QVERIFY(opened.shows_frame_at(0s));
    QVERIFY(opened.run({}, {}));  // replaces it
    QVERIFY(opened.shows_frame_at(0s));
    auto& session = opened.window.viewer().session();
    QCOMPARE(session.traces().size(), std::size_t(2));
    session.set_active(1);
    opened.window.commands().action(Command::remove_model).trigger();
    QCOMPARE(session.traces().size(), std::size_t(1));
    QCOMPARE(session.channels()->size(), std::size_t(1));
    QCOMPARE(session.active(), 0U);
    QVERIFY(opened.settle());
    opened.playback().step(1);
    QVERIFY(opened.shows(1));
}

void ModelTest::an_invalid_parameter_is_said()
{
    WithModel opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.run({}, {{QStringLiteral("nominal_range"), QStringLiteral("far")}}));
    QVERIFY(opened.says(QStringLiteral("nominal_range is a number of metres, not 'far'")));
}

OSIVIEW_TEST(ModelTest, QApplication)
#include "model_test.moc"
