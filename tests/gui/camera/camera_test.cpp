// SPDX-License-Identifier: MPL-2.0
// Images of camera_sensor_view in every format, and the panel that shows them.
#include <cstring>

#include <QApplication>
#include <QBuffer>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/trace_writer.hpp>

#include "gui/camera/camera_image.hpp"
#include "gui/camera/camera_panel.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "lib/messages/osi_writer.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;
using ositrace::test::open_all;
using ositrace::test::patience_ms;

namespace {

struct CameraShot {
    QByteArray data;
    const char* format = nullptr;
    std::uint64_t width = 2, height = 2;
    const char* order = nullptr;
};

void write_view(scene::OsiWriter& out, const CameraShot& view, std::uint64_t sensor)
{
    out.message("camera_sensor_view", [&] {
        out.message("view_configuration", [&] {
            out.id("sensor_id", sensor);
            out.unsigned_integer("number_of_pixels_horizontal", view.width);
            out.unsigned_integer("number_of_pixels_vertical", view.height);
            if (view.format != nullptr) out.enumeration("channel_format", view.format);
            if (view.order != nullptr) out.enumeration("pixel_order", view.order);
        });
        out.text("image_data", {view.data.constData(), static_cast<std::size_t>(view.data.size())});
    });
}

ByteBuffer sensor_view(const std::vector<CameraShot>& views, Nanoseconds time = {})
{
    ByteBuffer bytes;
    scene::OsiWriter out(bytes, Schema::built_in()->root(MessageType::sensor_view));
    out.time("timestamp", time);
    std::uint64_t sensor = 3;
    for (const auto& each : views) write_view(out, each, sensor++);
    return bytes;
}

CameraImage image_of(const CameraShot& view)
{
    const auto bytes = sensor_view({view});
    const auto& root = Schema::built_in()->root(MessageType::sensor_view);
    const MessageView message{bytes.bytes(), root, {}};
    CameraImage image;
    message.for_each_element(*root.find("camera_sensor_view"), [&](const Value& value) {
        image = camera_image(std::get<MessageView>(value));
        return false;
    });
    return image;
}

template <class T>
QByteArray numbers(std::initializer_list<T> values)
{
    QByteArray data;
    for (const auto each : values) data.append(reinterpret_cast<const char*>(&each), sizeof each);
    return data;
}

std::vector<QRgb> pixels(const QImage& image)
{
    std::vector<QRgb> all;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) all.push_back(image.pixel(x, y) | 0xff000000U);
    return all;
}

}  // namespace

class CameraTest : public QObject {
    Q_OBJECT
private slots:
    void every_format_is_read();
    void the_order_of_pixels_is_that_of_the_configuration();
    void a_picture_file_is_read_as_such();
    void what_cannot_be_shown_says_why();
    void the_panel_shows_the_camera_of_the_shown_message();

private:
    ScratchFolder scratch_;
};

void CameraTest::every_format_is_read()
{
    const std::vector<QRgb> greys{qRgb(0, 0, 0), qRgb(64, 64, 64), qRgb(128, 128, 128), qRgb(255, 255, 255)};
    const CameraShot monos[] = {
        {numbers<std::uint8_t>({0, 64, 128, 255}), "CHANNEL_FORMAT_MONO_U8_LIN"},
        {numbers<std::uint16_t>({0, 64U << 8U, 128U << 8U, 65535}), "CHANNEL_FORMAT_MONO_U16_LIN"},
        {numbers<std::uint32_t>({0, 64U << 24U, 128U << 24U, 0xffffffffU}), "CHANNEL_FORMAT_MONO_U32_LIN"},
        {numbers<float>({-1.F, 64 / 255.F, 128 / 255.F, 7.F}), "CHANNEL_FORMAT_MONO_F32_LIN"},
        {numbers<float>({std::numeric_limits<float>::quiet_NaN(), 64 / 255.F, 128 / 255.F, 1.F}),
         "CHANNEL_FORMAT_RCCC_F32_LIN"},
    };
    for (const auto& each : monos) QCOMPARE(pixels(image_of(each).image), greys);
    const CameraShot colours{numbers<std::uint8_t>({255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3}),
                             "CHANNEL_FORMAT_RGB_U8_LIN"};
    QCOMPARE(pixels(image_of(colours).image),
             (std::vector<QRgb>{qRgb(255, 0, 0), qRgb(0, 255, 0), qRgb(0, 0, 255), qRgb(1, 2, 3)}));
    QCOMPARE(image_of(colours).text, QStringLiteral("2 x 2, RGB_U8_LIN"));
    // A block has one colour: the mean of its green pixels.
    const auto block = numbers<std::uint8_t>({10, 20, 40, 200});
    for (const auto& [format, colour] : {std::pair{"CHANNEL_FORMAT_BAYER_RGGB_U8_LIN", qRgb(10, 30, 200)},
                                         std::pair{"CHANNEL_FORMAT_BAYER_BGGR_U8_LIN", qRgb(200, 30, 10)},
                                         std::pair{"CHANNEL_FORMAT_RCCB_U8_LIN", qRgb(10, 30, 200)}})
        QCOMPARE(pixels(image_of({block, format}).image), std::vector<QRgb>(4, colour));
    // Of an odd size the last blocks have fewer pixels.
    QCOMPARE(image_of({QByteArray(9, 'x'), "CHANNEL_FORMAT_BAYER_RGGB_U8_LIN", 3, 3}).image.size(), QSize(3, 3));
}

