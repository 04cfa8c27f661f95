// SPDX-License-Identifier: MPL-2.0
// Turns marks into what a graphics card draws; the same passes as gui/render/tessellate.cpp.
import {plus, times, rotationAxes} from "./camera.js";

/** @typedef {import("./camera.js").Vector} Vector */
/** @typedef {import("./data.js").Shapes} Shapes */

/** @typedef {import("./data.js").LookKind} LookKind */
/** @typedef {import("./data.js").CategoryKind} CategoryKind */

/** A list of numbers that grows. */
class Numbers {
    constructor() {
        this.values = new Float32Array(256);
        this.size = 0;
    }
    /** Where so many more are written. @param {number} more */
    room(more) {
        const at = this.size;
        this.size += more;
        if (this.size > this.values.length) {
            const larger = new Float32Array(2 * Math.max(this.values.length, this.size));
            larger.set(this.values);
            this.values = larger;
        }
        return at;
    }
    /** A corner of a triangle. @param {Vector} place @param {number} look @param {number} alpha */
    addCorner(place, look, alpha) {
        let at = this.room(triangleFloats);
        const {values} = this;
        values[at++] = place[0];
        values[at++] = place[1];
        values[at++] = place[2];
        values[at++] = look;
        values[at] = alpha;
    }
    /** @param {Vector} before @param {Vector} from @param {Vector} to @param {Vector} after @param {number} metres
     *  @param {number} pixels @param {number} look @param {number} alpha */
    addSegment(before, from, to, after, metres, pixels, look, alpha) {
        let at = this.room(segmentFloats);
        const {values} = this;
        for (let k = 0; k < 3; ++k) {
            values[at + k] = before[k];
            values[at + 3 + k] = from[k];
            values[at + 6 + k] = to[k];
            values[at + 9 + k] = after[k];
        }
        at += 12;
        values[at++] = metres;
        values[at++] = pixels;
        values[at++] = look;
        values[at] = alpha;
    }
    /** @param {Vector} centre @param {Vector[]} axes as long as its sides @param {number} look @param {number} alpha
     *  @param {number} shines @param {number} steering */
    addBox(centre, axes, look, alpha, shines, steering) {
        let at = this.room(boxFloats);
        const {values} = this;
        for (let k = 0; k < 3; ++k) {
            values[at + k] = centre[k];
            values[at + 3 + k] = axes[0][k];
            values[at + 6 + k] = axes[1][k];
            values[at + 9 + k] = axes[2][k];
        }
        at += 12;
        values[at++] = look;
        values[at++] = alpha;
        values[at++] = shines;
        values[at] = steering;
    }
    clear() {
        this.size = 0;
    }
    used() {
        return this.values.subarray(0, this.size);
    }
}

export const triangleFloats = 5, segmentFloats = 16, boxFloats = 16;
export const passes = /** @type {const} */ (["ground", "flat", "upright", "over"]);
const smallestSide = 0.02, linePixels = 1.25, glowAlpha = 110 / 255;

/** What is drawn of some marks: triangles (place, look, alpha), segments (before, from, to, after, metres, pixels, look,
 *  alpha), boxes (centre, three axes as long as its sides, look, alpha, shines, steering). */
