// SPDX-License-Identifier: MPL-2.0
// What both halves of the face of FMI 3.0 stand on.
#pragma once

#include <fmi3Functions.h>

#include <string>

#include <ositrace/error.hpp>

#include "app/fmu/instance.hpp"

namespace ositrace::fmu {

[[nodiscard]] Instance& instance_of(fmi3Instance instance);

template <class Work>
fmi3Status run(fmi3Instance instance, Work work)
{
    if (instance == nullptr) return fmi3Error;
    return instance_of(instance).run(work) ? fmi3OK : fmi3Error;
}

inline fmi3Status unsupported(fmi3Instance instance, const char* what)
{
    return run(instance,
               [what](Instance&) { throw Error(Cause::unsupported, std::string(what) + " is not supported"); });
}

/// No variable of ours is an array.
inline void check_count(std::size_t references, std::size_t values)
{
    if (references != values)
        throw Error(Cause::usage, std::to_string(values) + " values for " + std::to_string(references) +
                                      " variables, of which each has one");
}

}  // namespace ositrace::fmu
