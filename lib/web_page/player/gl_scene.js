// SPDX-License-Identifier: MPL-2.0
// Draws batches by WebGL 2; the shaders are those of gui/render/primitive_batches.cpp.
import {boxFloats, passes, segmentFloats, triangleFloats} from "./batches.js";

/** @typedef {import("./batches.js").Batch} Batch */
/** @typedef {import("./data.js").Theme} Theme */

const paletteSize = 96;
const common = `#version 300 es
precision highp float;
precision highp int;
uniform mat4 matrix;
uniform vec2 viewport;      // pixels
uniform float pixel;        // metres per pixel at a depth of 1
uniform float nearer;       // towards the eye, in clip coordinates
uniform vec4 palette[${paletteSize}];
vec4 colour_of(float look, float alpha) { vec4 c = palette[int(look + .5)]; return vec4(c.rgb, c.a * alpha); }
`;
const fragment = `#version 300 es
precision highp float;
in vec4 shade;
out vec4 colour;
void main() { if (shade.a < .004) discard; colour = shade; }
`;
const triangleShader = common + `
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 kind;
out vec4 shade;
void main() { shade = colour_of(kind.x, kind.y); gl_Position = matrix * vec4(place, 1); }
`;
const segmentShader = common + `
layout(location = 0) in vec3 before;
layout(location = 1) in vec3 from;
layout(location = 2) in vec3 to;
layout(location = 3) in vec3 after;
layout(location = 4) in vec4 kind;     // metres, pixels, look, alpha
out vec4 shade;
out float aside;
out float reach;
vec2 left_of(vec2 direction) { return vec2(-direction.y, direction.x); }
float depth_of(vec3 place) { return max((matrix * vec4(place, 1)).w, .01); }
vec4 flat_band(bool end, float side) {
    vec3 here = end ? to : from;
    vec2 own = left_of(normalize(to.xy - from.xy));
    vec2 next = end ? after.xy - to.xy : from.xy - before.xy;
    vec2 other = dot(next, next) > 1e-10 ? left_of(normalize(next)) : own;
    vec2 corner = own + other;
    corner = dot(corner, corner) > .1 ? normalize(corner) : own;
    float stretch = 1. / max(dot(corner, own), .5), unit = pixel * depth_of(here);
    reach = max(kind.x, kind.y * unit) / 2.;
    aside = side * (reach + unit);
    here.xy += aside * stretch * corner;
    return matrix * vec4(here, 1);
}
vec4 screen_band(bool end, float side, float pixels) {
    vec4 a = matrix * vec4(from, 1), b = matrix * vec4(to, 1);
    const float nearest = .02;
    if (a.w < nearest && b.w < nearest) return vec4(2, 2, 2, 1);
    if (a.w < nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
    along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1, 0);
    vec4 clip = end ? b : a;
    reach = pixels / 2.;
    aside = side * (reach + 1.);
    clip.xy += aside * left_of(along) * 2. / viewport * clip.w;
    return clip;
}
void main() {
    bool end = gl_VertexID > 1;
    float side = (gl_VertexID & 1) == 0 ? -1. : 1.;
    bool level = kind.x > 0. && distance(from.xy, to.xy) > 1e-5;
    float pixels = !level && kind.x > 0. ? max(kind.y, kind.x / (pixel * depth_of(from))) : kind.y;
    vec4 clip = level ? flat_band(end, side) : screen_band(end, side, pixels);
    clip.z -= nearer * clip.w;
    shade = colour_of(kind.z, kind.w);
    gl_Position = clip;
}
`;
const segmentFragment = `#version 300 es
precision highp float;
in vec4 shade;
in float aside;
in float reach;
out vec4 colour;
void main() {
    float covered = clamp((reach - abs(aside)) / max(fwidth(aside), 1e-6) + .5, 0., 1.);
    if (shade.a * covered < .004) discard;
    colour = vec4(shade.rgb, shade.a * covered);
}
`;
const boxShader = common + `
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 offset;
layout(location = 2) in vec3 normal;
layout(location = 3) in vec2 paint;    // paint, steers
layout(location = 4) in vec3 centre;
layout(location = 5) in vec3 ahead;
layout(location = 6) in vec3 left;
layout(location = 7) in vec3 upwards;
layout(location = 8) in vec4 kind;     // look, alpha, shines, steering
out vec4 shade;
const vec3 paints[6] = vec3[6](vec3(0), vec3(.10, .13, .17), vec3(.07), vec3(.55, .56, .58), vec3(.16, .17, .19),
                               vec3(.80, .62, .50));
vec3 steered(vec3 v) {
    float angle = paint.y * kind.w, c = cos(angle), s = sin(angle);
    return vec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
}
void main() {
    vec3 sides = vec3(length(ahead), length(left), length(upwards));
    mat3 axes = mat3(ahead / sides.x, left / sides.y, upwards / sides.z);
    vec3 local = place * sides + steered(offset) * sides.z;
    vec3 outwards = axes * (offset != vec3(0) ? steered(normal) : normalize(normal / sides));
    float light = .62 + .26 * max(outwards.z, 0.) + .12 * dot(outwards, normalize(vec3(.5, -.7, .3)));
    if (kind.z > .5) light = 1.;
    vec4 own = colour_of(kind.x, kind.y);
    shade = vec4((paint.x < .5 ? own.rgb : paints[int(paint.x + .5)]) * light, own.a);
    gl_Position = matrix * vec4(centre + axes * local, 1);
}
`;
const pointShader = common + `
layout(location = 0) in vec3 place;
layout(location = 1) in float level;
out vec4 shade;
vec3 turbo(float t) {
    const vec4 r4 = vec4(.13572138, 4.61539260, -42.66032258, 132.13108234);
    const vec4 g4 = vec4(.09140261, 2.19418839, 4.84296658, -14.18503333);
    const vec4 b4 = vec4(.10667330, 12.64194608, -60.58204836, 110.36276771);
    const vec2 r2 = vec2(-152.94239396, 59.28637943), g2 = vec2(4.27729857, 2.82956604);
    const vec2 b2 = vec2(-89.90310912, 27.34824973);
    vec4 v4 = vec4(1., t, t * t, t * t * t);
    vec2 v2 = v4.zw * v4.z;
    return vec3(dot(v4, r4) + dot(v2, r2), dot(v4, g4) + dot(v2, g2), dot(v4, b4) + dot(v2, b2));
}
void main() { shade = vec4(turbo(level), 1); gl_Position = matrix * vec4(place, 1); gl_PointSize = 2.5; }
`;

/** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} pixels */
function programOf(gl, vertex, pixels) {
    const program = gl.createProgram();
    for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, pixels]])) {
        const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "no program");
    /** @param {string} name */
    const uniform = name => gl.getUniformLocation(program, name);
    return {program, matrix: uniform("matrix"), viewport: uniform("viewport"), pixel: uniform("pixel"),
            nearer: uniform("nearer"), palette: uniform("palette")};
}

/** Floats on the card, and the attributes that read them. */
class Buffer {
    /** @param {WebGL2RenderingContext} gl */
    constructor(gl) {
        this.gl = gl;
        this.buffer = gl.createBuffer();
        this.count = 0;
    }
    /** @param {Float32Array} values @param {number} floats of an element @param {boolean} isKept */
    fill(values, floats, isKept) {
        const gl = this.gl;
        if (values.length === 0 && this.count === 0) return;
        this.count = values.length / floats;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, values, isKept ? gl.STATIC_DRAW : gl.DYNAMIC_DRAW);
    }
    /** @param {number} first location @param {number[]} sizes in floats @param {number} divisor */
    point(first, sizes, divisor) {
        const gl = this.gl, stride = 4 * sizes.reduce((sum, size) => sum + size, 0);
        let offset = 0;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        sizes.forEach((size, i) => {
            gl.enableVertexAttribArray(first + i);
            gl.vertexAttribPointer(first + i, size, gl.FLOAT, false, stride, offset);
            gl.vertexAttribDivisor(first + i, divisor);
            offset += 4 * size;
        });
    }
    drop() {
        this.gl.deleteBuffer(this.buffer);
    }
}

