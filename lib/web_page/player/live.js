// SPDX-License-Identifier: MPL-2.0
// A trace that is shown while it is played: what a server sends. The last minute is kept.
import {PageHead, Reader, Track, lastUntil, readCloud, readLayer} from "./data.js";

/** @typedef {import("./data.js").Cloud} Cloud */
/** @typedef {import("./data.js").Layer} Layer */
/** @typedef {import("./data.js").Shapes} Shapes */

const keptSeconds = 60, mostFrames = 4000, mostLayers = 64, mostPoints = 2e6;
const comparedShapes = 4;  // the latest ones: lamps blink

/** All columns of a track that grows. @param {Track} track */
const columnsOf = track => /** @type {number[][]} */ (
    [track.frames, ...track.places, ...track.rotation, ...track.velocity, track.steering, track.shape]);

/** @param {number[][]} a @param {number[][]} b */
const areRowsEqual = (a, b) => a.length === b.length && a.every((row, i) => row.every((value, k) => value === b[i][k]));

/** @param {Shapes} a @param {Shapes} b */
const areEqual = (a, b) => areRowsEqual(a.boxes, b.boxes) && areRowsEqual(a.lines, b.lines) && areRowsEqual(a.strips, b.strips) &&
    a.points[0].length === b.points[0].length && a.points.every((column, k) => column.every((value, i) => value === b.points[k][i]));

/** Turns a track of one frame into one that grows. @param {Track} track @param {number} frame */
function begin(track, frame) {
    /** @param {import("./data.js").Column} column */
    const growing = column => [column[0]];
    track.frames = [frame];
    track.places = track.places.map(growing);
    track.rotation = track.rotation.map(growing);
    track.velocity = track.velocity.map(growing);
    track.steering = growing(track.steering);
    track.shape = growing(track.shape);
}

/** @param {Track} track @param {Track} one the same thing in the next frame that has it @param {number} frame */
function append(track, one, frame) {
    let shape = track.shapes.length;
    for (let i = shape; i-- > 0 && shape - i <= comparedShapes;)
        if (areEqual(track.shapes[i], one.shapes[0])) {
            shape = i;
            break;
        }
    if (shape === track.shapes.length) track.shapes.push(one.shapes[0]);
    const columns = columnsOf(track);
    columnsOf(one).forEach((column, k) => columns[k].push(column[0]));
    columns[0][columns[0].length - 1] = frame;
    columns[columns.length - 1][columns[0].length - 1] = shape;
}

