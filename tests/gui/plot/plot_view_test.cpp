// SPDX-License-Identifier: MPL-2.0
// The painter of plots: what it draws, and what the mouse does to it.
#include <cmath>
#include <random>

#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <QXmlStreamReader>

#include "gui/plot/plot_data.hpp"
#include "gui/plot/plot_view.hpp"
#include "gui/plot/svg_device.hpp"
#include "tests/gui/golden/golden_compare.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// A curve with a sample every `step`.
PlotLine line_of(const char* name, const char* unit, const std::vector<double>& values, Nanoseconds step = 100ms)
{
    Curve curve;
    for (std::size_t i = 0; i != values.size(); ++i) {
        curve.times.push_back(step * static_cast<std::int64_t>(i));
        curve.values.push_back(values[i]);
    }
    PlotLine line{.name = QLatin1String(name), .unit = QLatin1String(unit)};
    line.data = std::make_shared<const PlotData>(std::move(curve));
    return line;
}

std::vector<double> wave(std::size_t count, double turns, double size = 10)
{
    std::vector<double> values;
    for (std::size_t i = 0; i != count; ++i)
        values.push_back(size *
                         std::sin(2 * 3.14159265358979 * turns * static_cast<double>(i) / static_cast<double>(count)));
    return values;
}

/// A view whose curves have 400 x 160 pixels, whatever the font.
struct Shown {
    PlotView view;

    explicit Shown(std::vector<PlotLine> lines, std::optional<std::size_t> x_line = {}, Nanoseconds to = 10s)
    {
        view.set_extent(TimeSection{0s, to});
        view.set_lines(std::move(lines), x_line);
        view.show();
        view.resize(600, 220);
        for (int i = 0; i != 3; ++i)  // other numbers on the axes have another width
            view.resize(view.width() + 400 - view.area().width(), view.height() + 160 - view.area().height());
    }
    bool paints()
    {
        return QTest::qWaitFor([&] { return view.is_complete(); }, 30'000);
    }
    QImage curves() { return view.grab(view.area()).toImage().convertToFormat(QImage::Format_RGB32); }
    [[nodiscard]] QStringList texts_of_picture() const
    {
        SvgDevice device(view.size());
        QPainter painter(&device);
        view.paint(painter, view.size());
        painter.end();
        QXmlStreamReader xml(device.svg());
        QStringList found;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
                found += xml.readElementText();
        return found;
    }
    [[nodiscard]] QPoint at(double part_x, double part_y) const
    {
        const auto area = view.area();
        return {area.left() + static_cast<int>(part_x * area.width()),
                area.top() + static_cast<int>(part_y * area.height())};
    }
    [[nodiscard]] double seconds_from() const { return static_cast<double>(view.visible().from.count()) / 1e9; }
    [[nodiscard]] double seconds_to() const { return static_cast<double>(view.visible().to.count()) / 1e9; }
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(&view, button, modifiers, from);
        for (int i = 1; i <= 4; ++i) {
            const auto place = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, button, modifiers);
            QApplication::sendEvent(&view, &move);
        }
        QTest::mouseRelease(&view, button, modifiers, to);
    }
    void wheel(QPoint place, int notches)
    {
        QWheelEvent event(place, view.mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton, {}, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&view, &event);
    }
};

bool is_curve(const QImage& image, int x, int y, std::size_t colour)
{
    const auto wanted = plot_colour(colour, false);
    const auto found = image.pixelColor(x, y);
    return std::abs(wanted.red() - found.red()) + std::abs(wanted.green() - found.green()) +
               std::abs(wanted.blue() - found.blue()) <
           60;
}

/// The rows of a column that have the colour of a curve.
std::pair<int, int> rows_of(const QImage& image, int x, std::size_t colour = 0)
{
    int first = -1, last = -1;
    for (int y = 0; y != image.height(); ++y) {
        if (!is_curve(image, x, y, colour)) continue;
        if (first < 0) first = y;
        last = y;
    }
    return {first, last};
}

}  // namespace