/** A batch on the card. */
class CardBatch {
    /** @param {WebGL2RenderingContext} gl */
    constructor(gl) {
        this.gl = gl;
        /** @type {Map<string, Buffer>} */
        this.buffers = new Map();
        /** @type {number[]} */
        this.shapes = [];
    }
    /** @param {string} name */
    buffer(name) {
        let buffer = this.buffers.get(name);
        if (!buffer) this.buffers.set(name, buffer = new Buffer(this.gl));
        return buffer;
    }
    /** @param {Batch} batch @param {boolean} isKept */
    fill(batch, isKept) {
        for (const pass of passes) {
            this.buffer(pass + " triangles").fill(batch.meshes[pass].triangles.used(), triangleFloats, isKept);
            this.buffer(pass + " segments").fill(batch.meshes[pass].segments.used(), segmentFloats, isKept);
        }
        this.buffer("edges").fill(batch.edges.used(), segmentFloats, isKept);
        this.buffer("glass").fill(batch.glass.used(), boxFloats, isKept);
        this.buffer("glow").fill(batch.glow.used(), boxFloats, isKept);
        this.shapes = [...batch.bodies.keys()];
        for (const [shape, boxes] of batch.bodies) this.buffer("body " + shape).fill(boxes.used(), boxFloats, isKept);
    }
    drop() {
        for (const buffer of this.buffers.values()) buffer.drop();
        this.buffers.clear();
    }
}

