// SPDX-License-Identifier: MPL-2.0
#include "tests/gui/golden/golden_compare.hpp"

#include <cstdlib>

#include "tests/places.hpp"

namespace ositrace::test {

namespace {

const QString driver_key = QStringLiteral("driver");

QString file_of(const std::string& name)
{
    return QString::fromStdString((source_folder() / "tests" / "gui" / "golden" / (name + ".png")).string());
}

bool differ(QRgb a, QRgb b) noexcept
{
    const auto far = [](int x, int y) { return std::abs(x - y) > 8; };
    return far(qRed(a), qRed(b)) || far(qGreen(a), qGreen(b)) || far(qBlue(a), qBlue(b));
}

}  // namespace

std::optional<Difference> compare_with_golden(const QImage& image, const std::string& name, const std::string& driver)
{
    if (std::getenv("OSITRACE_MAKE_GOLDEN")) {
        auto kept = image;
        kept.setText(driver_key, QString::fromStdString(driver));
        kept.save(file_of(name), "PNG", 0);
    }
    QImage golden(file_of(name));
    if (golden.isNull() || golden.size() != image.size()) return std::nullopt;
    Difference difference{.same_driver = golden.text(driver_key) == QString::fromStdString(driver)};
    golden = golden.convertToFormat(QImage::Format_RGB32);
    int differing = 0;
    difference.same_bits = true;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto a = image.pixel(x, y), b = golden.pixel(x, y);
            if (a != b) difference.same_bits = false;
            if (differ(a, b)) ++differing;
        }
    }
    difference.share = static_cast<double>(differing) / (image.width() * image.height());
    return difference;
}

}  // namespace ositrace::test