class PlotViewTest : public QObject {
    Q_OBJECT
private slots:
    void colours_do_not_repeat_within_20_curves();
    void lines_that_change_all_the_time_are_all_shown();
    void initTestCase();
    void the_envelope_is_that_of_every_value();
    void a_scale_has_few_round_ticks_data();
    void a_scale_has_few_round_ticks();
    void a_scale_survives_any_range();
    void a_million_samples_show_their_extremes();
    void a_gap_stays_empty();
    void a_value_stays_on_the_screen_until_the_next();
    void looks_as_it_should_data();
    void looks_as_it_should();
    void axes_are_by_unit();
    void a_click_seeks_and_a_drag_of_the_cursor_too();
    void a_rectangle_zooms_and_a_double_click_shows_all();
    void the_wheel_zooms_around_the_mouse();
    void a_drag_with_control_or_the_middle_button_moves();
    void the_tooltip_names_the_nearest_curve();
    void a_section_can_be_zoomed_to();
    void an_svg_picture_has_the_curves_and_the_numbers();
    void the_legend_of_a_picture_hides_no_curve();
    void a_long_path_is_short_in_the_legend();
    void values_are_exported_with_their_times_and_gaps();
};

void PlotViewTest::initTestCase()
{
    QPalette palette;
    palette.setColor(QPalette::Window, Qt::white);
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Mid, QColor(0xb4, 0xb9, 0xc2));
    palette.setColor(QPalette::WindowText, Qt::black);
    QApplication::setPalette(palette);
}

void PlotViewTest::the_envelope_is_that_of_every_value()
{
    std::mt19937 random(1);
    for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 64U, 1000U, 5000U}) {
        std::vector<double> values;
        for (std::size_t i = 0; i != size; ++i)
            values.push_back(random() % 10 == 0 ? no_value : static_cast<double>(random() % 1000) - 500);
        const Envelope envelope(values);
        for (int i = 0; i != 300; ++i) {
            const auto a = random() % (size + 1), b = random() % (size + 1);
            const auto from = std::min(a, b), to = std::max(a, b);
            ValueRange wanted;
            for (auto at = from; at != to; ++at) wanted.add(values[at]);
            QVERIFY(envelope.of(values, from, to) == wanted);
            ValueSummary summary;
            for (auto at = from; at < to; ++at) summary.add(values[at]);
            const auto found = envelope.summary(values, from, to);
            QVERIFY(found.range == wanted && found.count == summary.count);
            QVERIFY(summary.count == 0 || !std::isfinite(summary.sum) ||
                    std::abs(found.mean() - summary.mean()) <= 1e-9 * std::abs(summary.mean()) + 1e-12);
        }
    }
}

void PlotViewTest::a_scale_has_few_round_ticks_data()
{
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::addColumn<double>("step");
    QTest::newRow("0 to 10") << 0.0 << 10.0 << 2.0;
    QTest::newRow("-1 to 1") << -1.0 << 1.0 << 0.5;
    QTest::newRow("small") << 0.0 << 0.0007 << 0.0002;
    QTest::newRow("large") << 1e6 << 2e6 << 2e5;
}

void PlotViewTest::a_scale_has_few_round_ticks()
{
    QFETCH(const double, least);
    QFETCH(const double, most);
    QFETCH(const double, step);
    const ValueScale scale({least, most}, 0, 150);
    const auto ticks = scale.ticks(28);
    QVERIFY(ticks.size() >= 3 && ticks.size() <= 6);
    QVERIFY(std::abs(scale.tick_step(28) - step) < 1e-9 * step);
    for (const auto each : ticks) {
        QVERIFY(each >= least - 1e-12 && each <= most + 1e-12);
        QVERIFY(std::abs(each / step - std::round(each / step)) < 1e-9);
        QVERIFY(std::abs(scale.value_at(scale.at(each)) - each) < 1e-9 * (most - least));
    }
}

void PlotViewTest::a_scale_survives_any_range()
{
    constexpr double huge = std::numeric_limits<double>::max();
    for (const auto& range : {ValueRange{}, ValueRange{5, 5}, ValueRange{0, 0}, ValueRange{-huge, huge},
                              ValueRange{huge, huge}, ValueRange{1e300, 1.0000000001e300}, ValueRange{0, 5e-324}}) {
        const ValueScale scale(range, 100, -100);
        QVERIFY(std::isfinite(scale.range().least) && scale.range().least < scale.range().most);
        QVERIFY(scale.ticks(20).size() <= 200);
        QVERIFY(std::isfinite(scale.at(scale.range().most)));
        const ValueScale zoomed(scale.zoomed(1e9, 50), 100, -100);
        QVERIFY(zoomed.range().least < zoomed.range().most);
    }
}