/** The scene by WebGL. Throws if the browser has none. */
export class GlScene {
    /** @param {HTMLCanvasElement} canvas @param {Map<number, {count: number, vertices: Float32Array}>} bodies */
    constructor(canvas, bodies) {
        const gl = canvas.getContext("webgl2", {antialias: false, alpha: false});
        if (!gl) throw new Error("WebGL 2 is not available");
        this.canvas = canvas;
        this.gl = gl;
        this.triangles = programOf(gl, triangleShader, fragment);
        this.segments = programOf(gl, segmentShader, segmentFragment);
        this.boxes = programOf(gl, boxShader, fragment);
        this.points = programOf(gl, pointShader, fragment);
        this.corners = gl.createVertexArray();
        this.bodies = new Map([...bodies].map(([shape, {vertices, count}]) => {
            const buffer = new Buffer(gl);
            buffer.fill(vertices, vertices.length / count, true);
            return [shape, buffer];
        }));
        /** @type {Map<number, CardBatch>} */
        this.layers = new Map();
        this.moving = new CardBatch(gl);
        this.cloud = new Buffer(gl);
        this.grid = new Buffer(gl);
    }
    /** Layers of the map stay on the card until this call. */
    dropLayers() {
        for (const batch of this.layers.values()) batch.drop();
        this.layers.clear();
    }
    /** @param {number} layer */
    hasLayer(layer) {
        return this.layers.has(layer);
    }
    /** @param {number} layer @param {Batch} batch */
    setLayer(layer, batch) {
        const onCard = new CardBatch(this.gl);
        onCard.fill(batch, true);
        this.layers.set(layer, onCard);
    }
    /** @param {Theme} theme */
    setTheme(theme) {
        const palette = new Float32Array(4 * paletteSize);
        [...theme.looks.slice(0, paletteSize - 1), ].forEach((colour, i) => palette.set(colour, 4 * i));
        palette.set(theme.grid, 4 * (paletteSize - 1));
        this.palette = palette;
        this.background = theme.background;
    }
    /** @param {import("./camera.js").Transform} view @param {number[]} layers @param {Batch} moving
     *  @param {Float32Array} points place and level @param {Float32Array} grid segments */
    draw(view, layers, moving, points, grid) {
        const gl = this.gl, {canvas} = this;
        this.moving.fill(moving, false);
        this.grid.fill(grid, segmentFloats, false);
        this.cloud.fill(points, 4, false);
        gl.viewport(0, 0, canvas.width, canvas.height);
        const [red, green, blue] = this.background ?? [0, 0, 0];
        gl.depthMask(true);
        gl.clearColor(red, green, blue, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.bindVertexArray(this.corners);
        for (const program of [this.triangles, this.segments, this.boxes, this.points]) {
            gl.useProgram(program.program);
            gl.uniformMatrix4fv(program.matrix, false, view.matrix);
            gl.uniform2f(program.viewport, canvas.width, canvas.height);
            gl.uniform1f(program.pixel, view.metresPerPixel * view.height / canvas.height);
            gl.uniform1f(program.nearer, 0);
            gl.uniform4fv(program.palette, this.palette ?? new Float32Array(4 * paletteSize));
        }
        const batches = /** @type {CardBatch[]} */ ([...layers.map(layer => this.layers.get(layer)), this.moving]
                                                        .filter(batch => batch));
        gl.disable(gl.DEPTH_TEST);
        for (const batch of batches) this.drawTriangles(batch, "ground triangles");
        this.drawSegments(this.grid);
        for (const batch of batches) {
            this.drawTriangles(batch, "flat triangles");
            this.drawSegments(batch.buffer("flat segments"));
        }
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
        for (const batch of batches) {
            for (const shape of batch.shapes) this.drawBoxes(batch.buffer("body " + shape), shape);
            this.drawTriangles(batch, "upright triangles");
        }
        gl.useProgram(this.segments.program);
        gl.uniform1f(this.segments.nearer, 1e-4);
        for (const batch of batches) {
            this.drawSegments(batch.buffer("upright segments"));
            this.drawSegments(batch.buffer("edges"));
        }
        this.drawPoints();
        gl.depthMask(false);
        for (const batch of batches) this.drawBoxes(batch.buffer("glass"), 0);
        gl.disable(gl.DEPTH_TEST);
        for (const batch of batches) {
            this.drawBoxes(batch.buffer("glow"), 0);
            this.drawTriangles(batch, "over triangles");
            this.drawSegments(batch.buffer("over segments"));
        }
    }
    /** @param {CardBatch} batch @param {string} name */
    drawTriangles(batch, name) {
        const buffer = batch.buffer(name);
        if (buffer.count === 0) return;
        this.gl.useProgram(this.triangles.program);
        buffer.point(0, [3, 2], 0);
        this.drawArrays(2, () => this.gl.drawArrays(this.gl.TRIANGLES, 0, buffer.count));
    }
    /** @param {Buffer} buffer */
    drawSegments(buffer) {
        if (buffer.count === 0) return;
        this.gl.useProgram(this.segments.program);
        buffer.point(0, [3, 3, 3, 3, 4], 1);
        this.drawArrays(5, () => this.gl.drawArraysInstanced(this.gl.TRIANGLE_STRIP, 0, 4, buffer.count));
    }
    /** @param {Buffer} buffer @param {number} shape */
    drawBoxes(buffer, shape) {
        const mesh = this.bodies.get(shape) ?? this.bodies.get(0);
        if (buffer.count === 0 || !mesh) return;
        this.gl.useProgram(this.boxes.program);
        mesh.point(0, [3, 3, 3, 2], 0);
        buffer.point(4, [3, 3, 3, 3, 4], 1);
        this.drawArrays(9, () => this.gl.drawArraysInstanced(this.gl.TRIANGLES, 0, mesh.count, buffer.count));
    }
    drawPoints() {
        if (this.cloud.count === 0) return;
        this.gl.useProgram(this.points.program);
        this.cloud.point(0, [3, 1], 0);
        this.drawArrays(2, () => this.gl.drawArrays(this.gl.POINTS, 0, this.cloud.count));
    }
    /** @param {number} locations @param {() => void} draw */
    drawArrays(locations, draw) {
        draw();
        for (let i = 0; i < locations; ++i) this.gl.disableVertexAttribArray(i);
    }
}

export const gridLook = paletteSize - 1;
