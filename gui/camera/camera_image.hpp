// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <QImage>
#include <QString>

#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// The picture of a CameraSensorView, or why there is none.
struct CameraImage {
    QImage image;  ///< null: `text` says why
    QString text;  ///< `1920 x 1080, RGB_U8_LIN`
};

/// Reads `image_data` in the format of `view_configuration`: numbers of pixels, channel_format (the first one) and
/// pixel_order. Values of 16 and 32 bits are scaled to their range, floating-point ones from 0 to 1; no gamma is
/// applied. Of a Bayer pattern each block of 2 x 2 pixels has one colour. Data that is a PNG or JPEG file is read as
/// such. Any thread; takes some ten milliseconds for millions of pixels. Throws Error for a broken message.
[[nodiscard]] CameraImage camera_image(const MessageView& camera_sensor_view);

}  // namespace ositrace::gui
