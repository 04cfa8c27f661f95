// SPDX-License-Identifier: MPL-2.0
// Every file of this folder is broken as its name says, and ends in the one line that stands beside it: X.osi in
// X.error.txt.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/schema_file.hpp>

#include "tests/catch.hpp"
#include "tests/places.hpp"

using namespace ositrace;

namespace {

std::filesystem::path folder() { return ositrace::test::source_folder() / "tests" / "broken"; }

class NullWriter final : public TraceWriter {
public:
    void write(const Frame&) override {}
    std::uint64_t close() override { return 0; }
};

void convert_all(const std::filesystem::path& file)
{
    const bool flat = file.extension() == ".osifb";
    OpenOptions options;
    if (file.extension() != ".mcap") options.type = MessageType::sensor_view;
    if (file.extension() != ".mcap") options.encoding = flat ? Encoding::flatbuffers : Encoding::protobuf;
    const auto source = open_stream(file, options);
    NullWriter writer;
    static_cast<void>(
        convert(*source, writer,
                {.to = Format{flat ? Encoding::protobuf : Encoding::flatbuffers, Layout::numbered}, .threads = 1}));
}

/// The message, with the file's name instead of its path.
std::string error_of(const std::filesystem::path& file)
{
    try {
        if (file.extension() == ".desc")
            static_cast<void>(load_schema(file));
        else
            convert_all(file);
    } catch (const Error& error) {
        std::string text = error.what();
        const auto path = file.string();
        if (const auto at = text.find(path); at != std::string::npos)
            text.replace(at, path.size(), file.filename().string());
        return text;
    }
    return "no error";
}

std::string first_line(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::set<std::filesystem::path> broken_files()
{
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        const auto extension = entry.path().extension();
        if (extension == ".osi" || extension == ".osifb" || extension == ".desc" || extension == ".mcap")
            files.insert(entry.path());
    }
    return files;
}

}  // namespace

TEST_CASE("every broken file ends in the error that stands beside it")
{
    const auto files = broken_files();
    CHECK(files.size() > 50);
    for (const auto& file : files) {
        INFO(file.filename().string());
        CHECK(error_of(file) == first_line(std::filesystem::path(file).replace_extension("error.txt")));
    }
}

TEST_CASE("every expected error has its file")
{
    const auto files = broken_files();
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        auto name = entry.path().filename().string();
        if (!name.ends_with(".error.txt")) continue;
        name.resize(name.size() - std::string_view(".error.txt").size());
        INFO(name);
        const auto exists = [&](const char* extension) { return files.contains(folder() / (name + extension)); };
        CHECK((exists(".osi") || exists(".osifb") || exists(".desc") || exists(".mcap")));
    }
}
