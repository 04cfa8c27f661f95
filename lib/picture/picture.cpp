// SPDX-License-Identifier: MPL-2.0
#include <ositrace/picture.hpp>

namespace ositrace {

namespace {

template <class Element>
std::size_t held(const std::vector<Element>& vector) noexcept
{
    return vector.capacity() * sizeof(Element);
}

std::size_t held(const Cloud& cloud) noexcept
{
    auto bytes = sizeof cloud + held(cloud.points) + held(cloud.elements) + held(cloud.fields);
    for (const auto& field : cloud.fields) bytes += held(field.values);
    return bytes;
}

}  // namespace

std::size_t Picture::bytes() const noexcept
{
    auto bytes = sizeof *this + held(things) + held(points) + held(boxes) + held(lines) + held(strips) + held(clouds) + held(notes);
    for (const auto& thing : things) bytes += thing.path.capacity() + thing.label.capacity();
    for (const auto& cloud : clouds) bytes += held(*cloud);
    return bytes;
}

}  // namespace ositrace
