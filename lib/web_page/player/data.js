// SPDX-License-Identifier: MPL-2.0
// The data of the page: packed by lib/web_page/page_encoder.cpp, read here.

const metres = 0.01, degrees = 0.1, speedStep = 0.01, percent = 0.01, thousandth = 0.001;
const boxColumns = 14, lineColumns = 7, stripColumns = 5, vertexColumns = 11;

/**
 * Marks of things. Places are metres, angles radians; columns as in lib/web_page/page_shapes.hpp.
 * @typedef {{boxes: number[][], lines: number[][], strips: number[][], points: Float32Array[]}} Shapes
 * @typedef {{source: number, category: number, look: number, id: string, label: string,
 *            centre: [number, number, number]}} Thing
 * @typedef {{things: Thing[], shapes: Shapes}} Layer
 * @typedef {{background: number[], grid: number[], highlight: number[], looks: number[][],
 *            categories: number[][]}} Theme
 * What a look and a category are drawn as; `isOver`: flat marks cover bodies; `isLight`: marks cover everything.
 * @typedef {{name: string, isLamp: boolean, shines: boolean}} LookKind
 * @typedef {{name: string, hidden: boolean, isLane: boolean, hasFace: boolean, hasBody: boolean, isRoadUser: boolean,
 *            isOver: boolean, isLight: boolean, isHost: boolean}} CategoryKind
 * `object`: the id of the one that does it; empty: none.
 * @typedef {{from: number, to: number, kind: string, object: string, text: string}} Event
 * Of a page that grows: number[].
 * @typedef {Float64Array | number[]} Column
 * @typedef {{frame: number, source: number, category: number, name: string, field: string, x: Float32Array,
 *            y: Float32Array, z: Float32Array, levels: Float32Array}} Cloud
 */

const utf8 = new TextDecoder();

/** Reads the primitives. */
export class Reader {
    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }
    number() {
        let value = 0, scale = 1;
        for (;;) {
            const byte = this.bytes[this.at++];
            if (byte === undefined) throw new Error("the data of the page is truncated");
            value += (byte & 0x7f) * scale;
            if (byte < 0x80) return value;
            scale *= 128;
        }
    }
    text() {
        const size = this.number();
        const text = utf8.decode(this.bytes.subarray(this.at, this.at + size));
        this.at += size;
        return text;
    }
    /** Differences from a prediction; see PageData::block(). @param {number} step @returns {Float64Array} */
    block(step = 1) {
        const count = this.number(), order = this.number();
        if (count > this.bytes.length - this.at) throw new Error("the data of the page is damaged");
        const values = new Float64Array(count);
        let last = 0, slope = 0;
        for (let i = 0; i < count; ++i) {
            const coded = this.number();
            const difference = coded % 2 ? -(coded - 1) / 2 - 1 : coded / 2;
            const value = (order === 0 ? 0 : order === 1 ? last : last + slope) + difference;
            slope = value - last;
            last = value;
            values[i] = value * step;
        }
        return values;
    }
    /** @param {number} count @param {(index: number) => number} stepOf @returns {Float64Array[]} */
    columns(count, stepOf) {
        return Array.from({length: count}, (_, i) => this.block(stepOf(i)));
    }
    colour() {
        return [0, 1, 2, 3].map(() => this.number() / 255);
    }
    /** @template T @param {number} count @param {() => T} read @returns {T[]} */
    list(count, read) {
        return Array.from({length: count}, read);
    }
}

const radians = degrees * Math.PI / 180;

/** Rows of columns. @param {Float64Array[]} columns @returns {number[][]} */
function rowsOf(columns) {
    return Array.from(columns[0], (_, i) => columns.map(column => column[i]));
}

/** @param {Reader} from @returns {Shapes} */
function readShapes(from) {
    const boxes = rowsOf(from.columns(boxColumns, i => i < 4 ? 1 : i === 4 ? percent : i < 11 ? metres : radians));
    const lines = rowsOf(from.columns(lineColumns, i => i === 3 || i === 4 ? metres : i === 5 ? percent : 1));
    const strips = rowsOf(from.columns(stripColumns, i => i === 3 ? percent : 1));
    const points = from.columns(3, () => metres).map(column => new Float32Array(column));
    return {boxes, lines, strips, points};
}

/** A thing over time. */
export class Track {
    /** @param {Reader} from */
    constructor(from) {
        this.source = from.number();
        this.category = from.number();
        this.id = from.text();
        this.look = from.number();
        this.label = from.text();
        this.type = from.text();
        this.size = [from.number() * metres, from.number() * metres, from.number() * metres];
        /** @type {Column} */
        this.frames = from.block();
        /** @type {Column[]} */
        this.places = from.columns(3, () => metres);
        /** @type {Column[]} */
        this.rotation = from.columns(3, () => radians);
        const hasVelocity = from.block(), velocities = from.columns(3, () => speedStep);
        /** NaN where the message has none. @type {Column[]} */
        this.velocity = velocities.map(column => {
            let next = 0;
            return hasVelocity.map(has => has ? column[next++] : NaN);
        });
        /** @type {Column} */
        this.steering = from.block(radians);
        /** @type {Column} */
        this.shape = from.block();
        this.shapes = from.list(from.number(), () => readShapes(from));
    }
    /** The index of a frame in the columns; -1: the frame does not have the thing. @param {number} frame */
    at(frame) {
        let low = 0, high = this.frames.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.frames[middle] < frame) low = middle + 1; else high = middle;
        }
        return this.frames[low] === frame ? low : -1;
    }
    /** @param {number} i @returns {[number, number, number]} */
    place(i) {
        return [this.places[0][i], this.places[1][i], this.places[2][i]];
    }
    /** m/s; NaN without one. @param {number} i */
    speed(i) {
        return Math.hypot(this.velocity[0][i], this.velocity[1][i], this.velocity[2][i]);
    }
}

