// SPDX-License-Identifier: MPL-2.0
// Keys, as a person presses them: whoever has the focus gets them.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTableView>

#include "gui/channels/channel_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class KeysTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void plays_and_steps_by_keys();
    void the_tree_opens_its_rows_by_arrows();
    void arrows_step_while_a_table_has_the_focus();
    void enter_hides_a_channel();
    void a_typed_time_goes_there();
    void a_time_can_be_typed_while_it_plays();
    void text_is_left_by_escape();
    void the_camera_walks_by_keys();
    void finds_a_field_by_keys();
    void goes_through_objects_by_tab();
    void changes_the_view_by_keys();
    void follows_and_shows_what();
    void shows_its_keys();
    void letters_act_everywhere_but_where_one_types();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

namespace {

bool focus(QWidget& widget)
{
    widget.setFocus();
    return QTest::qWaitFor([&] { return widget.hasFocus(); }, patience_ms);
}

}  // namespace

void KeysTest::plays_and_steps_by_keys()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_Right);
    QVERIFY(opened.shows(1));
    opened.key(Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(opened.shows(2));
    opened.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(opened.shows(12));
    opened.key(Qt::Key_Left);
    QVERIFY(opened.shows(11));
    opened.key(Qt::Key_End);
    QVERIFY(opened.shows(59));
    opened.key(Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(opened.shows(0));
    opened.key(Qt::Key_Plus);
    QCOMPARE(opened.playback().rate(), 2.0);
    opened.key(Qt::Key_L);
    QVERIFY(opened.playback().loops());
    opened.key(Qt::Key_Space);
    QVERIFY(opened.playback().playing());
    QVERIFY(QTest::qWaitFor([&] { return opened.number() > 5; }, patience_ms));
    opened.key(Qt::Key_Space);
    QVERIFY(!opened.playback().playing());
    opened.key(Qt::Key_1);
    QCOMPARE(opened.playback().rate(), 1.0);
    opened.key(Qt::Key_I);
    QVERIFY(opened.playback().section());
    opened.key(Qt::Key_I, Qt::ShiftModifier);
    QVERIFY(!opened.playback().section());
}

void KeysTest::finds_a_field_by_keys()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_F, Qt::ControlModifier);
    auto* const words = opened.window.findChild<QLineEdit*>(QStringLiteral("search_words"));
    QVERIFY(QTest::qWaitFor([&] { return words->hasFocus(); }, patience_ms));
    QTest::keyClicks(words, QStringLiteral("moving_object velocity.x"));
    QTest::keyClick(words, Qt::Key_Return);
    const auto& selection = opened.window.viewer().selection();
    QVERIFY(selection.current());
    QCOMPARE(selection.current()->path, std::string("global_ground_truth.moving_object[0].base.velocity.x"));
    QTest::keyClick(&opened.window.findChild<MessageTreePanel*>()->view(), Qt::Key_C,
                    Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), "global_ground_truth.moving_object[0].base.velocity.x");
    // A letter that is typed is no key of the window.
    words->setFocus();
    QTest::keyClicks(words, QStringLiteral("b3"));
    QVERIFY(opened.window.scene().view() != View::bird || !opened.window.scene().has_3d());
}

void KeysTest::goes_through_objects_by_tab()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_Tab);
    const auto first = opened.window.viewer().selection().current();
    QVERIFY(first && first->thing);
    opened.key(Qt::Key_Tab);
    QVERIFY(opened.window.viewer().selection().current() != first);
    opened.key(Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(opened.window.viewer().selection().current()->thing, first->thing);
}

