// SPDX-License-Identifier: MPL-2.0
// The compiled module of the package: ositrace._ositrace.
#include <nanobind/nanobind.h>

#include <ositrace/version.hpp>

#include "python/src/convert.hpp"
#include "python/src/parts.hpp"

NB_MODULE(_ositrace, module)
{
    using namespace ositrace::python;
    register_errors();
    register_frame(module);
    register_frame_iterator(module);
    register_trace(module);
    register_play(module);
    register_batches(module);
    register_tables(module);
    register_scans(module);
    register_traffic(module);
    register_writer(module);
    register_descriptors(module);
    register_messages(module);
    module.attr("version") = text_object(ositrace::version());
}