export class Batch {
    /** @param {LookKind[]} looks */
    constructor(looks) {
        this.looks = looks;
        /** @type {{[pass: string]: {triangles: Numbers, segments: Numbers}}} */
        this.meshes = Object.fromEntries(passes.map(pass => [pass, {triangles: new Numbers(), segments: new Numbers()}]));
        /** By body shape. @type {Map<number, Numbers>} */
        this.bodies = new Map();
        this.glass = new Numbers();
        this.glow = new Numbers();
        this.edges = new Numbers();
    }
    clear() {
        for (const pass of passes) {
            this.meshes[pass].triangles.clear();
            this.meshes[pass].segments.clear();
        }
        for (const boxes of this.bodies.values()) boxes.clear();
        this.glass.clear();
        this.glow.clear();
        this.edges.clear();
    }
    /** @param {Shapes} shapes @param {(thing: number) => ?CategoryKind} kindOf of a thing; null: it is hidden
     *  @param {Pose} [pose] that the places are relative to @param {boolean} [isFar] nobody sees its details */
    add(shapes, kindOf, pose = new Pose(), isFar = false) {
        const {lines, strips, points} = shapes;
        /** @param {number} i @returns {Vector} */
        const pointAt = i => pose.place([points[0][i], points[1][i], points[2][i]]);
        let next = 0;
        for (const line of lines) {
            const first = next;
            next += line[6];
            const kind = kindOf(line[0]);
            if (kind && line[6] >= 2)
                this.addLine(line, kind, Array.from({length: line[6]}, (_, i) => pointAt(first + i)));
        }
        for (const strip of strips) {
            const first = next;
            next += strip[4];
            const kind = kindOf(strip[0]);
            if (kind) this.addStrip(strip, kind, Array.from({length: strip[4]}, (_, i) => pointAt(first + i)));
        }
        for (const box of shapes.boxes) if (kindOf(box[0])) this.addBox(box, pose, isFar);
    }
    /** @param {CategoryKind} kind @param {boolean} upright */
    meshOf(kind, upright) {
        if (upright && !kind.isLight) return this.meshes.upright;
        return kind.isLight || kind.isOver ? this.meshes.over : this.meshes.flat;
    }
    /** @param {number[]} strip @param {CategoryKind} kind @param {Vector[]} places */
    addStrip([, look, fading, strength], kind, places) {
        const {triangles} = kind.isLane ? this.meshes.ground
                          : kind.hasFace ? this.meshes[fading ? "over" : "upright"] : this.meshOf(kind, kind.hasBody);
        for (let i = 0; i + 2 < places.length; ++i)
            for (let k = i; k < i + 3; ++k) triangles.addCorner(places[k], look, fading && k % 2 ? 0 : strength);
    }
    /** @param {number[]} line @param {CategoryKind} kind @param {Vector[]} places */
    addLine([, look, arrow, width, height, strength], kind, places) {
        const mesh = this.meshOf(kind, height > 0), last = places.length - 1;
        if (arrow) this.addArrowHead(mesh, places, width, look, strength);
        for (let i = 0; i < last; ++i) {
            const ends = [places[Math.max(i - 1, 0)], places[i], places[i + 1], places[Math.min(i + 2, last)]];
            if (height > 0) {
                const up = /** @type {Vector} */ ([0, 0, height]);
                const [from, to, topFrom, topTo] = [ends[1], ends[2], plus(ends[1], up), plus(ends[2], up)];
                for (const corner of [from, to, topTo, from, topTo, topFrom]) mesh.triangles.addCorner(corner, look, strength);
                ends.forEach((end, k) => ends[k] = plus(end, up));
            }
            mesh.segments.addSegment(ends[0], ends[1], ends[2], ends[3], width, linePixels, look, strength);
        }
    }
    /** Flat, with its tip at the end of the line; the line ends in its middle.
     *  @param {{triangles: Numbers}} mesh @param {Vector[]} places @param {number} width @param {number} look
     *  @param {number} strength */
    addArrowHead(mesh, places, width, look, strength) {
        const tip = places[places.length - 1], before = places[places.length - 2];
        const reach = Math.hypot(tip[0] - before[0], tip[1] - before[1]);
        if (!(reach > 1e-3)) return;
        const along = /** @type {Vector} */ ([(tip[0] - before[0]) / reach, (tip[1] - before[1]) / reach, 0]);
        const aside = /** @type {Vector} */ ([-along[1], along[0], 0]);
        const smallest = Math.max(4.5 * width, 0.3);
        const head = Math.min(Math.min(Math.max(0.1 * reach, smallest), Math.max(smallest, 1.2)), reach);
        const back = plus(tip, times(-head, along));
        for (const corner of [tip, plus(back, times(0.4 * head, aside)), plus(back, times(-0.4 * head, aside))])
            mesh.triangles.addCorner(corner, look, strength);
        places[places.length - 1] = plus(tip, times(-0.7 * head, along));
    }
    /** @param {number[]} box @param {Pose} pose @param {boolean} isFar */
    addBox([, look, shape, wire, strength, x, y, z, length, width, height, roll, pitch, yaw], pose, isFar) {
        const {isLamp, shines} = this.looks[look];
        if (isFar && isLamp && !shines) return;
        const axes = rotationAxes(roll, pitch, yaw).map(axis => pose.direction(axis));
        const sides = [length, width, height].map(side => Math.max(side, smallestSide));
        const centre = pose.place([x, y, z]), scaled = axes.map((axis, k) => times(sides[k], axis));
        if (!wire) {
            const boxes = strength < 1 ? this.glass : this.bodiesOf(isFar ? 0 : shape);
            boxes.addBox(centre, scaled, look, strength, shines ? 1 : 0, pose.steering);
        }
        if (isLamp && !wire) {
            if (shines) this.glow.addBox(centre, scaled, look, glowAlpha, 1, 0);
        } else if (wire || shape === 0) {
            this.addEdges(centre, scaled, look, wire ? 2 : 1.25, wire ? 1 : 0.5);
        }
    }
    /** @param {number} shape */
    bodiesOf(shape) {
        const known = this.bodies.get(shape);
        if (known) return known;
        const boxes = new Numbers();
        this.bodies.set(shape, boxes);
        return boxes;
    }
    /** @param {Vector} centre @param {Vector[]} axes @param {number} look @param {number} pixels @param {number} alpha */
    addEdges(centre, axes, look, pixels, alpha) {
        for (const [a, b] of boxEdges(centre, axes)) this.edges.addSegment(a, a, b, b, 0, pixels, look, alpha);
    }
}

/** @param {Vector} centre @param {Vector[]} axes @returns {[Vector, Vector][]} */
export function boxEdges(centre, axes) {
    /** @param {number} which */
    const corner = which => axes.reduce((place, axis, k) => plus(place, times(which >> k & 1 ? 0.5 : -0.5, axis)), centre);
    /** @type {[Vector, Vector][]} */
    const edges = [];
    for (let from = 0; from < 8; ++from)
        for (let k = 0; k < 3; ++k) if (!(from >> k & 1)) edges.push([corner(from), corner(from | 1 << k)]);
    return edges;
}

/** Where a thing is. */
export class Pose {
    /** @param {Vector} [centre] @param {number} [roll] @param {number} [pitch] @param {number} [yaw]
     *  @param {number} [steering] */
    constructor(centre = [0, 0, 0], roll = 0, pitch = 0, yaw = 0, steering = 0) {
        this.centre = centre;
        this.axes = rotationAxes(roll, pitch, yaw);
        this.steering = steering;
    }
    /** @param {Vector} v @returns {Vector} */
    direction(v) {
        const [a, b, c] = this.axes;
        return [v[0] * a[0] + v[1] * b[0] + v[2] * c[0], v[0] * a[1] + v[1] * b[1] + v[2] * c[1],
                v[0] * a[2] + v[1] * b[2] + v[2] * c[2]];
    }
    /** @param {Vector} v @returns {Vector} */
    place(v) {
        return plus(this.centre, this.direction(v));
    }
}

/** @param {import("./data.js").Track} track @param {number} i */
export const poseOf = (track, i) => new Pose(track.place(i), track.rotation[0][i], track.rotation[1][i],
                                             track.rotation[2][i], track.steering[i]);