void KeysTest::changes_the_view_by_keys()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_B);
    QCOMPARE(opened.window.scene().view(), View::bird);
    if (opened.window.scene().has_3d()) {
        opened.key(Qt::Key_3);
        QCOMPARE(opened.window.scene().view(), View::orbit);
    }
    const bool labels = opened.window.scene().labels();
    opened.key(Qt::Key_N);
    QCOMPARE(opened.window.scene().labels(), !labels);
    // In a list a letter is a key of the window, too, and selects nothing.
    auto* const table = opened.window.findChild<QTableView*>(QStringLiteral("object_table"));
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_B);
    QTest::keyClick(table, Qt::Key_N);
    QCOMPARE(opened.window.scene().view(), View::bird);
    QCOMPARE(opened.window.scene().labels(), labels);
    QCOMPARE(table->currentIndex().row(), 0);
    auto* const left = opened.window.findChild<QDockWidget*>(QStringLiteral("channels_dock"));
    opened.key(Qt::Key_BracketLeft);
    QVERIFY(left->isHidden());
    opened.key(Qt::Key_BracketLeft);
    QVERIFY(!left->isHidden());
}

void KeysTest::follows_and_shows_what()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto actions = opened.window.actions();
    const auto found = std::find_if(actions.begin(), actions.end(),
                                    [](const QAction* each) { return each->text() == QStringLiteral("Follow"); });
    QVERIFY(found != actions.end());
    auto& scene = opened.window.scene();
    QVERIFY((*found)->isChecked() && (*found)->toolTip().contains(QStringLiteral("the host")));
    opened.key(Qt::Key_F);
    QVERIFY(!(*found)->isChecked() && !scene.follows());
    opened.key(Qt::Key_Tab);
    opened.key(Qt::Key_Tab);
    opened.key(Qt::Key_F);
    QVERIFY((*found)->isChecked() && scene.followed());
    const auto id = QString::number(scene.followed()->id);
    QVERIFY((*found)->toolTip().contains(QStringLiteral("follows moving object ") + id));
    const auto is_in_the_middle = [&] {
        const auto* const thing = scene.state().picture->find(*scene.followed());
        return thing != nullptr &&
               length(to_vector(thing->centre) + scene.state().picture->origin - scene.camera().target) < 1e-3;
    };
    QVERIFY(is_in_the_middle());
    scene.walk(5, 5);
    opened.key(Qt::Key_Tab);
    opened.key(Qt::Key_F);
    QVERIFY2((*found)->isChecked() && QString::number(scene.followed()->id) != id, "F follows what is selected now");
    QVERIFY(is_in_the_middle());
    opened.key(Qt::Key_Backtab, Qt::ShiftModifier);
    opened.key(Qt::Key_F);
    QVERIFY2(scene.turns() == (scene.view() == View::orbit), "in 3D only, by default");
    const bool turned = scene.turns();
    opened.key(Qt::Key_F, Qt::ShiftModifier);
    QCOMPARE(scene.turns(), !turned);
    QVERIFY(scene.follows());
    QVERIFY(scene.state().notes.join(QLatin1Char(' ')).contains(QStringLiteral("follows")) &&
            scene.state().notes.join(QLatin1Char(' ')).contains(id));
    scene.follow_nothing();
    QVERIFY(!(*found)->isChecked() && scene.state().notes.isEmpty());
}

void KeysTest::letters_act_everywhere_but_where_one_types()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    const auto labels = scene.labels();
    for (auto* const panel : {static_cast<QWidget*>(&opened.window.findChild<MessageTreePanel*>()->view()),
                              static_cast<QWidget*>(opened.window.findChild<ChannelPanel*>())}) {
        QVERIFY(panel != nullptr && focus(*panel));
        opened.press(Qt::Key_N);
        QCOMPARE(scene.labels(), !labels);
        opened.press(Qt::Key_N);
        QCOMPARE(scene.labels(), labels);
        opened.press(Qt::Key_Space);
        QVERIFY(opened.playback().playing());
        opened.press(Qt::Key_Space);
    }
    auto* const words = opened.window.findChild<QLineEdit*>(QStringLiteral("object_words"));
    QVERIFY(words != nullptr && focus(*words));
    opened.press(Qt::Key_N);
    QCOMPARE(scene.labels(), labels);
    QCOMPARE(words->text(), QStringLiteral("n"));
    QVERIFY(focus(scene));
    opened.press(Qt::Key_N);
    QCOMPARE(scene.labels(), !labels);
    QVERIFY(focus(opened.window.timeline()));
    opened.press(Qt::Key_N);
    QCOMPARE(scene.labels(), labels);
}

