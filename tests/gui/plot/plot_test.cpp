// SPDX-License-Identifier: MPL-2.0
// The panel of plots over real sessions: what it reads, and how it is used.
#include <bit>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QDropEvent>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <ositrace/bytes.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/query.hpp>
#include <ositrace/trace_writer.hpp>

#include "gui/objects/object_panel.hpp"
#include "gui/objects/object_table_model.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "lib/edit/time_shift.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;
using ositrace::test::open_all;
using ositrace::test::patience_ms;

namespace {

/// A panel over a session.
struct Plots {
    Session session;
    Selection selection;
    PlotPanel panel{session, selection};
    std::shared_ptr<const Snapshot> snapshot;

    explicit Plots(const std::vector<std::filesystem::path>& files)
    {
        is_ready = open_all(session, files);
        panel.resize(900, 260);
        panel.show();
        show(0ms);
    }
    void show(Nanoseconds time)
    {
        SnapshotBuilder builder(std::size_t{64} << 20);
        snapshot = builder.build(ositrace::test::request_at(session, time));
        selection.follow(*snapshot->picture);
        panel.show_snapshot(snapshot);
        panel.show_time(time);
    }
    bool settles()
    {
        return QTest::qWaitFor([&] { return panel.model().is_settled(); }, patience_ms);
    }
    bool plots(const std::string& expression, std::uint32_t source = 0)
    {
        panel.plot(source, expression);
        return problem().isEmpty() && settles();
    }
    [[nodiscard]] QString problem() const
    {
        const auto* const label = panel.findChild<QLabel*>(QStringLiteral("plot_problem"));
        return label->isHidden() ? QString() : label->text();
    }
    [[nodiscard]] const std::vector<PlotLine>& lines() { return panel.model().lines(); }
    [[nodiscard]] const PlotLine* line(const QString& name)
    {
        const auto found = std::ranges::find(lines(), name, &PlotLine::name);
        return found == lines().end() ? nullptr : &*found;
    }
    [[nodiscard]] QLineEdit& field() { return *panel.findChild<QLineEdit*>(QStringLiteral("plot_line")); }
    [[nodiscard]] QTreeView& list() { return *panel.findChild<QTreeView*>(QStringLiteral("plot_list")); }
    [[nodiscard]] QString cell(int row, int column) { return list().model()->index(row, column).data().toString(); }
    /// The value that a path has in each message, read one by one; NaN: it is not set.
    [[nodiscard]] std::vector<double> truth(const std::string& path, std::uint32_t source = 0)
    {
        const auto& channel = (*session.channels())[source];
        const auto compiled = FieldPath::compile(*channel.channel->root, path);
        std::vector<double> values;
        for (std::uint64_t i = 0; i != channel.trace->frame_count(channel.in_trace); ++i) {
            const auto frame = channel.trace->frame(channel.in_trace, i);
            const auto value = compiled.get({frame.bytes, *channel.channel->root, channel.channel->format});
            values.push_back(as_real(value).value_or(std::numeric_limits<double>::quiet_NaN()));
        }
        return values;
    }
    /// Where a line differs from the truth at the time of every message; empty: nowhere.
    QString difference(const PlotLine& line, const std::vector<double>& truth, std::uint32_t source = 0)
    {
        const auto& channel = (*session.channels())[source];
        for (std::uint64_t i = 0; i != truth.size(); ++i) {
            const auto found = line.value(channel.time_of(i));
            // Of several messages of one time the last one is on the screen.
            const auto wanted = truth[*channel.last_until(channel.time_of(i))];
            if (found.has_value() == std::isnan(wanted) || (found && *found != wanted))
                return QStringLiteral("message %1: %2, expected %3").arg(i).arg(found.value_or(NAN)).arg(wanted);
        }
        return {};
    }
    bool is_ready = false;
};

/// The first messages of a trace; knows which ones are read.
class FirstPart final : public Trace {
public:
    FirstPart(std::shared_ptr<const Trace> whole, std::uint64_t count) : whole_(std::move(whole)), count_(count) {}
    [[nodiscard]] std::set<std::uint64_t> read() const
    {
        const std::lock_guard lock(mutex_);
        return read_;
    }

    const TraceInfo& info() const noexcept override { return whole_->info(); }
    std::uint64_t frame_count(std::uint32_t) const override { return count_; }
    Frame frame(std::uint32_t channel, std::uint64_t i) const override
    {
        if (i >= count_) throw Error(Cause::usage, "there is no message " + std::to_string(i));
        const std::lock_guard lock(mutex_);
        read_.insert(i);
        return whole_->frame(channel, i);
    }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override
    {
        return whole_->frame_bytes(channel, i);
    }
    FrameSizes frame_sizes(std::uint32_t) const override { return {}; }
    std::optional<std::uint64_t> frame_at(std::uint32_t, Nanoseconds) const override { return {}; }
    std::unique_ptr<TraceReader> reader() const override { return nullptr; }

private:
    std::shared_ptr<const Trace> whole_;
    std::uint64_t count_;
    mutable std::mutex mutex_;
    mutable std::set<std::uint64_t> read_;
};

}  // namespace

class PlotTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void a_curve_has_the_value_of_every_message();
    void every_object_has_a_curve_of_its_own();
    void an_object_that_comes_and_goes_leaves_gaps();
    void derived_curves_have_units();
    void a_speed_is_that_of_the_table_and_of_find();
    void an_empty_velocity_is_no_speed();
    void the_list_shows_the_value_at_the_time();
    void least_greatest_and_mean_are_those_of_the_samples();
    void plots_side_by_side_have_one_time();
    void the_list_is_narrow_and_cuts_no_number();
    void a_path_is_typed_and_completed();
    void a_whole_path_is_taken_literally();
    void speed_is_offered_and_what_is_set_comes_first();
    void a_wrong_path_says_why();
    void a_field_is_dropped_from_the_message_tree();
    void a_field_is_dropped_from_the_object_table();
    void what_is_selected_is_plotted_by_id();
    void a_detected_object_is_plotted_by_its_tracking_id();
    void curves_are_removed_hidden_and_cleared_by_hand();
    void a_curve_is_the_x_axis();
    void a_reloaded_file_is_read_again();
    void of_a_file_that_grew_what_was_appended_is_read();
    void the_curves_of_a_followed_file_grow();
    void another_file_with_the_same_channel_is_plotted();
    void traces_that_are_shifted_together_are_plotted_together();
    void entries_survive_as_json();
    void values_are_written_in_the_background();
    void pictures_are_written();
    void plots_are_the_truth_in_real_traces();

