// SPDX-License-Identifier: MPL-2.0
// Paths that people type: refused in one line, or usable on every message.
#include <ositrace/field_path.hpp>
#include <ositrace/scene.hpp>

#include "tests/fuzz/fuzzing.hpp"
#include "tests/fuzz/roots.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

ByteBuffer sensor_view()
{
    ByteBuffer payload;
    Scene({.frames = 1, .moving_objects = 2, .reflections = 3}).frame(0, payload);
    return payload;
}

void look_up(const MessageTable& root, std::string_view text, Bytes payload)
{
    attempt([&] {
        const auto path = FieldPath::compile(root, text);
        check(path.text() == text, "a path keeps its text");
        const MessageView view(payload, root, {});
        std::vector<Value> found;
        path.collect(view, found);
        if (path.has_many()) return "";
        const auto value = path.get(view);
        check(found.size() == (std::holds_alternative<std::monostate>(value) ? 0 : 1),
              "a path to one value collects it");
        return "";
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto payload = sensor_view();
    const Input input(data, size);
    const auto& sensor_view_table = Schema::built_in()->root(MessageType::sensor_view);
    look_up(sensor_view_table, input.text(), payload.bytes());
    for (const auto* const root : roots()) look_up(*root, input.text(), {});
    return 0;
}
