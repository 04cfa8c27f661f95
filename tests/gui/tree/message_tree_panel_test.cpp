// SPDX-License-Identifier: MPL-2.0
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

#include "gui/tree/message_tree_panel.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

Thing car(std::uint64_t id, int place)
{
    Thing thing;
    thing.key = {0, Category::moving_object, id};
    thing.path = "moving_object[" + std::to_string(place) + "]";
    return thing;
}

}  // namespace

class MessageTreePanelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void opens_the_first_channel();
    void a_row_of_a_thing_selects_the_thing();
    void a_selected_thing_is_shown();
    void the_selected_row_follows_its_thing();
    void rows_that_were_opened_are_opened_again();
    void asterisk_opens_no_million_rows();
    void copies_path_and_value();
    void shows_the_documentation();
    void says_what_this_message_has_not();
    void a_range_of_elements_stays_selected();
    void a_field_found_is_shown();

private:
    SceneChannel scene_{small_scene()};
    std::unique_ptr<Selection> selection_;
    std::unique_ptr<MessageTreePanel> panel_;
};

void MessageTreePanelTest::init()
{
    selection_ = std::make_unique<Selection>();
    panel_ = std::make_unique<MessageTreePanel>(*selection_);
    panel_->resize(600, 800);
    panel_->show();
    auto snapshot = scene_.snapshot(0);
    snapshot->picture = picture_of_things({car(1, 0), car(2, 1)});
    panel_->show_snapshot(snapshot);
}

void MessageTreePanelTest::cleanup()
{
    panel_.reset();
    selection_.reset();
}

void MessageTreePanelTest::opens_the_first_channel()
{
    QVERIFY(panel_->view().isExpanded(panel_->model().index(0, 0)));
    const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB");
    if (path.isEmpty()) return;
    panel_->view().reveal(panel_->model().find(0, "moving_object[1].base.velocity.x"));
    panel_->grab().save(path + "/tree.png");
}

void MessageTreePanelTest::a_row_of_a_thing_selects_the_thing()
{
    const QSignalSpy changed(selection_.get(), &Selection::changed);
    panel_->view().reveal(panel_->model().find(0, "moving_object[1].base.velocity.x"));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(selection_->current()->path, std::string("moving_object[1].base.velocity.x"));
    QVERIFY(selection_->current()->thing == (ThingKey{0, Category::moving_object, 2}));
    panel_->view().reveal(panel_->model().find(0, "timestamp.seconds"));
    QVERIFY(selection_->current() && !selection_->current()->thing);
}

void MessageTreePanelTest::a_selected_thing_is_shown()
{
    selection_->select({ThingKey{0, Category::moving_object, 2}, 0, "moving_object[1]"});
    QCOMPARE(panel_->model().node(panel_->view().currentIndex()).path(), std::string("moving_object[1]"));
    QCOMPARE(selection_->current()->path, std::string("moving_object[1]"));
    selection_->clear();
    QVERIFY(!panel_->view().currentIndex().isValid());
}

void MessageTreePanelTest::the_selected_row_follows_its_thing()
{
    panel_->view().reveal(panel_->model().find(0, "moving_object[1].base.velocity"));
    auto snapshot = scene_.snapshot(1);
    snapshot->picture = picture_of_things({car(2, 0)});
    selection_->follow(*snapshot->picture);
    panel_->show_snapshot(snapshot);
    QCOMPARE(panel_->model().node(panel_->view().currentIndex()).path(), std::string("moving_object[0].base.velocity"));
    snapshot = scene_.snapshot(2);
    selection_->follow(*snapshot->picture);
    panel_->show_snapshot(snapshot);
    QVERIFY(selection_->current()->thing == (ThingKey{0, Category::moving_object, 2}));
}

void MessageTreePanelTest::rows_that_were_opened_are_opened_again()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto number = channel.channel()->root->find("moving_object")->number;
    const auto object = std::string{static_cast<char>((number << 3) | 2), 4, 0x0a, 2, 0x08, 7};
    panel_->show_snapshot(snapshot_of({channel.shown(object + object)}));
    auto& view = panel_->view();
    auto& model = panel_->model();
    view.expand(model.index(0, 0));
    view.expand(model.find(0, "moving_object"));
    view.expand(model.find(0, "moving_object[1]"));
    panel_->show_snapshot(snapshot_of({channel.shown(object)}));
    panel_->show_snapshot(snapshot_of({channel.shown(object + object)}));
    QVERIFY(view.isExpanded(model.find(0, "moving_object[1]")));
    panel_->show_snapshot(snapshot_of({channel.shown("\x0a\x7f")}));
    panel_->show_snapshot(snapshot_of({channel.shown(object + object)}));
    QVERIFY(view.isExpanded(model.find(0, "moving_object[1]")));
    QVERIFY(!view.isExpanded(model.find(0, "moving_object[0]")));
}

