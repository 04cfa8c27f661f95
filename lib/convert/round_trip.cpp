// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/round_trip.hpp"

#include <ositrace/equal_content.hpp>
#include <ositrace/error.hpp>

namespace ositrace {

RoundTrip::RoundTrip(const Channel& channel, Format to)
    : root_(*channel.root), from_(channel.format), to_(to), back_(root_, to, from_)
{
}

bool RoundTrip::gives_equal_bytes(Bytes input, Bytes output)
{
    try {
        back_.transcode(output, scratch_);
    } catch (const Error& e) {
        throw Error(Cause::different, {.field = e.where().field},
                    "verification: converting back failed: " + e.reason());
    }
    if (text_of(scratch_.bytes()) == text_of(input)) return true;
    if (const auto found = first_difference({input, root_, from_}, {output, root_, to_}))
        throw Error(Cause::different, {.field = found->field}, "verification: input and output differ: " + found->text);
    return false;
}

}  // namespace ositrace
