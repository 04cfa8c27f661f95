// SPDX-License-Identifier: MPL-2.0
// The page: what is shown, and what clicks, touches and keys do.
import {Batch, Pose, poseOf} from "./batches.js";
import {Camera, Transform, frameAll, minus, plus, times} from "./camera.js";
import {SpeedCurve} from "./curve.js";
import {unpack} from "./data.js";
import {cssColour, FlatScene} from "./flat_scene.js";
import {GlScene, gridLook} from "./gl_scene.js";
import {Overlay} from "./overlay.js";
import {LiveFeed} from "./live.js";
import {LivePlayer, Player, rates} from "./player.js";
import {niceStep, Timeline} from "./timeline.js";

/** @typedef {import("./camera.js").Vector} Vector */
/** @typedef {import("./data.js").Track} Track */
/** @typedef {{track: Track, i: number}} Shown */
/** @typedef {import("./timeline.js").AnyPage} AnyPage */

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const byId = id => /** @type {T} */ (document.getElementById(id));
/** Writes a text where it is another one: each change lays the page out anew. @param {string} id @param {string} text */
function setText(id, text) {
    const at = byId(id);
    if (at.textContent !== text) at.textContent = text;
}
/** @param {string} name @param {string} text @param {string} [className] */
function element(name, text, className = "") {
    const made = document.createElement(name);
    made.textContent = text;
    made.className = className;
    return made;
}

/** What is wrong, by what it is about. @type {Map<string, string>} */
const notices = new Map();
/** @param {string} about @param {string} text empty: nothing */
function setNotice(about, text) {
    if (text) notices.set(about, text); else notices.delete(about);
    setText("notice", [...notices.values()].join(" "));
}

const zoomPerStep = 1.15, nearest = 0.5, farthest = 20000, steepest = 1.55;
const listedEvents = 1000, curveInterval = 200;  // milliseconds
const detailedPixels = 10;  // smaller ones are boxes

