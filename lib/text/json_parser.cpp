// SPDX-License-Identifier: MPL-2.0
#include "lib/text/json_parser.hpp"

#include <string>

#include <google/protobuf/util/json_util.h>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

std::string_view line(std::string_view text, int number)
{
    for (; number > 0; --number) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// libprotobuf shows a piece of the text and a caret under it instead of naming the place: found where the piece stands
/// only once.
std::optional<std::uint64_t> place_in(std::string_view text, std::string_view message)
{
    const auto piece = line(message, 1);
    const auto caret = line(message, 2).find('^');
    if (piece.empty() || caret == std::string_view::npos) return std::nullopt;
    const auto place = text.find(piece);
    if (place == std::string_view::npos || text.find(piece, place + 1) != std::string_view::npos) return std::nullopt;
    return place + caret;
}

}  // namespace

void parse_json(std::string_view text, DynamicMessages& messages, google::protobuf::Message& into)
{
    const auto& type = into.GetDescriptor()->full_name();
    std::string bytes;
    const auto status = google::protobuf::util::JsonToBinaryString(
        &messages.resolver(), std::string(type_url_prefix) + '/' + type, {text.data(), text.size()}, &bytes);
    const std::string message(status.message().data(), status.message().size());
    if (!status.ok()) throw Error(Cause::malformed, {.offset = place_in(text, message)}, line(message, 0));
    if (!into.ParsePartialFromString(bytes))
        throw Error(Cause::malformed, "libprotobuf cannot read back what it made of this object");
}

}  // namespace ositrace
