// SPDX-License-Identifier: MPL-2.0
// Plots in the window: opened by keys, in agreement with the tree, part of the layout, without blocking.
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QTimer>
#include <QTreeView>

#include "gui/objects/object_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/window/layout.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

struct Plotted : Opened {
    using Opened::Opened;

    [[nodiscard]] PlotPanel& plots() { return *window.findChild<PlotPanel*>(); }
    [[nodiscard]] QDockWidget& dock() { return *window.findChild<QDockWidget*>(QStringLiteral("plots_dock")); }
    bool reads()
    {
        return QTest::qWaitFor([&] { return plots().model().is_settled(); }, patience_ms);
    }
    [[nodiscard]] const std::vector<PlotLine>& lines() { return plots().model().lines(); }
    [[nodiscard]] QString value(int row)
    {
        const auto& list = *plots().findChild<QTreeView*>(QStringLiteral("plot_list"))->model();
        return list.index(row, PlotList::value_column).data().toString();
    }
    /// What the tree shows of a field of the object with this id.
    [[nodiscard]] QString in_tree(const std::string& field, const std::string& id)
    {
        auto& tree = *window.findChild<MessageTreePanel*>();
        const auto& shown = window.viewer().snapshot()->channels.front();
        const std::string objects = "global_ground_truth.moving_object[";
        const auto wanted = FieldPath::compile(*shown.channel->root, objects + "id=" + id + "].id.value");
        for (int i = 0;; ++i) {
            const auto at = objects + std::to_string(i) + "]";
            const auto number = FieldPath::compile(*shown.channel->root, at + ".id.value")
                                    .get({shown.frame->bytes, *shown.channel->root, shown.channel->format});
            if (as_integer(number) != std::stoll(id)) continue;
            const auto row = tree.model().find(0, at + "." + field);
            return row.siblingAtColumn(MessageTreeModel::value_column).data().toString();
        }
    }
};

/// Chooses the action of the next context menu whose text ends so.
void choose_in_menu(const QString& end)
{
    auto* const timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, end] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (menu == nullptr) return;
        timer->deleteLater();
        for (auto* const each : menu->actions()) {
            if (!each->text().endsWith(end)) continue;
            menu->setActiveAction(each);
            QTest::keyClick(menu, Qt::Key_Return);
            return;
        }
        menu->close();
    });
    timer->start(20);
}

const std::string velocity = "global_ground_truth.moving_object[id=2].base.velocity.x";

}  // namespace

namespace {

/// The list of curves rounds numbers.
QString as_listed(const QString& value)
{
    bool is_number = false;
    const auto number = value.toDouble(&is_number);
    return is_number ? QString::number(number, 'g', 6) : value;
}

}  // namespace

class PlotWindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void is_hidden_until_it_is_used();
    void a_typed_path_is_plotted();
    void the_selected_object_is_plotted_by_a_key();
    void context_menus_plot();
    void values_are_those_of_the_tree_while_it_plays();
    void a_click_on_the_plot_seeks();
    void a_change_is_undone();
    void is_part_of_the_layout();
    void a_plot_is_on_the_picture_of_the_window();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void PlotWindowTest::is_hidden_until_it_is_used()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.dock().isHidden());
    opened.press(Qt::Key_P);
    QVERIFY(opened.dock().isVisible());
    QVERIFY(opened.plots().findChild<QLineEdit*>(QStringLiteral("plot_line"))->hasFocus());
    // Above the time, below the scene.
    const auto top = [](QWidget& widget) { return widget.mapToGlobal(QPoint()).y(); };
    QVERIFY(QTest::qWaitFor([&] {
        return top(opened.dock()) >= top(opened.window.scene()) + opened.window.scene().height() &&
               top(opened.dock()) + opened.dock().height() <= top(opened.window.timeline());
    }));
}

void PlotWindowTest::a_typed_path_is_plotted()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_P);
    auto* const line = opened.plots().findChild<QLineEdit*>(QStringLiteral("plot_line"));
    line->setText(QString::fromStdString(velocity));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(opened.reads());
    QCOMPARE(opened.lines().size(), std::size_t{1});
    QCOMPARE(opened.lines().front().data->curve.values.size(), std::size_t{60});
    // The first part of a path may be left out; it names the same curve.
    const auto problem = opened.plots().findChild<QLabel*>(QStringLiteral("plot_problem"));
    line->setText(QStringLiteral("moving_object[id=2].base.velocity.x"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(problem->text().endsWith(QStringLiteral("is plotted")));
    line->setText(QStringLiteral("distance(moving_object[id=1], moving_object[id=2])"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(opened.reads());
    QCOMPARE(opened.lines().size(), std::size_t{2});
    QCOMPARE(opened.lines().back().data->curve.values.size(), std::size_t{60});
}

void PlotWindowTest::the_selected_object_is_plotted_by_a_key()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_Tab);
    const auto id = opened.window.viewer().selection().current()->thing->id;
    opened.press(Qt::Key_P, Qt::ShiftModifier);
    QVERIFY(opened.reads());
    QCOMPARE(opened.lines().front().name,
             QStringLiteral("norm(global_ground_truth.moving_object[id=%1].base.velocity)").arg(id));
}

void PlotWindowTest::context_menus_plot()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    auto& tree = *opened.window.findChild<MessageTreePanel*>();
    tree.view().reveal(tree.model().find(0, "global_ground_truth.moving_object[1].base.velocity.x"));
    choose_in_menu(QStringLiteral("velocity.x of every moving object"));
    QContextMenuEvent in_tree(QContextMenuEvent::Mouse, {50, 50}, tree.view().viewport()->mapToGlobal(QPoint(50, 50)));
    QApplication::sendEvent(tree.view().viewport(), &in_tree);
    QVERIFY(opened.reads() && opened.dock().isVisible());
    QVERIFY(opened.lines().size() > 5);

    opened.plots().model().clear();
    auto& objects = *opened.window.findChild<ObjectPanel*>();
    objects.view().setCurrentIndex(objects.view().model()->index(0, ObjectTableModel::x));
    choose_in_menu(QStringLiteral("position.x of moving object 1"));
    emit objects.view().customContextMenuRequested({10, 10});
    QVERIFY(opened.reads());
    QVERIFY(opened.lines().front().name.endsWith(QStringLiteral("base.position.x")));
}

