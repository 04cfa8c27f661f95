// SPDX-License-Identifier: MPL-2.0
// A std::filesystem::path gives its text as UTF-8, but libstdc++ 12 makes one of a text with this facet, which asks
// the C library of Windows, whose locales know no UTF-8. These are its functions, for all of the program.
#include <codecvt>
#include <cwchar>
#include <locale>

namespace std {

namespace {

const codecvt_utf8_utf16<wchar_t>& utf8_facet() noexcept
{
    static const codecvt_utf8_utf16<wchar_t> facet(1);  // counted once, so that nothing deletes it
    return facet;
}

}  // namespace

codecvt_base::result codecvt<wchar_t, char, mbstate_t>::do_out(state_type& state, const intern_type* from,
                                                               const intern_type* from_end,
                                                               const intern_type*& from_next, extern_type* to,
                                                               extern_type* to_end, extern_type*& to_next) const
{
    return utf8_facet().out(state, from, from_end, from_next, to, to_end, to_next);
}

codecvt_base::result codecvt<wchar_t, char, mbstate_t>::do_in(state_type& state, const extern_type* from,
                                                              const extern_type* from_end,
                                                              const extern_type*& from_next, intern_type* to,
                                                              intern_type* to_end, intern_type*& to_next) const
{
    return utf8_facet().in(state, from, from_end, from_next, to, to_end, to_next);
}

int codecvt<wchar_t, char, mbstate_t>::do_length(state_type& state, const extern_type* from, const extern_type* end,
                                                 size_t most) const
{
    return utf8_facet().length(state, from, end, most);
}

int codecvt<wchar_t, char, mbstate_t>::do_encoding() const noexcept { return utf8_facet().encoding(); }
int codecvt<wchar_t, char, mbstate_t>::do_max_length() const noexcept { return utf8_facet().max_length(); }

}  // namespace std
