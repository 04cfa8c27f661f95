// SPDX-License-Identifier: MPL-2.0
// What is drawn over the scene: trails, velocities, labels, the selection.
import {boxEdges, poseOf} from "./batches.js";
import {plus, times} from "./camera.js";
import {cssColour} from "./flat_scene.js";

/** @typedef {import("./camera.js").Transform} Transform */
/** @typedef {import("./data.js").Track} Track */
/** @typedef {{track: Track, i: number}} Shown */

const slowest = 0.2;       // m/s: slower ones have no arrow
const trailSeconds = 3;
/** A trail has as many corners at most: a software renderer needs milliseconds for more. */
const trailPlaces = 12;
const smallestLabelled = 4;  // pixels

export class Overlay {
    /** @param {HTMLCanvasElement} canvas @param {import("./timeline.js").AnyPage} page */
    constructor(canvas, page) {
        this.canvas = canvas;
        this.page = page;
        this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", {willReadFrequently: true}));
    }
    /** @param {Transform} view @param {import("./data.js").Theme} theme @param {Shown[]} shown road users
     *  @param {?Track} selected @param {{labels: boolean, trails: boolean}} options @param {number} frame
     *  @param {import("./data.js").Thing[]} lights traffic lights that are lit */
    draw(view, theme, shown, selected, options, frame, lights) {
        const {context, canvas} = this, ratio = canvas.height / view.height;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, view.width, view.height);
        this.view = view;
        this.theme = theme;
        for (const {track, i} of shown) {
            if (options.trails) this.drawTrail(track, i, frame);
            this.drawVelocity(track, i);
        }
        if (view.parallel) this.drawLitLights(lights);
        const chosen = shown.find(({track}) => track === selected);
        if (chosen) this.drawOutline(chosen);
        if (options.labels) this.drawLabels(shown, selected);
        else if (chosen) this.drawLabels([chosen], selected);
    }
    /** @param {import("./camera.js").Vector[]} places */
    path(places) {
        const {context, view} = this;
        context.beginPath();
        let any = false;
        for (const place of places) {
            const at = view?.project(place);
            if (!at) continue;
            if (any) context.lineTo(at[0], at[1]); else context.moveTo(at[0], at[1]);
            any = true;
        }
    }
    /** @param {number} look */
    colour(look, alpha = 1) {
        return cssColour(this.theme?.looks[look] ?? [1, 1, 1, 1], alpha);
    }
    /** @param {Track} track @param {number} i @param {number} frame */
    drawTrail(track, i, frame) {
        const {times: frameTimes} = this.page, places = [];
        let first = i;
        while (first > 0 && track.frames[first] - track.frames[first - 1] <= 1 &&
               frameTimes[frame] - frameTimes[track.frames[first - 1]] <= trailSeconds) --first;
        const step = Math.max(1, Math.ceil((i - first) / trailPlaces));
        for (let k = i; k >= first; k -= step) {
            const place = track.place(k);
            place[2] -= track.size[2] / 2;
            places.push(place);
        }
        this.context.lineWidth = 2;
        const pieces = 4;
        for (let piece = 0; piece < pieces; ++piece) {
            const from = Math.floor(piece * (places.length - 1) / pieces);
            const to = Math.floor((piece + 1) * (places.length - 1) / pieces);
            if (to <= from) continue;
            this.path(places.slice(from, to + 1));
            this.context.strokeStyle = this.colour(track.look, 0.75 * (1 - piece / pieces));
            this.context.stroke();
        }
    }
    /** @param {Track} track @param {number} i */
    drawVelocity(track, i) {
        if (!(track.speed(i) >= slowest)) return;
        const from = track.place(i), to = plus(from, [track.velocity[0][i], track.velocity[1][i], track.velocity[2][i]]);
        const a = this.view?.project(from), b = this.view?.project(to);
        if (!a || !b) return;
        const {context} = this, reach = Math.hypot(b[0] - a[0], b[1] - a[1]);
        if (reach < 3) return;
        const along = [(b[0] - a[0]) / reach, (b[1] - a[1]) / reach], head = Math.min(8, reach);
        context.strokeStyle = context.fillStyle = this.colour(this.page.velocityLook, 0.9);
        context.lineWidth = 1.75;
        context.beginPath();
        context.moveTo(a[0], a[1]);
        context.lineTo(b[0] - head * 0.7 * along[0], b[1] - head * 0.7 * along[1]);
        context.stroke();
        context.beginPath();
        context.moveTo(b[0], b[1]);
        for (const side of [0.4, -0.4])
            context.lineTo(b[0] - head * (along[0] - side * along[1]), b[1] - head * (along[1] + side * along[0]));
        context.fill();
    }
    /** From above a housing hides the bulb; those of a post are side by side. @param {import("./data.js").Thing[]} lights */
    drawLitLights(lights) {
        const {context, view} = this;
        /** @type {Map<string, number>} */
        const at = new Map();
        for (const {centre, look} of lights) {
            const place = view?.project(centre);
            if (!place) continue;
            const post = place.slice(0, 2).map(Math.round).join(), before = at.get(post) ?? 0;
            at.set(post, before + 1);
            context.fillStyle = this.colour(look);
            context.beginPath();
            context.arc(place[0] + 9 * before, place[1], 4, 0, 2 * Math.PI);
            context.fill();
        }
    }
    /** @param {Shown} shown */
    drawOutline({track, i}) {
        const pose = poseOf(track, i);
        const axes = pose.axes.map((axis, k) => times(track.size[k] + 0.1, axis));
        this.context.strokeStyle = cssColour(this.theme?.highlight ?? [1, 1, 1, 1]);
        this.context.lineWidth = 2;
        for (const [a, b] of boxEdges(pose.centre, axes)) {
            this.path([a, b]);
            this.context.stroke();
        }
    }
    /** Labels have the size of the page's text. */
    resize() {
        this.fontSize = parseFloat(getComputedStyle(this.canvas).fontSize) * 0.86;
        this.widths.clear();
    }
    /** Of a label. @param {string} text */
    widthOf(text) {
        let width = this.widths.get(text);
        if (width === undefined) {
            if (this.widths.size > 1000) this.widths.clear();
            width = this.context.measureText(text).width;
            this.widths.set(text, width);
        }
        return width;
    }
    /** @type {Map<string, number>} */
    widths = new Map();
    fontSize = 12;
    /** The nearest first, as many as fit; the selected one always. @param {Shown[]} shown @param {?Track} selected */
    drawLabels(shown, selected) {
        const {context, view} = this;
        if (!view) return;
        /** @type {{text: string, x: number, y: number, near: number, chosen: boolean}[]} */
        const wanted = [];
        for (const {track, i} of shown) {
            const place = track.place(i);
            if (Math.max(...track.size) / view.metresPerPixelAt(place) < smallestLabelled) continue;
            const at = view.project(plus(place, [0, 0, track.size[2] / 2]));
            if (at) wanted.push({text: track.label, x: at[0], y: at[1] - 8, near: at[2], chosen: track === selected});
        }
        wanted.sort((a, b) => Number(b.chosen) - Number(a.chosen) || a.near - b.near);
        const size = this.fontSize;
        context.font = `${size}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "bottom";
        /** @type {number[][]} */
        const taken = [];
        for (const {text, x, y, chosen} of wanted) {
            const half = this.widthOf(text) / 2 + 4;
            const area = [x - half, y - size - 4, x + half, y + 2];
            if (!chosen && taken.some(other => area[0] < other[2] && area[2] > other[0] && area[1] < other[3] && area[3] > other[1]))
                continue;
            taken.push(area);
            context.fillStyle = chosen ? cssColour(this.theme?.highlight ?? [1, 1, 1, 1]) : "rgba(20,22,26,.78)";
            context.fillRect(area[0], area[1], 2 * half, size + 6);
            context.fillStyle = chosen ? "#14161a" : "#f2f4f7";
            context.fillText(text, x, y);
        }
        this.placed = taken.length;
    }
}
