// SPDX-License-Identifier: MPL-2.0
// Converts a trace to FlatBuffers: convert_trace run.osi run.osifb
#include <iostream>
#include <ositrace/convert.hpp>

int main(int, char** argv)
{
    const ositrace::Format flat{ositrace::Encoding::flatbuffers};
    const auto in = ositrace::open_stream(argv[1]);
    const auto out = ositrace::create_trace(argv[2], ositrace::converted_info(in->info(), flat));
    const auto result = ositrace::convert(*in, *out, {.to = flat});
    out->close();  // only now the output has its name
    std::cout << result.frames << " frames\n";
}
