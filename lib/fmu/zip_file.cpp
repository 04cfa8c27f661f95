// SPDX-License-Identifier: MPL-2.0
// After PKWARE's APPNOTE.TXT 6.3.10; numbers are little-endian.
#include "lib/fmu/zip_file.hpp"

#include <algorithm>
#include <new>

#include <zlib.h>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

constexpr std::uint32_t end_signature = 0x06054b50, end_64_signature = 0x06064b50, locator_signature = 0x07064b50,
                        listed_signature = 0x02014b50, local_signature = 0x04034b50;
constexpr std::size_t end_bytes = 22, end_64_bytes = 56, locator_bytes = 20, listed_bytes = 46, local_bytes = 30;
constexpr std::size_t longest_comment = 0xffff;
constexpr std::uint32_t in_64_bits = 0xffffffff;
constexpr std::uint64_t most_list_bytes = std::uint64_t{64} << 20;
constexpr std::size_t piece_bytes = 65536;
constexpr std::uint16_t stored = 0, deflated = 8, encrypted = 1, made_on_unix = 3, extra_of_64_bits = 1;

template <class Number>
Number number_at(std::string_view bytes, std::size_t at)
{
    Number number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i)
        number =
            static_cast<Number>(number | static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (8 * i));
    return number;
}

std::uint16_t u16(std::string_view bytes, std::size_t at) { return number_at<std::uint16_t>(bytes, at); }
std::uint32_t u32(std::string_view bytes, std::size_t at) { return number_at<std::uint32_t>(bytes, at); }
std::uint64_t u64(std::string_view bytes, std::size_t at) { return number_at<std::uint64_t>(bytes, at); }

/// Replaces what did not fit into 32 bits. False if the extra fields do not have it.
bool read_64_bits(std::string_view extra, ZipFile::Entry& entry)
{
    std::string_view numbers;
    while (extra.size() >= 4) {
        const auto count = u16(extra, 2);
        if (count > extra.size() - 4) return false;
        if (u16(extra, 0) == extra_of_64_bits) numbers = extra.substr(4, count);
        extra.remove_prefix(4 + std::size_t{count});
    }
    for (auto* const number : {&entry.bytes, &entry.packed_bytes, &entry.offset}) {
        if (*number != in_64_bits) continue;
        if (numbers.size() < sizeof *number) return false;
        *number = u64(numbers, 0);
        numbers.remove_prefix(sizeof *number);
    }
    return true;
}

/// The checks of what is unpacked.
class Unpacked {
public:
    Unpacked(const ZipFile::Entry& entry, const ZipFile::Take& take) : entry_(entry), take_(take) {}
    /// False: there is more than the list says.
    [[nodiscard]] bool add(std::string_view piece)
    {
        bytes_ += piece.size();
        if (bytes_ > entry_.bytes) return false;
        checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
        take_(piece);
        return true;
    }
    [[nodiscard]] bool is_complete() const { return bytes_ == entry_.bytes; }
    [[nodiscard]] bool is_right() const { return checksum_ == entry_.checksum; }

private:
    const ZipFile::Entry& entry_;
    const ZipFile::Take& take_;
    std::uint64_t bytes_ = 0;
    uLong checksum_ = 0;
};

class Inflater {
public:
    Inflater()
    {
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream); }

    z_stream stream{};
};

constexpr std::string_view is_longer = "is longer than the zip file says";

}  // namespace

ZipFile::ZipFile(const std::filesystem::path& file, std::uint64_t max_entries)
    : file_(file), handle_(open_to_read(file)), size_(status_of(handle_, file).bytes)
{
    const auto list = find_list();
    if (list.count > max_entries)
        throw Error(Cause::limit, {.file = file},
                    "the number of files (" + std::to_string(list.count) + ") exceeds the limit of " +
                        std::to_string(max_entries));
    if (list.bytes > most_list_bytes)
        refuse("its list of files exceeds the limit of " + std::to_string(most_list_bytes) + " bytes");
    const auto bytes = bytes_at(list.offset, list.bytes);
    std::string_view rest = bytes;
    entries_.reserve(list.count);
    for (std::uint64_t i = 0; i < list.count; ++i) {
        if (rest.size() < listed_bytes || u32(rest, 0) != listed_signature) refuse("its list of files is damaged");
        const std::size_t name_bytes = u16(rest, 28), extra_bytes = u16(rest, 30), comment_bytes = u16(rest, 32);
        if (name_bytes + extra_bytes + comment_bytes > rest.size() - listed_bytes)
            refuse("its list of files is damaged");
        auto& entry = entries_.emplace_back(Entry{.name = std::string(rest.substr(listed_bytes, name_bytes)),
                                                  .offset = u32(rest, 42),
                                                  .packed_bytes = u32(rest, 20),
                                                  .bytes = u32(rest, 24),
                                                  .checksum = u32(rest, 16),
                                                  .method = u16(rest, 10),
                                                  .flags = u16(rest, 8)});
        if (u16(rest, 4) >> 8 == made_on_unix) entry.unix_mode = u16(rest, 40);
        if (!read_64_bits(rest.substr(listed_bytes + name_bytes, extra_bytes), entry))
            refuse("its list of files is damaged");
        rest.remove_prefix(listed_bytes + name_bytes + extra_bytes + comment_bytes);
    }
}