private:
    [[nodiscard]] std::filesystem::path write_vehicles(const std::string& name) const;

    ScratchFolder scratch_;
    std::filesystem::path file_;
};

/// Three messages with vehicles whose velocities are set in part: of 1 x and y, of 2 y, of 3 nothing.
std::filesystem::path PlotTest::write_vehicles(const std::string& name) const
{
    const auto& truth = Schema::built_in()->root(MessageType::ground_truth);
    const auto& object = *truth.find("moving_object")->child;
    const auto& base = *object.find("base")->child;
    const auto number = [](const MessageTable& in, std::string_view part) { return in.find(part)->number; };
    const auto real = [](std::uint32_t place, double value) {
        std::string bytes(9, static_cast<char>(place << 3 | 1));
        store_le64(reinterpret_cast<std::byte*>(bytes.data() + 1), std::bit_cast<std::uint64_t>(value));
        return bytes;
    };
    const auto vehicle = [&](std::uint8_t id, const std::string& velocity) {
        return field(number(truth, "moving_object"),
                     field(number(object, "id"), varint_field(1, id)) + varint_field(number(object, "type"), 2) +
                         field(number(object, "base"), field(number(base, "position"), real(1, id) + real(2, 0)) +
                                                           field(number(base, "velocity"), velocity)));
    };
    const auto file = scratch_ / name;
    SceneSource scene({.type = MessageType::ground_truth, .frames = 1, .reflections = 0}, 1);
    const auto writer = create_trace(file, scene.info());
    for (std::uint8_t second = 0; second != 3; ++second) {
        const auto bytes = ground_truth(second) + vehicle(1, real(1, 3 + second) + real(2, -4)) +
                           vehicle(2, real(2, 7)) + vehicle(3, "");
        Frame frame;
        frame.bytes = bytes_of(bytes);
        frame.time = std::chrono::seconds(second);
        writer->write(frame);
    }
    writer->close();
    return file;
}

void PlotTest::initTestCase()
{
    auto options = ositrace::test::small_scene(60);
    options.type = MessageType::ground_truth;
    file_ = ositrace::test::write_sample(scratch_ / "drive.osi", options);
}

void PlotTest::a_curve_has_the_value_of_every_message()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    const std::string path = "moving_object[id=1].base.velocity.x";
    QVERIFY(plots.plots(path));
    QCOMPARE(plots.lines().size(), std::size_t{1});
    const auto& line = plots.lines().front();
    QCOMPARE(line.unit, QStringLiteral("m/s"));
    QCOMPARE(line.data->curve.values.size(), std::size_t{60});
    QCOMPARE(plots.difference(line, plots.truth(path)), QString());
}

void PlotTest::every_object_has_a_curve_of_its_own()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[*].base.position.x"));
    QVERIFY(plots.lines().size() > 5);
    for (const auto& line : plots.lines())
        QCOMPARE(plots.difference(line, plots.truth(line.name.toStdString())), QString());
}

void PlotTest::an_object_that_comes_and_goes_leaves_gaps()
{
    // Messages without the object with the id 2, in which the others keep their ids, not their places.
    const auto file = scratch_ / "gone.osi";
    SceneSource scene({.type = MessageType::ground_truth, .frames = 30, .reflections = 0}, 1);
    const auto writer = create_trace(file, scene.info());
    const auto& root = *scene.info().channels.front().root;
    const auto& field = *root.find("moving_object");
    const auto id = FieldPath::compile(*field.child, "id.value");
    for (Frame frame; scene.read(frame);) {
        if (frame.index < 10 || frame.index >= 20) {
            writer->write(frame);
            continue;
        }
        std::string bytes;  // what comes before and after the message of the object
        const MessageView message(frame.bytes, root, {});
        std::optional<Bytes> left_out;
        message.for_each_element(field, [&](const Value& element) {
            const auto& view = std::get<MessageView>(element);
            if (as_integer(id.get(view)) == 2) left_out = view.wire_bytes();
            return true;
        });
        const auto text = text_of(frame.bytes);
        const auto from = static_cast<std::size_t>(left_out->data() - frame.bytes.data());
        const auto prefix = left_out->size() < 128 ? 2U : left_out->size() < 16384 ? 3U : 4U;
        bytes = std::string(text.substr(0, from - prefix)) + std::string(text.substr(from + left_out->size()));
        auto changed = frame;
        changed.bytes = bytes_of(bytes);
        writer->write(changed);
    }
    writer->close();
    Plots plots({file});
    QVERIFY(plots.is_ready && plots.plots("moving_object[*].base.position.x"));
    for (const auto& line : plots.lines())
        QCOMPARE(plots.difference(line, plots.truth(line.name.toStdString())), QString());
    const auto* const line = plots.line(QStringLiteral("moving_object[id=2].base.position.x"));
    QVERIFY(line != nullptr);
    QVERIFY(line->value(900ms) && !line->value(1s) && !line->value(1900ms) && line->value(2s));
}

void PlotTest::derived_curves_have_units()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    QVERIFY(plots.plots("norm(moving_object[*].base.velocity)"));
    QVERIFY(plots.plots("derivative(moving_object[id=2].base.position.x)"));
    QVERIFY(plots.plots("distance(moving_object[id=1], moving_object[id=2])"));
    const auto* const speed = plots.line(QStringLiteral("norm(moving_object[id=2].base.velocity)"));
    QVERIFY(speed != nullptr);
    QCOMPARE(speed->unit, QStringLiteral("m/s"));
    const auto x = plots.truth("moving_object[id=2].base.velocity.x");
    const auto y = plots.truth("moving_object[id=2].base.velocity.y");
    QVERIFY(std::abs(*speed->value(3s) - std::hypot(x[30], y[30])) < 1e-9);
    // The velocity of the scene is the derivative of its position.
    const auto* const slope = plots.line(QStringLiteral("derivative(moving_object[id=2].base.position.x)"));
    QCOMPARE(slope->unit, QStringLiteral("m/s"));
    QVERIFY(std::abs(*slope->value(3s) - x[30]) < 0.05);
    const auto* const apart = plots.line(QStringLiteral("distance(moving_object[id=1], moving_object[id=2])"));
    QCOMPARE(apart->unit, QStringLiteral("m"));
    const auto position = [&](const char* id, const char* axis) {
        return plots.truth("moving_object[id=" + std::string(id) + "].base.position." + axis)[30];
    };
    QVERIFY(std::abs(*apart->value(3s) - std::hypot(position("1", "x") - position("2", "x"),
                                                    position("1", "y") - position("2", "y"),
                                                    position("1", "z") - position("2", "z"))) < 1e-9);
}