void KeysTest::shows_its_keys()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.key(Qt::Key_F1);
    auto* const keys = opened.window.findChild<QDialog*>(QStringLiteral("key_list"));
    QVERIFY(keys != nullptr && keys->isVisible());
    keys->close();
    opened.window.activateWindow();
    opened.key(Qt::Key_K, Qt::ControlModifier);
    auto* const palette = opened.window.findChild<QDialog*>(QStringLiteral("command_palette"));
    QVERIFY(palette != nullptr);
    auto* const words = palette->findChild<QLineEdit*>();
    const auto* const found = palette->findChild<QListWidget*>();
    words->setText(QStringLiteral("speed"));
    QCOMPARE(found->count(), 4);
    words->setText(QStringLiteral("light"));  // a name is before another word for a command
    QVERIFY2(found->item(0)->text().contains(QStringLiteral("light"), Qt::CaseInsensitive),
             qPrintable(found->item(0)->text()));
    words->setText(QStringLiteral("xyzzy"));
    QCOMPARE(found->count(), 1);
    QCOMPARE(found->item(0)->text(), QStringLiteral("No command has this name"));
    QTest::keyClick(words, Qt::Key_Return);
    QVERIFY(palette->isVisible());
    words->setText(QStringLiteral("hard brak"));
    QCOMPARE(found->count(), 1);
    QCOMPARE(found->item(0)->text(), QStringLiteral("Find: Hard braking"));
    words->clear();
    QTest::keyClicks(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : palette,
                     QStringLiteral("bird"));
    QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : palette, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return opened.window.scene().view() == View::bird; }, patience_ms));
}

void KeysTest::the_tree_opens_its_rows_by_arrows()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& tree = opened.window.findChild<MessageTreePanel*>()->view();
    QVERIFY(focus(tree));
    const auto message = tree.model()->index(0, 0);
    tree.setCurrentIndex(message);
    tree.collapse(message);
    opened.press(Qt::Key_Right);
    QVERIFY(tree.isExpanded(message));
    opened.press(Qt::Key_Left);
    QVERIFY(!tree.isExpanded(message));
    QCOMPARE(opened.number(), std::uint64_t(0));
    opened.press(Qt::Key_Period);
    QVERIFY(opened.shows(1));
    opened.press(Qt::Key_Comma);
    QVERIFY(opened.shows(0));
    opened.press(Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(opened.shows(59));
    opened.press(Qt::Key_Home);
    QCOMPARE(tree.currentIndex(), message);
    QCOMPARE(opened.number(), std::uint64_t(59));
    opened.press(Qt::Key_Space);
    QVERIFY(opened.playback().playing());
}

void KeysTest::arrows_step_while_a_table_has_the_focus()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& table = opened.window.findChild<ObjectPanel*>()->view();
    for (QWidget* const each :
         {static_cast<QWidget*>(&table), static_cast<QWidget*>(opened.window.findChild<ChannelPanel*>())}) {
        QVERIFY(focus(*each));
        opened.press(Qt::Key_Home);
        QVERIFY(opened.shows(0));
        opened.press(Qt::Key_Right);
        QVERIFY(opened.shows(1));
    }
    QVERIFY(focus(table));
    table.selectRow(0);
    opened.press(Qt::Key_Down);
    QCOMPARE(table.currentIndex().row(), 1);
    opened.press(Qt::Key_PageDown);
    QVERIFY(table.currentIndex().row() > 2);
    QCOMPARE(opened.number(), std::uint64_t(1));
}

void KeysTest::enter_hides_a_channel()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& panel = *opened.window.findChild<ChannelPanel*>();
    QVERIFY(focus(panel));
    panel.setCurrentItem(panel.row_of(0));
    const auto& channels = opened.window.viewer().session().channels();
    opened.press(Qt::Key_Return);
    QVERIFY(!channels->front().shown);
    opened.press(Qt::Key_Return);
    QVERIFY(channels->front().shown);
}

