// SPDX-License-Identifier: MPL-2.0
// The controls alone, on channels that nothing reads: what they offer, choose and keep.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QtMath>

#include "gui/compare/compare_bar.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

OpenChannel channel_of(MessageType type, const std::string& topic)
{
    auto described = *HandMadeChannel(type).channel();
    described.topic = topic;
    OpenChannel channel;
    channel.channel = std::make_shared<const Channel>(std::move(described));
    channel.name = topic;
    return channel;
}

OpenChannel truth() { return channel_of(MessageType::ground_truth, "truth"); }
OpenChannel radar() { return channel_of(MessageType::sensor_data, "radar"); }
OpenChannel lidar() { return channel_of(MessageType::sensor_data, "lidar"); }
OpenChannel commands(const std::string& topic) { return channel_of(MessageType::traffic_command, topic); }

constexpr CompareSide truth_of(std::uint32_t source) { return {source, ObjectSet::ground_truth}; }
constexpr CompareSide detections_of(std::uint32_t source) { return {source, ObjectSet::detections}; }

/// A bar, used as a person does.
struct Bar : CompareBar {
    explicit Bar(OpenChannels channels) { show_channels(list_of(std::move(channels))); }

    [[nodiscard]] QComboBox& box(const char* name) { return *findChild<QComboBox*>(QLatin1String(name)); }
    [[nodiscard]] QDoubleSpinBox& number(const char* name) { return *findChild<QDoubleSpinBox*>(QLatin1String(name)); }
    [[nodiscard]] QToolButton& button(const char* name) { return *findChild<QToolButton*>(QLatin1String(name)); }
    [[nodiscard]] QStringList offered(const char* name)
    {
        QStringList texts;
        for (int i = 0; i != box(name).count(); ++i) texts += box(name).itemText(i);
        return texts;
    }
    void choose(const char* name, const QString& text)
    {
        box(name).setCurrentIndex(box(name).findText(text));
        emit box(name).activated(box(name).currentIndex());
    }
    [[nodiscard]] bool compares(const CompareSide& a, const CompareSide& b) const
    {
        const auto now = choice();
        return now && now->sides == std::array{a, b};
    }
};

}  // namespace

class CompareBarTest : public QObject {
    Q_OBJECT
private slots:
    void chooses_ground_truth_and_detections();
    void one_ground_truth_has_nothing_to_compare();
    void keeps_what_the_user_chose_while_it_is_open();
    void exact_offers_every_channel_and_prefers_the_same_type();
    void takes_the_reach_of_the_detections();
    void the_reach_is_that_of_the_detections_until_the_user_changes_it();
    void an_offset_is_of_b_and_whole_nanoseconds();
    void objects_of_two_ground_truths_are_paired_by_name_on_request();
    void lane_boundaries_are_preferred_until_the_user_chooses_a_mode();
};

void CompareBarTest::objects_of_two_ground_truths_are_paired_by_name_on_request()
{
    auto other = truth();
    other.name = "other";
    Bar bar({truth(), other});
    QVERIFY(!bar.choice()->objects.pair_by_name);
    QSignalSpy changed(&bar, &CompareBar::choice_changed);
    bar.choose("compare_mode", "Objects by name");
    QCOMPARE(changed.count(), 1);
    QVERIFY(bar.choice()->objects.pair_by_name);
    QVERIFY(bar.choice()->mode == CompareMode::objects);
    bar.choose("compare_mode", "Exact");
    QVERIFY(!bar.choice()->objects.pair_by_name);
}