void PlotTest::a_speed_is_that_of_the_table_and_of_find()
{
    Plots plots({write_vehicles("speed.osi")});
    QVERIFY(plots.is_ready && plots.plots("norm(moving_object[*].base.velocity)"));
    QCOMPARE(plots.lines().size(), std::size_t{2});
    ObjectTableModel table;
    for (int second = 0; second != 3; ++second) {
        plots.show(std::chrono::seconds(second));
        table.show(plots.snapshot);
        for (int id = 1; id != 4; ++id) {
            const auto* const line = plots.line(QStringLiteral("norm(moving_object[id=%1].base.velocity)").arg(id));
            std::optional<double> value;
            if (line != nullptr) value = line->value(std::chrono::seconds(second));
            const auto shown = value ? QString::number(*value, 'f', 2) : QString();
            QString listed;
            for (int row = 0; row != table.rowCount(); ++row)
                if (table.index(row, ObjectTableModel::id).data().toInt() == id)
                    listed = table.index(row, ObjectTableModel::speed).data().toString();
            QCOMPARE(shown, listed);
            const auto& message = plots.snapshot->channels.front();
            const auto is_found = [&](const QString& condition) {
                const auto text = QStringLiteral("norm(moving_object[id=%1].base.velocity) %2").arg(id).arg(condition);
                QueryEvaluator evaluator(Query::compile(text.toStdString(), *message.channel->root));
                return evaluator.holds({message.frame->bytes, *message.channel->root, message.channel->format});
            };
            QCOMPARE(is_found(QStringLiteral(">= 0")), value.has_value());
            const double speed = value ? *value : -1;
            QVERIFY(speed < 0 || (is_found(QStringLiteral("> %1").arg(speed - 1e-9, 0, 'g', 15)) &&
                                  is_found(QStringLiteral("< %1").arg(speed + 1e-9, 0, 'g', 15))));
        }
    }
    QCOMPARE(plots.line(QStringLiteral("norm(moving_object[id=1].base.velocity)"))->value(0s), 5.0);
    QCOMPARE(plots.line(QStringLiteral("norm(moving_object[id=2].base.velocity)"))->value(2s), 7.0);
}

void PlotTest::an_empty_velocity_is_no_speed()
{
    Plots plots({write_vehicles("empty.osi")});
    QVERIFY(plots.is_ready && plots.plots("norm(moving_object[id=3].base.velocity)"));
    QVERIFY(plots.cell(0, PlotList::value_column).contains(QStringLiteral("velocity.x is never set")));
    // The positions have no z.
    QVERIFY(plots.plots("distance(moving_object[id=1], moving_object[id=3])"));
    QCOMPARE(plots.lines()[1].value(1s), 2.0);
}

void PlotTest::the_list_shows_the_value_at_the_time()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].type") &&
            plots.plots("moving_object[id=2].base.velocity.x"));
    plots.show(2s);
    QCOMPARE(plots.cell(0, PlotList::value_column), QStringLiteral("TYPE_VEHICLE"));
    const auto value = QString::number(plots.truth("moving_object[id=2].base.velocity.x")[20], 'g', 6);
    QCOMPARE(plots.cell(1, PlotList::value_column), value);
    QCOMPARE(plots.cell(1, PlotList::unit_column), QStringLiteral("m/s"));
    plots.show(2099ms);
    QCOMPARE(plots.cell(1, PlotList::value_column), value);
    plots.show(2100ms);
    QVERIFY(plots.cell(1, PlotList::value_column) != value);
    // Also at the first look after the time has changed.
    plots.panel.hide();
    plots.show(2s);
    plots.panel.show();
    QCOMPARE(plots.cell(1, PlotList::value_column), value);
}

void PlotTest::least_greatest_and_mean_are_those_of_the_samples()
{
    Plots plots({file_});
    const std::string path = "moving_object[id=2].base.velocity.x";
    QVERIFY(plots.is_ready && plots.plots(path));
    const auto truth = plots.truth(path);
    const auto at = [](std::size_t message) { return Nanoseconds(100ms) * static_cast<int>(message); };
    // Expected of messages [from, to], from the values read one by one.
    const auto wanted = [&](std::size_t from, std::size_t to) {
        double sum = 0;
        auto least = from, most = from;
        for (auto i = from; i <= to; ++i) {
            sum += truth[i];
            if (truth[i] < truth[least]) least = i;
            if (truth[i] > truth[most]) most = i;
        }
        return std::tuple(least, most, sum / static_cast<double>(to - from + 1));
    };
    QSignalSpy sought(&plots.panel, &PlotPanel::seek_requested);
    const auto jumps = [&](PlotList::Column column) {
        emit plots.list().doubleClicked(plots.list().model()->index(0, column));
        return sought.isEmpty() ? Nanoseconds(-1) : sought.takeLast().at(0).value<std::chrono::nanoseconds>();
    };
    const auto summary = [&] { return plots.panel.findChild<QLabel*>(QStringLiteral("plot_summary")); };
    for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, 59}, {7, 23}, {40, 40}}) {
        plots.panel.view().show_section({at(from), at(to) + 1ms});
        // A range of less than it can show is widened: what is visible counts.
        const auto visible = plots.panel.view().visible();
        const auto first = static_cast<std::size_t>((visible.from + 99ms) / 100ms);
        const auto last = std::min<std::size_t>(static_cast<std::size_t>(visible.to / 100ms), 59);
        const auto [least, most, mean] = wanted(first, last);
        QCOMPARE(plots.cell(0, PlotList::least_column), QString::number(truth[least], 'g', 6));
        QCOMPARE(plots.cell(0, PlotList::most_column), QString::number(truth[most], 'g', 6));
        QCOMPARE(plots.cell(0, PlotList::mean_column), QString::number(mean, 'g', 6));
        QCOMPARE(jumps(PlotList::least_column), at(least));
        QCOMPARE(jumps(PlotList::most_column), at(most));
        QVERIFY(summary()->isVisible() && summary()->text().contains(QString::number(mean, 'g', 6)));
    }
    // Of the section as well, whatever is visible; its values are links.
    plots.panel.view().show_all();
    plots.panel.show_section(TimeSection{at(10), at(20)});
    const auto [least, most, mean] = wanted(10, 20);
    QVERIFY(summary()->text().contains(QStringLiteral("section (11 samples)")));
    QVERIFY(summary()->text().contains(QString::number(truth[most], 'g', 6)));
    emit summary() -> linkActivated(QStringLiteral("1 1"));
    QCOMPARE(sought.takeLast().at(0).value<std::chrono::nanoseconds>(), at(most));
    emit summary() -> linkActivated(QStringLiteral("1 0"));
    QCOMPARE(sought.takeLast().at(0).value<std::chrono::nanoseconds>(), at(least));
}

