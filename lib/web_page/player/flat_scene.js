// SPDX-License-Identifier: MPL-2.0
// Draws batches from above on a canvas, for browsers without WebGL 2.
import {boxFloats, passes, segmentFloats, triangleFloats} from "./batches.js";

/** @typedef {import("./batches.js").Batch} Batch */
/** @typedef {import("./camera.js").Transform} Transform */

/** @param {number[]} colour @param {number} alpha */
export const cssColour = (colour, alpha = 1) => `rgba(${colour.slice(0, 3).map(level => Math.round(255 * level)).join(",")},${
    (colour[3] ?? 1) * alpha})`;

export class FlatScene {
    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        this.canvas = canvas;
        this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        /** @type {Map<number, Batch>} */
        this.layers = new Map();
    }
    dropLayers() {
        this.layers.clear();
    }
    /** @param {number} layer */
    hasLayer(layer) {
        return this.layers.has(layer);
    }
    /** @param {number} layer @param {Batch} batch */
    setLayer(layer, batch) {
        this.layers.set(layer, batch);
    }
    /** @param {import("./data.js").Theme} theme */
    setTheme(theme) {
        this.theme = theme;
    }
    /** @param {Transform} view @param {number[]} layers @param {Batch} moving @param {Float32Array} points
     *  @param {Float32Array} grid */
    draw(view, layers, moving, points, grid) {
        const {context, canvas} = this, theme = this.theme;
        if (!theme) return;
        const scale = canvas.height / view.height;
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.fillStyle = cssColour(theme.background);
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.setTransform(scale, 0, 0, scale, 0, 0);
        const batches = [...layers.map(layer => this.layers.get(layer)), moving].filter(batch => batch);
        for (const pass of passes)
            for (const batch of /** @type {Batch[]} */ (batches)) {
                this.drawTriangles(view, batch.meshes[pass].triangles.used());
                this.drawSegments(view, batch.meshes[pass].segments.used());
                if (pass === "upright") {
                    for (const boxes of [...batch.bodies.values(), batch.glass]) this.drawBoxes(view, boxes.used());
                    this.drawSegments(view, batch.edges.used());
                }
            }
        this.drawSegments(view, grid);
        context.fillStyle = cssColour(theme.highlight);
        for (let i = 0; i < points.length; i += 4) {
            const at = view.project([points[i], points[i + 1], points[i + 2]]);
            if (at) context.fillRect(at[0] - 1, at[1] - 1, 2, 2);
        }
    }
    /** @param {number} look @param {number} alpha */
    colour(look, alpha) {
        const theme = /** @type {import("./data.js").Theme} */ (this.theme);
        return cssColour(theme.looks[look] ?? theme.grid, alpha);
    }
    /** @param {Transform} view @param {Float32Array} values @param {number[]} starts of places */
    path(view, values, starts) {
        this.context.beginPath();
        for (const start of starts) {
            const at = view.project([values[start], values[start + 1], values[start + 2]]);
            if (at) this.context.lineTo(at[0], at[1]);
        }
    }
    /** @param {Transform} view @param {Float32Array} values */
    drawTriangles(view, values) {
        for (let i = 0; i < values.length; i += 3 * triangleFloats) {
            const corners = [0, 1, 2].map(k => i + k * triangleFloats);
            const alpha = Math.min(...corners.map(corner => values[corner + 4]));
            if (alpha === 0) continue;
            this.path(view, values, corners);
            this.context.fillStyle = this.context.strokeStyle = this.colour(values[i + 3], alpha);
            this.context.fill();
            this.context.lineWidth = 0.5;
            this.context.stroke();
        }
    }
    /** @param {Transform} view @param {Float32Array} values */
    drawSegments(view, values) {
        for (let i = 0; i < values.length; i += segmentFloats) {
            this.path(view, values, [i + 3, i + 6]);
            this.context.lineWidth = Math.max(values[i + 12] / view.metresPerPixel, values[i + 13]);
            this.context.strokeStyle = this.colour(values[i + 14], values[i + 15]);
            this.context.stroke();
        }
    }
    /** The tops of boxes. @param {Transform} view @param {Float32Array} values */
    drawBoxes(view, values) {
        for (let i = 0; i < values.length; i += boxFloats) {
            this.context.beginPath();
            for (const [ahead, left] of [[1, 1], [1, -1], [-1, -1], [-1, 1]]) {
                /** @param {number} k */
                const side = k => values[i + k] + ahead / 2 * values[i + 3 + k] + left / 2 * values[i + 6 + k];
                const at = view.project([side(0), side(1), side(2)]);
                if (at) this.context.lineTo(at[0], at[1]);
            }
            this.context.closePath();
            this.context.fillStyle = this.colour(values[i + 12], values[i + 13]);
            this.context.fill();
        }
    }
}
