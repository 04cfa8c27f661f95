// SPDX-License-Identifier: MPL-2.0
// A program of a stranger's that reads text.
#include <fstream>

#include <ositrace/libprotobuf_text_parser.hpp>
#include <ositrace/trace.hpp>

int main()
{
    std::ofstream("a.jsonl") << R"({"timestamp":{"seconds":1},"sensor_id":{"value":7}})" << '\n';
    ositrace::OpenOptions options;
    options.type = ositrace::MessageType::sensor_view;
    options.text_parser = ositrace::libprotobuf_text_parser();
    ositrace::Frame frame;
    return ositrace::open_stream("a.jsonl", options)->read(frame) ? 0 : 1;
}
