// SPDX-License-Identifier: MPL-2.0
// The time that the page shows: plays, steps, loops.

export const rates = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Player {
    /** @param {Float64Array} times of the frames @param {() => void} moved the time has changed
     *  @param {() => void} changed another rate, or whether it plays */
    constructor(times, moved, changed) {
        this.times = times;
        this.end = times[times.length - 1];
        this.moved = moved;
        this.changed = changed;
        this.time = 0;
        this.rate = 1;
        this.isPlaying = false;
        this.loops = true;
        this.last = 0;
    }
    /** @param {number} time */
    seek(time) {
        this.time = Math.min(Math.max(time, 0), this.end);
        this.moved();
    }
    toggle() {
        this.isPlaying = !this.isPlaying && this.end > 0;
        if (this.isPlaying && this.time >= this.end) this.time = 0;
        this.last = 0;
        this.changed();
    }
    /** To another frame. @param {number} frame @param {number} steps */
    step(frame, steps) {
        if (this.isPlaying) this.toggle();
        this.seek(this.times[Math.min(Math.max(frame + steps, 0), this.times.length - 1)]);
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
        if (this.time >= this.end) {
            this.time = this.loops ? 0 : this.end;
            if (!this.loops) this.toggle();
        }
        return true;
    }
}