void PlotTest::plots_side_by_side_have_one_time()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].base.position.x"));
    auto& model = plots.panel.model();
    QTest::mouseClick(plots.panel.findChild<QToolButton*>(QStringLiteral("plot_beside")), Qt::LeftButton);
    QCOMPARE(model.plots(), std::size_t{2});
    QVERIFY(plots.plots("moving_object[id=2].base.position.y"));
    QVERIFY(plots.plots("moving_object[id=2].base.position.x"));  // also here
    auto& left = plots.panel.sides().view(0);
    auto& right = plots.panel.sides().view(1);
    QCOMPARE(left.lines().size(), std::size_t{1});
    QCOMPARE(right.lines().size(), std::size_t{2});
    QCOMPARE(right.lines()[0].name, QStringLiteral("moving_object[id=2].base.position.y"));
    left.show_section({1s, 3s});
    QCOMPARE(right.visible().from, Nanoseconds(1s));
    QCOMPARE(right.visible().to, Nanoseconds(3s));
    right.show_all();
    QCOMPARE(left.visible().to, right.visible().to);
    QCOMPARE(left.visible().from, Nanoseconds(0s));
    // The one that is clicked is the current one: it has the next curve, and an x axis of its own.
    QTest::mouseClick(&left, Qt::LeftButton, {}, left.rect().center());
    QCOMPARE(model.current_plot(), std::size_t{0});
    model.set_x_name("moving_object[id=2].base.position.x");
    QCOMPARE(model.x_line(0), std::optional<std::size_t>(0));
    QVERIFY(!model.x_line(1));
    model.set_x_name({});

    const auto json = model.to_json();
    Plots again({file_});
    again.panel.model().from_json(json);
    QVERIFY(again.settles());
    QCOMPARE(again.panel.model().plots(), std::size_t{2});
    QCOMPARE(again.panel.sides().view(1).lines().size(), std::size_t{2});
    QCOMPARE(again.panel.model().to_json(), json);
    // Hostile layouts: more plots than there can be, and curves of plots that are not there.
    QJsonArray names;
    for (int i = 0; i != 1000; ++i) names.append(QString());
    auto hostile = json;
    hostile.insert(QStringLiteral("x_axes"), names);
    again.panel.model().from_json(hostile);
    QCOMPARE(again.panel.model().plots(), PlotModel::most_plots);
    hostile.remove(QStringLiteral("x_axes"));
    again.panel.model().from_json(hostile);
    QCOMPARE(again.panel.model().plots(), std::size_t{1});
    QCOMPARE(again.panel.sides().view(0).lines().size(), std::size_t{3});

    model.move(0, 1);
    QCOMPARE(left.lines().size(), std::size_t{0});
    model.remove_plot(0);
    QCOMPARE(model.plots(), std::size_t{1});
    QCOMPARE(plots.panel.sides().view(0).lines().size(), std::size_t{3});
}

void PlotTest::the_list_is_narrow_and_cuts_no_number()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[*].base.velocity.x") && plots.plots("timestamp.nanos"));
    plots.panel.resize(1200, 400);
    QCoreApplication::processEvents();
    auto& list = plots.list();
    QVERIFY2(list.width() < plots.panel.width() * 2 / 5, qPrintable(QString::number(list.width())));
    for (const auto time : {0s, 3s, 5s}) {
        plots.show(time);
        for (int row = 0; row != list.model()->rowCount(); ++row) {
            for (int column = PlotList::value_column; column != PlotList::column_count; ++column) {
                const auto text = plots.cell(row, column);
                QVERIFY2(list.columnWidth(column) >= list.fontMetrics().horizontalAdvance(text), qPrintable(text));
            }
        }
    }
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty()) {
        plots.panel.model().add_plot();
        QVERIFY(plots.plots("moving_object[id=2].base.position.y"));
        plots.panel.show_section(TimeSection{1s, 2s});
        plots.list().selectionModel()->select(plots.list().model()->index(1, 0),
                                              QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QTest::qWait(200);
        plots.panel.grab().save(path + "/plots.png");
    }
    // Twenty curves have colours that differ.
    std::set<QRgb> colours;
    for (std::size_t i = 0; i != 20; ++i) colours.insert(plot_colour(i, true).rgb());
    QCOMPARE(colours.size(), std::size_t{20});
}