/** The frames of the last minute; the same interface as Page. */
export class LivePage extends PageHead {
    /** @param {Reader} from */
    constructor(from) {
        super(from);
        /** Nanoseconds of the first frame. */
        this.start = 0n;
        /** Seconds since the first frame. @type {number[]} */
        this.times = [];
        /** @type {import("./data.js").Event[]} */
        this.events = [];
        /** @type {Map<number, Layer>} */
        this.layers = new Map();
        /** @type {Track[]} */
        this.tracks = [];
        this.leavesOutClouds = false;
        /** @type {string[]} */
        this.notes = [];
        /** @type {Set<number>} */
        this.present = new Set();
        /** @type {Map<string, Track>} */
        this.byKey = new Map();
        /** By frame. @type {number[][]} */
        this.frameLayers = [];
        /** @type {Cloud[][]} */
        this.frameClouds = [];
        this.points = 0;
    }
    /** Seconds that a timeline shows, and the one that is 0 on its scale. */
    span() {
        const to = this.times[this.times.length - 1] ?? 0;
        return {from: to - keptSeconds, to, zero: to};
    }
    /** @param {number} time */
    frameAt(time) {
        return lastUntil(this.times, time);
    }
    /** @param {number} frame */
    layersAt(frame) {
        return (this.frameLayers[frame] ?? []).filter(number => this.layers.has(number));
    }
    /** @param {number} frame */
    cloudsAt(frame) {
        return this.frameClouds[frame] ?? [];
    }
    /** @param {Reader} from */
    addLayer(from) {
        const number = from.number(), layer = readLayer(from);
        this.layers.set(number, layer);
        for (const thing of layer.things) this.present.add(thing.category);
    }
    /** @param {Reader} from */
    addFrame(from) {
        const nanoseconds = BigInt(from.text());
        if (this.times.length === 0) this.start = nanoseconds;
        const time = Number(nanoseconds - this.start) * 1e-9;
        if (this.times.length > 0 && time <= this.span().to) this.forget(time === this.span().to);
        if (this.times.length === 0) this.start = nanoseconds;
        const frame = this.times.length;
        this.times.push(frame === 0 ? 0 : time);
        this.frameLayers.push(from.list(from.number(), () => from.number()));
        this.addTracks(from, frame);
        this.leavesOutClouds = from.number() === 1;
        const clouds = from.list(from.number(), () => readCloud(from));
        for (const cloud of clouds) {
            this.points += cloud.x.length;
            this.present.add(cloud.category);
        }
        this.frameClouds.push(clouds);
        this.notes = from.list(from.number(), () => from.text());
        this.dropOldest();
    }
    /** @param {Reader} from @param {number} frame */
    addTracks(from, frame) {
        /** Things without an id have one key. @type {Map<string, number>} */
        const before = new Map();
        for (let count = from.number(); count > 0; --count) {
            const one = new Track(from), name = `${one.source} ${one.category} ${one.id}`, ordinal = before.get(name) ?? 0;
            before.set(name, ordinal + 1);
            const key = `${name} ${ordinal}`, known = this.byKey.get(key);
            if (known) {
                append(known, one, frame);
            } else {
                begin(one, frame);
                this.byKey.set(key, one);
                this.tracks.push(one);
                this.present.add(one.category);
            }
        }
    }
    /** The time has gone backward, or (`onlyLast`) the last frame comes again. Things stay the same ones.
     *  @param {boolean} onlyLast */
    forget(onlyLast = false) {
        const kept = onlyLast ? this.times.length - 1 : 0;
        this.times.length = this.frameLayers.length = kept;
        for (const clouds of this.frameClouds.splice(kept)) this.dropPoints(clouds);
        for (const [key, track] of this.byKey) {
            const columns = columnsOf(track), [frames] = columns, size = frames.findIndex(frame => frame >= kept);
            if (frames.length === 0) this.byKey.delete(key);  // it was gone before
            if (size >= 0) for (const column of columns) column.length = size;
            if (kept === 0) track.shapes.splice(0, track.shapes.length - comparedShapes);
        }
        this.tracks = [...this.byKey.values()];
    }
    /** @param {Cloud[]} clouds */
    dropPoints(clouds) {
        for (const cloud of clouds) this.points -= cloud.x.length;
    }
    /** What is beyond the limits, a tenth at a time. */
    dropOldest() {
        while (this.points > mostPoints) {
            const oldest = this.frameClouds.findIndex(clouds => clouds.length > 0);
            this.dropPoints(this.frameClouds[oldest]);
            this.frameClouds[oldest] = [];
        }
        const {times} = this, last = times.length - 1;
        let first = 0;
        if (times[last] - times[0] > 1.1 * keptSeconds) first = this.frameAt(times[last] - keptSeconds);
        if (times.length > 1.1 * mostFrames) first = Math.max(first, times.length - mostFrames);
        if (this.layers.size > mostLayers) {
            const shown = new Set();
            let frame = last;
            for (; frame > 0 && shown.size < mostLayers / 2; --frame)
                for (const number of this.frameLayers[frame]) shown.add(number);
            first = Math.max(first, frame);
        }
        if (first > 0 || this.layers.size > mostLayers) this.dropUntil(first);
    }
    /** @param {number} first frame that stays */
    dropUntil(first) {
        this.times.splice(0, first);
        this.frameLayers.splice(0, first);
        for (const clouds of this.frameClouds.splice(0, first)) this.dropPoints(clouds);
        for (const [key, track] of this.byKey) {
            const columns = columnsOf(track), [frames] = columns, shape = columns[columns.length - 1];
            const kept = frames.findIndex(frame => frame >= first), gone = kept < 0 ? frames.length : kept;
            for (const column of columns) column.splice(0, gone);
            frames.forEach((frame, i) => frames[i] = frame - first);
            const unused = shape.reduce((least, each) => Math.min(least, each), track.shapes.length);
            track.shapes.splice(0, unused);
            shape.forEach((each, i) => shape[i] = each - unused);
            if (frames.length === 0) this.byKey.delete(key);
        }
        this.tracks = [...this.byKey.values()];
        const shown = new Set(this.frameLayers.flat());
        for (const number of this.layers.keys()) if (!shown.has(number)) this.layers.delete(number);
    }
}

