// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/picture.hpp>

namespace ositrace::picture {

/// Counts what could not be shown of one source: `3 moving objects without a position are not shown`. Bounded: there
/// are few kinds of things and few reasons; of broken things only the first error is kept.
class Notes {
public:
    /// Counts a `what` (`moving object`) that is left out because of `why` (`without a position`). Both must be
    /// literals.
    void leave_out(std::string_view what, std::string_view why, std::uint64_t count = 1)
    {
        add(what, why, "not shown", count);
    }
    /// `900 000 of 1 000 000 moving objects are not shown (limit 100 000)`.
    void cut_off(std::string_view what, std::uint64_t left, std::uint64_t all, std::string_view limit);
    /// Counts a thing that is shown in a simpler way: `how` is `shown as small boxes`.
    void make_do(std::string_view what, std::string_view why, std::string_view how) { add(what, why, how, 1); }
    /// Counts a thing that is shown normally, but with a remark: `how` is `identified by place in the list`.
    void mention(std::string_view what, std::string_view why, std::string_view how)
    {
        add(what, why, how, 1, PictureNote::Kind::information);
    }
    /// Counts a `what` that cannot be read.
    void unreadable(std::string_view what, const Error& error);
    void say(PictureNote::Kind kind, std::string text);
    /// Reports that the frame, or a part of it, is broken.
    void broken(const Error& error) { say(PictureNote::Kind::broken, error.what()); }

    /// Adds the counts of another one.
    void add_all(const Notes& other);
    void append_to(std::vector<PictureNote>& notes, std::uint32_t source) const;

private:
    struct Count {
        std::string_view what, why, how;
        PictureNote::Kind kind = PictureNote::Kind::left_out;
        std::uint64_t count = 0;
        std::string error;
    };
    struct Remark {
        PictureNote::Kind kind;
        std::string text;
        friend bool operator==(const Remark&, const Remark&) = default;
    };
    Count& add(std::string_view what, std::string_view why, std::string_view how, std::uint64_t count,
               PictureNote::Kind kind = PictureNote::Kind::left_out);

    std::vector<Count> counts_;
    std::vector<Remark> remarks_;
};

/// `900 000`.
[[nodiscard]] std::string in_thousands(std::uint64_t number);
/// `1 lane`, `2 lanes`, `3 lane boundaries`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view what);

}  // namespace ositrace::picture
