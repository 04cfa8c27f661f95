// SPDX-License-Identifier: MPL-2.0
#include "gui/render/matrix.hpp"

namespace ositrace::gui {

Matrix operator*(const Matrix& a, const Matrix& b) noexcept
{
    Matrix product;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            for (int k = 0; k < 4; ++k) product(row, column) += a(row, k) * b(k, column);
        }
    }
    return product;
}

std::array<Vector, 3> rotation_axes(const std::array<float, 3>& roll_pitch_yaw) noexcept
{
    const double cr = std::cos(static_cast<double>(roll_pitch_yaw[0])),
                 sr = std::sin(static_cast<double>(roll_pitch_yaw[0]));
    const double cp = std::cos(static_cast<double>(roll_pitch_yaw[1])),
                 sp = std::sin(static_cast<double>(roll_pitch_yaw[1]));
    const double cy = std::cos(static_cast<double>(roll_pitch_yaw[2])),
                 sy = std::sin(static_cast<double>(roll_pitch_yaw[2]));
    return {Vector{cy * cp, sy * cp, -sp}, Vector{cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
            Vector{cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
}

}  // namespace ositrace::gui