class Viewer {
    /** @param {AnyPage} page @param {?LiveFeed} feed of a page that shows what is played now */
    constructor(page, feed = null) {
        this.page = page;
        this.feed = feed;
        this.camera = new Camera();
        this.hidden = page.categories.map(each => each.hidden);
        this.options = {labels: true, trails: true};
        this.theme = matchMedia("(prefers-color-scheme: light)").matches ? "light"
                   : matchMedia("(prefers-color-scheme: dark)").matches || page.dark ? "dark" : "light";
        /** @type {?Track} */
        this.selected = null;
        /** The thing that the camera follows. @type {?Track} */
        this.followed = null;
        /** @type {?Pose} */
        this.lastFollowed = null;
        this.moving = new Batch(page.looks);
        this.needsDrawing = true;
        this.shownFrame = -1;
        /** @type {Shown[]} */
        this.shown = [];
        const moved = () => this.needsDrawing = true, changed = () => this.showOptions();
        this.player = feed ? new LivePlayer(page, moved, changed) : new Player(page, moved, changed);
        /** @param {number} time */
        const seek = time => this.player.seek(time);
        const canvas = byId("scene");
        try {
            this.scene = new GlScene(/** @type {HTMLCanvasElement} */ (canvas), page.bodies);
        } catch (error) {
            // A canvas that was asked for WebGL has no other context.
            const plain = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
            canvas.replaceWith(plain);
            this.scene = new FlatScene(plain);
            this.camera.view = "bird";
            byId("view3d").hidden = true;
            setNotice("webgl", "This browser has no WebGL 2: the bird's eye view is shown.");
        }
        this.overlay = new Overlay(byId("overlay"), page);
        this.timeline = new Timeline(byId("timeline"), byId("timeline-cursor"), byId("hint"), page, seek,
                                     event => this.goTo(event));
        this.curve = new SpeedCurve(byId("curve"), byId("curve-cursor"), page, seek);
        this.fillPage();
        this.setTheme(this.theme);
        this.resize();
        this.placeCamera();
        new ResizeObserver(() => this.resize()).observe(byId("stage"));
        addEventListener("beforeprint", () => this.draw());
        this.listen();
        /** @param {number} now */
        const tick = now => {
            this.adaptResolution(now);
            const moves = this.player.tick(now);
            if (this.needsDrawing || (moves && page.frameAt(this.player.time) !== this.shownFrame)) this.draw();
            else if (moves) this.timeline.moveCursor(this.player.time);
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }

    // --- what the page says

    fillPage() {
        const {page} = this, end = page.times[page.times.length - 1];
        document.title = page.title;
        byId("title").textContent = page.title;
        const what = this.feed ? "What osiplay plays now. The last minute is kept"
                               : `${page.times.length} frames, ${startText(page.start)}, ${end.toFixed(3)} s long`;
        byId("facts").textContent = `${what}. Positions are rounded to 1 cm, angles to 0.1\u00b0, speeds to 0.01 m/s. ` +
                                    `Made by ositrace ${page.version}.`;
        byId("live").hidden = !this.feed;
        byId("start").hidden = this.feed !== null || end <= 0;
        byId("loop").hidden = this.feed !== null;
        for (const rate of rates) byId("rate").append(new Option(`${rate}\u00d7`, String(rate)));
        this.fillNotes();
        this.fillLegend();
        this.fillEvents();
    }
    notes = "";
    fillNotes() {
        const {page} = this, all = [...page.notes];
        if (page.leavesOutClouds) all.push(`Points of sensors are left out (${this.feed ? "web://?points=N" : "--points N"}).`);
        if (all.join("\n") === this.notes) return;
        this.notes = all.join("\n");
        byId("notes").replaceChildren(...all.map(note => element("li", note)));
    }
    legendSize = 0;
    fillLegend() {
        const {page} = this, rows = byId("legend-rows");
        this.legendSize = page.present.size;
        rows.replaceChildren();
        page.categories.forEach((kind, i) => {
            if (!page.present.has(i)) return;
            const row = element("label", ""), box = document.createElement("input"), sample = element("span", "", "sample");
            box.type = "checkbox";
            box.checked = !this.hidden[i];
            box.addEventListener("change", () => {
                this.hidden[i] = !box.checked;
                this.scene.dropLayers();
                this.needsDrawing = true;
            });
            sample.dataset.category = String(i);
            row.append(box, sample, element("span", kind.name));
            rows.append(row);
        });
        this.showSamples();
    }
    showSamples() {
        const theme = this.themeColours();
        for (const sample of document.querySelectorAll(".sample")) {
            const each = /** @type {HTMLElement} */ (sample);
            each.style.background = cssColour(theme.categories[Number(each.dataset.category)]);
        }
    }
    /** The rows of events, in their order. @type {HTMLElement[]} */
    eventRows = [];
    fillEvents() {
        const {events} = this.page, more = events.length - listedEvents;
        byId("events").hidden = events.length === 0;
        this.eventRows = events.slice(0, listedEvents).map(event => {
            const row = element("button", "", "event"), mark = element("span", "", "mark");
            mark.style.background = this.timeline.colourOf(event.kind);
            row.append(mark, element("span", `${event.from.toFixed(2)} s`), element("span", event.kind),
                       element("span", event.text, "faint"));
            row.addEventListener("click", () => this.goTo(event));
            return row;
        });
        byId("event-rows").replaceChildren(...this.eventRows);
        byId("more-events").hidden = more <= 0;
        byId("more-events").textContent = `${more} more are on the timeline only.`;
    }
    /** @param {import("./data.js").Event} event */
    goTo(event) {
        this.player.seek(event.from);
        const frame = this.page.frameAt(event.from), of = this.page.tracks.filter(track =>
            track.id === event.object && this.page.categories[track.category].isRoadUser);
        if (event.object) this.select(of.find(track => track.at(frame) >= 0) ?? of[0] ?? null);
    }
    /** What happens at a time is marked in the list. @param {number} time */
    markEvents(time) {
        this.eventRows.forEach((row, i) => {
            const {from, to} = this.page.events[i], is = from <= time && time <= to;
            if (row.classList.contains("now") !== is) row.classList.toggle("now", is);
        });
    }

    // --- what a server sends

    /** A frame. */
    arrived() {
        const {page, scene} = this;
        if (page.present.size !== this.legendSize) this.fillLegend();
        this.fillNotes();
        for (const number of scene.layers.keys())
            if (!page.layers.has(number)) {
                scene.dropLayers();
                break;
            }
        if (this.player instanceof LivePlayer) this.player.arrived();
        this.shownFrame = page.frameAt(this.player.time);  // older ones may have gone
    }

    /** After another connection: layers have other contents. */
    again() {
        this.scene.dropLayers();
        this.litLayers = [];
    }

    // --- the look of it

    /** @param {string} name */
    setTheme(name) {
        this.theme = name;
        document.documentElement.dataset.theme = name;
        this.scene.setTheme(this.themeColours());
        this.showSamples();
        this.showOptions();
    }
    themeColours() {
        return this.theme === "dark" ? this.page.themes.dark : this.page.themes.light;
    }

    // --- the camera

    resize() {
        const stage = byId("stage"), ratio = Math.min(devicePixelRatio || 1, 2);
        for (const [canvas, scale] of /** @type {[HTMLCanvasElement, number][]} */ (
                 [[this.scene.canvas, ratio * this.resolution], [this.overlay.canvas, ratio]])) {
            canvas.width = Math.max(1, Math.round(stage.clientWidth * scale));
            canvas.height = Math.max(1, Math.round(stage.clientHeight * scale));
        }
        this.overlay.resize();
        this.width = Math.max(1, stage.clientWidth);
        this.height = Math.max(1, stage.clientHeight);
        this.showOptions();
    }
    /** Of the scene while it plays; 1: as the screen. */
    resolution = 1;
    slowTicks = 0;
    lastTick = 0;
    /** A browser without a graphics card plays at a lower resolution; a pause is sharp. @param {number} now milliseconds */
    adaptResolution(now) {
        const slow = 50, ticks = 8, lowest = 0.5, passed = now - this.lastTick;
        this.lastTick = now;
        this.slowTicks = !this.player.isMoving ? 0 : Math.max(0, this.slowTicks + (passed > slow ? 1 : -1));
        const wanted = !this.player.isMoving ? 1 : this.slowTicks > ticks ? Math.max(lowest, 0.7 * this.resolution) : this.resolution;
        if (wanted === this.resolution) return;
        this.resolution = wanted;
        this.slowTicks = 0;
        this.resize();
    }
    view() {
        return new Transform(this.camera, this.width ?? 1, this.height ?? 1);
    }
    host() {
        const frame = this.page.frameAt(this.player.time);
        const hosts = this.page.tracks.filter(track => this.page.categories[track.category].isHost);
        return hosts.find(track => track.at(frame) >= 0) ?? hosts[0] ?? null;
    }
    /** So that all road users of the frame are visible, from the back of the host. */
    placeCamera() {
        const frame = this.page.frameAt(this.player.time), users = this.roadUsers(frame);
        const host = users.find(({track}) => this.page.categories[track.category].isHost) ?? users[0];
        let places = users.map(({track, i}) => track.place(i));
        if (places.length === 0)
            places = this.thingsOf(this.page.layersAt(frame)).map(thing => thing.centre);
        if (host && this.camera.view === "3d") this.camera.yaw = host.track.rotation[2][host.i];
        this.camera.pitch = 0.5;
        frameAll(this.camera, places, this.width ?? 1, this.height ?? 1);
        this.isPlaced = true;
        this.follow(this.host());
        this.needsDrawing = true;
    }
    /** The camera is where placeCamera() has put it, and keeps all road users in view where there is no host. */
    isPlaced = false;
    /** @param {number} frame @returns {Shown[]} */
    roadUsers(frame) {
        const {categories, tracks} = this.page;
        return tracks.map(track => ({track, i: track.at(frame)}))
            .filter(({track, i}) => i >= 0 && categories[track.category].isRoadUser && !this.hidden[track.category]);
    }
    /** @param {?Track} track */
    follow(track) {
        this.followed = track;
        this.lastFollowed = null;
        this.showOptions();
    }
    toggleFollow() {
        this.isPlaced = false;
        this.follow(this.followed ? null : this.selected ?? this.host() ?? this.shown[0]?.track ?? null);
    }
    /** Moves the camera with what it follows, and turns it with its heading. @param {number} frame */
    moveAlong(frame) {
        const {followed, camera} = this, i = followed ? followed.at(frame) : -1;
        if (!followed && this.isPlaced) this.keepInView(frame);
        if (!followed || i < 0) return;
        const place = followed.place(i), yaw = followed.rotation[2][i];
        if (!this.lastFollowed) {
            if (!this.isPlaced) camera.target = place;
        } else {
            camera.target = plus(camera.target, minus(place, this.lastFollowed.centre));
            if (camera.view === "3d") camera.yaw += yaw - this.followedYaw;
        }
        this.followedYaw = yaw;
        this.lastFollowed = new Pose(place);
    }
    followedYaw = 0;
    /** Moves the camera, and away, as far as road users would leave the picture. @param {number} frame */
    keepInView(frame) {
        const places = this.roadUsers(frame).map(({track, i}) => track.place(i)), view = this.view();
        const margin = 0.06, {width, height} = view;
        const fits = places.every(place => {
            const at = view.project(place);
            return at && at[0] > margin * width && at[0] < (1 - margin) * width && at[1] > margin * height && at[1] < (1 - margin) * height;
        });
        if (!fits) frameAll(this.camera, places, width, height);
    }
    /** @param {string} view */
    setView(view) {
        if (this.scene instanceof FlatScene) return;
        this.camera.view = view;
        this.showOptions();
    }
    /** @param {number} x @param {number} y @param {number} factor */
    zoom(x, y, factor) {
        this.isPlaced = false;
        const level = this.camera.target[2], before = this.view().onLevel(x, y, level);
        this.camera.distance = Math.min(Math.max(this.camera.distance / factor, nearest), farthest);
        const after = this.view().onLevel(x, y, level);
        if (before && after && Math.hypot(...minus(before, this.camera.target)) < 4 * this.camera.distance)
            this.camera.target = plus(this.camera.target, minus(before, after));
        this.needsDrawing = true;
    }
    /** @param {number[]} from @param {number[]} to */
    pan(from, to) {
        this.isPlaced = false;
        const view = this.view(), level = this.camera.target[2];
        const a = view.onLevel(from[0], from[1], level), b = view.onLevel(to[0], to[1], level);
        const far = 3 * this.camera.distance;
        if (a && b && Math.hypot(...minus(a, this.camera.target)) < far && Math.hypot(...minus(b, this.camera.target)) < far)
            this.camera.target = plus(this.camera.target, minus(a, b));
        this.needsDrawing = true;
    }
    /** @param {number} dx @param {number} dy pixels */
    rotate(dx, dy) {
        this.isPlaced = false;
        this.camera.yaw -= dx * 0.006;
        this.camera.pitch = Math.min(Math.max(this.camera.pitch + dy * 0.006, -0.2), steepest);
        this.needsDrawing = true;
    }

    // --- drawing

    draw() {
        this.needsDrawing = false;
        const {page, player} = this, frame = page.frameAt(player.time);
        if (frame !== this.shownFrame || this.feed) this.moveAlong(frame);
        this.shownFrame = frame;
        const layers = page.layersAt(frame);
        for (const number of layers) this.loadLayer(number);
        const view = this.view();
        this.moving.clear();
        for (const track of page.tracks) {
            const i = track.at(frame);
            if (i < 0 || this.hidden[track.category]) continue;
            const kind = page.categories[track.category];
            const isFar = Math.max(...track.size) / view.metresPerPixelAt(track.place(i)) < detailedPixels;
            this.moving.add(track.shapes[track.shape[i]], () => kind, poseOf(track, i), isFar);
        }
        this.shown = this.roadUsers(frame);
        const grid = layers.length > 0 ? new Float32Array() : this.gridSegments();
        this.scene.draw(view, layers, this.moving, this.pointsOf(frame), grid);
        const lights = this.lightsOf(layers).filter(thing => !this.hidden[thing.category]);
        this.overlay.draw(view, this.themeColours(), this.shown, this.selected, this.options, frame, lights);
        this.showState(frame);
    }
    /** @param {number[]} layers */
    thingsOf(layers) {
        return layers.flatMap(number => this.page.layers.get(number)?.things ?? []);
    }
    /** @type {number[]} */
    litLayers = [];
    /** @type {import("./data.js").Thing[]} */
    lights = [];
    /** Those of traffic lights that are lit; a map changes seldom. @param {number[]} layers */
    lightsOf(layers) {
        if (layers.length !== this.litLayers.length || layers.some((number, i) => number !== this.litLayers[i])) {
            this.litLayers = layers;
            this.lights = this.thingsOf(layers).filter(thing => this.page.looks[thing.look].shines);
        }
        return this.lights;
    }
    /** @param {number} number */
    loadLayer(number) {
        const layer = this.page.layers.get(number);
        if (this.scene.hasLayer(number) || !layer) return;
        const {things, shapes} = layer, batch = new Batch(this.page.looks);
        batch.add(shapes, i => this.hidden[things[i].category] ? null : this.page.categories[things[i].category]);
        this.scene.setLayer(number, batch);
    }
    /** @param {number} frame */
    pointsOf(frame) {
        /** @type {number[]} */
        const points = [];
        for (const cloud of this.page.cloudsAt(frame)) {
            if (this.hidden[cloud.category]) continue;
            for (let i = 0; i < cloud.x.length; ++i) points.push(cloud.x[i], cloud.y[i], cloud.z[i], cloud.levels[i] ?? 0);
        }
        return new Float32Array(points);
    }
    /** Where there is no map. */
    gridSegments() {
        const {target, distance} = this.camera, step = niceStep(distance / 8), lines = 30;
        const [x, y] = [Math.round(target[0] / step) * step, Math.round(target[1] / step) * step], far = lines * step;
        /** @type {number[]} */
        const segments = [];
        for (let i = -lines; i <= lines; ++i)
            for (const [from, to] of /** @type {[Vector, Vector][]} */ (
                     [[[x + i * step, y - far, 0], [x + i * step, y + far, 0]], [[x - far, y + i * step, 0], [x + far, y + i * step, 0]]]))
                segments.push(...from, ...from, ...to, ...to, 0, 1, gridLook, 1);
        return new Float32Array(segments);
    }
    /** @param {number} frame */
    showState(frame) {
        const {page, player} = this;
        if (this.feed) {
            const behind = player.end - player.time;
            setText("time", clockText(page.start + BigInt(Math.round(page.times[frame] * 1e9))));
            setText("number", behind > 0 ? `${behind.toFixed(1)} s behind` : "newest frame");
        } else {
            setText("time", `${page.times[frame].toFixed(3)} s`);
            setText("number", `frame ${frame + 1} of ${page.times.length}`);
        }
        if (player.isMoving || player.time > 0) byId("start").hidden = true;
        setText("play", player.isMoving ? "\u275a\u275a" : "\u25b6");
        this.timeline.moveCursor(player.time);
        this.markEvents(player.time);
        if (this.selected) this.showSelected(this.selected, frame);
    }
    curveDrawn = 0;
    /** What changes by a click or a key only. */
    showOptions() {
        const {player, selected} = this;
        byId("play").setAttribute("aria-label", player.isMoving ? "Pause" : "Play");
        byId("live").classList.toggle("on", player instanceof LivePlayer && player.follows);
        /** @type {HTMLSelectElement} */ (byId("rate")).value = String(player.rate);
        byId("loop").classList.toggle("on", player.loops);
        byId("labels").classList.toggle("on", this.options.labels);
        byId("trails").classList.toggle("on", this.options.trails);
        byId("follow").classList.toggle("on", this.followed !== null);
        byId("view3d").classList.toggle("on", this.camera.view === "3d");
        byId("bird").classList.toggle("on", this.camera.view === "bird");
        byId("details").hidden = selected === null;
        this.timeline.draw();
        if (selected) this.curve.draw(selected);
        this.needsDrawing = true;
    }
    /** @param {Track} selected @param {number} frame */
    showSelected(selected, frame) {
        const {page} = this, i = selected.at(frame);
        setText("selected", selected.label);
        const rows = [["id", selected.id || "(none)"], ["type", selected.type],
                      ["size", selected.size.map(side => side.toFixed(2)).join(" \u00d7 ") + " m"]];
        if (i < 0) {
            rows.push(["", "not in this frame"]);
        } else {
            const place = selected.place(i).map((value, k) => (value + page.origin[k]).toFixed(2));
            const heading = selected.rotation[2][i] * 180 / Math.PI, turned = ((heading + 180) % 360 + 360) % 360 - 180;
            rows.push(["position", place.join(", ") + " m"], ["heading", turned.toFixed(1) + "\u00b0"]);
            const speed = selected.speed(i);
            rows.push(["speed", Number.isFinite(speed) ? `${speed.toFixed(2)} m/s, ${(3.6 * speed).toFixed(1)} km/h` : "not stated"]);
        }
        const at = byId("values");
        if (at.childElementCount !== 2 * rows.length)
            at.replaceChildren(...rows.flatMap(() => [element("dt", ""), element("dd", "")]));
        rows.flat().forEach((text, k) => {
            if (at.children[k].textContent !== text) at.children[k].textContent = text;
        });
        const now = performance.now();
        if (this.feed && now - this.curveDrawn > curveInterval) {
            this.curve.draw(selected);
            this.curveDrawn = now;
        }
        this.curve.moveCursor(page.times[frame]);
    }

    // --- what the user does

    /** The thing whose box is nearest to the eye under a pixel. @param {number} x @param {number} y @returns {?Track} */
    pick(x, y) {
        const view = this.view();
        /** @type {?Track} */
        let found = null;
        let best = Infinity;
        for (const {track, i} of this.shown) {
            const centre = track.place(i), at = view.project(centre);
            if (!at) continue;
            const reach = Math.max(8, Math.hypot(...track.size) / 2 / view.metresPerPixelAt(centre));
            const away = Math.hypot(at[0] - x, at[1] - y);
            if (away < reach && away + at[2] * 1e-3 < best) {
                best = away + at[2] * 1e-3;
                found = track;
            }
        }
        return found;
    }
    /** @param {?Track} track */
    select(track) {
        this.selected = track;
        this.showOptions();
    }
    /** @param {number} steps */
    selectNext(steps) {
        if (this.shown.length === 0) return;
        const at = this.shown.findIndex(({track}) => track === this.selected);
        this.select(this.shown[(at + steps + this.shown.length) % this.shown.length].track);
    }
    listen() {
        const stage = byId("stage");
        stage.addEventListener("wheel", event => {
            event.preventDefault();
            this.zoom(event.offsetX, event.offsetY, event.deltaY < 0 ? zoomPerStep : 1 / zoomPerStep);
        }, {passive: false});
        this.listenToPointers(stage);
        for (const [id, act] of Object.entries(this.buttons())) byId(id).addEventListener("click", act);
        byId("rate").addEventListener("change", () => {
            this.player.setRate(Number(/** @type {HTMLSelectElement} */ (byId("rate")).value));
            byId("rate").blur();
        });
        addEventListener("keydown", event => this.key(event));
    }
    /** @returns {{[id: string]: () => void}} */
    buttons() {
        return {
            play: () => this.player.toggle(),
            start: () => this.player.toggle(),
            previous: () => this.player.step(this.shownFrame, -1),
            next: () => this.player.step(this.shownFrame, 1),
            live: () => this.player.seek(this.player.end),
            loop: () => (this.player.loops = !this.player.loops, this.showOptions()),
            view3d: () => this.setView("3d"),
            bird: () => this.setView("bird"),
            reset: () => this.placeCamera(),
            follow: () => this.toggleFollow(),
            labels: () => (this.options.labels = !this.options.labels, this.showOptions()),
            trails: () => (this.options.trails = !this.options.trails, this.showOptions()),
            theme: () => this.setTheme(this.theme === "dark" ? "light" : "dark"),
            help: () => byId("keys").hidden = !byId("keys").hidden,
            deselect: () => this.select(null),
        };
    }
    /** One pointer turns or moves, two zoom and move. @param {HTMLElement} stage */
    listenToPointers(stage) {
        /** @type {Map<number, number[]>} */
        const down = new Map();
        let moved = 0;
        stage.addEventListener("pointerdown", event => {
            if (event.target instanceof HTMLButtonElement) return;
            stage.setPointerCapture(event.pointerId);
            down.set(event.pointerId, [event.offsetX, event.offsetY]);
            if (down.size === 1) moved = 0;
        });
        stage.addEventListener("pointermove", event => {
            const before = down.get(event.pointerId);
            if (!before) return;
            const now = [event.offsetX, event.offsetY], dx = now[0] - before[0], dy = now[1] - before[1];
            moved += Math.hypot(dx, dy);
            down.set(event.pointerId, now);
            if (moved < 4) return;
            if (down.size === 1 && this.camera.view === "3d" && event.buttons === 1 && !event.shiftKey) return this.rotate(dx, dy);
            if (down.size === 1) return this.pan(before, now);
            const other = [...down].find(([id]) => id !== event.pointerId)?.[1] ?? now;
            const apart = (/** @type {number[]} */ a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
            this.zoom((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, Math.max(apart(now), 1) / Math.max(apart(before), 1));
            this.pan(before.map((value, k) => (value + other[k]) / 2), now.map((value, k) => (value + other[k]) / 2));
        });
        /** @param {PointerEvent} event */
        const up = event => {
            if (!down.delete(event.pointerId) || moved >= 4 || event.type === "pointercancel") return;
            this.select(this.pick(event.offsetX, event.offsetY));
        };
        stage.addEventListener("pointerup", up);
        stage.addEventListener("pointercancel", up);
        stage.addEventListener("contextmenu", event => event.preventDefault());
    }
    /** The keys of osiview. @param {KeyboardEvent} event */
    key(event) {
        const {player} = this, buttons = this.buttons();
        const seconds = event.shiftKey ? 0.1 : event.altKey ? 0.5 : 0;
        /** @param {number} direction */
        const step = direction => seconds ? player.seek(player.time + direction * seconds) : player.step(this.shownFrame, direction);
        /** @type {{[key: string]: () => void}} */
        const acts = {
            " ": buttons.play, ArrowLeft: () => step(-1), ArrowRight: () => step(1), ",": () => step(-1), ".": () => step(1),
            PageUp: () => player.seek(player.time - 10), PageDown: () => player.seek(player.time + 10),
            Home: () => player.seek(player.begin), End: () => player.seek(player.end), "+": () => player.changeRate(1),
            "=": () => player.changeRate(1), "-": () => player.changeRate(-1),
            1: () => player.setRate(1), l: buttons.loop, 3: buttons.view3d, b: buttons.bird,
            2: buttons.bird, r: buttons.reset, f: buttons.follow, n: buttons.labels, t: buttons.trails,
            h: () => (this.isPlaced = false, this.follow(this.host())), g: () => byId("legend").toggleAttribute("open"),
            j: () => this.selectNext(1), k: () => this.selectNext(-1), Escape: buttons.deselect, "?": buttons.help, F1: buttons.help,
        };
        const isTyped = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
        const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!act || event.ctrlKey || event.metaKey || (isTyped && event.key !== "Escape")) return;
        // A button that the keyboard has reached is pressed by Space; one that was clicked is not.
        if (event.target instanceof HTMLElement && event.key === " " && event.target.matches("button:focus-visible, summary:focus-visible"))
            return;
        if (event.target instanceof HTMLButtonElement && event.key === " ") event.target.blur();
        event.preventDefault();
        act();
    }
}

/** Times from then on, in 2001, are those of a calendar. */
const calendar = 1_000_000_000n * 1_000_000_000n;
/** @param {bigint} nanoseconds */
const dateOf = nanoseconds => new Date(Number(nanoseconds / 1_000_000n)).toISOString();
/** @param {bigint} nanoseconds */
const secondsText = nanoseconds => `${(Number(nanoseconds) / 1e9).toFixed(3)} s`;
/** @param {bigint} nanoseconds */
const startText = nanoseconds => "from " + (nanoseconds >= calendar ? dateOf(nanoseconds) : secondsText(nanoseconds));
/** @param {bigint} nanoseconds */
const clockText = nanoseconds => nanoseconds >= calendar ? dateOf(nanoseconds).slice(11, 23) : secondsText(nanoseconds);

/** @param {unknown} error */
const showFailure = error =>
    setNotice("page", `The page cannot be shown: ${error instanceof Error ? error.message : error}`);

/** @param {AnyPage} page @param {?LiveFeed} [feed] @returns {Viewer} */
function show(page, feed = null) {
    const viewer = new Viewer(page, feed);
    Object.assign(globalThis, {viewer});
    document.body.classList.add("ready");
    return viewer;
}

/** A page without data shows what the server that it comes from plays. */
function openLive() {
    /** @type {?Viewer} */
    let viewer = null;
    /** @type {Set<string>} */
    let shown = new Set();
    const texts = {connecting: ["connecting", "Waiting for the first frame."], live: ["live", ""],
                   ended: ["ended", "The replay has ended. Waiting for another one."],
                   lost: ["connection lost", "The connection to osiplay is lost. Trying again."]};
    const changed = () => {
        const [word, text] = texts[feed.state], at = byId("connection");
        setText("connection", word);
        at.className = feed.state;
        at.hidden = false;
        setNotice("connection", text);
        for (const id of shown) setNotice(id, "");
        shown = new Set([...feed.notices.keys()].map(id => `server ${id}`));
        for (const [id, notice] of feed.notices) setNotice(`server ${id}`, notice);
    };
    const feed = new LiveFeed({begun: page => viewer = show(page, feed), again: () => viewer?.again(),
                               arrived: () => viewer?.arrived(), changed, failed: showFailure});
    Object.assign(globalThis, {feed});
    changed();
}

async function open() {
    try {
        const data = (byId("page-data").textContent ?? "").trim();
        if (data === "") openLive(); else show(await unpack(data));
    } catch (error) {
        showFailure(error);
    }
}

open();
