// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/input_channel.hpp"

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/schema.hpp>

namespace ositrace::fmu {

Channel input_channel(const Variable& variable, Bytes first)
{
    Channel channel;
    channel.topic = variable.name;
    channel.type = variable.type;
    channel.type_name = row_of(*variable.type).full_name;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(*variable.type);
    try {
        channel.format = recognize({&first, 1}, *channel.schema, {.type = variable.type}).format;
    } catch (const Error& e) {
        throw Error(e.cause(), variable.name + ": " + e.what());
    }
    return channel;
}

}  // namespace ositrace::fmu
