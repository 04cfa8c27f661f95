// SPDX-License-Identifier: MPL-2.0
#include <cstdint>
#include <functional>
#include <string>

#include <sys/stat.h>

#include <zip.h>

#include "lib/fmu/fmu_archive.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/fmu/replayed_model.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using fmu::FmuArchive;

namespace {

struct Entry {
    std::string name;
    std::string contents;
    mode_t mode = S_IFREG | 0644;
};

std::filesystem::path zip_of(const std::filesystem::path& file, const std::vector<Entry>& entries)
{
    int error = 0;
    auto* const archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
    REQUIRE(archive != nullptr);
    for (const auto& entry : entries) {
        auto* const source = zip_source_buffer(archive, entry.contents.data(), entry.contents.size(), 0);
        const auto index = zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
        REQUIRE(index >= 0);
        zip_file_set_external_attributes(archive, static_cast<zip_uint64_t>(index), 0, ZIP_OPSYS_UNIX,
                                         static_cast<zip_uint32_t>(entry.mode) << 16);
    }
    REQUIRE(zip_close(archive) == 0);
    return file;
}

/// Of reading an archive with these entries, without the name of the file.
std::string error_with(const std::vector<Entry>& entries)
{
    const ScratchFolder folder;
    const auto file = zip_of(folder / "m.fmu", entries);
    const auto text = error_of([&] { return FmuArchive(file).platforms().size(); });
    return text.substr(0, file.string().size()) == file.string() ? text.substr(file.string().size()) : text;
}

}  // namespace

TEST_CASE("no name leaves the folder that an FMU is unpacked to", "[fmu]")
{
    const auto escapes = [](const std::string& name) { return error_with({{name, "x"}}); };
    CHECK(escapes("../evil") == ": '../evil' would be unpacked outside of its folder");
    CHECK(escapes("/etc/evil") == ": '/etc/evil' would be unpacked outside of its folder");
    CHECK(escapes("resources/../../evil") == ": 'resources/../../evil' would be unpacked outside of its folder");
    CHECK(escapes("resources/..") == ": 'resources/..' would be unpacked outside of its folder");
    CHECK(escapes("..\\evil") == ": '../evil' would be unpacked outside of its folder");
    CHECK(escapes("C:\\evil") == ": 'C:/evil' would be unpacked outside of its folder");
    CHECK(escapes("resources/..evil") == "");
}

TEST_CASE("links and devices are refused", "[fmu]")
{
    CHECK(error_with({{"resources/link", "/etc/passwd", S_IFLNK | 0777}}) ==
          ": 'resources/link' is neither a file nor a folder");
    CHECK(error_with({{"resources/pipe", "", S_IFIFO | 0600}}) == ": 'resources/pipe' is neither a file nor a folder");
}

TEST_CASE("a zip bomb is refused before it is unpacked", "[fmu]")
{
    CHECK(error_with({{"a", std::string(150'000'000, '\0')}}).starts_with(": the unpacked size exceeds the limit of "));
}

TEST_CASE("names that differ only in how they are written are one name", "[fmu]")
{
    CHECK(error_with({{"resources/a", "1"}, {"resources\\a", "2"}}) == ": holds 'resources/a' twice");
    CHECK(error_with({{"resources/a", "1"}, {"resources//a", "2"}}) == ": holds 'resources/a' twice");
    CHECK(error_with({{"resources/./a", "1"}, {"resources/a", "2"}}) == ": holds 'resources/a' twice");
    CHECK(error_with({{"resources/a", "1"}, {"resources/a/", ""}}) == ": holds 'resources/a/' twice");
    CHECK(error_with({{std::string(2000, 'n'), "1"}}) == ": a name of 2000 bytes exceeds the limit of 1024 bytes");
}