void PlotTest::a_path_is_typed_and_completed()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    plots.panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&plots.panel));
    plots.panel.focus_line();
    QTest::keyClicks(&plots.field(), QStringLiteral("moving velocity x"));
    auto* const popup = plots.panel.findChild<QCompleter*>()->popup();
    QVERIFY(popup->isVisible());
    QCOMPARE(popup->model()->index(0, 0).data().toString(), QStringLiteral("moving_object[*].base.velocity.x"));
    QTest::keyClick(popup, Qt::Key_Down);
    QTest::keyClick(popup, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return plots.lines().size() > 1; }, patience_ms));
    QVERIFY(plots.field().text().isEmpty());

    // With an object selected its own field comes first.
    plots.panel.model().clear();
    plots.selection.select({std::nullopt, 0, "moving_object[1]"});
    QTest::keyClicks(&plots.field(), QStringLiteral("velocity.x"));
    QCOMPARE(popup->model()->index(0, 0).data().toString(), QStringLiteral("moving_object[id=2].base.velocity.x"));
    popup->hide();

    plots.field().clear();
    QTest::keyClicks(&plots.field(), QStringLiteral("moving_object[id=2].base.position.y"));
    popup->hide();
    QTest::keyClick(&plots.field(), Qt::Key_Return);
    QVERIFY(plots.settles());
    QCOMPARE(plots.lines().size(), std::size_t{1});
    QCOMPARE(plots.lines().front().name, QStringLiteral("moving_object[id=2].base.position.y"));
}

void PlotTest::a_whole_path_is_taken_literally()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    plots.panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&plots.panel));
    auto* const popup = plots.panel.findChild<QCompleter*>()->popup();
    const auto type = [&](const QString& text) {
        plots.panel.model().clear();
        plots.panel.focus_line();
        plots.field().clear();
        QTest::keyClicks(&plots.field(), text);
    };
    const auto plotted = [&] {
        QTest::keyClick(popup->isVisible() ? popup : static_cast<QWidget*>(&plots.field()), Qt::Key_Return);
        QStringList names;
        if (plots.settles())
            for (const auto& each : plots.lines()) names += each.name;
        return names.join(QLatin1Char(' '));
    };
    for (const auto* const selected : {"", "moving_object[2]"}) {  // the object with id 3
        if (*selected != '\0') plots.selection.select({std::nullopt, 0, selected});
        for (const auto* const path : {"moving_object[id=2].base.velocity.x", "moving_object[1].base.position.y"}) {
            type(QLatin1String(path));
            QCOMPARE(plotted(), QLatin1String(path));
            QVERIFY(plots.field().text().isEmpty() && !popup->isVisible());
        }
    }
    // A beginning of a path keeps the object that is typed.
    type(QStringLiteral("moving_object[id=2].base.orientation.ya"));
    QVERIFY(popup->isVisible());
    QCOMPARE(plotted(), QStringLiteral("moving_object[id=2].base.orientation.yaw"));
    // One that is chosen replaces what is typed.
    type(QStringLiteral("base.velocity.x"));
    QTest::keyClick(popup, Qt::Key_Down);
    const auto chosen = popup->currentIndex().data().toString();
    QCOMPARE(plotted(), chosen);
    // A message is no number, and none of another object.
    type(QStringLiteral("moving_object[id=2].base.velocity"));
    QCOMPARE(plotted(), QString());
    QVERIFY(plots.problem().contains(QStringLiteral("is a message")));
}

void PlotTest::speed_is_offered_and_what_is_set_comes_first()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    const auto& completions = *plots.panel.findChild<QCompleter*>()->model();
    const auto offered = [&](const QString& words) {
        plots.field().clear();
        QTest::keyClicks(&plots.field(), words);
        QStringList all;
        for (int row = 0; row != completions.rowCount(); ++row) all += completions.index(row, 0).data().toString();
        return all;
    };
    QCOMPARE(offered(QStringLiteral("speed")).front(), QStringLiteral("norm(moving_object[*].base.velocity)"));
    QCOMPARE(offered(QStringLiteral("velocity")).front(), QStringLiteral("norm(moving_object[*].base.velocity)"));
    plots.selection.select({std::nullopt, 0, "moving_object[1]"});
    QCOMPARE(offered(QStringLiteral("Speed")), offered(QStringLiteral("speed")));
    QCOMPARE(offered(QStringLiteral("speed")).front(), QStringLiteral("norm(moving_object[id=2].base.velocity)"));
    QTest::keyClick(&plots.field(), Qt::Key_Return);
    QVERIFY(plots.settles());
    QCOMPARE(plots.lines().front().name, QStringLiteral("norm(moving_object[id=2].base.velocity)"));

    const auto& shown = plots.snapshot->channels.front();
    const MessageView message(shown.frame->bytes, *shown.channel->root, shown.channel->format);
    int set = 0, unset = 0;
    for (const auto& each : offered(QStringLiteral("moving_object object"))) {
        const auto path = each.startsWith(QStringLiteral("norm(")) ? each.mid(5).chopped(1) : each;
        QueryEvaluator evaluator(Query::compile("has(" + path.toStdString() + ")", *shown.channel->root));
        const bool is_set = evaluator.holds(message);
        QVERIFY2(!is_set || unset == 0, qPrintable(each));
        ++(is_set ? set : unset);
    }
    QVERIFY(set > 3 && unset > 3);
}

void PlotTest::a_wrong_path_says_why()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    plots.panel.plot(0, "moving_object[id=2].speed");
    QVERIFY(plots.problem().contains(QStringLiteral("osi3.MovingObject has no field 'speed'")));
    QVERIFY(plots.lines().empty());
    plots.panel.plot(0, "moving_object[id=999].base.position.x");
    QVERIFY(plots.settles());
    QVERIFY(plots.cell(0, PlotList::value_column).contains(QStringLiteral("is never set")));
    plots.panel.plot(0, "moving_object[id=999].base.position.x");
    QVERIFY(plots.problem().contains(QStringLiteral("is plotted")));
}

void PlotTest::a_field_is_dropped_from_the_message_tree()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    MessageTreePanel tree(plots.selection);
    tree.show_snapshot(plots.snapshot);
    tree.view().setCurrentIndex(tree.model().find(0, "moving_object[1].base.velocity.x"));
    const auto dragged = tree.view().plotted();
    QCOMPARE(dragged.expressions, std::vector<std::string>{"moving_object[id=2].base.velocity.x"});
    QVERIFY(tree.model().flags(tree.view().currentIndex()).testFlag(Qt::ItemIsDragEnabled) &&
            tree.view().dragEnabled());
    const auto mime = mime_of(dragged);
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, mime.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&plots.panel, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({100, 100}, Qt::CopyAction, mime.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&plots.panel, &drop);
    QVERIFY(plots.settles());
    QCOMPARE(plots.lines().front().name, QStringLiteral("moving_object[id=2].base.velocity.x"));

    tree.view().setCurrentIndex(tree.model().find(0, "moving_object[1].base.velocity"));
    QCOMPARE(tree.view().plotted().expressions, std::vector<std::string>{"norm(moving_object[id=2].base.velocity)"});
    tree.view().setCurrentIndex(tree.model().find(0, "moving_object[1].base"));
    QVERIFY(tree.view().plotted().expressions.empty());
    QMimeData other;
    other.setText(QStringLiteral("moving_object"));
    QDragEnterEvent refused({100, 100}, Qt::CopyAction, &other, Qt::LeftButton, {});
    refused.ignore();
    QApplication::sendEvent(&plots.panel, &refused);
    QVERIFY(!refused.isAccepted());
}