void CompareBarTest::lane_boundaries_are_preferred_until_the_user_chooses_a_mode()
{
    Bar bar({truth(), radar()});
    QSignalSpy changed(&bar, &CompareBar::choice_changed);
    bar.prefer_boundaries();
    QCOMPARE(changed.count(), 1);
    QVERIFY(bar.choice()->mode == CompareMode::boundaries);
    QVERIFY(bar.compares(truth_of(0), detections_of(1)));
    bar.show_channels(list_of({truth(), radar()}));  // they are read again
    QVERIFY(bar.choice()->mode == CompareMode::boundaries);
    bar.choose("compare_b", QStringLiteral("radar: its ground truth"));  // it may have objects
    QVERIFY(bar.choice()->mode == CompareMode::objects);
    QVERIFY(bar.compares(truth_of(0), truth_of(1)));
    bar.prefer_boundaries();
    bar.show_channels(list_of({truth(), radar(), lidar()}));
    QVERIFY(bar.choice()->mode == CompareMode::objects);

    bar.choose("compare_mode", QStringLiteral("Objects"));
    bar.prefer_boundaries();
    QVERIFY(bar.choice()->mode == CompareMode::objects);
    QVERIFY(!bar.has_equal_types());
    QVERIFY(Bar({truth(), truth()}).has_equal_types());
    QVERIFY(Bar({commands("first"), commands("second")}).has_equal_types());
    QVERIFY(!Bar({radar()}).has_equal_types());
}

void CompareBarTest::chooses_ground_truth_and_detections()
{
    Bar bar({radar(), truth()});
    QVERIFY(bar.compares(truth_of(1), detections_of(0)));
    const QStringList offered{"radar: detections", "radar: its ground truth", "truth"};
    QCOMPARE(bar.offered("compare_a"), offered);
    QCOMPARE(bar.offered("compare_b"), offered);
    QCOMPARE(bar.box("compare_a").currentText(), QStringLiteral("truth"));
    QCOMPARE(bar.box("compare_b").currentText(), QStringLiteral("radar: detections"));

    QVERIFY(Bar({radar()}).compares(truth_of(0), detections_of(0)));
    QVERIFY(Bar({truth(), truth()}).compares(truth_of(0), truth_of(1)));
}

void CompareBarTest::one_ground_truth_has_nothing_to_compare()
{
    Bar bar({truth()});
    QVERIFY(!bar.choice());
    QCOMPARE(bar.box("compare_a").currentText(), QStringLiteral("truth"));
    QCOMPARE(bar.box("compare_b").currentIndex(), -1);

    Bar none({commands("commands")});
    QVERIFY(!none.choice());
    QVERIFY(!none.box("compare_a").isEnabled());
}

void CompareBarTest::keeps_what_the_user_chose_while_it_is_open()
{
    Bar bar({truth(), radar(), lidar()});
    QVERIFY(bar.compares(truth_of(0), detections_of(1)));
    QSignalSpy choices(&bar, &CompareBar::choice_changed);
    bar.choose("compare_b", QStringLiteral("lidar: detections"));
    QCOMPARE(choices.count(), 1);
    QVERIFY(bar.compares(truth_of(0), detections_of(2)));

    bar.show_channels(list_of({radar(), lidar(), truth()}));  // the same, in another order
    QVERIFY(bar.compares(truth_of(2), detections_of(1)));
    QCOMPARE(bar.box("compare_b").currentText(), QStringLiteral("lidar: detections"));

    bar.show_channels(list_of({radar(), truth()}));  // it is gone
    QVERIFY(bar.compares(truth_of(1), detections_of(0)));
    bar.show_channels(list_of({lidar(), radar(), truth()}));  // and is not remembered
    QVERIFY(bar.compares(truth_of(2), detections_of(0)));
}

void CompareBarTest::exact_offers_every_channel_and_prefers_the_same_type()
{
    Bar bar({truth(), commands("first"), radar(), channel_of(MessageType::ground_truth, "other")});
    bar.choose("compare_mode", QStringLiteral("Exact"));
    QCOMPARE(bar.offered("compare_a"), (QStringList{"truth", "first", "radar", "other"}));
    QVERIFY(bar.compares(truth_of(0), truth_of(3)));
    QCOMPARE(bar.choice()->mode, CompareMode::exact);
    QVERIFY(!bar.number("compare_gate").isEnabled());

    Bar without_objects({commands("first"), commands("second")});
    QVERIFY(!without_objects.choice());
    without_objects.choose("compare_mode", QStringLiteral("Exact"));
    QVERIFY(without_objects.compares(truth_of(0), truth_of(1)));
}