void PlotWindowTest::values_are_those_of_the_tree_while_it_plays()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_P);
    opened.window.setFocus();
    for (const auto* const each : {"base.velocity.x", "type", "base.orientation.yaw"})
        opened.plots().plot(0, "global_ground_truth.moving_object[id=2]." + std::string(each));
    QVERIFY(opened.reads());
    int compared = 0;
    QString lie;
    const auto compare = [&] {
        ++compared;
        int row = 0;
        for (const auto* const each : {"base.velocity.x", "type", "base.orientation.yaw"}) {
            const auto tree = as_listed(opened.in_tree(each, "2")), plot = opened.value(row++);
            if (plot != tree && lie.isEmpty())
                lie = QStringLiteral("message %1, %2: %3 in the plot, %4 in the tree")
                          .arg(opened.number())
                          .arg(QLatin1String(each), plot, tree);
        }
    };
    connect(&opened.window, &ViewerWindow::snapshot_shown, this, compare);
    opened.playback().set_rate(5);
    opened.press(Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return opened.number() > 40; }, patience_ms));
    opened.press(Qt::Key_Space);
    for (const auto key : {Qt::Key_Left, Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End}) {
        opened.press(key);
        QVERIFY(opened.settle());
        compare();
    }
    QVERIFY2(lie.isEmpty(), qPrintable(lie));
    QVERIFY(compared > 5);
}

void PlotWindowTest::a_click_on_the_plot_seeks()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_P);
    opened.plots().plot(0, velocity);
    QVERIFY(opened.reads());
    auto& view = opened.plots().view();
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      view.place_of(0, 3050ms, 0).toPoint().x() > 0
                          ? QPoint(view.place_of(0, 3050ms, 0).toPoint().x(), view.area().center().y())
                          : QPoint());
    QVERIFY(opened.shows(30));
    QCOMPARE(opened.value(0), as_listed(opened.in_tree("base.velocity.x", "2")));
}

void PlotWindowTest::a_change_is_undone()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_P);
    opened.window.setFocus();
    QTest::qWait(600);  // until a change counts as one of its own
    opened.plots().plot(0, velocity);
    QTest::qWait(600);
    opened.plots().plot(0, "global_ground_truth.moving_object[id=3].base.velocity.x");
    QTest::qWait(600);
    QCOMPARE(opened.lines().size(), std::size_t{2});
    opened.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(opened.lines().size(), std::size_t{1});
    QCOMPARE(opened.lines().front().name, QString::fromStdString(velocity));
    opened.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(opened.lines().empty());
    opened.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(opened.lines().size(), std::size_t{1});
    QVERIFY(opened.reads());
    QVERIFY(opened.lines().front().data);
}

void PlotWindowTest::is_part_of_the_layout()
{
    const auto file = QString::fromStdString((scratch_ / "plots.osiview.json").string());
    {
        Plotted opened(file_);
        QVERIFY(opened.ready);
        opened.press(Qt::Key_P);
        opened.plots().plot(0, velocity);
        QVERIFY(write_layout(file, opened.window.layout_now()).isEmpty());
    }
    QString why;
    const auto layout = read_layout(file, why);
    QVERIFY2(layout, qPrintable(why));
    Plotted opened(file_);
    QVERIFY(opened.ready && opened.lines().empty());
    opened.window.apply(*layout);
    QVERIFY(opened.reads() && opened.dock().isVisible());
    QCOMPARE(opened.lines().front().name, QString::fromStdString(velocity));
}

void PlotWindowTest::a_plot_is_on_the_picture_of_the_window()
{
    Plotted opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_P);
    opened.plots().plot(0, velocity);
    QVERIFY(opened.reads() && QTest::qWaitFor([&] { return opened.plots().view().is_complete(); }, patience_ms));
    for (const auto theme : {Theme::dark, Theme::light}) {
        opened.window.set_theme(theme);
        auto& view = opened.plots().view();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const bool is_dark = view.palette().color(QPalette::Base).lightnessF() < 0.5F;
                return is_dark == (theme == Theme::dark) && view.is_complete();
            },
            patience_ms));
        if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
            opened.window.grab().save(path + QStringLiteral("/plot_window_%1.png").arg(theme == Theme::dark));
        const auto picture = view.grab().toImage();
        const auto wanted = plot_colour(0, theme == Theme::dark);
        int found = 0;
        for (int y = 0; y != picture.height(); ++y) {
            for (int x = 0; x != picture.width(); ++x) {
                const auto pixel = picture.pixelColor(x, y);
                const auto apart = std::abs(pixel.red() - wanted.red()) + std::abs(pixel.green() - wanted.green()) +
                                   std::abs(pixel.blue() - wanted.blue());
                found += apart < 60 ? 1 : 0;
            }
        }
        QVERIFY2(found > 20, qPrintable(QString::number(found)));
    }
    opened.window.set_theme(Theme::dark);
}

OSIVIEW_TEST(PlotWindowTest, QApplication)
#include "plot_window_test.moc"