void MessageTreePanelTest::asterisk_opens_no_million_rows()
{
    auto& view = panel_->view();
    view.setCurrentIndex(panel_->model().index(0, 0));
    const auto before = panel_->model().made_rows();
    QTest::keyClick(&view, Qt::Key_Asterisk);
    QCOMPARE(panel_->model().made_rows(), before);
}

void MessageTreePanelTest::copies_path_and_value()
{
    auto& view = panel_->view();
    view.reveal(panel_->model().find(0, "moving_object[0].id.value"));
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), "1");
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), "moving_object[0].id.value");
}

void MessageTreePanelTest::shows_the_documentation()
{
    auto* const documentation = panel_->findChild<QTextBrowser*>("documentation");
    QVERIFY2(documentation->isHidden(), "it takes no room while nothing is selected");
    panel_->view().reveal(panel_->model().find(0, "timestamp.nanos"));
    QVERIFY(!documentation->isHidden());
    QVERIFY(documentation->toPlainText().contains("field 2 of osi3.Timestamp"));
    if (documented_names() == 0) {
        QVERIFY(documentation->toPlainText().contains("no documentation"));
        return;
    }
    QVERIFY(documentation->toPlainText().contains("number of nanoseconds"));
    QVERIFY(documentation->toPlainText().contains("is_less_than_or_equal_to: 999999999"));
    QVERIFY(documentation->toPlainText().contains("[ns]"));
}

/// A lane of a map that the first message has brought.
void MessageTreePanelTest::says_what_this_message_has_not()
{
    const auto* const documentation = panel_->findChild<QTextBrowser*>("documentation");
    auto snapshot = scene_.snapshot(1);
    auto picture = std::make_shared<Picture>(*picture_of_things({}));
    picture->notes.push_back({0, PictureNote::Kind::information, "the map is that of frame 0"});
    snapshot->picture = picture;
    panel_->show_snapshot(snapshot);
    selection_->select({ThingKey{0, Category::lane, 3}, 0, "lane[777]"});
    QVERIFY2(documentation->toPlainText().contains("This message has no lane[777]"),
             qPrintable(documentation->toPlainText()));
    QVERIFY(documentation->toPlainText().contains("the map is that of frame 0"));
    selection_->select({{}, 0, "timestamp.nanos"});
    QVERIFY(documentation->toPlainText().contains("field 2 of osi3.Timestamp"));
}

void MessageTreePanelTest::a_range_of_elements_stays_selected()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    std::string objects;
    const auto number = channel.channel()->root->find("moving_object")->number;
    for (int i = 0; i != 1500; ++i) objects += by_hand::Message().message(number, {}).str();
    panel_->show_snapshot(snapshot_of({channel.shown(objects)}));
    auto& view = panel_->view();
    view.reveal(panel_->model().find(0, "timestamp"));
    const auto list = panel_->model().find(0, "moving_object");
    view.expand(list.parent());
    view.expand(list);
    const auto range = panel_->model().index(1, 0, list);
    view.scrollTo(range);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(range).center());
    QCOMPARE(view.currentIndex(), range);
    QCOMPARE(selection_->current()->path, std::string("moving_object"));
    selection_->select({{}, 0, "timestamp"});
    QVERIFY(view.currentIndex() != range);
}

void MessageTreePanelTest::a_field_found_is_shown()
{
    panel_->view().reveal(panel_->model().find(0, "moving_object[1].id"));
    auto* const words = panel_->findChild<QLineEdit*>("search_words");
    QTest::keyClicks(words, "base velocity.x");
    auto* const results = panel_->findChild<QListWidget*>("search_results");
    QVERIFY(results->count() > 0);
    QCOMPARE(results->item(0)->text(), "moving_object[].base.velocity.x");
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(selection_->current()->path, std::string("moving_object[1].base.velocity.x"));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        panel_->grab().save(path + "/search.png");
}

OSIVIEW_TEST(MessageTreePanelTest, QApplication)
#include "message_tree_panel_test.moc"