void KeysTest::a_typed_time_goes_there()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_G, Qt::ControlModifier);
    auto* const time = opened.window.findChild<QLineEdit*>(QStringLiteral("time"));
    QVERIFY(QTest::qWaitFor([&] { return time->hasFocus(); }, patience_ms));
    for (const auto each : {Qt::Key_1, Qt::Key_Period, Qt::Key_2})
        QTest::sendKeyEvent(QTest::Click, opened.window.windowHandle(), each, QKeySequence(each).toString(), {});
    QCOMPARE(time->text(), QStringLiteral("1.2"));
    opened.press(Qt::Key_Return);
    QVERIFY(opened.shows(12));
    opened.press(Qt::Key_Right);
    QVERIFY(opened.shows(13));
}

void KeysTest::a_time_can_be_typed_while_it_plays()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.playback().set_rate(0.5);
    opened.press(Qt::Key_Space);
    const auto plays_on = [&] {
        const auto begun = opened.number();
        return QTest::qWaitFor([&] { return opened.number() >= begun + 4; }, patience_ms);
    };
    const auto type = [&](const QString& text) {
        for (const auto each : text) {
            const auto key = static_cast<Qt::Key>(each.toUpper().unicode());
            QTest::sendKeyEvent(QTest::Click, opened.window.windowHandle(), key, QString(each), {});
        }
    };
    QVERIFY(plays_on());
    opened.press(Qt::Key_G, Qt::ControlModifier);
    auto* const time = opened.window.findChild<QLineEdit*>(QStringLiteral("time"));
    QVERIFY(QTest::qWaitFor([&] { return time->hasFocus(); }, patience_ms));
    QVERIFY(plays_on());
    QCOMPARE(time->selectedText(), time->text());
    type(QStringLiteral("0.x"));
    QVERIFY(plays_on());
    QCOMPARE(time->text(), QStringLiteral("0.x"));
    opened.press(Qt::Key_Return);
    const auto* const said = opened.window.findChild<QLabel*>(QStringLiteral("message"));
    QVERIFY(said->text().contains(QStringLiteral("'0.x' is not a time")));
    QVERIFY(plays_on());
    QVERIFY(said->text().contains(QStringLiteral("'0.x' is not a time")));
    type(QStringLiteral("0.1"));
    QVERIFY(said->text().startsWith(QStringLiteral("message #")));
    opened.press(Qt::Key_Return);
    QVERIFY(!time->hasFocus());
    QVERIFY(opened.playback().playing() && opened.playback().time() < std::chrono::milliseconds(800));
    QVERIFY(plays_on());
    QVERIFY(time->text() != QStringLiteral("0.1"));
}

void KeysTest::text_is_left_by_escape()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_Tab);
    const auto selected = opened.window.viewer().selection().current();
    QVERIFY(selected);
    opened.press(Qt::Key_G, Qt::ControlModifier);
    auto* const time = opened.window.findChild<QLineEdit*>(QStringLiteral("time"));
    QVERIFY(QTest::qWaitFor([&] { return time->hasFocus(); }, patience_ms));
    const auto before = time->text();
    QTest::sendKeyEvent(QTest::Click, opened.window.windowHandle(), Qt::Key_7, QStringLiteral("7"), {});
    opened.press(Qt::Key_Escape);
    QVERIFY(!time->hasFocus());
    QCOMPARE(time->text(), before);
    QVERIFY(opened.window.viewer().selection().current() == selected);
    opened.press(Qt::Key_Escape);
    QVERIFY(!opened.window.viewer().selection().current());
}

void KeysTest::the_camera_walks_by_keys()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto begun = opened.window.scene().camera().target;
    opened.press(Qt::Key_W);
    const auto ahead = opened.window.scene().camera().target;
    QVERIFY(ahead != begun);
    opened.press(Qt::Key_S);
    opened.press(Qt::Key_A);
    QVERIFY(opened.window.scene().camera().target != begun);
    opened.press(Qt::Key_D);
    const auto back = opened.window.scene().camera().target;
    for (std::size_t i = 0; i != 3; ++i) QVERIFY(std::abs(back[i] - begun[i]) < 1e-6);
}

OSIVIEW_TEST(KeysTest, QApplication)
#include "keys_test.moc"