TEST_CASE("what is no FMU says so", "[fmu]")
{
    const ScratchFolder folder;
    const auto described = [](const std::filesystem::path& file) {
        return error_of([&] { return read_fmu_description(file).fmi_version; });
    };
    write_file(folder / "text.fmu", "this is no zip file");
    CHECK(described(folder / "text.fmu") ==
          (folder / "text.fmu").string() + ": is not a readable zip file, so not an FMU: Not a zip archive");
    CHECK(described(folder / "none.fmu") == (folder / "none.fmu").string() + ": No such file or directory");
    CHECK(described(folder.path()) == folder.path().string() + ": is not a regular file: an FMU is a zip file");
    const auto empty = zip_of(folder / "empty.fmu", {{"readme", "x"}});
    CHECK(described(empty) == empty.string() + ": holds no 'modelDescription.xml': it is not an FMU");
    const auto broken = zip_of(folder / "broken.fmu", {{"modelDescription.xml", "<a"}});
    CHECK(described(broken).starts_with(broken.string() + ": "));
}

namespace {

/// What libzip packs, changed by `change`, as the FMU that has it in `resources/a`.
std::string contents_of(const std::filesystem::path& file, const std::string& contents,
                        const std::function<void(zip*)>& change)
{
    int error = 0;
    auto* const archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
    REQUIRE(archive != nullptr);
    auto* const source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
    REQUIRE(zip_file_add(archive, "resources/a", source, 0) == 0);
    change(archive);
    REQUIRE(zip_close(archive) == 0);
    return FmuArchive(file).read("resources/a", 1 << 20);
}

std::string little_endian(std::uint64_t number, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i));
    return text;
}

}  // namespace

TEST_CASE("files of a zip file are read however they are packed", "[fmu]")
{
    const ScratchFolder folder;
    std::string contents;
    for (int i = 0; i < 30'000; ++i) contents += std::to_string(i * 7919 % 10'007);
    const auto read = [&](const std::function<void(zip*)>& change) {
        return contents_of(folder / "m.fmu", contents, change) == contents;
    };
    CHECK(read([](zip*) {}));
    CHECK(read([](zip* archive) { zip_set_file_compression(archive, 0, ZIP_CM_STORE, 0); }));
    CHECK(read([](zip* archive) { zip_set_file_compression(archive, 0, ZIP_CM_DEFLATE, 9); }));
    // The comment at the end may have anything, also what begins the end of a zip file.
    const std::string comment = std::string("PK\5\6", 4) + std::string(1000, 'c');
    CHECK(read([&](zip* archive) {
        zip_set_archive_comment(archive, comment.data(), static_cast<zip_uint16_t>(comment.size()));
    }));
    contents.clear();
    CHECK(read([](zip*) {}));
}

TEST_CASE("a file of a zip file that is damaged is named", "[fmu]")
{
    const ScratchFolder folder;
    const std::string contents = "these bytes are stored";
    const auto store = [](zip* archive) { zip_set_file_compression(archive, 0, ZIP_CM_STORE, 0); };
    REQUIRE(contents_of(folder / "m.fmu", contents, store) == contents);
    const auto whole = read_file(folder / "m.fmu");
    const auto error_with_change = [&](std::size_t at, char value) {
        auto damaged = whole;
        damaged[at] = value;
        write_file(folder / "damaged.fmu", damaged);
        const auto text = error_of([&] { return FmuArchive(folder / "damaged.fmu").read("resources/a", 1000); });
        return text.substr((folder / "damaged.fmu").string().size());
    };
    const auto list = whole.find("PK\1\2"), end = whole.rfind("PK\5\6");
    CHECK(error_with_change(whole.find(contents), 'T') == ": 'resources/a' cannot be unpacked: its checksum is wrong");
    CHECK(error_with_change(list + 24, 1) == ": 'resources/a' is longer than the zip file says");
    CHECK(error_with_change(list + 24, 100) == ": 'resources/a' is shorter than the zip file says");
    CHECK(error_with_change(list + 20, 30) == ": 'resources/a' is longer than the zip file says");
    CHECK(error_with_change(list + 21, 127) == ": 'resources/a' cannot be unpacked: the zip file is cut off");
    CHECK(error_with_change(list + 8, 1) == ": 'resources/a' cannot be unpacked: it is encrypted");
    CHECK(error_with_change(list + 10, 12) ==
          ": 'resources/a' cannot be unpacked: it has the compression method 12, an FMU has only deflate");
    CHECK(error_with_change(list + 42, 1) == ": 'resources/a' cannot be unpacked: it is not where the zip file says");
    const std::string unreadable = ": is not a readable zip file, so not an FMU: ";
    CHECK(error_with_change(list, 'p') == unreadable + "its list of files is damaged");
    CHECK(error_with_change(list + 28, 127) == unreadable + "its list of files is damaged");
    CHECK(error_with_change(end + 4, 1) == unreadable + "it has several parts");
    CHECK(error_with_change(end + 16, 127) == unreadable + "it is cut off or damaged");
}

