// SPDX-License-Identifier: MPL-2.0
// The widget with the mouse. On the platform `offscreen` it draws with EGL or on the painter, under an X server on
// OpenGL.
#include <algorithm>
#include <array>
#include <limits>

#include <QElapsedTimer>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include "gui/scene/canvas.hpp"
#include "gui/scene/labels.hpp"
#include "gui/scene/legend.hpp"
#include "gui/scene/overlay.hpp"
#include "gui/scene/overlay_style.hpp"
#include "gui/scene/rulers.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/scene/snapping.hpp"
#include "tests/gui/contrast.hpp"
#include "tests/gui/render/hand_made.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

#ifdef OSITRACE_TEST_SANITIZED
constexpr int slowness = 20;
#else
constexpr int slowness = 1;
#endif

std::shared_ptr<const Picture> two_cars()
{
    return picture_of({boundary_from({-10, 4, 0}, {10, 4, 0}, 9), car_at({0, 0, 0.75F}, 7), car_at({8, 0, 0.75F}, 8)});
}

QPoint pixel_of(const SceneView& view, Vector place)
{
    const ViewTransform transform(view.camera(), view.state().picture->origin, {view.width(), view.height()});
    const auto at = transform.project(place);
    return at ? QPoint(static_cast<int>(at->x), static_cast<int>(at->y)) : QPoint();
}

}  // namespace

class SceneViewTest : public QObject {
    Q_OBJECT

private:
    /// From above, complete.
    static void show(SceneView& view, std::shared_ptr<const Picture> picture)
    {
        view.resize(480, 360);
        view.set_view(View::bird);
        view.set_picture(std::move(picture));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTRY_VERIFY(view.is_complete());
    }

private slots:
    void a_canvas_is_found_on_every_platform()
    {
        SceneView view;
        show(view, two_cars());
        QVERIFY(!view.renderer_description().isEmpty());
        qInfo("%s", qPrintable(view.renderer_description()));
        if (QGuiApplication::platformName() == QStringLiteral("offscreen")) {
            QString reason;
            QCOMPARE(window_opengl(reason), WindowOpenGl::none);
            QVERIFY(reason.contains(QStringLiteral("offscreen")));
        }
    }

    void what_the_processor_draws_leaves_the_window_alone()
    {
        QWidget window;
        QString reason;
        if (window_opengl(reason) != WindowOpenGl::by_processor)
            QSKIP("a window has no OpenGL here, or a card draws it");
        const auto kind = make_canvas(window, {}, reason)->kind();
        QCOMPARE(kind, qEnvironmentVariable("OSIVIEW_CANVAS") == QStringLiteral("window") ? CanvasKind::window
                                                                                          : CanvasKind::egl);
    }

    void where_egl_fails_the_window_draws()
    {
        QWidget window;
        QString reason;
        if (window_opengl(reason) == WindowOpenGl::none) QSKIP("a window has no OpenGL here");
        const auto without_egl = with({}, CanvasKind::egl);
        const auto kind = make_canvas(window, without_egl, reason)->kind();
        QCOMPARE(kind, qEnvironmentVariable("OSIVIEW_CANVAS") == QStringLiteral("painter") ? CanvasKind::painter
                                                                                           : CanvasKind::window);
        QCOMPARE(make_canvas(window, with(without_egl, CanvasKind::window), reason)->kind(), CanvasKind::painter);
    }

