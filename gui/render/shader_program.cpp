// SPDX-License-Identifier: MPL-2.0
#include "gui/render/shader_program.hpp"

#include <string>

#include <ositrace/error.hpp>

namespace ositrace::gui {

namespace {

constexpr std::string_view common_head = R"(
uniform mat4 matrix;
uniform vec2 viewport;       // pixels
uniform float pixel;         // metres per pixel at a depth of one metre
uniform vec4 crop;
uniform float depth_step;    // towards the eye, so that a shape on a surface is visible
uniform uint selected;
uniform vec4 highlight;
vec4 place_on_screen(vec4 clip) { return vec4((clip.xy - crop.xy * clip.w) * crop.zw, clip.zw); }
bool is_selected(uint thing) { return thing == selected && thing != 0xffffffffu; }
vec4 emphasized(vec4 colour, uint thing)
{
    if (is_selected(thing)) return vec4(mix(colour.rgb, highlight.rgb, .6), max(colour.a, .6));
    return colour;
}
)";

constexpr std::string_view colour_head = R"(
out vec4 seen;
void put(vec4 colour, uint thing) { seen = colour; }
)";

constexpr std::string_view pick_head = R"(
out uvec2 seen;
uniform uint layer;
void put(vec4 colour, uint thing)
{
    if (thing == 0xffffffffu || colour.a < .02) discard;
    seen = uvec2(thing + 1u, layer);
}
)";

std::string log_of(GLuint name, void (*length)(GLuint, GLenum, GLint*),
                   void (*text)(GLuint, GLsizei, GLsizei*, GLchar*))
{
    GLint bytes = 0;
    length(name, GL_INFO_LOG_LENGTH, &bytes);
    std::string log(static_cast<std::size_t>(bytes > 0 ? bytes : 1), '\0');
    text(name, static_cast<GLsizei>(log.size()), nullptr, log.data());
    return log.substr(0, log.find('\n'));
}

GLuint compile(GLenum stage, std::initializer_list<std::string_view> parts)
{
    std::string source = "#version 330 core\n";
    for (const auto part : parts) source += part;
    const auto shader = glCreateShader(stage);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    const auto log = log_of(shader, glGetShaderiv, glGetShaderInfoLog);
    glDeleteShader(shader);
    throw Error(Cause::unsupported, "the OpenGL driver cannot compile a shader:  " + log);
}

GLuint link(std::string_view vertex, std::string_view fragment, std::string_view fragment_head)
{
    const auto first = compile(GL_VERTEX_SHADER, {common_head, vertex});
    const auto second = compile(GL_FRAGMENT_SHADER, {common_head, fragment_head, fragment});
    const auto program = glCreateProgram();
    for (const auto shader : {first, second}) {
        glAttachShader(program, shader);
        glDeleteShader(shader);  // deleted together with the program
    }
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) return program;
    const auto log = log_of(program, glGetProgramiv, glGetProgramInfoLog);
    glDeleteProgram(program);
    throw Error(Cause::unsupported, "the OpenGL driver cannot link a shader:  " + log);
}

}  // namespace

ShaderProgram::ShaderProgram(std::string_view vertex, std::string_view fragment)
    : vertex_(vertex), fragment_(fragment), colour_(link(vertex, fragment, colour_head))
{
}

ShaderProgram::ShaderProgram(ShaderProgram&& other) noexcept
    : vertex_(std::move(other.vertex_)),
      fragment_(std::move(other.fragment_)),
      colour_(std::exchange(other.colour_, 0)),
      pick_(std::exchange(other.pick_, 0))
{
}

ShaderProgram::~ShaderProgram()
{
    if (colour_ != 0) glDeleteProgram(colour_);
    if (pick_ != 0) glDeleteProgram(pick_);
}

GLuint ShaderProgram::use(const DrawContext& context) const
{
    if (context.picking && pick_ == 0) pick_ = link(vertex_, fragment_, pick_head);
    const auto program = context.picking ? pick_ : colour_;
    const auto& view = *context.view;
    std::array<float, 16> matrix{};
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<float>(view.matrix().m[i]);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix.data());
    glUniform2f(glGetUniformLocation(program, "viewport"), static_cast<float>(view.size().width),
                static_cast<float>(view.size().height));
    glUniform1f(glGetUniformLocation(program, "pixel"), static_cast<float>(view.metres_per_pixel()));
    glUniform1f(glGetUniformLocation(program, "depth_step"), static_cast<float>(view.depth_step()));
    glUniform4fv(glGetUniformLocation(program, "crop"), 1, context.crop.data());
    if (context.picking) glUniform1ui(glGetUniformLocation(program, "layer"), context.layer);
    glUniform1ui(glGetUniformLocation(program, "selected"), context.selected);
    glUniform4fv(glGetUniformLocation(program, "highlight"), 1, context.highlight.data());
    return program;
}

}  // namespace ositrace::gui