/** @param {Reader} from @param {number} looks @param {number} categories @returns {Theme} */
function themeOf(from, looks, categories) {
    return {background: from.colour(), grid: from.colour(), highlight: from.colour(),
            looks: from.list(looks, () => from.colour()), categories: from.list(categories, () => from.colour())};
}

/** Place, offset, normal, paint, steers: 11 numbers a vertex. @param {Reader} from */
function readBody(from) {
    const columns = from.columns(vertexColumns, i => i < 9 ? thousandth : 1), count = columns[0].length;
    const vertices = new Float32Array(count * vertexColumns);
    for (let i = 0; i < count; ++i) columns.forEach((column, k) => vertices[i * vertexColumns + k] = column[i]);
    return {count, vertices};
}

/** @param {Reader} from @returns {Layer} */
export function readLayer(from) {
    const count = from.number();
    const sources = from.block(), categories = from.block(), looks = from.block();
    const centres = from.columns(3, () => metres);
    const things = from.list(count, () => ({id: from.text(), label: from.text()})).map(({id, label}, i) => (
        {source: sources[i], category: categories[i], look: looks[i], id, label,
         centre: /** @type {[number, number, number]} */ ([centres[0][i], centres[1][i], centres[2][i]])}));
    return {things, shapes: readShapes(from)};
}

/** @param {Reader} from @returns {Cloud} */
export function readCloud(from) {
    const frame = from.number(), source = from.number(), category = from.number();
    const name = from.text(), field = from.text();
    const [x, y, z] = from.columns(3, () => metres).map(column => new Float32Array(column));
    return {frame, source, category, name, field, x, y, z, levels: new Float32Array(from.block(1 / 255))};
}

/** What a page begins with. */
export class PageHead {
    /** @param {Reader} from */
    constructor(from) {
        this.version = from.text();
        this.title = from.text();
        this.dark = from.number() === 1;
        this.sources = from.list(from.number(), () => from.text());
        /** Global coordinates of what all places are relative to. */
        this.origin = from.list(3, () => Number(from.text()));
        /** @type {LookKind[]} */
        this.looks = from.list(from.number(), () => (
            {name: from.text(), isLamp: from.number() === 1, shines: from.number() === 1}));
        this.velocityLook = from.number();
        /** @type {CategoryKind[]} */
        this.categories = from.list(from.number(), () => (
            {name: from.text(), hidden: from.number() === 1, isLane: from.number() === 1, hasFace: from.number() === 1,
             hasBody: from.number() === 1, isRoadUser: from.number() === 1, isOver: from.number() === 1,
             isLight: from.number() === 1, isHost: from.number() === 1}));
        const readTheme = () => themeOf(from, this.looks.length, this.categories.length);
        this.themes = {dark: readTheme(), light: readTheme()};
        this.bodies = new Map(from.list(from.number(), () => [from.number(), readBody(from)]));
    }
}

/** @param {Column} times ascending @param {number} time @returns {number} the last one at or before a time, else 0 */
export function lastUntil(times, time) {
    let low = 0, high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (times[middle] <= time + 1e-9) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 1);
}

/** Everything that the page shows. */
export class Page extends PageHead {
    /** @param {Uint8Array} bytes */
    constructor(bytes) {
        const from = new Reader(bytes);
        super(from);
        /** Nanoseconds of the first frame. */
        this.start = BigInt(from.text());
        /** Seconds since the first frame. @type {Column} */
        this.times = from.block(1e-9);
        /** @type {Event[]} */
        this.events = from.list(from.number(), () => (
            {from: Number(from.text()) * 1e-9, to: Number(from.text()) * 1e-9, kind: from.text(), object: from.text(),
             text: from.text()}));
        /** By number. @type {Map<number, Layer>} */
        this.layers = new Map(from.list(from.number(), () => readLayer(from)).map((layer, i) => [i, layer]));
        this.runs = from.list(from.number(), () => (
            {frame: from.number(), layers: from.list(from.number(), () => from.number())}));
        this.tracks = from.list(from.number(), () => new Track(from));
        this.leavesOutClouds = from.number() === 1;
        /** By frame. @type {Map<number, Cloud[]>} */
        this.clouds = new Map();
        for (const cloud of from.list(from.number(), () => readCloud(from)))
            this.clouds.set(cloud.frame, [...this.clouds.get(cloud.frame) ?? [], cloud]);
        this.notes = from.list(from.number(), () => from.text());
        /** Categories that it shows. */
        this.present = new Set(this.tracks.map(track => track.category));
        for (const layer of this.layers.values()) for (const thing of layer.things) this.present.add(thing.category);
        for (const clouds of this.clouds.values()) for (const cloud of clouds) this.present.add(cloud.category);
    }
    /** Seconds that a timeline shows, and the one that is 0 on its scale. */
    span() {
        return {from: 0, to: this.times[this.times.length - 1] || 1, zero: 0};
    }
    /** The last frame at or before a time. @param {number} time */
    frameAt(time) {
        return lastUntil(this.times, time);
    }
    /** @param {number} frame */
    cloudsAt(frame) {
        return this.clouds.get(frame) ?? [];
    }
    /** Numbers of the layers of the map that a frame has. @param {number} frame @returns {number[]} */
    layersAt(frame) {
        let layers = /** @type {number[]} */ ([]);
        for (const run of this.runs) if (run.frame <= frame) layers = run.layers;
        return layers;
    }
}

/** @param {string} base64 @returns {Promise<Page>} */
export async function unpack(base64) {
    const packed = Uint8Array.from(atob(base64.trim()), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Page(new Uint8Array(await new Response(stream).arrayBuffer()));
}