void PlotViewTest::a_million_samples_show_their_extremes()
{
    auto values = wave(1'000'000, 0.5);
    values[333'333] = 40;  // one sample
    values[777'777] = -40;
    Shown shown({line_of("a", "m", values, 10us)});
    QVERIFY(shown.paints());
    const auto image = shown.curves();
    const auto column = [&](std::size_t i) { return static_cast<int>(std::round(static_cast<double>(i) / 1e6 * 400)); };
    const auto up = column(333'333), down = column(777'777);
    int highest = image.height(), lowest = 0;
    for (int x = up - 2; x <= up + 2; ++x)
        if (const auto rows = rows_of(image, x); rows.first >= 0) highest = std::min(highest, rows.first);
    for (int x = down - 2; x <= down + 2; ++x) lowest = std::max(lowest, rows_of(image, x).second);
    QVERIFY2(highest < 12, qPrintable(QString::number(highest)));
    QVERIFY2(lowest > 148, qPrintable(QString::number(lowest)));
    QVERIFY(rows_of(image, 200).first > 30);
}

void PlotViewTest::a_gap_stays_empty()
{
    auto values = wave(101, 1);
    for (std::size_t i = 40; i != 60; ++i) values[i] = no_value;
    Shown shown({line_of("a", "m", values)});
    QVERIFY(shown.paints());
    const auto image = shown.curves();
    QVERIFY(rows_of(image, 100).first >= 0);
    for (int x = 162; x <= 236; ++x) QCOMPARE(rows_of(image, x).first, -1);
    QVERIFY(rows_of(image, 300).first >= 0);
    QVERIFY(!shown.view.lines().front().value(5s));
    QVERIFY(shown.view.lines().front().value(6s));
}

void PlotViewTest::a_value_stays_on_the_screen_until_the_next()
{
    static const FieldRow row{.name = "count", .kind = FieldKind::int32};
    auto line = line_of("a", "", {0, 0, 10, 10, 0}, 2s);
    line.field = &row;
    Shown shown({line});
    QVERIFY(shown.paints());
    QVERIFY(line.has_steps());
    const auto image = shown.curves();
    const auto high = rows_of(image, 200).first;
    QVERIFY(std::abs(rows_of(image, 170).first - high) <= 2);
    QVERIFY(std::abs(rows_of(image, 315).first - high) <= 2);
    QVERIFY(rows_of(image, 150).first > 100);
    QVERIFY(rows_of(image, 395).first > 100);  // the last value
}

void PlotViewTest::looks_as_it_should_data()
{
    QTest::addColumn<QString>("name");
    for (const auto* const each : {"plot_two_axes", "plot_dense", "plot_gaps", "plot_xy"})
        QTest::newRow(each) << QString::fromLatin1(each);
}

/// Curves, grid, section and cursor; without text, which depends on fonts. OSITRACE_MAKE_GOLDEN=1 makes them anew.
void PlotViewTest::looks_as_it_should()
{
    QFETCH(const QString, name);
    std::vector<PlotLine> lines;
    std::optional<std::size_t> x_line;
    if (name == QLatin1String("plot_two_axes")) {
        lines = {line_of("speed", "m/s", wave(101, 1)), line_of("yaw", "rad", wave(101, 3, 0.2))};
        lines[1].colour = 1;
    } else if (name == QLatin1String("plot_dense")) {
        std::mt19937 random(7);
        auto values = wave(100'000, 3);
        for (auto& each : values) each += static_cast<double>(random() % 1000) / 200;
        lines = {line_of("noise", "m", values, 100us)};
    } else if (name == QLatin1String("plot_gaps")) {
        auto values = wave(41, 1);
        for (std::size_t i = 10; i != 20; ++i) values[i] = no_value;
        values[25] = values[27] = no_value;
        lines = {line_of("gaps", "m", values, 250ms)};
    } else {
        lines = {line_of("x", "m", wave(1001, 1), 10ms), line_of("y", "m", wave(1001, 2), 10ms)};
        lines[1].colour = 1;
        x_line = 0;
    }
    Shown shown(std::move(lines), x_line);
    shown.view.set_time(2500ms);
    shown.view.set_section(TimeSection{6s, 8s});
    QVERIFY(shown.paints());
    const auto image = shown.curves();
    QCOMPARE(image.size(), QSize(400, 160));
    const auto difference = ositrace::test::compare_with_golden(image, name.toStdString(), qVersion());
    if (!difference || difference->share > 0.005) image.save(QStringLiteral("/tmp/%1.found.png").arg(name));
    QVERIFY2(difference, "no golden picture of this size");
    QVERIFY2(difference->share <= 0.005, qPrintable(QString::number(difference->share)));
}

void PlotViewTest::axes_are_by_unit()
{
    Shown shown({line_of("a", "m/s", wave(101, 1)), line_of("b", "m/s", wave(101, 1, 100)),
                 line_of("c", "rad", wave(101, 1, 0.1))});
    // Where the value 10 is: a and b share an axis.
    QCOMPARE(shown.view.place_of(0, 1s, 10).y(), shown.view.place_of(1, 1s, 10).y());
    QVERIFY(shown.view.place_of(2, 1s, 0.05).y() < shown.view.place_of(0, 1s, 0.05).y() - 10);
}

void PlotViewTest::a_click_seeks_and_a_drag_of_the_cursor_too()
{
    Shown shown({line_of("a", "m", wave(101, 1))});
    QSignalSpy seeks(&shown.view, &PlotView::seek_requested);
    QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at(0.25, 0.5));
    QCOMPARE(seeks.size(), 1);
    const auto time = [&] { return seeks.last().front().value<std::chrono::nanoseconds>(); };
    QVERIFY(std::chrono::abs(time() - 2500ms) < 30ms);

    shown.view.set_time(5s);
    shown.drag(shown.at(0.5, 0.3), shown.at(0.75, 0.3));
    QVERIFY(std::chrono::abs(time() - 7500ms) < 30ms);
    QVERIFY(seeks.size() > 3);  // while it is dragged
    QCOMPARE(shown.seconds_to(), 10.0);

    shown.drag(shown.at(0.1, 0.3), shown.at(0.2, 0.3), Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(std::chrono::abs(time() - 2s) < 30ms);
}

void PlotViewTest::a_rectangle_zooms_and_a_double_click_shows_all()
{
    Shown shown({line_of("a", "m", wave(101, 1))});
    const auto y_before = shown.view.place_of(0, 0s, 10).y();
    shown.drag(shown.at(0.2, 0.1), shown.at(0.4, 0.5));
    QVERIFY(std::abs(shown.seconds_from() - 2) < 0.05);
    QVERIFY(std::abs(shown.seconds_to() - 4) < 0.05);
    QVERIFY(shown.view.place_of(0, 0s, 0).y() > shown.view.area().bottom() - 30);
    QTest::mouseDClick(&shown.view, Qt::LeftButton, {}, shown.at(0.5, 0.5));
    QCOMPARE(shown.seconds_from(), 0.0);
    QCOMPARE(shown.seconds_to(), 10.0);
    QCOMPARE(shown.view.place_of(0, 0s, 10).y(), y_before);
}

void PlotViewTest::the_wheel_zooms_around_the_mouse()
{
    Shown shown({line_of("a", "m", wave(101, 1))});
    shown.wheel(shown.at(0.3, 0.5), 3);
    QVERIFY(shown.seconds_from() > 0.5 && shown.seconds_to() < 8.5);
    // The time at the mouse stays.
    QVERIFY(std::abs(shown.view.place_of(0, 3s, 0).x() - shown.at(0.3, 0.5).x()) < 2);
    shown.wheel(shown.at(0.3, 0.5), -9);
    QCOMPARE(shown.seconds_from(), 0.0);
    QCOMPARE(shown.seconds_to(), 10.0);

    // Over an axis only its values.
    const auto before = shown.view.place_of(0, 0s, 10).y() - shown.view.place_of(0, 0s, -10).y();
    shown.wheel({shown.view.area().left() - 5, shown.at(0, 0.5).y()}, 2);
    const auto after = shown.view.place_of(0, 0s, 10).y() - shown.view.place_of(0, 0s, -10).y();
    QVERIFY(std::abs(after / before - 1.44) < 0.01);
    QCOMPARE(shown.seconds_to(), 10.0);
}

void PlotViewTest::a_drag_with_control_or_the_middle_button_moves()
{
    Shown shown({line_of("a", "m", wave(101, 1))});
    shown.view.show_section({2s, 6s});
    shown.drag(shown.at(0.5, 0.5), shown.at(0.75, 0.5), Qt::LeftButton, Qt::ControlModifier);
    QVERIFY(std::abs(shown.seconds_from() - 1) < 0.05);
    shown.drag(shown.at(0.5, 0.5), shown.at(0.25, 0.5), Qt::MiddleButton);
    QVERIFY(std::abs(shown.seconds_from() - 2) < 0.05);
    QVERIFY(std::abs(shown.seconds_to() - 6) < 0.05);
}

void PlotViewTest::the_tooltip_names_the_nearest_curve()
{
    Shown shown(
        {line_of("low", "m", std::vector<double>(101, 0.0)), line_of("high", "m", std::vector<double>(101, 8.0))});
    const auto low = shown.view.place_of(0, 5s, 0), high = shown.view.place_of(1, 5s, 8);
    QVERIFY(shown.view.tip_at(low.toPoint()).contains(QStringLiteral("low = 0 m")));
    QVERIFY(shown.view.tip_at(high.toPoint()).contains(QStringLiteral("high = 8 m")));
    QVERIFY(!shown.view.tip_at(((low + high) / 2).toPoint()).contains(QLatin1Char('=')));
}

void PlotViewTest::a_section_can_be_zoomed_to()
{
    Shown shown({line_of("a", "m", wave(101, 1))});
    shown.view.show_section({4s, 5s});
    QCOMPARE(shown.seconds_from(), 4.0);
    QCOMPARE(shown.seconds_to(), 5.0);
    shown.view.show_section({-4s, 500s});
    QCOMPARE(shown.seconds_from(), 0.0);
    QCOMPARE(shown.seconds_to(), 10.0);
}

void PlotViewTest::an_svg_picture_has_the_curves_and_the_numbers()
{
    Shown shown({line_of("speed <1>", "m/s", wave(101, 1))});
    SvgDevice device(shown.view.size());
    QPainter painter(&device);
    shown.view.paint(painter, shown.view.size());
    painter.end();
    QXmlStreamReader xml(device.svg());
    QStringList texts;
    int curve_points = 0;
    const auto colour = plot_colour(0, false).name();
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("text")) texts += xml.readElementText();
        const auto attributes = xml.attributes();
        if (attributes.value(QLatin1String("stroke")) == colour)
            curve_points =
                std::max(curve_points,
                         static_cast<int>(attributes.value(QLatin1String("d")).toString().count(QLatin1Char('L'))));
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(curve_points, 100);
    QVERIFY(texts.contains(QStringLiteral("m/s")));
    QVERIFY(texts.contains(QStringLiteral("speed <1> = 0 m/s")));
}

void PlotViewTest::the_legend_of_a_picture_hides_no_curve()
{
    std::vector<double> peak(101, 0.0);
    std::fill_n(peak.begin(), 25, 10.0);
    Shown shown({line_of("high", "m", peak)});
    QImage image(shown.view.size(), QImage::Format_RGB32);
    QPainter to_image(&image);
    shown.view.paint(to_image, shown.view.size());
    to_image.end();
    const auto wanted = plot_colour(0, false);
    const auto below_legend = 2 * shown.view.fontMetrics().height();
    for (int x = shown.view.area().left() + 40; x != shown.view.area().left() + 80; ++x) {
        int least = 1000;
        for (int y = below_legend; y != image.height(); ++y) {
            const auto found = image.pixelColor(x, y);
            least = std::min(least, std::abs(found.red() - wanted.red()) + std::abs(found.green() - wanted.green()) +
                                        std::abs(found.blue() - wanted.blue()));
        }
        QVERIFY2(least < 60, qPrintable(QString::number(least)));
    }

    const auto texts = [&] { return shown.texts_of_picture(); };
    // Values are those of a time that the picture shows.
    shown.view.set_time(1s);
    QVERIFY(texts().contains(QStringLiteral("high = 10 m")));
    shown.view.show_section({4s, 5s});
    QVERIFY(texts().contains(QStringLiteral("high")));
    // Many curves leave room for themselves.
    std::vector<PlotLine> many;
    for (int i = 0; i != 300; ++i) many.push_back(line_of(("curve " + std::to_string(i)).c_str(), "m", peak));
    shown.view.set_lines(std::move(many));
    QCOMPARE(texts().filter(QStringLiteral("more")).size(), 1);
}

void PlotViewTest::a_long_path_is_short_in_the_legend()
{
    const auto short_name = [](const char* name) { return line_of(name, "", {}).short_name(); };
    QCOMPARE(short_name("global_ground_truth.moving_object[id=1].base.velocity.x"),
             QStringLiteral("object 1.velocity.x"));
    QCOMPARE(short_name("norm(moving_object[id=12].base.velocity)"), QStringLiteral("object 12 speed"));
    QCOMPARE(short_name("distance(a.b.c[id=1].d, a.b.c[id=2].d) - e.f[0]"),
             QStringLiteral("distance(c[id=1].d, c[id=2].d) - f[0]"));
    QCOMPARE(short_name("sensor_view[0].global_ground_truth.moving_object[id=1].id.value"),
             QStringLiteral("sensor_view[0].global_ground_truth.object 1.id.value"));
    QCOMPARE(short_name("timestamp.nanos"), QStringLiteral("timestamp.nanos"));

    // Of a path of any length the beginning, the end and the value are in a picture.
    const auto long_name = "first[0]." + std::string(300, 'm') + ".last";
    Shown shown({line_of(long_name.c_str(), "m", {1.23456789, 2})});
    const auto texts = shown.texts_of_picture();
    QCOMPARE(texts.filter(QStringLiteral("first[0]")).size(), 1);
    const auto legend = texts.filter(QStringLiteral("first[0]")).front();
    QVERIFY2(legend.endsWith(QStringLiteral(".last = 1.23457 m")), qPrintable(legend));
    QVERIFY2(legend.size() < 80, qPrintable(legend));
}

void PlotViewTest::values_are_exported_with_their_times_and_gaps()
{
    auto second = line_of("b, c", "", {1.5, no_value, 2.5}, 200ms);
    second.shift = 100ms;
    QByteArray text;
    write_csv({line_of("a", "m/s", {1, 2, 3}), second}, {0s, 10s}, [&](const QByteArray& piece) {
        text += piece;
        return true;
    });
    QCOMPARE(text, QByteArray("time [s],a [m/s],\"b, c\"\n"
                              "0.000000000,1,\n"
                              "0.100000000,2,1.5\n"
                              "0.200000000,3,\n"
                              "0.300000000,,\n"
                              "0.500000000,,2.5\n"));
    text.clear();
    write_csv({line_of("a", "m/s", {1, 2, 3})}, {100ms, 100ms}, [&](const QByteArray& piece) {
        text += piece;
        return true;
    });
    QCOMPARE(text, QByteArray("time [s],a [m/s]\n0.100000000,2\n"));
    text.clear();
    write_csv({line_of("=a\rb", "", {1}), line_of("@c", "", {1})}, {0s, 0s}, [&](const QByteArray& piece) {
        text += piece;
        return true;
    });
    QCOMPARE(text, QByteArray("time [s],\"'=a\rb\",'@c\n0.000000000,1,1\n"));
}

void PlotViewTest::colours_do_not_repeat_within_20_curves()
{
    for (const bool is_dark : {false, true})
        for (std::size_t i = 0; i != 20; ++i)
            for (std::size_t j = 0; j != i; ++j) QVERIFY(plot_colour(i, is_dark) != plot_colour(j, is_dark));
}

void PlotViewTest::lines_that_change_all_the_time_are_all_shown()
{
    std::vector<PlotLine> lines;
    for (std::size_t i = 0; i != 60; ++i) {
        lines.push_back(line_of(qPrintable(QString::number(i)), "m", wave(2001, 1 + static_cast<double>(i)), 10ms));
        lines.back().colour = i == 59 ? 1 : 0;
    }
    Shown shown(lines);
    QVERIFY(shown.paints());
    for (int i = 0; i != 150; ++i) {  // faster than all of them are painted
        shown.view.set_lines(lines, {});
        shown.view.repaint();
    }
    const auto image = shown.curves();
    bool is_shown = false;
    for (int x = 0; x != image.width() && !is_shown; ++x)
        for (int y = 0; y != image.height() && !is_shown; ++y) is_shown = is_curve(image, x, y, 1);
    QVERIFY(is_shown);
}

OSIVIEW_TEST(PlotViewTest, QApplication)
#include "plot_view_test.moc"
