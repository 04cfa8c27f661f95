// SPDX-License-Identifier: MPL-2.0
// A map of a stranger, as a file or as the message of a map channel: a GroundTruth of finite numbers and valid text, or
// one Error.
#include <cmath>

#include <ositrace/message_view.hpp>
#include <ositrace/open_drive.hpp>
#include <ositrace/utf8.hpp>

#include "lib/open_drive/map_message.hpp"
#include "lib/open_drive/projection.hpp"
#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

void check_values(const MessageView& message)
{
    const auto check_value = [&](const FieldRow& field, const Value& value) {
        if (const auto* const inner = std::get_if<MessageView>(&value))
            check_values(*inner);
        else if (const auto* const text = std::get_if<std::string_view>(&value))
            check(is_utf8(*text), "a text is UTF-8", field.name);
        else if (const auto real = as_real(value))
            check(std::isfinite(*real), "a number is finite", field.name);
        return true;
    };
    message.for_each_field([&](const FieldRow& field) {
        if (!field.repeated) return check_value(field, message.get(field));
        message.for_each_element(field, [&](const Value& value) { return check_value(field, value); });
        return true;
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Input input(data, size);
    MapOptions options;
    options.max_message_bytes = std::size_t{1} << 20;
    std::shared_ptr<const ByteBuffer> message;
    attempt([&] {
        const auto xml = input.text().starts_with('<') ? std::string(input.text()) : read_map_message(input.rest()).xml;
        const auto map = read_open_drive(xml, options);
        const std::string_view one = map.geo_reference, other = std::string_view(xml).substr(0, 200);
        for (const auto text : {other, std::string_view("EPSG:25832"), std::string_view("+proj=utm +zone=33 +south")})
            check(compare_projections(one, text) == compare_projections(text, one),
                  "projections compare in both orders", one);
        message = map.message;
        return std::string();
    });
    if (message) check_values({message->bytes(), Schema::built_in()->root(MessageType::ground_truth), {}});
    return 0;
}
