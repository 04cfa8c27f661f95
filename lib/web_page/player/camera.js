// SPDX-License-Identifier: MPL-2.0
// The camera; the same as gui/render/camera.cpp.

/** @typedef {[number, number, number]} Vector */

/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {number} s @param {Vector} a @returns {Vector} */
export const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Columns of Rz(yaw) Ry(pitch) Rx(roll). @param {number} roll @param {number} pitch @param {number} yaw
 *  @returns {[Vector, Vector, Vector]} */
export function rotationAxes(roll, pitch, yaw) {
    const cr = Math.cos(roll), sr = Math.sin(roll), cp = Math.cos(pitch), sp = Math.sin(pitch);
    const cy = Math.cos(yaw), sy = Math.sin(yaw);
    return [[cy * cp, sy * cp, -sp], [cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr],
            [cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr]];
}

const halfHeight = Math.tan(Math.PI / 8), birdHeight = 3000;

export class Camera {
    constructor() {
        this.view = "3d";
        /** @type {Vector} */
        this.target = [0, 0, 0];
        this.distance = 30;
        this.yaw = 0;
        this.pitch = 0.5;
    }
}

/** From places to pixels and back. */
export class Transform {
    /** @param {Camera} camera @param {number} width @param {number} height */
    constructor(camera, width, height) {
        this.width = width;
        this.height = height;
        this.parallel = camera.view === "bird";
        const pitch = camera.pitch, c = Math.cos(camera.yaw), s = Math.sin(camera.yaw);
        /** @type {Vector} */
        this.right = [s, -c, 0];
        /** @type {Vector} */
        this.forward = this.parallel ? [0, 0, -1] : [c * Math.cos(pitch), s * Math.cos(pitch), -Math.sin(pitch)];
        /** @type {Vector} */
        this.up = this.parallel ? [c, s, 0] : cross(this.right, this.forward);
        this.eye = minus(camera.target, times(this.parallel ? birdHeight : camera.distance, this.forward));
        const aspect = width / height, d = camera.distance;
        this.near = Math.min(Math.max(d / 100, 0.1), 5);
        this.far = this.parallel ? 2 * birdHeight : 4000 + 20 * d;
        this.half = this.parallel ? halfHeight * d : halfHeight;
        const lens = this.parallel
            ? {x: 1 / (aspect * this.half), y: 1 / this.half, z: -2 / this.far, z1: -1, w: 0, w1: 1}
            : {x: 1 / (aspect * this.half), y: 1 / this.half, z: -(this.far + this.near) / (this.far - this.near),
               z1: -2 * this.far * this.near / (this.far - this.near), w: -1, w1: 0};
        const back = times(-1, this.forward);
        const eye = [this.right, this.up, back].map(axis => [...axis, -dot(axis, this.eye)]);
        const rows = [eye[0].map(v => v * lens.x), eye[1].map(v => v * lens.y),
                      eye[2].map((v, i) => v * lens.z + (i === 3 ? lens.z1 : 0)),
                      eye[2].map((v, i) => v * lens.w + (i === 3 ? lens.w1 : 0))];
        this.rows = rows;
        /** By column, as WebGL reads it. */
        this.matrix = new Float32Array(16).map((_, i) => rows[i % 4][i >> 2]);
        this.metresPerPixel = 2 * this.half / height;
    }
    /** Pixels and depth; null behind the eye. @param {Vector} p @returns {?Vector} */
    project(p) {
        const [x, y, , w] = this.rows.map(row => row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
        if (!(w >= (this.parallel ? 0.5 : this.near))) return null;
        return [(x / w + 1) / 2 * this.width, (1 - y / w) / 2 * this.height, dot(minus(p, this.eye), this.forward)];
    }
    /** Where the line of sight through a pixel meets a level. @param {number} x @param {number} y @param {number} z
     *  @returns {?Vector} */
    onLevel(x, y, z) {
        const across = (2 * x / this.width - 1) * this.half * this.width / this.height;
        const upwards = (1 - 2 * y / this.height) * this.half;
        const aside = plus(times(across, this.right), times(upwards, this.up));
        if (this.parallel) {
            const place = plus(this.eye, aside);
            return [place[0], place[1], z];
        }
        const direction = plus(this.forward, aside), along = (z - this.eye[2]) / direction[2];
        return along > 0 && along < this.far ? plus(this.eye, times(along, direction)) : null;
    }
    /** @param {Vector} p */
    metresPerPixelAt(p) {
        return this.parallel ? this.metresPerPixel
                             : this.metresPerPixel * Math.max(dot(minus(p, this.eye), this.forward), this.near);
    }
}

/** Moves the camera so that all places are visible. @param {Camera} camera @param {Vector[]} places
 *  @param {number} width @param {number} height */
export function frameAll(camera, places, width, height) {
    if (places.length === 0) return;
    /** @type {Vector} */
    const least = [...places[0]], most = /** @type {Vector} */ ([...places[0]]);
    for (const place of places)
        for (let k = 0; k < 3; ++k) {
            least[k] = Math.min(least[k], place[k]);
            most[k] = Math.max(most[k], place[k]);
        }
    camera.target = times(0.5, plus(least, most));
    camera.target[2] = least[2];
    const margin = 0.1;
    for (camera.distance = 20; camera.distance < 20000; camera.distance *= 1.1) {
        const view = new Transform(camera, width, height);
        const fits = places.every(place => {
            const at = view.project(place);
            return at && at[0] > margin * width && at[0] < (1 - margin) * width && at[1] > margin * height &&
                   at[1] < (1 - margin) * height;
        });
        if (fits) return;
    }
}
