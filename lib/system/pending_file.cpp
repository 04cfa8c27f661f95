// SPDX-License-Identifier: MPL-2.0
#include "lib/system/pending_file.hpp"

#include <atomic>
#include <string>
#include <string_view>

namespace ositrace {

namespace pending {

namespace {

constexpr int max_links = 40;  // the limit of the kernel
constexpr std::string_view hidden_front = ".ositrace-", hidden_end = ".tmp";

}  // namespace

std::filesystem::path follow_links(std::filesystem::path file)
{
    std::error_code none;
    for (int i = 0; i < max_links; ++i) {
        const auto target = std::filesystem::read_symlink(file, none);
        if (none) return file;
        file = file.parent_path() / target;  // an absolute target replaces the whole
    }
    return file;
}

std::string next_hidden_name(std::uint64_t process)
{
    static std::atomic<unsigned> count{0};
    return std::string(hidden_front) + std::to_string(process) + '-' + std::to_string(count++) +
           std::string(hidden_end);
}

bool is_hidden_name(std::string_view name)
{
    if (!name.starts_with(hidden_front) || !name.ends_with(hidden_end)) return false;
    return name.find_first_not_of("0123456789-", hidden_front.size()) == name.size() - hidden_end.size();
}

Error part_in_use(const std::filesystem::path& part)
{
    return {Cause::exists,
            part.string() + " is being written by another process; choose another name, or wait for its end."};
}

Error part_exists(const std::filesystem::path& part)
{
    return {Cause::exists,
            part.string() +
                " exists: a recording that did not end. Save what is in it with 'osiconvert recover', or "
                "use --overwrite to replace it."};
}

Error temporary_is_gone(const std::filesystem::path& target, const std::string& hidden_name)
{
    return {
        Cause::io, {.file = target}, "cannot be finished: its " + hidden_name + " was removed or replaced meanwhile"};
}

}  // namespace pending

}  // namespace ositrace
