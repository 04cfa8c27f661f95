// SPDX-License-Identifier: MPL-2.0
#include "gui/session/open_options.hpp"

#ifdef OSITRACE_TEXT_INPUT
#include <ositrace/libprotobuf_text_parser.hpp>
#endif

namespace ositrace::gui {

namespace {

std::size_t max_message_bytes = default_max_message_bytes;

}  // namespace

void set_max_message_bytes(std::size_t bytes) noexcept { max_message_bytes = bytes; }

OpenOptions viewer_open_options(std::optional<MessageType> type)
{
    OpenOptions options;
    options.type = type;
    options.max_message_bytes = max_message_bytes;
#ifdef OSITRACE_TEXT_INPUT
    options.text_parser = libprotobuf_text_parser();
#endif
    return options;
}

bool reads_text() noexcept
{
#ifdef OSITRACE_TEXT_INPUT
    return true;
#else
    return false;
#endif
}

}  // namespace ositrace::gui