/** What a message begins with; see lib/web_page/page_stream.cpp. */
const kinds = {start: 0, layer: 1, frame: 2, notice: 3};
const firstWait = 500, longestWait = 5000;  // milliseconds until it tries again

/** @param {Uint8Array} a @param {Uint8Array} b */
const areSameBytes = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** The connection to the server that the page came from. */
export class LiveFeed {
    /** @param {{begun: (page: LivePage) => void, again: () => void, arrived: () => void,
     *           changed: () => void, failed: (error: unknown) => void}} viewer begun: with the first frame; again: after
     *           another connection; changed: what this says */
    constructor(viewer) {
        this.viewer = viewer;
        /** @type {"connecting" | "live" | "ended" | "lost"} */
        this.state = "connecting";
        /** @type {Map<string, string>} */
        this.notices = new Map();
        /** @type {?LivePage} */
        this.page = null;
        this.isShown = false;
        /** Another connection has begun, and no frame has come yet. */
        this.isAgain = false;
        /** @type {?Uint8Array} */
        this.start = null;
        this.wait = firstWait;
        this.connect();
    }
    connect() {
        const socket = new WebSocket(`ws://${location.host}/frames`, "ositrace.page.v1");
        socket.binaryType = "arraybuffer";
        socket.addEventListener("message", event => {
            try {
                this.receive(new Uint8Array(event.data));
            } catch (error) {
                socket.close();
                this.viewer.failed(error);
            }
        });
        socket.addEventListener("close", event => {
            const goingAway = 1001;
            if (this.state === "live") this.state = event.code === goingAway ? "ended" : "lost";
            this.viewer.changed();
            setTimeout(() => this.connect(), this.wait);
            this.wait = Math.min(2 * this.wait, longestWait);
        });
    }
    /** @param {Uint8Array} bytes */
    receive(bytes) {
        const from = new Reader(bytes), kind = from.number();
        if (kind === kinds.start) this.begin(bytes, from);
        else if (kind === kinds.layer) this.page?.addLayer(from);
        else if (kind === kinds.frame) this.addFrame(from);
        else if (kind === kinds.notice) this.notice(from.text(), from.text());
    }
    /** The same replay goes on after another connection; another one has another page.
     *  @param {Uint8Array} bytes @param {Reader} from */
    begin(bytes, from) {
        if (this.start && !areSameBytes(this.start, bytes)) return location.reload();
        if (!this.page) {
            this.start = bytes;
            this.page = new LivePage(from);
            return;
        }
        this.isAgain = true;
        this.page.layers.clear();
        this.viewer.again();
    }
    /** @param {Reader} from */
    addFrame(from) {
        if (!this.page) return;
        if (this.isAgain) this.page.forget();
        this.isAgain = false;
        this.page.addFrame(from);
        if (this.state !== "live") {
            this.state = "live";
            this.wait = firstWait;
            this.notices.delete("end");
            this.viewer.changed();
        }
        if (this.isShown) return this.viewer.arrived();
        this.isShown = true;
        this.viewer.begun(this.page);
    }
    /** @param {string} id @param {string} text */
    notice(id, text) {
        if (text) this.notices.set(id, text); else this.notices.delete(id);
        this.viewer.changed();
    }
}