TEST_CASE("a zip file with numbers of 64 bits is read", "[fmu]")
{
    const ScratchFolder folder;
    const std::string contents = "these bytes are stored", name = "resources/a";
    REQUIRE(contents_of(folder / "m.fmu", contents,
                        [](zip* archive) { zip_set_file_compression(archive, 0, ZIP_CM_STORE, 0); }) == contents);
    const auto whole = read_file(folder / "m.fmu");
    const auto list = whole.find("PK\1\2");
    // The list again, with the sizes and the place of the file in an extra field, and the end that such files have.
    auto entry = whole.substr(list, 46);
    entry.replace(20, 8, 8, '\xff');
    entry.replace(30, 2, little_endian(28, 2));
    entry.replace(32, 2, little_endian(0, 2));
    entry.replace(42, 4, 4, '\xff');
    entry += name + little_endian(1, 2) + little_endian(24, 2) + little_endian(contents.size(), 8) +
             little_endian(contents.size(), 8) + little_endian(0, 8);
    const auto end = whole.substr(0, list) + entry;
    const auto end_64 = "PK\6\6" + little_endian(44, 8) + little_endian(45, 2) + little_endian(45, 2) +
                        little_endian(0, 8) + little_endian(1, 8) + little_endian(1, 8) +
                        little_endian(entry.size(), 8) + little_endian(list, 8);
    const auto locator = "PK\6\7" + little_endian(0, 4) + little_endian(end.size(), 8) + little_endian(1, 4);
    const auto last = std::string("PK\5\6", 4) + std::string(4, '\0') + std::string(12, '\xff') + std::string(2, '\0');
    write_file(folder / "64.fmu", end + end_64 + locator + last);
    CHECK(FmuArchive(folder / "64.fmu").read(name, 1000) == contents);
}

TEST_CASE("every cut through an FMU is an error or the whole FMU, never a crash", "[fmu]")
{
    const ScratchFolder folder;
    const auto whole = read_file(test_model(2));
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 100) {
        write_file(folder / "cut.fmu", whole.substr(0, length));
        CHECK_FALSE(error_of([&] { return read_fmu_description(folder / "cut.fmu").fmi_version; }).empty());
    }
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 150) {
        auto damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        write_file(folder / "damaged.fmu", damaged);
        static_cast<void>(error_of([&] {
            const auto model = read_fmu_description(folder / "damaged.fmu");
            std::filesystem::remove_all(folder / "out");
            FmuArchive(folder / "damaged.fmu").unpack(folder / "out", "linux64");
            return model.fmi_version;
        }));
    }
    CHECK(folder.names().size() <= 3);
}

namespace {

std::string description_with_output(const std::string& identifier)
{
    return "<fmiModelDescription fmiVersion='3.0' instantiationToken='g'><CoSimulation modelIdentifier='" + identifier +
           "'/><ModelVariables><Binary name='OSMPSensorDataOut' valueReference='1' causality='output' "
           "mimeType='application/x-open-simulation-interface; "
           "type=SensorData'/></ModelVariables></fmiModelDescription>";
}

}  // namespace