void ZipFile::refuse(std::string_view reason) const
{
    throw Error(Cause::malformed, {.file = file_}, "is not a readable zip file, so not an FMU: " + std::string(reason));
}

void ZipFile::refuse(const Entry& entry, std::string_view reason) const
{
    throw Error(Cause::malformed, {.file = file_}, "'" + entry.name + "' " + std::string(reason));
}

std::string ZipFile::bytes_at(std::uint64_t offset, std::uint64_t count) const
{
    if (offset > size_ || count > size_ - offset) refuse("it is cut off or damaged");
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
        const auto read =
            read_at(handle_, offset + done, std::as_writable_bytes(std::span(bytes).subspan(done)), file_);
        if (read == 0) refuse("it is cut off or damaged");
        done += read;
    }
    return bytes;
}

ZipFile::List ZipFile::find_list() const
{
    const auto tail_bytes = std::min<std::uint64_t>(size_, end_bytes + longest_comment);
    const auto tail = bytes_at(size_ - tail_bytes, tail_bytes);
    // It ends the file, before a comment of any text.
    for (auto at = tail.size() < end_bytes ? std::string::npos : tail.size() - end_bytes; at != std::string::npos;
         at = at == 0 ? std::string::npos : at - 1) {
        const auto end = std::string_view(tail).substr(at);
        if (u32(end, 0) != end_signature || u16(end, 20) > end.size() - end_bytes) continue;
        const auto offset = size_ - tail_bytes + at;
        if (offset >= locator_bytes && u32(bytes_at(offset - locator_bytes, locator_bytes), 0) == locator_signature)
            return list_of_64_bits(offset - locator_bytes);
        if (u16(end, 4) != 0 || u16(end, 6) != 0 || u16(end, 8) != u16(end, 10)) refuse("it has several parts");
        const List list{.offset = u32(end, 16), .bytes = u32(end, 12), .count = u16(end, 10)};
        if (list.offset > offset || list.bytes > offset - list.offset) refuse("it is cut off or damaged");
        return list;
    }
    refuse("Not a zip archive");
}

ZipFile::List ZipFile::list_of_64_bits(std::uint64_t locator) const
{
    const auto end = bytes_at(u64(bytes_at(locator, locator_bytes), 8), end_64_bytes);
    if (u32(end, 0) != end_64_signature) refuse("it is cut off or damaged");
    if (u32(end, 16) != 0 || u32(end, 20) != 0 || u64(end, 24) != u64(end, 32)) refuse("it has several parts");
    return {.offset = u64(end, 48), .bytes = u64(end, 40), .count = u64(end, 32)};
}

void ZipFile::read(const Entry& entry, const Take& take) const
{
    if ((entry.flags & encrypted) != 0) refuse(entry, "cannot be unpacked: it is encrypted");
    const auto header = bytes_at(entry.offset, local_bytes);
    if (u32(header, 0) != local_signature) refuse(entry, "cannot be unpacked: it is not where the zip file says");
    const auto offset = entry.offset + local_bytes + u16(header, 26) + u16(header, 28);
    if (offset > size_ || entry.packed_bytes > size_ - offset)
        refuse(entry, "cannot be unpacked: the zip file is cut off");
    if (entry.method == deflated) return inflate(entry, offset, take);
    if (entry.method != stored)
        refuse(entry, "cannot be unpacked: it has the compression method " + std::to_string(entry.method) +
                          ", an FMU has only deflate");
    Unpacked unpacked(entry, take);
    for (std::uint64_t done = 0; done < entry.packed_bytes;) {
        const auto piece = bytes_at(offset + done, std::min<std::uint64_t>(entry.packed_bytes - done, piece_bytes));
        if (!unpacked.add(piece)) refuse(entry, is_longer);
        done += piece.size();
    }
    if (!unpacked.is_complete()) refuse(entry, "is shorter than the zip file says");
    if (!unpacked.is_right()) refuse(entry, "cannot be unpacked: its checksum is wrong");
}

void ZipFile::inflate(const Entry& entry, std::uint64_t offset, const Take& take) const
{
    Unpacked unpacked(entry, take);
    Inflater inflater;
    std::string piece, output(piece_bytes, '\0');
    auto& stream = inflater.stream;
    for (std::uint64_t done = 0;;) {
        if (stream.avail_in == 0) {
            piece = bytes_at(offset + done, std::min<std::uint64_t>(entry.packed_bytes - done, piece_bytes));
            done += piece.size();
            stream.next_in = reinterpret_cast<Bytef*>(piece.data());
            stream.avail_in = static_cast<uInt>(piece.size());
        }
        stream.next_out = reinterpret_cast<Bytef*>(output.data());
        stream.avail_out = static_cast<uInt>(output.size());
        const auto result = ::inflate(&stream, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        if (result != Z_OK && result != Z_STREAM_END) refuse(entry, "cannot be unpacked: it is damaged");
        if (!unpacked.add({output.data(), output.size() - stream.avail_out})) refuse(entry, is_longer);
        if (result == Z_STREAM_END) break;
    }
    if (!unpacked.is_complete()) refuse(entry, "is shorter than the zip file says");
    if (!unpacked.is_right()) refuse(entry, "cannot be unpacked: its checksum is wrong");
}

}  // namespace ositrace::fmu
