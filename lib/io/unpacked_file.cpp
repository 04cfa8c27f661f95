// SPDX-License-Identifier: MPL-2.0
#include "lib/io/unpacked_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/io/temporary_name.hpp"

namespace ositrace {

namespace {

constexpr std::size_t copy_bytes = std::size_t{1} << 20;

/// Where the file system knows no unnamed files, one that loses its name at once.
FileHandle open_temporary(const std::filesystem::path& directory)
{
    FileHandle file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return file;
    auto name = temporary_name(directory, "ositrace-");
    file = FileHandle(::mkostemp(name.data(), O_CLOEXEC));
    if (file) ::unlink(name.c_str());
    return file;
}

void write_fully(const FileHandle& file, Bytes bytes, const std::filesystem::path& name, const std::string& doing)
{
    while (!bytes.empty()) {
        const auto count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw_system_error(errno, name, doing);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
}

}  // namespace

SeekableFile unpacked_file(ByteSource& source, const std::stop_token& stop)
{
    const auto directory = temporary_directory();
    const auto doing = "unpacking into " + directory.string() + " (TMPDIR chooses another place)";
    auto file = open_temporary(directory);
    if (!file) throw_system_error(errno, source.name(), doing);
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(copy_bytes);
    while (const auto count = source.read({buffer.get(), copy_bytes}, stop))
        write_fully(file, {buffer.get(), count}, source.name(), doing);
    if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = source.name()}, "stopped while unpacking");
    return {std::move(file), source.name(), true};
}

}  // namespace ositrace
