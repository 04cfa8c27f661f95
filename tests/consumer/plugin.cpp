// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema.hpp>

extern "C" std::size_t plugin_messages() { return ositrace::Schema::built_in()->messages().size(); }