TEST_CASE("an FMU for other machines names them", "[fmu]")
{
    const ScratchFolder folder;
    const auto xml = description_with_output("m");
    const auto file =
        zip_of(folder / "m.fmu",
               {{"modelDescription.xml", xml}, {"binaries/win64/m.dll", "x"}, {"binaries/darwin64/m.dylib", "x"}});
    const auto model = open_fmu(file, options_for({}));
    CHECK(error_of([&] {
              model->initialize(one_channel(MessageType::sensor_view), {.step = std::chrono::milliseconds(10)});
              return 0;
          }) ==
          "m cannot run on this machine: it has no binaries/x86_64-linux/m.so or binaries/linux64/m.so (it has "
          "binaries for: darwin64, win64)");
}

TEST_CASE("a library of another machine is named", "[fmu]")
{
    const ScratchFolder folder;
    const auto xml = description_with_output("m");
    const auto error_of_library = [&](const std::string& library) {
        const auto model =
            open_fmu(zip_of(folder / "m.fmu", {{"modelDescription.xml", xml}, {"binaries/linux64/m.so", library}}),
                     options_for({}));
        return error_of([&] {
            model->initialize(one_channel(MessageType::sensor_view), {.step = std::chrono::milliseconds(10)});
            return 0;
        });
    };
    const auto built_for = [](const std::string& machine) {
        return "m cannot run on this machine: binaries/linux64/m.so is built for " + machine +
               ", this machine is 64-bit x86-64";
    };
    auto library = read_file(test::model_folder() / "fmi2/binaries/linux64/test_model.so");
    library[18] = '\xb7';  // e_machine: EM_AARCH64
    CHECK(error_of_library(library) == built_for("64-bit AArch64"));
    library[4] = 1;  // EI_CLASS: ELFCLASS32
    library[18] = 3;
    CHECK(error_of_library(library) == built_for("32-bit x86"));
    library[18] = 62;  // the x32 ABI
    CHECK(error_of_library(library) == built_for("32-bit x86-64"));
    library[5] = 2;  // EI_DATA: big endian
    library[18] = 0;
    library[19] = 20;
    CHECK(error_of_library(library) == built_for("32-bit PowerPC"));
    library[19] = 99;
    CHECK(error_of_library(library) == built_for("32-bit machine 99 of ELF"));
    CHECK(error_of_library("MZ" + std::string(100, ' ')) ==
          "m cannot run on this machine: binaries/linux64/m.so is not a Linux library (ELF) but a Windows library");
}

TEST_CASE("a library that is none, or lacks a function, is named", "[fmu]")
{
    const ScratchFolder folder;
    const auto xml = description_with_output("m");
    const auto file =
        zip_of(folder / "m.fmu", {{"modelDescription.xml", xml}, {"binaries/linux64/m.so", "no library"}});
    const auto model = open_fmu(file, options_for({}));
    CHECK(error_of([&] {
              model->initialize(one_channel(MessageType::sensor_view), {.step = std::chrono::milliseconds(10)});
              return 0;
          }) == "m cannot run on this machine: binaries/linux64/m.so is not a Linux library (ELF)");
    const auto fmi3 = description_with_output("test_model");
    const auto library = read_file(test::model_folder() / "fmi2/binaries/linux64/test_model.so");
    const auto other = open_fmu(zip_of(folder / "other.fmu", {{"modelDescription.xml", fmi3},
                                                              {"binaries/x86_64-linux/test_model.so", library}}),
                                options_for({}));
    CHECK(error_of([&] {
              other->initialize(one_channel(MessageType::sensor_view), {.step = std::chrono::milliseconds(10)});
              return 0;
          }) == "other has no function fmi3InstantiateCoSimulation in test_model.so: it cannot be stepped");
}
