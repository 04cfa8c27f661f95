// SPDX-License-Identifier: MPL-2.0
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
    CHECK(error_with({{std::string(2000, 'n'), "1"}}) == ": holds a name of 2000 bytes");
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