    void what_is_asked_before_opengl_is_ready_comes_later()
    {
        {
            SceneView early;  // gone while shaders are compiled for it
            early.show();
        }
        SceneView view;
        view.resize(480, 360);
        view.set_view(View::bird);
        view.set_picture(two_cars());
        view.show();
        QVERIFY(!view.is_complete());
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {8, 0.3, 1.5}));
        QTRY_VERIFY(view.is_complete());
        QSignalSpy picked(&view, &SceneView::picked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {8, 0.3, 1.5}));
        QVERIFY(picked.at(0).at(0).value<std::optional<Pick>>().has_value());
    }

    void a_click_picks_what_is_there()
    {
        SceneView view;
        show(view, two_cars());
        QSignalSpy picked(&view, &SceneView::picked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {8, 0.3, 1.5}));
        QCOMPARE(picked.size(), 1);
        const auto pick = picked[0][0].value<std::optional<Pick>>();
        QVERIFY(pick.has_value());
        QCOMPARE(pick->key.id, std::uint64_t{8});
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {-5, -8, 0}));
        QCOMPARE(picked.size(), 2);
        QVERIFY(!picked[1][0].value<std::optional<Pick>>().has_value());
    }

    void a_drag_moves_the_view_and_picks_nothing()
    {
        SceneView view;
        show(view, two_cars());
        QSignalSpy picked(&view, &SceneView::picked), moved(&view, &SceneView::camera_changed);
        const auto before = view.camera();
        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        QTest::mouseMove(&view, {230, 190});
        QTest::mouseMove(&view, {260, 180});
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {260, 180});
        QVERIFY(moved.size() > 0);
        QVERIFY(view.camera().target != before.target);
        QCOMPARE(view.camera().yaw, before.yaw);
        QCOMPARE(picked.size(), 0);
    }

    void in_3d_the_left_button_rotates()
    {
        SceneView view;
        if (!view.has_3d()) QSKIP("no OpenGL here");
        show(view, two_cars());
        view.set_view(View::orbit);
        const auto before = view.camera();
        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        QTest::mouseMove(&view, {260, 200});
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {260, 200});
        QVERIFY(view.camera().yaw != before.yaw);
        QCOMPARE(view.camera().target, before.target);
    }

    void the_legend_hides_and_shows_a_kind()
    {
        SceneView view;
        show(view, two_cars());
        QSignalSpy picked(&view, &SceneView::picked);
        const auto rows = legend_rows(view.state(), view.size());
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].category, Category::moving_object);
        QCOMPARE(rows[0].count, std::size_t{2});
        const auto at = rows[0].area.center().toPoint();
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QVERIFY(!view.options().shows(Category::moving_object));
        QCOMPARE(legend_rows(view.state(), view.size()).size(), std::size_t{2});
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QVERIFY(view.options().shows(Category::moving_object));
        QCOMPARE(picked.size(), 0);
    }

    void the_legend_has_the_colours_that_channels_were_given()
    {
        SceneState state{.picture = two_cars()};
        constexpr QSize size(640, 480);
        QVERIFY(legend_rows(state, size)[0].colours.empty());
        constexpr std::array<float, 3> blue{0, 0, 1};
        state.options.styles = {{.source = 0, .colour = blue, .opacity = 0.5F}};
        const auto colours = legend_rows(state, size)[0].colours;
        QCOMPARE(colours.size(), std::size_t{1});
        QVERIFY((colours[0] == Colour{0, 0, 1, 1}));
        QImage image(size, QImage::Format_RGB32);
        QPainter painter(&image);
        paint_legend(painter, size, state);
        painter.end();
        const auto row = legend_rows(state, size)[0].area;
        QCOMPARE(image.pixelColor(QPointF(row.left() + 13, row.center().y()).toPoint()), QColor(0, 0, 255));
        auto more = std::make_shared<Picture>(*state.picture);
        for (const auto& layer : state.picture->layers) {
            auto other = std::make_shared<Layer>(*layer);
            for (auto& thing : other->things) thing.key.source = 1;
            more->layers.push_back(std::move(other));
        }
        state.picture = std::move(more);
        QCOMPARE(legend_rows(state, size)[0].colours.size(), std::size_t{2});
    }

    void a_double_click_brings_a_thing_into_the_middle_and_alt_follows_it()
    {
        SceneView view;
        show(view, two_cars());
        QTest::mouseDClick(&view, Qt::LeftButton, {}, pixel_of(view, {8, 0, 1.5}));
        QVERIFY(std::abs(view.camera().target[0] - 8) < 1);
        QTRY_VERIFY(view.is_complete());
        QTest::mouseDClick(&view, Qt::LeftButton, Qt::AltModifier, pixel_of(view, {8, 0, 1.5}));
        QVERIFY(view.follows());
        const auto before = view.camera().target;
        view.set_picture(picture_of({car_at({0, 0, 0.75F}, 7), car_at({9, 1, 0.75F}, 8)}));
        QVERIFY(std::abs(view.camera().target[0] - before[0] - 1) < 1e-5);
        QVERIFY(std::abs(view.camera().target[1] - before[1] - 1) < 1e-5);
    }

    void a_command_flies_the_camera_if_it_may()
    {
        SceneView view;
        show(view, two_cars());
        const auto before = view.state().camera;
        const auto key = ThingKey{.category = Category::moving_object, .id = 8};
        view.look_at(key);  // may not yet
        QVERIFY(!view.is_flying());
        QCOMPARE(view.state().camera, view.camera());
        view.set_camera(before);
        QTRY_VERIFY(view.is_complete());
        view.set_flying(true);
        view.look_at(key);
        QVERIFY(view.is_flying() && !view.is_complete());
        QVERIFY(std::abs(view.camera().target[0] - 8) < 1e-5);
        QVERIFY(view.state().camera.target[0] < 7);
        QTRY_VERIFY_WITH_TIMEOUT(!view.is_flying(), 2000);
        QCOMPARE(view.state().camera, view.camera());
        QTRY_VERIFY(view.is_complete());
        view.reset_camera();
        QVERIFY(view.is_flying());
        view.end_flight();  // for a picture
        QCOMPARE(view.state().camera, view.camera());
        QCOMPARE(view.camera(), before);
    }

    void what_is_off_the_screen_comes_into_view()
    {
        SceneView view;
        show(view, picture_of({car_at({0, 0, 0.75F}, 7), car_at({8, 0, 0.75F}, 8)}));
        const auto before = view.camera();
        const auto key = ThingKey{.category = Category::moving_object, .id = 8};
        view.bring_into_view(key);
        QCOMPARE(view.camera(), before);  // it is there
        view.look_at_place({500, 500, 0}, 4);
        const auto distance = view.camera().distance;
        view.bring_into_view(key);
        QVERIFY(std::abs(view.camera().target[0] - 8) < 1e-5);
        QCOMPARE(view.camera().distance, distance);
    }

    void two_clicks_measure()
    {
        SceneView view;
        show(view, two_cars());
        view.set_measuring(true);
        QSignalSpy picked(&view, &SceneView::picked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {-6, -6, 0}));
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {6, -6, 0}));
        QCOMPARE(view.state().measured.size(), std::size_t{2});
        const auto& ends = view.state().measured;
        QVERIFY(std::abs(length(ends[1].place - ends[0].place) - 12) < 0.3);
        for (const auto& end : ends) QVERIFY2(std::abs(end.place[2]) < 1e-3 && end.what.isEmpty(), "not on the ground");
        QCOMPARE(picked.size(), 0);
        QCOMPARE(describe_distance({0, 0, 0}, {3, 4, 12}), QStringLiteral("13.00 m  (dx 3.00, dy 4.00, dz 12.00)"));
        view.set_measuring(false);
        QVERIFY(view.state().measured.empty());
    }

    void measuring_snaps_to_bumpers_corners_sides_and_boundaries()
    {
        SceneView view;
        show(view, two_cars());
        view.set_measuring(true);
        const auto size = to_vector(view.state().picture->layers[1]->things[0].size);
        const auto click_near = [&](Vector place) {
            QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, place) + QPoint(3, 2));
        };
        const auto end_at = [&](std::size_t i, const QString& what, Vector place) {
            const auto& end = view.state().measured.at(i);
            QCOMPARE(end.what, what);
            QVERIFY2(length(end.place - place) < 1e-4, qPrintable(what));
        };
        click_near({size[0] / 2, 0, 0});
        click_near({8 - size[0] / 2, 0, 0});
        end_at(0, QStringLiteral("front bumper of 7 car"), {size[0] / 2, 0, 0});
        end_at(1, QStringLiteral("rear bumper of 8 car"), {8 - size[0] / 2, 0, 0});
        QCOMPARE(describe_ends(view.state().measured[0], view.state().measured[1]),
                 QStringLiteral("from front bumper of 7 car to rear bumper of 8 car"));
        click_near({-size[0] / 2, size[1] / 2, 0});
        end_at(0, QStringLiteral("rear left corner of 7 car"), {-size[0] / 2, size[1] / 2, 0});
        const QPoint at = pixel_of(view, {1, 4, 0}) + QPoint(0, 3);
        QTest::mouseMove(&view, at);
        QTRY_VERIFY(view.state().next_end.has_value());  // is shown before it is clicked
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        const auto& boundary = view.state().measured.at(1);
        QCOMPARE(boundary.what, QStringLiteral("lane_boundary[0]"));
        QVERIFY(std::abs(boundary.place[1] - 4) < 1e-4 && std::abs(boundary.place[0] - 1) < 0.2);
        view.set_shown(Category::lane_boundary, false);
        QTRY_VERIFY(view.is_complete());
        QTest::mouseClick(&view, Qt::LeftButton, {}, at);
        QVERIFY2(view.state().measured.at(0).what.isEmpty(), "it is not shown");
    }

    void measuring_in_3d_snaps_to_what_is_seen()
    {
        SceneState state{.picture = two_cars(), .camera = {.distance = 20, .yaw = 0, .pitch = 0.4}};
        const ViewTransform transform(state.camera, {}, {480, 360});
        const auto size = to_vector(state.picture->layers[1]->things[0].size);
        const auto snapped = [&](Vector place) {
            const auto at = transform.project(place);
            const auto end = at ? snapped_place(transform, state, {at->x, at->y}) : std::nullopt;
            return end ? end->what : QString();
        };
        QCOMPARE(snapped({-size[0] / 2, size[1] / 2, 0}), QStringLiteral("rear left corner of 7 car"));
        QCOMPARE(snapped({-size[0] / 2, 0, 0}), QStringLiteral("rear bumper of 7 car"));
        QVERIFY(!snapped({size[0] / 2, 0, 0}).startsWith(QStringLiteral("front bumper of 7")));  // behind the car
        state.options.hidden.set(static_cast<std::size_t>(Category::moving_object));
        QCOMPARE(snapped({-size[0] / 2, 0, 0}), QString());
    }

    void the_birds_eye_view_has_numbers_at_its_axes_and_says_where_the_mouse_is()
    {
        SceneState state{.picture = two_cars(), .camera = {.view = View::bird, .distance = 100, .yaw = 1.5707963}};
        auto picture = *state.picture;
        picture.origin = {690000, 5300000, 500};
        state.picture = std::make_shared<const Picture>(picture);
        state.camera.target = {690020, 5300000, 500};
        for (const double yaw : {1.5707963, 0.3, -2.8}) {
            state.camera.yaw = yaw;
            const ViewTransform view(state.camera, picture.origin, {640, 480});
            const std::vector<QRectF> occupied{{0, 440, 250, 40}};
            const auto numbers = axis_numbers(view, state, occupied);
            QVERIFY(numbers.size() >= 4);
            for (std::size_t i = 0; i != numbers.size(); ++i) {
                const auto& [text, area] = numbers[i];
                QVERIFY(!occupied[0].intersects(area));
                for (std::size_t j = 0; j != i; ++j) QVERIFY(!numbers[j].area.intersects(area));
                // The number is that of the ground at the edge of the view.
                const bool is_bottom = area.bottom() > 470;
                const auto ground =
                    view.on_level(is_bottom ? area.center().x() : 0, is_bottom ? 480 : area.center().y(), 0);
                const auto axis = text.startsWith(QLatin1Char('x')) ? 0U : 1U;
                QVERIFY2(std::abs((*ground)[axis] + picture.origin[axis] - text.mid(2).toDouble()) < 0.5,
                         qPrintable(text));
            }
        }
        state.camera.view = View::orbit;
        QVERIFY(axis_numbers({state.camera, picture.origin, {640, 480}}, state, {}).empty());
        QCOMPARE(coordinates_text({-0.001, 5300000.126, 3}), QStringLiteral("x 0.00  y 5300000.13 m"));
        SceneView view;
        show(view, two_cars());
        QTest::mouseMove(&view, pixel_of(view, {3, 2, 0}));
        QTRY_VERIFY(view.state().under_mouse.has_value());
        QVERIFY(std::abs((*view.state().under_mouse)[0] - 3) < 0.3 &&
                std::abs((*view.state().under_mouse)[1] - 2) < 0.3);
        if (!view.has_3d()) return;
        view.set_view(View::orbit);
        QTest::mouseMove(&view, pixel_of(view, {4, 2, 0}));
        QTRY_VERIFY(!view.state().under_mouse);
    }

    void texts_and_marks_of_the_scene_stand_out_in_both_themes()
    {
        const auto numbers = [](const QColor& colour) {
            return std::array{colour.redF(), colour.greenF(), colour.blueF()};
        };
        const auto over = [](const QColor& panel, const QColor& ground) {
            const float a = panel.alphaF();
            return QColor::fromRgbF(a * panel.redF() + (1 - a) * ground.redF(),
                                    a * panel.greenF() + (1 - a) * ground.greenF(),
                                    a * panel.blueF() + (1 - a) * ground.blueF());
        };
        for (const auto theme : {Theme::dark, Theme::light}) {
            const auto of = [&](Look look) { return to_qcolor(colour_of(look, theme)); };
            // A panel may cover the ground, asphalt, or paint.
            for (const auto& ground :
                 {to_qcolor(background_of(theme)), of(Look::lane_driving), of(Look::boundary_white)}) {
                const auto panel = numbers(over(panel_colour(theme), ground));
                for (const auto& text :
                     {text_colour(theme), faint_text(theme), warning_colour(theme), error_colour(theme)})
                    QVERIFY2(contrast(numbers(text), panel) >= 4.5, qPrintable(text.name()));
            }
            for (const auto& mark : {warning_colour(theme), error_colour(theme), to_qcolor(highlight_of(theme))})
                QVERIFY2(contrast(numbers(mark), numbers(halo_of(mark))) >= 3, qPrintable(mark.name()));
            for (const auto paint : {Look::boundary_white, Look::boundary_yellow})
                QVERIFY(contrast(numbers(of(paint)), numbers(of(Look::lane_driving))) >= 3);
            QVERIFY(contrast(numbers(QColor(20, 20, 20)), numbers(to_qcolor(highlight_of(theme)))) >= 4.5);  // labels
        }
    }

    void figures_are_equally_wide()
    {
        for (const auto size : {TextSize::small, TextSize::normal, TextSize::title}) {
            const QFontMetricsF metrics(overlay_font(size));
            for (const QChar digit : QStringLiteral("123456789"))
                QCOMPARE(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(QLatin1Char('0')));
        }
    }

    void resting_on_a_thing_says_what_it_is()
    {
        SceneView view;
        show(view, two_cars());
        QTest::mouseMove(&view, pixel_of(view, {-5, -8, 0}));
        QTest::mouseMove(&view, pixel_of(view, {8, 0.3, 1.5}));
        QTRY_VERIFY(view.state().hovered.has_value());
        QCOMPARE(view.state().hovered->lines.first(), QStringLiteral("8 car"));
    }

    void a_mouse_that_has_not_moved_rests_on_nothing()
    {
        auto field = car_at({0, 0, 0.75F}, 7);
        field.boxes.front().size =
            field.things.front().size = {1000, 1000, 1.5F};  // the corner of the view is on it, too
        const auto picture = picture_of({field});
        SceneView view;
        show(view, picture);
        view.look_at_place({0, 0, 0}, 10);
        QTRY_VERIFY(view.is_complete());
        view.setAttribute(Qt::WA_UnderMouse);
        view.set_picture(picture);
        QTest::qWait(500);  // longer than it rests
        QVERIFY(!view.state().hovered);
        QTest::mouseMove(&view, {30, 40});
        QTest::mouseMove(&view, {1, 1});
        QTRY_VERIFY(view.state().hovered.has_value());
    }

    void the_overlay_writes_and_fits_any_size()
    {
        SceneState state{.picture = two_cars(),
                         .camera = {.view = View::bird},
                         .caption = QStringLiteral("a.osi    1.000 s"),
                         .notes = {QStringLiteral("something cannot be shown").repeated(30)}};
        for (const QSize size : {QSize(1, 1), QSize(40, 30), QSize(640, 480)}) {
            const auto image = overlay_image(size, 2, state);
            QCOMPARE(image.size(), size * 2);
        }
        const auto with = overlay_image({640, 480}, 1, state);
        state.legend = false;
        QVERIFY(overlay_image({640, 480}, 1, state) != with);
    }

    void a_long_legend_folds_to_one_line()
    {
        auto layer = std::make_shared<Layer>();
        for (std::size_t i = 0; i < 12; ++i)
            layer->things.push_back({.key = {.category = static_cast<Category>(i), .id = i}});
        auto picture = std::make_shared<Picture>();
        picture->layers.push_back(std::move(layer));
        SceneView view;
        show(view, picture);
        const auto rows = [&](QSize size) { return legend_rows(view.state(), size).size(); };
        QVERIFY(!is_legend_folded(view.state(), {1280, 720}));
        QCOMPARE(rows({1280, 720}), std::size_t{12});
        QCOMPARE(rows({640, 300}), std::size_t{0});
        QVERIFY(legend_right(view.state(), {640, 300}) > 0);
        QSignalSpy picked(&view, &SceneView::picked);
        const bool before = is_legend_folded(view.state(), view.size());
        for (const bool folded : {!before, before}) {
            const auto at = legend_head(view.state(), view.size()).center().toPoint();
            QTest::mouseClick(&view, Qt::LeftButton, {}, at);
            QCOMPARE(is_legend_folded(view.state(), view.size()), folded);
        }
        QCOMPARE(picked.size(), 0);
        QVERIFY(legend_head(SceneState{.picture = two_cars()}, {1280, 720}).isEmpty());  // a short one is a short one
    }

    void the_legend_leaves_a_narrow_view_free_and_takes_no_clicks_where_it_is_not()
    {
        SceneState state{.picture = two_cars()};
        for (const QSize size : {QSize(160, 120), QSize(340, 500), QSize(1280, 720)}) {
            const auto rows = legend_rows(state, size);
            QCOMPARE(rows.size(), std::size_t{2});
            QVERIFY(rows[0].area.width() <= 0.4 * size.width());
            QVERIFY(legend_row_at(state, size, rows[1].area.center())->category == rows[1].category);
        }
        // Names that do not fit are left out: no row says "m...".
        QCOMPARE(legend_rows(state, {160, 120})[0].area.width(), legend_rows(state, {200, 120})[0].area.width());
        QVERIFY(legend_rows(state, {160, 120})[0].area.width() < 40);
        QVERIFY(legend_rows(state, {1280, 720})[0].area.width() > 100);
        QCOMPARE(legend_rows(state, {340, 45}).size(), std::size_t{1});
        QVERIFY(!legend_row_at(state, {340, 45}, {20, 40}));
        state.legend = false;
        QVERIFY(legend_rows(state, {1280, 720}).empty());
        QCOMPARE(legend_right(state, {1280, 720}), 0.0);
    }

    void a_hundred_thousand_labels_are_written_in_no_time()
    {
        Layer crowd = car_at({0, 0, 0.75F}, 7);
        crowd.things.assign(100'000, crowd.things[0]);
        SceneState state{.picture = picture_of({crowd}), .camera = {.view = View::bird}};
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!overlay_image({640, 480}, 1, state).isNull());
        QVERIFY2(timer.elapsed() < 400, qPrintable(QString::number(timer.elapsed())));
    }

    void the_right_button_opens_the_menu_unless_it_drags()
    {
        SceneView view;
        show(view, two_cars());
        const auto yaw = view.camera().yaw;
        QTest::mousePress(&view, Qt::RightButton, {}, {200, 200});
        QTest::mouseMove(&view, {260, 200});
        QTest::mouseRelease(&view, Qt::RightButton, {}, {260, 200});
        QVERIFY(view.camera().yaw != yaw);
        QVERIFY(view.findChildren<QMenu*>().isEmpty());
        QTest::mouseClick(&view, Qt::RightButton, {}, {200, 200});
        QTRY_VERIFY(!view.findChildren<QMenu*>().isEmpty());
        QVERIFY(view.findChildren<QMenu*>().first()->actions().size() > 3);
        view.findChildren<QMenu*>().first()->close();
    }

    void the_menu_offers_what_fits_the_thing_under_the_mouse()
    {
        SceneView view;
        show(view, two_cars());
        const auto menu_at = [&](QPoint at) {
            for (auto* const old : view.findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) delete old;
            QTest::mouseClick(&view, Qt::RightButton, {}, at);
            return view.findChildren<QMenu*>(Qt::FindDirectChildrenOnly).value(0);
        };
        const auto entry = [](const QMenu* menu, const QString& text) {
            const auto actions = menu->actions();
            const auto found = std::ranges::find(actions, text, &QAction::text);
            return found == actions.end() ? nullptr : *found;
        };
        const auto* menu = menu_at({100, 300});
        QVERIFY(menu != nullptr && entry(menu, "Measure") && !entry(menu, "Follow it") &&
                !entry(menu, "Move the camera to it"));
        menu = menu_at(pixel_of(view, {8, 0, 1.5}));
        QVERIFY(entry(menu, "Select 8 car") && entry(menu, "Hide moving objects"));
        entry(menu, "Follow it")->trigger();
        QVERIFY(view.followed() && view.followed()->id == 8 && std::abs(view.camera().target[0] - 8) < 1e-5);
        QTRY_VERIFY(view.is_complete());
        menu = menu_at(pixel_of(view, {8, 0, 1.5}));
        QVERIFY(entry(menu, "Stop following it") && !entry(menu, "Follow it"));
        QSignalSpy picked(&view, &SceneView::picked);
        entry(menu, "Select 8 car")->trigger();
        QCOMPARE(picked.size(), 1);
        entry(menu, "Measure from here")->trigger();
        QCOMPARE(view.state().measured.size(), std::size_t{1});
        menu = menu_at(pixel_of(view, {0, 4, 0}));
        QVERIFY2(entry(menu, "Hide lane boundaries") && !entry(menu, "Follow it"), "nobody follows a line");
        menu_at({100, 300})->close();
    }

    void labels_cover_neither_each_other_nor_the_legend()
    {
        std::vector<Layer> cars;
        for (int i = 0; i < 200; ++i)
            cars.push_back(car_at({static_cast<float>(i % 20) * 3 - 30, static_cast<float>(i / 20) * 3 - 15, 0.75F},
                                  static_cast<std::uint64_t>(i)));
        SceneState state{.picture = picture_of(cars), .camera = {.view = View::bird, .distance = 60}};
        state.options.selected = cars[110].things[0].key;
        const ViewTransform view(state.camera, {}, {480, 360});
        std::vector<QRectF> occupied{{0, 0, 200, 150}};
        const auto labels = placed_labels(view, state, occupied);
        QVERIFY(labels.size() > 10);
        QVERIFY2(labels.front().selected, "the selected one comes first");
        for (const auto& label : labels) {
            for (const auto& other : occupied) QVERIFY(!other.intersects(label.area));
            occupied.push_back(label.area);
        }
        state.options.hidden.set(static_cast<std::size_t>(Category::moving_object));
        QVERIFY(placed_labels(view, state, {}).empty());
    }

    void every_road_user_of_four_pixels_has_a_label_where_there_is_room()
    {
        std::vector<Layer> cars;
        for (int i = 0; i != 30; ++i)
            cars.push_back(car_at({static_cast<float>(i % 6) * 40 - 100, static_cast<float>(i / 6) * 30 - 60, 0.75F},
                                  static_cast<std::uint64_t>(i)));
        auto sign = car_at({20, 15, 2}, 99);
        sign.things[0].key.category = Category::traffic_sign;
        cars.push_back(sign);
        const auto count = [&](double distance) {
            SceneState state{.picture = picture_of(cars),
                             .camera = {.view = View::bird, .distance = distance, .yaw = M_PI_2}};
            return placed_labels({state.camera, {}, {1200, 900}}, state, {}).size();
        };
        QCOMPARE(count(220), std::size_t{30});                         // without the sign, which is far away
        const double car = length(to_vector(cars[0].things[0].size));  // 4 pixels of it
        const double limit = car / 4 * 900 / (2 * std::tan(Camera::field_of_view / 2));
        QVERIFY(count(0.99 * limit) > 0);
        QCOMPARE(count(1.01 * limit), std::size_t{0});
    }

    void labels_of_two_hundred_road_users_cost_less_than_a_millisecond()
    {
        std::vector<Layer> cars;
        for (int i = 0; i != 200; ++i)
            cars.push_back(car_at({static_cast<float>(i % 20) * 8 - 80, static_cast<float>(i / 20) * 8 - 40, 0.75F},
                                  static_cast<std::uint64_t>(1000 + i)));
        for (const auto view : {View::bird, View::orbit}) {
            SceneState state{.picture = picture_of(cars), .camera = {.view = view, .distance = 120, .pitch = 0.6}};
            const ViewTransform transform(state.camera, {}, {1280, 720});
            QImage image(1280, 720, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            painter.setRenderHint(QPainter::Antialiasing);
            std::size_t labels = 0;
            const auto write = [&] {
                const auto placed = placed_labels(transform, state, {});
                labels = placed.size();
                paint_labels(painter, placed, Theme::dark);
            };
            write();  // the first time their images are made
            qint64 least = std::numeric_limits<qint64>::max();
            for (int i = 0; i != 50; ++i) {
                QElapsedTimer timer;
                timer.start();
                write();
                least = std::min(least, timer.nsecsElapsed());
            }
            qInfo("%zu labels in %lld us", labels, least / 1000);
            QVERIFY(labels > 60);
            QVERIFY2(least < 1'000'000 * slowness, qPrintable(QString::number(least)));
        }
    }

    void from_above_traffic_lights_show_what_is_lit()
    {
        const auto light_at = [](Point centre, Look look, std::uint64_t id) {
            auto light = car_at(centre, id);
            light.things[0].key.category = Category::traffic_light;
            light.things[0].look = look;
            light.things[0].size = {0.3F, 0.3F, 0.3F};
            light.things[0].label.clear();
            return light;
        };
        auto off = light_at({-8, 0, 4}, Look::light_green, 4);
        off.things[0].is_off = true;
        // The red and the yellow one are of one post.
        SceneState state{
            .picture = picture_of({light_at({5, 0, 5}, Look::light_red, 1), light_at({5, 0, 4}, Look::light_yellow, 2),
                                   light_at({0, 6, 4}, Look::light_green, 3), off}),
            .camera = {.view = View::bird, .distance = 30, .yaw = 0},
            .labels = false,
            .legend = false};
        const auto pixels_of = [&](Look look) {
            const auto ink = to_qcolor(colour_of(look, Theme::dark)).rgb();
            const auto image = overlay_image({640, 480}, 1, state);
            int count = 0;
            for (int y = 0; y != image.height(); ++y)
                for (int x = 0; x != image.width(); ++x) count += image.pixel(x, y) == ink ? 1 : 0;
            return count;
        };
        for (const auto look : {Look::light_red, Look::light_yellow, Look::light_green}) {
            const auto count = pixels_of(look);
            QVERIFY2(count > 25 && count < 60, qPrintable(QString::number(count)));
        }
        state.options.hidden.set(static_cast<std::size_t>(Category::traffic_light));
        QCOMPARE(pixels_of(Look::light_red), 0);
        state.options.hidden.reset(static_cast<std::size_t>(Category::traffic_light));
        state.camera.distance = 3000;
        QCOMPARE(pixels_of(Look::light_red), 0);  // a map
        state.camera = {.view = View::orbit, .distance = 30};
        QCOMPARE(pixels_of(Look::light_red), 0);  // the bulbs themselves are seen
    }

    void a_thing_behind_another_has_no_label()
    {
        auto wall = car_at({0, 0, 3}, 7);
        wall.things[0].size = wall.boxes[0].size = {1, 20, 6};
        const auto ids_seen = [&](const SceneState& state) {
            std::vector<std::uint64_t> ids;
            for (const auto& label : placed_labels({state.camera, {}, {800, 600}}, state, {}))
                ids.push_back(label.thing->key.id);
            std::ranges::sort(ids);
            return ids;
        };
        SceneState state{.picture = picture_of({wall, car_at({8, 0, 0.75F}, 8), car_at({-8, 6, 0.75F}, 9)}),
                         .camera = {.distance = 30, .pitch = 0.1}};
        QCOMPARE(ids_seen(state), (std::vector<std::uint64_t>{7, 9}));
        state.options.selected = ThingKey{.category = Category::moving_object, .id = 8};
        QCOMPARE(ids_seen(state), (std::vector<std::uint64_t>{7, 8, 9}));
        state.options.selected.reset();
        state.camera.view = View::bird;
        QCOMPARE(ids_seen(state), (std::vector<std::uint64_t>{7, 8, 9}));
        state.camera.view = View::orbit;
        state.picture = picture_of({car_at({8, 0, 0.75F}, 8)});
        QCOMPARE(ids_seen(state), (std::vector<std::uint64_t>{8}));
    }

    void resting_on_a_point_says_its_values()
    {
        SceneView view;
        auto picture = std::make_shared<Picture>();
        auto cloud = std::make_shared<Cloud>(*square_cloud(1));
        cloud->name = "lidar 2";
        cloud->points[0] = {3, 3, 0};
        cloud->fields[0].values[0] = 0.5F;
        picture->clouds = {cloud};
        show(view, picture);
        QTest::mouseMove(&view, pixel_of(view, {3, 3, 0}));
        QTRY_VERIFY(view.state().hovered.has_value());
        QCOMPARE(view.state().hovered->lines,
                 (QStringList{QStringLiteral("lidar 2, 0"), QStringLiteral("strength: 0.5 dB")}));
    }

    void when_opengl_fails_the_painter_replaces_it()
    {
        QWidget window;  // no display is as wide as the view in it
        window.resize(480, 360);
        SceneView view(&window);
        if (!view.has_3d()) QSKIP("the painter draws any size");
        window.show();
        show(view, two_cars());
        view.set_view(View::orbit);
        QSignalSpy replaced(&view, &SceneView::canvas_replaced);
        view.resize(70000, 130);
        QTRY_VERIFY(!view.has_3d());  // in a window after EGL was tried
        QVERIFY(replaced.size() >= 1);
        QVERIFY(view.renderer_description().contains(QStringLiteral("Qt's painter")));
        const QSize pixels = QSize(70000, 130) * view.devicePixelRatioF();
        QVERIFY(view.renderer_description().contains(QStringLiteral("%1x%2").arg(pixels.width()).arg(pixels.height())));
        QCOMPARE(view.view(), View::bird);
        view.resize(480, 360);
        QTRY_VERIFY(view.is_complete());
        QSignalSpy picked(&view, &SceneView::picked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, pixel_of(view, {8, 0.3, 1.5}));
        QCOMPARE(picked.size(), 1);
        QVERIFY(picked[0][0].value<std::optional<Pick>>().has_value());
    }

    void nothing_open_is_drawn_too()
    {
        SceneView view;
        show(view, nullptr);
        QSignalSpy picked(&view, &SceneView::picked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, {100, 100});
        QCOMPARE(picked.size(), 1);
        QVERIFY(!picked[0][0].value<std::optional<Pick>>().has_value());
    }

    void fields_of_clouds_stand_in_the_menu()
    {
        auto picture = std::make_shared<Picture>();
        picture->clouds = {square_cloud(10), square_cloud(20)};
        QCOMPARE(cloud_fields(*picture), QStringList{QStringLiteral("strength")});
    }

    void the_colour_bar_names_its_clouds_beside_others()
    {
        const auto painted = [](Category coloured) {
            auto first = *square_cloud(50), second = *square_cloud(20);
            first.key.category = coloured;
            first.fields.front().name = "radial_velocity_of_the_reflection";
            second.key.category = Category::ultrasonic_detection;
            second.fields.clear();
            Picture picture;
            picture.clouds = {std::make_shared<const Cloud>(first), std::make_shared<const Cloud>(second)};
            SceneState state;
            state.picture = std::make_shared<const Picture>(picture);
            QImage image(480, 360, QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            paint_overlay(painter, image.size(), state);
            painter.end();
            return image.copy(240, 200, 240, 160);  // without the legend
        };
        QVERIFY(painted(Category::lidar_detection) != painted(Category::radar_detection));
        QVERIFY(painted(Category::lidar_detection) == painted(Category::lidar_detection));
    }
};

OSIVIEW_TEST(SceneViewTest, QApplication)
#include "scene_view_test.moc"