void CompareBarTest::takes_the_reach_of_the_detections()
{
    Bar bar({truth(), radar()});
    auto& take = bar.button("compare_reach");
    QVERIFY(!take.isEnabled());
    QCOMPARE(bar.choice()->objects.reach, SensorReach());  // any distance, all around

    bar.show_seen(SensorReach{.range = 79.2, .half_angle = 0.5}, false);  // 28.6 degrees
    QVERIFY(take.isEnabled());
    QCOMPARE(bar.choice()->objects.reach, SensorReach());
    QSignalSpy choices(&bar, &CompareBar::choice_changed);
    take.click();
    QCOMPARE(choices.count(), 1);  // of both numbers together
    QCOMPARE(bar.number("compare_range").value(), 80.0);
    QCOMPARE(bar.number("compare_angle").value(), 29.0);
    QCOMPARE(bar.choice()->objects.reach.range, 80.0);
    QCOMPARE(bar.choice()->objects.reach.half_angle, 29 * M_PI / 180);

    bar.show_seen(SensorReach{.range = 10, .half_angle = M_PI}, false);
    take.click();
    QCOMPARE(bar.choice()->objects.reach, (SensorReach{.range = 10}));
    bar.show_seen(std::nullopt, false);
    QVERIFY(!take.isEnabled());
}

void CompareBarTest::the_reach_is_that_of_the_detections_until_the_user_changes_it()
{
    Bar bar({truth(), radar()});
    QSignalSpy choices(&bar, &CompareBar::choice_changed);
    bar.show_seen(SensorReach{.range = 79.2, .half_angle = 0.5}, true);
    QCOMPARE(choices.count(), 1);
    QCOMPARE(bar.choice()->objects.reach.range, 80.0);
    bar.show_seen(SensorReach{.range = 79.2, .half_angle = 0.5}, true);  // of what is compared anew
    QCOMPARE(choices.count(), 1);
    bar.number("compare_range").setValue(50);
    bar.show_seen(SensorReach{.range = 79.2, .half_angle = 0.5}, true);
    QCOMPARE(bar.choice()->objects.reach.range, 50.0);
    bar.button("compare_reach").click();
    QCOMPARE(bar.choice()->objects.reach.range, 80.0);

    Bar truths({truth(), truth()});
    truths.show_seen(SensorReach{.range = 79.2, .half_angle = 0.5}, true);
    QCOMPARE(truths.choice()->objects.reach, SensorReach());  // these were not detected by a sensor
}

void CompareBarTest::an_offset_is_of_b_and_whole_nanoseconds()
{
    Bar bar({truth(), radar()});
    auto& offset = bar.number("compare_offset");
    QSignalSpy offsets(&bar, &CompareBar::offset_chosen);
    offset.setValue(-12.345);
    QCOMPARE(offsets.count(), 1);
    QCOMPARE(offsets.front().at(0).toUInt(), 1U);
    QCOMPARE(offsets.front().at(1).value<Nanoseconds>(), Nanoseconds(-12'345'000));
    QCOMPARE(offset.prefix(), QStringLiteral("B "));
    offset.setValue(3);
    QCOMPARE(offset.prefix(), QStringLiteral("B + "));

    auto shifted = radar();
    shifted.offset = 250ms;
    bar.show_offsets(list_of({truth(), shifted}));
    QCOMPARE(offset.value(), 250.0);
    QCOMPARE(offsets.count(), 2);  // what is shown is not chosen again

    bar.choose("compare_a", QStringLiteral("radar: its ground truth"));
    QVERIFY(!offset.isEnabled());  // a channel is not shifted against itself
}

OSIVIEW_TEST(CompareBarTest, QApplication)
#include "compare_bar_test.moc"