void PlotTest::a_field_is_dropped_from_the_object_table()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    ObjectPanel objects(plots.selection);
    objects.show_snapshot(plots.snapshot);
    objects.show();
    const auto& model = *objects.view().model();
    int row = 0;
    while (model.index(row, ObjectTableModel::id).data().toString() != QLatin1String("2")) ++row;
    const auto dragged = [&](int column) {
        objects.view().setCurrentIndex(model.index(row, column));
        return objects.plotted().expressions.front();
    };
    QCOMPARE(dragged(ObjectTableModel::x), "moving_object[id=2].base.position.x");
    QCOMPARE(dragged(ObjectTableModel::speed), "norm(moving_object[id=2].base.velocity)");
    QCOMPARE(dragged(ObjectTableModel::distance), "distance(moving_object[id=2], moving_object[id=1])");
    QCOMPARE(dragged(ObjectTableModel::type), "norm(moving_object[id=2].base.velocity)");
    for (const auto& each : objects.plotted().expressions) QVERIFY2(plots.plots(each), qPrintable(plots.problem()));
    for (const auto& each : plots.lines()) QVERIFY(each.value(1s));
}

void PlotTest::what_is_selected_is_plotted_by_id()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready);
    plots.panel.plot_selected();
    QVERIFY(plots.problem().contains(QStringLiteral("Nothing is selected")));
    plots.selection.select({std::nullopt, 0, "moving_object[2]"});
    plots.panel.plot_selected();
    plots.selection.select({std::nullopt, 0, "moving_object[2].base.orientation.yaw"});
    plots.panel.plot_selected();
    QVERIFY(plots.settles());
    QCOMPARE(plots.lines()[0].name, QStringLiteral("norm(moving_object[id=3].base.velocity)"));
    QCOMPARE(plots.lines()[1].name, QStringLiteral("moving_object[id=3].base.orientation.yaw"));
    QCOMPARE(plots.lines()[1].unit, QStringLiteral("rad"));
}

void PlotTest::a_detected_object_is_plotted_by_its_tracking_id()
{
    auto options = ositrace::test::small_scene(20);
    options.type = MessageType::sensor_data;
    Plots plots({ositrace::test::write_sample(scratch_ / "detections.osi", options)});
    QVERIFY(plots.is_ready);
    const auto& channel = plots.session.channels()->front();
    const auto all = [&](std::uint64_t message, std::string_view field) {
        const auto frame = channel.trace->frame(channel.in_trace, message);
        const auto path = FieldPath::compile(*channel.channel->root, "moving_object[*]." + std::string(field));
        std::vector<Value> values;
        path.collect({frame.bytes, *channel.channel->root, channel.channel->format}, values, FieldPath::Unset::kept);
        return values;
    };
    const auto id = as_integer(all(0, "header.tracking_id.value").back());
    QVERIFY(id);
    plots.selection.select(
        {std::nullopt, 0,
         "moving_object[" + std::to_string(all(0, "header.tracking_id.value").size() - 1) + "].base.velocity.x"});
    plots.panel.plot_selected();
    QVERIFY(plots.settles());
    QCOMPARE(plots.lines().front().name, QStringLiteral("moving_object[id=%1].base.velocity.x").arg(*id));
    std::vector<double> truth;
    for (std::uint64_t i = 0; i != channel.trace->frame_count(channel.in_trace); ++i) {
        const auto ids = all(i, "header.tracking_id.value");
        const auto velocities = all(i, "base.velocity.x");
        truth.push_back(std::numeric_limits<double>::quiet_NaN());
        for (std::size_t k = ids.size(); k-- != 0;)
            if (as_integer(ids[k]) == id)
                truth.back() = as_real(velocities[k]).value_or(std::numeric_limits<double>::quiet_NaN());
    }
    QCOMPARE(plots.difference(plots.lines().front(), truth), QString());
}

void PlotTest::curves_are_removed_hidden_and_cleared_by_hand()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=1].base.velocity.x") &&
            plots.plots("moving_object[id=2].base.velocity.x") && plots.plots("moving_object[id=3].base.velocity.x"));
    auto& list = plots.list();
    const auto box = list.visualRect(list.model()->index(1, 0));
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, {box.left() + 8, box.center().y()});
    QVERIFY(plots.lines()[1].is_hidden);
    list.setFocus();
    list.setCurrentIndex(list.model()->index(1, 0));
    QTest::keyClick(&list, Qt::Key_Delete);
    QCOMPARE(plots.lines().size(), std::size_t{2});
    QCOMPARE(plots.lines()[1].name, QStringLiteral("moving_object[id=3].base.velocity.x"));
    QTest::mouseClick(plots.panel.findChild<QToolButton*>(QStringLiteral("plot_clear")), Qt::LeftButton);
    QVERIFY(plots.lines().empty());
}

void PlotTest::a_curve_is_the_x_axis()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].base.position.x") &&
            plots.plots("moving_object[id=2].base.position.y"));
    plots.panel.model().set_x_name("moving_object[id=2].base.position.x");
    QCOMPARE(plots.panel.model().x_line(), std::optional<std::size_t>(0));
    const auto x = plots.truth("moving_object[id=2].base.position.x");
    const auto y = plots.truth("moving_object[id=2].base.position.y");
    auto& view = plots.panel.view();
    const auto first = view.place_of(1, 0s, y[0]), last = view.place_of(1, 5900ms, y[59]);
    QCOMPARE(last.x() > first.x(), x[59] > x[0]);
    QVERIFY(QTest::qWaitFor([&] { return view.is_complete(); }, patience_ms));
}

