// SPDX-License-Identifier: MPL-2.0
// The look of the values of a StateView.
#include <algorithm>
#include <array>

#include "gui/states/state_view.hpp"

namespace ositrace::gui {

namespace {

/// What a value means: by the end of the name of its enum, and a word of its own name.
struct Meaning {
    std::string_view enumeration;  ///< empty: any
    std::string_view word;
    QRgb colour;
};

constexpr QRgb red = 0xffe5484d, bright_red = 0xffff1f3d, amber = 0xfff5a524, dark_amber = 0xffe07b00,
               orange = 0xffff6a3d, green = 0xff2fb36b, blue = 0xff3b82f6, white = 0xffe8eaee, black = 0xff15171a,
               violet = 0xff9b5de5, yellow = 0xffffd21f, grey = 0xff8b919b, warm = 0xfffff0a8;

constexpr std::array meanings{
    Meaning{"BrakeLightState", "NORMAL", red},
    Meaning{"BrakeLightState", "STRONG", bright_red},
    Meaning{"IndicatorState", "LEFT", amber},
    Meaning{"IndicatorState", "RIGHT", dark_amber},
    Meaning{"IndicatorState", "WARNING", orange},
    Meaning{"GenericLightState", "RED", violet},  // FLASHING_BLUE_AND_RED
    Meaning{"GenericLightState", "ON", warm},
    Meaning{"Mode", "CONSTANT", green},
    Meaning{"Mode", "FLASHING", amber},
    Meaning{"Mode", "COUNTING", blue},
    Meaning{"", "RED", red},
    Meaning{"", "AMBER", amber},
    Meaning{"", "YELLOW", yellow},
    Meaning{"", "ORANGE", orange},
    Meaning{"", "GREEN", green},
    Meaning{"", "BLUE", blue},
    Meaning{"", "VIOLET", violet},
    Meaning{"", "WHITE", white},
    Meaning{"", "BLACK", black},
    Meaning{"", "GREY", grey},
};

constexpr std::array faint_words{std::string_view("OFF"), std::string_view("UNKNOWN"), std::string_view("NONE")};

/// For values whose colour has no meaning: neighbours differ in hue and lightness, also for those who see no red.
constexpr std::array<QRgb, 10> palette{0xff4c9be8, 0xfff2a541, 0xff58b368, 0xffd65db1, 0xffc9b458,
                                       0xff7d7aff, 0xff2ec4b6, 0xffe07a5f, 0xff9ab87a, 0xffa98467};

/// Of further values it is darker or lighter, so that 40 differ.
QColor palette_colour(std::size_t order)
{
    constexpr std::array factors{100, 165, 65, 260};
    return QColor(palette.at(order % palette.size())).darker(factors.at(order / palette.size() % factors.size()));
}

bool has_word(std::string_view name, std::string_view word)
{
    while (!name.empty()) {
        const auto end = name.find('_');
        if (name.substr(0, end) == word) return true;
        name.remove_prefix(end == std::string_view::npos ? name.size() : end + 1);
    }
    return false;
}

/// Up to the last underscore that all names share: `COLOR_`.
std::size_t shared_beginning(const EnumTable& table)
{
    if (table.values.size() < 2) return 0;
    auto shared = table.values.front().name;
    for (const auto& value : table.values) {
        std::size_t same = 0;
        while (same != std::min(shared.size(), value.name.size()) && shared[same] == value.name[same]) ++same;
        shared = shared.substr(0, same);
    }
    const auto end = shared.rfind('_');
    return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

StateLook look_of(const FieldRow& field, std::string_view text, std::size_t order)
{
    StateLook look;
    look.colour = palette_colour(order);
    look.text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    if (field.kind == FieldKind::bool_) {
        look.is_faint = text == "false";
        look.colour = look.is_faint ? grey : palette.front();
    }
    if (field.enumeration == nullptr) return look;
    const auto beginning = shared_beginning(*field.enumeration);
    const auto name = text.size() > beginning ? text.substr(beginning) : text;
    look.text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    look.is_faint = std::ranges::any_of(faint_words, [&](std::string_view word) { return has_word(name, word); });
    const auto* const meaning = std::ranges::find_if(meanings, [&](const Meaning& each) {
        return field.enumeration->full_name.ends_with(each.enumeration) && has_word(name, each.word);
    });
    if (look.is_faint)
        look.colour = grey;
    else if (meaning != meanings.end())
        look.colour = meaning->colour;
    return look;
}

QColor text_colour_on(const QColor& colour)
{
    const auto brightness = 0.299F * colour.redF() + 0.587F * colour.greenF() + 0.114F * colour.blueF();
    return brightness > 0.55F ? QColor(0x14, 0x16, 0x1a) : QColor(Qt::white);
}

}  // namespace ositrace::gui
