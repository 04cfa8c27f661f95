// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/screenshot_options.hpp"

#include <cstdio>
#include <cstring>

#include <QCommandLineParser>
#include <QFile>

#include <ositrace/error.hpp>

namespace ositrace::gui {

namespace {

[[noreturn]] void refuse(const QString& option, const QString& value, const QString& expected)
{
    throw Error(Cause::usage, QStringLiteral("--%1 %2: expected %3").arg(option, value, expected).toStdString());
}

/// `moving-objects`
QString option_name(Category category)
{
    const auto name = name_of(category);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).replace(QLatin1Char(' '), QLatin1Char('-'));
}

void hide(RenderOptions& options, const QString& names)
{
    for (const auto& name : names.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        QStringList known;
        bool found = false;
        for (std::size_t i = 0; i < category_count; ++i) {
            known << option_name(static_cast<Category>(i));
            if (known.back() != name) continue;
            options.hidden.set(i);
            found = true;
        }
        if (!found) refuse(QStringLiteral("hide"), name, QStringLiteral("one of ") + known.join(QStringLiteral(", ")));
    }
}

void add_options(QCommandLineParser& parser)
{
    const auto add = [&](const char* name, const char* value = nullptr) {
        parser.addOption(value ? QCommandLineOption(QString::fromLatin1(name), {}, QString::fromLatin1(value)) : QCommandLineOption(QString::fromLatin1(name)));
    };
    for (const auto* name : {"screenshot", "time", "view", "size", "theme", "colour-by", "hide"}) add(name, "value");
    add("overwrite");
}

void set_view(ScreenshotRequest& request, const QString& view)
{
    if (view != QStringLiteral("bird") && view != QStringLiteral("3d")) refuse(QStringLiteral("view"), view, QStringLiteral("bird or 3d"));
    request.view = view == QStringLiteral("bird") ? View::bird : View::orbit;
}

void set_theme(ScreenshotRequest& request, const QString& theme)
{
    if (theme != QStringLiteral("dark") && theme != QStringLiteral("light")) refuse(QStringLiteral("theme"), theme, QStringLiteral("dark or light"));
    request.options.theme = theme == QStringLiteral("light") ? Theme::light : Theme::dark;
}

void set_size(ScreenshotRequest& request, const QString& text)
{
    const auto size = parse_size(text.toStdString());
    if (!size) refuse(QStringLiteral("size"), text, QStringLiteral("WIDTHxHEIGHT in pixels, from 16x16 to 16384x16384"));
    request.size = *size;
}

}  // namespace

bool asks_for_screenshot(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--") == 0) return false;
        if (std::strcmp(argv[i], "--screenshot") == 0 || std::strncmp(argv[i], "--screenshot=", 13) == 0) return true;
    }
    return false;
}

ScreenshotRequest parse_screenshot(const QStringList& arguments)
{
    QCommandLineParser parser;
    add_options(parser);
    if (!parser.parse(arguments)) throw Error(Cause::usage, parser.errorText().toStdString());
    const auto value = [&](const char* name) { return parser.value(QString::fromLatin1(name)); };
    const auto has = [&](const char* name) { return parser.isSet(QString::fromLatin1(name)); };
    ScreenshotRequest request{.output = QFile::encodeName(value("screenshot")).toStdString(), .overwrite = has("overwrite"),
                              .time = value("time").toStdString()};
    if (request.output.empty()) throw Error(Cause::usage, "--screenshot needs the name of a PNG file");
    for (const auto& file : parser.positionalArguments()) request.files.emplace_back(QFile::encodeName(file).toStdString());
    if (has("view")) set_view(request, value("view"));
    if (has("theme")) set_theme(request, value("theme"));
    if (has("size")) set_size(request, value("size"));
    if (has("hide")) hide(request.options, value("hide"));
    request.options.cloud_field = value("colour-by").toStdString();
    return request;
}

int run_screenshot(int argc, char** argv)
try {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QFile::decodeName(argv[i]);
    return take_screenshot(parse_screenshot(arguments));
} catch (const Error& error) {
    std::fprintf(stderr, "osiview: %s\n", error.what());
    return 2;
}

}  // namespace ositrace::gui