void PlotTest::a_reloaded_file_is_read_again()
{
    const auto file = scratch_ / "grows.osi";
    auto options = ositrace::test::small_scene(20);
    options.type = MessageType::ground_truth;
    ositrace::test::write_sample(file, options);
    Plots plots({file});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].base.position.x"));
    QCOMPARE(plots.lines().front().data->curve.values.size(), std::size_t{20});
    std::filesystem::remove(file);
    options.frames = 50;
    ositrace::test::write_sample(file, options);
    plots.session.reload();
    std::size_t least = 20;
    connect(&plots.panel.model(), &PlotModel::data_changed, this, [&] {
        for (const auto& each : plots.lines()) least = std::min(least, each.data ? each.data->curve.values.size() : 0);
    });
    QVERIFY(QTest::qWaitFor(
        [&] { return plots.lines().front().data && plots.lines().front().data->curve.values.size() == 50; },
        patience_ms));
    QCOMPARE(least, std::size_t{20});  // the old curve was shown until then
    QVERIFY(plots.settles());
    QCOMPARE(plots.difference(plots.lines().front(), plots.truth("moving_object[id=2].base.position.x")), QString());
}

void PlotTest::of_a_file_that_grew_what_was_appended_is_read()
{
    auto options = ositrace::test::small_scene(60);
    options.type = MessageType::ground_truth;
    options.seed = 7;
    const auto other = open_trace(ositrace::test::write_sample(scratch_ / "replaced.osi", options));
    const auto whole = open_trace(file_);
    const auto part_of = [](const std::shared_ptr<const Trace>& trace, std::uint64_t count) {
        OpenChannel channel;
        channel.trace = std::make_shared<FirstPart>(trace, count);
        channel.channel = std::shared_ptr<const Channel>(trace, &trace->info().channels.front());
        channel.times = std::make_shared<const MessageTimes>();
        return channel;
    };
    const auto read_of = [](const OpenChannel& channel) {
        return dynamic_cast<const FirstPart&>(*channel.trace).read();
    };
    const auto expression =
        CurveExpression::compile(*whole->info().channels.front().root, "moving_object[*].base.position.x");
    std::shared_ptr<const PlotUpdate> last;
    const auto follow = [&](PlotReader& reader) {
        connect(&reader, &PlotReader::updated, &reader, [&](const auto& update) { last = update; });
    };
    const auto values = [&] {
        std::map<std::string, Curve> curves;
        for (const auto& each : last->curves.front()) curves.emplace(each.name, each.data->curve);
        return curves;
    };
    const auto come = [&](std::uint64_t messages) {
        return QTest::qWaitFor([&] { return last && last->is_complete && last->messages == messages; }, patience_ms);
    };
    PlotReader at_once({.channel = part_of(whole, 60), .expressions = {expression}});
    follow(at_once);
    QVERIFY(come(60));
    QVERIFY(last->is_last);
    const auto all = values();
    QVERIFY(all.size() > 1);
    last = nullptr;

    const auto begun = part_of(whole, 20), grown = part_of(whole, 45), replaced = part_of(other, 60);
    PlotReader followed({.channel = begun, .expressions = {expression}, .is_followed = true});
    follow(followed);
    QVERIFY(come(20));
    QVERIFY(!last->is_last);
    QCOMPARE(read_of(begun).size(), std::size_t{20});
    followed.follow(grown);
    QVERIFY(come(45));
    auto read = read_of(grown);  // the first and the last message tell that it is the same file
    QVERIFY(read.contains(0) && read.contains(19) && read.contains(44));
    QCOMPARE(read.size(), std::size_t{27});
    followed.follow(part_of(whole, 60));
    QVERIFY(come(60));
    QVERIFY(values() == all);
    last = nullptr;
    followed.follow(replaced);
    QVERIFY(come(60));
    QCOMPARE(read_of(replaced).size(), std::size_t{60});
    QVERIFY(values() != all);
}

void PlotTest::the_curves_of_a_followed_file_grow()
{
    const auto read = [](const std::filesystem::path& file) {
        QFile input(QString::fromStdString(file.string()));
        return input.open(QIODevice::ReadOnly) ? input.readAll() : QByteArray();
    };
    auto options = ositrace::test::small_scene(20);
    options.type = MessageType::ground_truth;
    const auto whole = read(file_);
    const auto begun = read(ositrace::test::write_sample(scratch_ / "begun.osi", options));
    QVERIFY(whole.startsWith(begun));
    QFile grows(QString::fromStdString((scratch_ / "grows.osi").string()));
    QVERIFY(grows.open(QIODevice::WriteOnly));
    grows.write(begun);
    grows.flush();
    Plots plots({scratch_ / "grows.osi"});
    QVERIFY(plots.is_ready);
    plots.session.set_follows(true);
    const std::string path = "moving_object[id=1].base.position.x";
    QVERIFY(plots.plots(path));
    const auto count = [&] { return plots.lines().front().data->curve.values.size(); };
    QCOMPARE(count(), std::size_t{20});
    grows.write(whole.mid(begun.size()));
    grows.flush();
    QVERIFY(QTest::qWaitFor([&] { return count() == 60; }, patience_ms));
    QVERIFY(plots.settles());
    QCOMPARE(plots.difference(plots.lines().front(), plots.truth(path)), QString());
}

void PlotTest::another_file_with_the_same_channel_is_plotted()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].base.position.x"));
    plots.session.close_all();
    QVERIFY(plots.lines().size() == 1 && !plots.lines().front().data);
    auto options = ositrace::test::small_scene(10);
    options.type = MessageType::ground_truth;
    QVERIFY(open_all(plots.session, {ositrace::test::write_sample(scratch_ / "other.osi", options)}) &&
            plots.settles());
    QCOMPARE(plots.lines().front().data->curve.values.size(), std::size_t{10});
}

