// SPDX-License-Identifier: MPL-2.0
// The time that the page shows: plays, steps, loops.

export const rates = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Player {
    /** @param {{times: import("./data.js").Column}} page ascending @param {() => void} moved the time has changed
     *  @param {() => void} changed another rate, or whether it plays */
    constructor(page, moved, changed) {
        this.page = page;
        this.moved = moved;
        this.changed = changed;
        this.time = 0;
        this.rate = 1;
        this.isPlaying = false;
        this.loops = true;
        this.last = 0;
    }
    get begin() {
        return this.page.times[0];
    }
    get end() {
        return this.page.times[this.page.times.length - 1];
    }
    /** Is another time shown with each picture on the screen? */
    get isMoving() {
        return this.isPlaying;
    }
    /** @param {number} time */
    seek(time) {
        this.time = Math.min(Math.max(time, this.begin), this.end);
        this.moved();
    }
    toggle() {
        this.isPlaying = !this.isPlaying && this.end > this.begin;
        if (this.isPlaying && this.time >= this.end) this.time = this.begin;
        this.last = 0;
        this.changed();
    }
    /** To another frame. @param {number} frame @param {number} steps */
    step(frame, steps) {
        if (this.isMoving) this.toggle();
        this.seek(this.page.times[Math.min(Math.max(frame + steps, 0), this.page.times.length - 1)]);
    }
    /** @param {number} steps */
    changeRate(steps) {
        this.setRate(rates[Math.min(Math.max(rates.indexOf(this.rate) + steps, 0), rates.length - 1)]);
    }
    /** @param {number} rate */
    setRate(rate) {
        this.rate = rate;
        this.changed();
    }
    /** Once for each picture on the screen. @param {number} now milliseconds @returns {boolean} has the time changed? */
    tick(now) {
        if (!this.isPlaying) return false;
        const passed = this.last ? (now - this.last) / 1000 : 0;
        this.last = now;
        this.time += passed * this.rate;
        if (this.time >= this.end) this.atEnd();
        return true;
    }
    atEnd() {
        this.time = this.loops ? this.begin : this.end;
        if (!this.loops) this.toggle();
    }
}

/** Shows the newest frame, until somebody looks back. */
export class LivePlayer extends Player {
    follows = true;
    get isMoving() {
        return this.isPlaying || this.follows;
    }
    /** A frame has arrived. */
    arrived() {
        this.seek(this.follows ? this.end : this.time);
    }
    /** @param {number} time */
    seek(time) {
        const follows = time >= this.end, changes = follows !== this.follows;
        this.follows = follows;
        if (follows) this.isPlaying = false;
        super.seek(time);
        if (changes) this.changed();
    }
    toggle() {
        if (!this.follows && this.time >= this.end) return this.seek(this.end);
        if (!this.follows) return super.toggle();
        this.follows = false;
        this.changed();
    }
    atEnd() {
        this.seek(this.end);
    }
}
