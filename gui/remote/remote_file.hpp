// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <QString>

#include <ositrace/random_access.hpp>

namespace ositrace::gui {

/// Is it the URL of a file on a server: `https://host/drive.mcap`, `http://...`?
[[nodiscard]] bool is_remote(std::string_view name) noexcept;
/// Its server: `host:8000`.
[[nodiscard]] QString server_of(const std::filesystem::path& url);

/// A file on a server, of which only the parts that are read are fetched. At most 64 MiB of them are kept. Needs the
/// module with Qt Network beside the program or in its library folder, and an application object, for which it waits.
/// Throws Error (unsupported) without the module, (io) with what the server answers, (cancelled) for a stop. Not in the
/// GUI thread. `stop`: of the first request; stop_remote_reads() ends later ones.
[[nodiscard]] std::shared_ptr<const RandomAccess> open_remote(const std::string& url, const std::stop_token& stop);

/// Ends all reading of the files that are open: threads that wait for a server throw Error (cancelled). Before a window
/// waits for its threads.
void stop_remote_reads() noexcept;

/// The bytes that were fetched of a remote file so far; 0 for another one.
[[nodiscard]] std::uint64_t fetched_bytes(const RandomAccess& file) noexcept;

}  // namespace ositrace::gui