void PlotTest::traces_that_are_shifted_together_are_plotted_together()
{
    // A day later.
    const auto later = scratch_ / "later.osi";
    SceneSource scene({.type = MessageType::ground_truth, .frames = 20, .reflections = 0}, 1);
    const auto writer = create_trace(later, scene.info());
    const TimeShift shift(*scene.info().channels.front().root);
    for (Frame frame; scene.read(frame);) {
        ByteBuffer bytes;
        shift.apply(frame.bytes, 24h, bytes);
        auto moved = frame;
        moved.bytes = bytes.bytes();
        moved.time.reset();
        writer->write(moved);
    }
    writer->close();
    Plots plots({file_, later});
    QVERIFY(plots.is_ready && plots.session.starts_aligned());
    QVERIFY(plots.plots("moving_object[id=2].base.position.x", 0) &&
            plots.plots("moving_object[id=2].base.position.x", 1));
    for (std::uint32_t source = 0; source != 2; ++source)
        QCOMPARE(
            plots.difference(plots.lines()[source], plots.truth("moving_object[id=2].base.position.x", source), source),
            QString());
    QVERIFY(plots.lines()[1].value(1s));
    plots.session.set_starts_aligned(false);
    QVERIFY(!plots.lines()[1].value(1s));
    QVERIFY(plots.lines()[1].value(86401s));
}

void PlotTest::entries_survive_as_json()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].base.position.x") &&
            plots.plots("norm(moving_object[*].base.velocity)"));
    plots.panel.model().set_hidden(2, true);
    plots.panel.model().set_x_name("moving_object[id=2].base.position.x");
    const auto json = plots.panel.model().to_json();
    const auto lines = plots.lines().size();
    const auto hidden = plots.lines()[2].name;

    Plots again({file_});
    again.panel.model().from_json(json);
    QVERIFY(again.settles());
    QCOMPARE(again.lines().size(), lines);
    QVERIFY(again.line(hidden)->is_hidden);
    QCOMPARE(again.panel.model().to_json(), json);
    again.panel.model().from_json({{QStringLiteral("curves"), QStringLiteral("nonsense")}});
    QVERIFY(again.lines().empty());
    QJsonArray curves;
    curves.append(QJsonObject{{QStringLiteral("curve"), QStringLiteral("a..b(")},
                              {QStringLiteral("type"), QStringLiteral("osi3.GroundTruth")},
                              {QStringLiteral("file"), -7}});
    curves.append(42);
    again.panel.model().from_json({{QStringLiteral("curves"), curves}});
    QCOMPARE(again.lines().size(), std::size_t{1});
    QVERIFY(again.settles() && !again.cell(0, PlotList::value_column).isEmpty());
}

void PlotTest::values_are_written_in_the_background()
{
    Plots plots({file_});
    const std::string path = "moving_object[id=2].base.velocity.x";
    QVERIFY(plots.is_ready && plots.plots(path));
    QSignalSpy written(&plots.panel.view(), &PlotView::written);
    const auto file = scratch_ / "values.csv";
    plots.panel.view().save_csv(QString::fromStdString(file.string()));
    QVERIFY(written.wait(patience_ms));
    QCOMPARE(written.front()[1].toString(), QString());
    std::ifstream in(file);
    std::string row;
    std::getline(in, row);
    QCOMPARE(row, "time [s]," + path + " [m/s]");
    const auto truth = plots.truth(path);
    for (std::size_t i = 0; i != truth.size(); ++i) {
        QVERIFY(std::getline(in, row));
        QCOMPARE(QString::fromStdString(row.substr(row.find(',') + 1)).toDouble(), truth[i]);
        QCOMPARE(QString::fromStdString(row).section(QLatin1Char(','), 0, 0).toDouble(), 0.1 * static_cast<double>(i));
    }
    QVERIFY(!std::getline(in, row));
    plots.panel.view().save_csv(QStringLiteral("/no/such/folder/values.csv"));
    QVERIFY(written.wait(patience_ms));
    QVERIFY(written.back()[1].toString().contains(QStringLiteral("/no/such/folder")));
    auto* const box = plots.panel.findChild<QMessageBox*>();
    QVERIFY(box != nullptr && box->text() == written.back()[1].toString());
    box->close();
}

void PlotTest::pictures_are_written()
{
    Plots plots({file_});
    QVERIFY(plots.is_ready && plots.plots("moving_object[id=2].base.velocity.x"));
    const auto png = QString::fromStdString((scratch_ / "plot.png").string());
    const auto svg = QString::fromStdString((scratch_ / "plot.svg").string());
    QCOMPARE(plots.panel.view().save_png(png), QString());
    QCOMPARE(QImage(png).size(), 2 * plots.panel.view().size());
    QCOMPARE(plots.panel.view().save_svg(svg), QString());
    QFile text(svg);
    QVERIFY(text.open(QIODevice::ReadOnly) && text.readAll().contains("object 2.velocity.x"));
    QVERIFY(!plots.panel.view().save_svg(QStringLiteral("/no/such/folder/plot.svg")).isEmpty());
}

void PlotTest::plots_are_the_truth_in_real_traces()
{
    const auto traces = ositrace::test::shared_folder() / "traces";
    if (!std::filesystem::exists(traces)) QSKIP("the real traces are not here");
    const std::pair<const char*, const char*> cases[] = {
        {"highway_merge.osi", "moving_object[*].base.velocity.x"},
        {"disappearingVehicle.mcap", "global_ground_truth.moving_object[*].base.position.x"},
    };
    for (const auto& [name, path] : cases) {
        Plots plots(std::vector{traces / name});
        QVERIFY(plots.is_ready);
        std::uint32_t source = 0;
        while (!(*plots.session.channels())[source].channel->root) ++source;
        const auto* const root = (*plots.session.channels())[source].channel->root;
        std::string wanted = path;
        const bool is_inside = root->find("global_ground_truth") != nullptr;
        if (!is_inside && wanted.starts_with("global_ground_truth.")) wanted.erase(0, 20);
        if (is_inside && !wanted.starts_with("global_ground_truth.")) wanted = "global_ground_truth." + wanted;
        QVERIFY2(plots.plots(wanted, source), qPrintable(plots.problem()));
        QVERIFY(!plots.lines().empty() && plots.lines().front().data);
        int compared = 0;
        for (const auto& line : plots.lines()) {
            if (++compared > 12) break;
            QCOMPARE(plots.difference(line, plots.truth(line.name.toStdString(), source), source), QString());
        }
    }
}

OSIVIEW_TEST(PlotTest, QApplication)
#include "plot_test.moc"
