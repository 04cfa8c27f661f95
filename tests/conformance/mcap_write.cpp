// SPDX-License-Identifier: MPL-2.0
// The streamed writer of the MCAP conformance suite: a case as lines of words on standard input (see mcap_write.py),
// the file on standard output. Numbers are decimal; text and bytes are hexadecimal behind an `x`.
#include <cstdio>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lib/io/output_file.hpp"
#include "lib/mcap/file_writer.hpp"

namespace {

using namespace ositrace;

std::string decoded(const std::string& word)
{
    std::string text;
    for (std::size_t i = 1; i + 1 < word.size(); i += 2)
        text.push_back(static_cast<char>(std::stoi(word.substr(i, 2), nullptr, 16)));
    return text;
}

/// The words of a line, taken one by one; texts live as long as this.
class Line {
public:
    explicit Line(const std::string& line) : words_(line) {}

    std::string word()
    {
        std::string word;
        words_ >> word;
        return word;
    }
    template <class T>
    T number()
    {
        return static_cast<T>(std::stoull(word()));
    }
    const std::string& text() { return *texts_.insert(texts_.end(), decoded(word())); }
    mcap::StringPairs pairs()
    {
        mcap::StringPairs pairs;
        for (auto count = number<std::size_t>(); count != 0; --count) {
            const auto& key = text();
            pairs.emplace_back(key, text());
        }
        return pairs;
    }

private:
    std::istringstream words_;
    std::list<std::string> texts_;
};

mcap::Parts parts_in(Line& line)
{
    mcap::Parts parts;
    const std::map<std::string, bool*> features{{"ch", &parts.chunks},
                                                {"mx", &parts.message_index},
                                                {"st", &parts.statistics},
                                                {"rsh", &parts.repeated_schemas},
                                                {"rch", &parts.repeated_channels},
                                                {"ax", &parts.attachment_index},
                                                {"mdx", &parts.metadata_index},
                                                {"chx", &parts.chunk_index},
                                                {"sum", &parts.summary_offsets}};
    for (const auto& [name, wanted] : features) *wanted = false;
    for (auto word = line.word(); !word.empty(); word = line.word()) *features.at(word) = true;
    return parts;
}

void write(mcap::FileWriter& out, Line& line)
{
    // Braces keep the order of the words.
    const auto type = line.word();
    if (type == "Schema") {
        mcap::SchemaFields record{line.number<std::uint16_t>(), line.text(), line.text(), bytes_of(line.text())};
        out.write(record);
    } else if (type == "Channel") {
        mcap::ChannelFields record{line.number<std::uint16_t>(), line.number<std::uint16_t>(), line.text(), line.text(),
                                   line.pairs()};
        out.write(record);
    } else if (type == "Message") {
        mcap::Message record{line.number<std::uint16_t>(), line.number<std::uint32_t>(), line.number<std::uint64_t>(),
                             line.number<std::uint64_t>(), bytes_of(line.text())};
        out.write(record);
    } else if (type == "Attachment") {
        mcap::AttachmentFields record{line.number<std::uint64_t>(),
                                      line.number<std::uint64_t>(),
                                      line.text(),
                                      line.text(),
                                      bytes_of(line.text()),
                                      0};
        out.write(record, record.data.size(), [&](const auto& take) { take(record.data); });
    } else if (type == "Metadata") {
        mcap::Metadata record{line.text(), line.pairs()};
        out.write(record);
    }
}

}  // namespace

int main()
{
    std::string text;
    std::getline(std::cin, text);
    Line features(text);
    std::getline(std::cin, text);
    Line header(text);

    OutputFile file("-");
    mcap::FileOptions options;
    options.parts = parts_in(features);
    mcap::FileWriter out(file, {header.text(), header.text()}, options);
    while (std::getline(std::cin, text)) {
        Line line(text);
        write(out, line);
    }
    out.finish();
    file.close();
}
