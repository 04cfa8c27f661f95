// SPDX-License-Identifier: MPL-2.0
#include <ositrace/pending_output.hpp>

#include "lib/io/output_file.hpp"

namespace ositrace {

void write_file(const std::filesystem::path& file, bool overwrite,
                const std::function<void(const std::function<void(Bytes)>& append)>& content)
{
    OutputFile out(file, {.overwrite = overwrite});
    content([&](Bytes bytes) { out.write(bytes); });
    out.close();
}

void write_file(const std::filesystem::path& file, bool overwrite, Bytes content)
{
    write_file(file, overwrite, [&](const auto& append) { append(content); });
}

PendingOutput::PendingOutput(const std::filesystem::path& target, Kind kind, bool overwrite)
    : pending_(std::make_unique<PendingFile>(
          target, overwrite, kind == Kind::file ? PendingFile::Temporary::hidden : PendingFile::Temporary::folder))
{
}

PendingOutput::~PendingOutput() = default;

std::filesystem::path PendingOutput::path() const { return pending_->path(); }

void PendingOutput::publish() { pending_->publish(true); }

}  // namespace ositrace