void CameraTest::the_order_of_pixels_is_that_of_the_configuration()
{
    const auto data = numbers<std::uint8_t>({0, 64, 128, 255});
    const auto grey = [](int value) { return qRgb(value, value, value); };
    const auto shown = [&](const char* order) {
        return pixels(image_of({data, "CHANNEL_FORMAT_MONO_U8_LIN", 2, 2, order}).image);
    };
    QCOMPARE(shown("PIXEL_ORDER_RIGHT_LEFT_TOP_BOTTOM"), (std::vector<QRgb>{grey(64), grey(0), grey(255), grey(128)}));
    QCOMPARE(shown("PIXEL_ORDER_LEFT_RIGHT_BOTTOM_TOP"), (std::vector<QRgb>{grey(128), grey(255), grey(0), grey(64)}));
}

void CameraTest::a_picture_file_is_read_as_such()
{
    QImage picture(5, 4, QImage::Format_RGB32);
    picture.fill(qRgb(1, 200, 3));
    for (const auto* const format : {"PNG", "JPEG"}) {
        QByteArray data;
        QBuffer buffer(&data);
        buffer.open(QIODevice::WriteOnly);
        if (!picture.save(&buffer, format)) continue;  // a Qt without the plugin for JPEG
        const auto read = image_of({data});
        QCOMPARE(read.image.size(), QSize(5, 4));
        QCOMPARE(read.text, QStringLiteral("5 x 4, %1").arg(QLatin1String(format)));
        const auto cut = image_of({data.left(20)});
        QVERIFY(cut.image.isNull() && !cut.text.isEmpty());
    }
}

void CameraTest::what_cannot_be_shown_says_why()
{
    const auto four = QByteArray(4, 'x');
    const auto why = [](const CameraShot& view) {
        const auto image = image_of(view);
        return image.image.isNull() ? image.text : QStringLiteral("shown");
    };
    QCOMPARE(why({{}, "CHANNEL_FORMAT_MONO_U8_LIN"}), QStringLiteral("there is no image_data"));
    QCOMPARE(why({four, "CHANNEL_FORMAT_MONO_U16_LIN"}),
             QStringLiteral("image_data has 4 bytes, expected 8 for 2 x 2 in CHANNEL_FORMAT_MONO_U16_LIN"));
    QCOMPARE(why({four, "CHANNEL_FORMAT_OTHER"}), QStringLiteral("the format CHANNEL_FORMAT_OTHER is not known"));
    QCOMPARE(why({four}), QStringLiteral("the format CHANNEL_FORMAT_UNKNOWN is not known"));
    QCOMPARE(why({four, "CHANNEL_FORMAT_MONO_U8_LIN", 0, 2}), QStringLiteral("the number of pixels is not set"));
    QCOMPARE(why({four, "CHANNEL_FORMAT_MONO_U8_LIN", 4'000'000'000, 4'000'000'000}),
             QStringLiteral("4000000000 x 4000000000 pixels are more than 64000000"));
}

void CameraTest::the_panel_shows_the_camera_of_the_shown_message()
{
    const auto file = scratch_ / "cameras.osi";
    {
        TraceInfo info;
        auto& channel = info.channels.emplace_back();
        channel.topic = channel.type_name = "osi3.SensorView";
        channel.type = MessageType::sensor_view;
        channel.schema = Schema::built_in();
        channel.root = &channel.schema->root(MessageType::sensor_view);
        const auto writer = create_trace(file, info);
        for (int i = 0; i != 3; ++i) {
            const auto grey = static_cast<char>(100 * i);
            const CameraShot first{QByteArray(4, grey), "CHANNEL_FORMAT_MONO_U8_LIN"};
            const CameraShot second{QByteArray(12, 7), "CHANNEL_FORMAT_RGB_U8_LIN"};
            const auto bytes = sensor_view({first, second}, i * 100ms);
            Frame frame;
            frame.bytes = bytes.bytes();
            frame.index = static_cast<std::uint64_t>(i);
            frame.time = i * 100ms;
            writer->write(frame);
        }
        writer->close();
    }
    Session session;
    QVERIFY(open_all(session, {file}));
    CameraPanel panel(session);
    panel.resize(300, 300);
    panel.show();
    SnapshotBuilder builder(std::size_t{64} << 20);
    for (int i = 0; i != 3; ++i) {
        panel.show_snapshot(builder.build(ositrace::test::request_at(session, i * 100ms)));
        QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
        QCOMPARE(panel.image().pixel(0, 0), qRgb(100 * i, 100 * i, 100 * i));
        QVERIFY2(panel.text().startsWith(QStringLiteral("2 x 2, MONO_U8_LIN, message %1, ").arg(i)),
                 qPrintable(panel.text()));
    }
    QCOMPARE(panel.cameras().size(), 2);
    QVERIFY(panel.cameras()[1].endsWith(QStringLiteral("camera 4")));
    panel.show_snapshot(nullptr);
    QVERIFY(panel.image().isNull());
}

OSIVIEW_TEST(CameraTest, QApplication)
#include "camera_test.moc"
