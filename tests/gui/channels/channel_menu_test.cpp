// SPDX-License-Identifier: MPL-2.0
// The context menu of a channel, what a layout keeps of it, and the colours that the scene gets.
#include <QApplication>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonObject>
#include <QMenu>
#include <QSignalSpy>

#include "gui/channels/channel_panel.hpp"
#include "gui/render/options.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;
using ositrace::test::open_all;
using ositrace::test::patience_ms;

class ChannelMenuTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void a_channel_is_shown_coloured_shifted_and_exported();
    void a_layout_keeps_what_a_user_has_chosen();
    void colours_of_a_channel_and_tints_are_drawn();

private:
    static QAction* action_of(const QMenu& menu, const QString& text);
    ScratchFolder scratch_;
    std::filesystem::path first_, second_;
};

void ChannelMenuTest::initTestCase()
{
    first_ = ositrace::test::write_sample(scratch_ / "a.osi", ositrace::test::small_scene(10));
    second_ = ositrace::test::write_sample(scratch_ / "b.osi", ositrace::test::small_scene(10));
}

QAction* ChannelMenuTest::action_of(const QMenu& menu, const QString& text)
{
    for (auto* const each : menu.actions()) {
        if (each->text() == text) return each;
        if (each->menu() != nullptr)
            if (auto* const found = action_of(*each->menu(), text)) return found;
    }
    return nullptr;
}

void ChannelMenuTest::a_channel_is_shown_coloured_shifted_and_exported()
{
    Session session;
    QVERIFY(open_all(session, {first_, second_}));
    ChannelPanel panel(session);
    QMenu menu;
    panel.fill_menu(menu, 1);
    const auto choose = [&](const char* text) {
        auto* const action = action_of(menu, QString::fromLatin1(text));
        if (action != nullptr) action->trigger();
        return action != nullptr;
    };
    const auto channel = [&] { return (*session.channels())[1]; };
    QVERIFY(choose("Show in the scene"));
    QVERIFY(!channel().shown);
    QVERIFY(choose("Show only this channel"));
    QVERIFY(channel().shown && !session.channels()->front().shown);
    QVERIFY(choose("Orange"));
    QCOMPARE(channel().style.rgb, std::optional<std::uint32_t>(0xf08c1a));
    QVERIFY(!panel.row_of(1)->icon(ChannelPanel::type_column).isNull());
    QVERIFY(panel.row_of(0)->icon(ChannelPanel::type_column).isNull());
    QVERIFY(choose("50 %"));
    QCOMPARE(channel().style.opacity, 50);
    QCOMPARE(channel().style.rgb, std::optional<std::uint32_t>(0xf08c1a));
    QVERIFY(choose("That of each kind"));
    QVERIFY(!channel().style.rgb);
    QVERIFY(choose("Arrow keys step through it"));
    QCOMPARE(session.active(), 1U);

    const auto first_time = channel().time_of(0);
    QVERIFY(choose("Time offset..."));
    auto* const dialog = panel.findChild<QInputDialog*>(QStringLiteral("offset_dialog"));
    QVERIFY(dialog != nullptr);
    dialog->setDoubleValue(-0.25);
    dialog->accept();
    QCOMPARE(channel().offset, Nanoseconds(-250ms));
    QCOMPARE(channel().time_of(0), first_time - 250ms);
    QMenu again;
    panel.fill_menu(again, 1);
    action_of(again, QStringLiteral("No time offset (now -0.250 s)"))->trigger();
    QCOMPARE(channel().offset, Nanoseconds(0));

    QSignalSpy exported(&panel, &ChannelPanel::export_requested);
    QVERIFY(choose("Export this channel..."));
    QCOMPARE(exported.size(), 1);
    QCOMPARE(exported.front().front().toUInt(), 1U);
}

void ChannelMenuTest::a_layout_keeps_what_a_user_has_chosen()
{
    Session session;
    QVERIFY(open_all(session, {first_, second_}));
    ChannelPanel panel(session);
    QJsonObject nothing;
    panel.save(nothing);
    QVERIFY(nothing.isEmpty());
    session.set_style(1, {.rgb = 0x123456, .opacity = 25});
    session.set_offset(0, Nanoseconds(1'234'567'891'234'567));
    QJsonObject layout;
    panel.save(layout);

    // Restored before the files are open: applied as soon as they are, and once.
    Session later;
    ChannelPanel restored(later);
    restored.restore(layout);
    QVERIFY(open_all(later, {first_, second_}));
    QCOMPARE((*later.channels())[1].style, (*session.channels())[1].style);
    QCOMPARE((*later.channels())[0].offset, Nanoseconds(1'234'567'891'234'567));
    later.set_style(1, {});
    emit later.channels_changed();
    QCOMPARE((*later.channels())[1].style, ChannelStyle());

    const auto hostile = QJsonArray{QJsonObject{{"name", 3}}, 7, QJsonObject{{"name", "x"}, {"opacity", 1e300}},
                                    QJsonObject{{"name", "y"}, {"colour", "no colour"}, {"offset_ns", "many"}}};
    restored.restore({{"channels", hostile}});
    restored.restore({{"channels", QStringLiteral("nonsense")}});
}

void ChannelMenuTest::colours_of_a_channel_and_tints_are_drawn()
{
    RenderOptions options;
    const ThingKey mine{.source = 1, .category = Category::moving_object, .id = 7};
    const ThingKey other{.source = 0, .category = Category::moving_object, .id = 7};
    const auto plain = options.colour(mine, Look::car, 1);
    options.styles = {{.source = 1, .colour = std::array{.1F, .2F, .3F}, .opacity = .5F}};
    const auto styled = options.colour(mine, Look::car, 1);
    QCOMPARE(styled[0], .1F);
    QCOMPARE(styled[2], .3F);
    QCOMPARE(styled[3], plain[3] * .5F);
    QVERIFY(options.colour(other, Look::car, 1) == plain);
    // A lamp keeps its colour.
    const auto lamp = options.colour(mine, Look::brake_on, 1);
    QCOMPARE(lamp[0], colour_of(Look::brake_on, options.theme)[0]);
    QCOMPARE(lamp[3], .5F);
    // A result goes before the colour of the channel.
    options.tints = {{.key = mine, .look = Look::palette_red}};
    QCOMPARE(options.colour(mine, Look::car, 1)[0], colour_of(Look::palette_red, options.theme)[0]);
    QVERIFY(options.colour(other, Look::car, 1) == plain);
}

OSIVIEW_TEST(ChannelMenuTest, QApplication)
#include "channel_menu_test.moc"
