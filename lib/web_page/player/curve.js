// SPDX-License-Identifier: MPL-2.0
// The speed of a thing over time.

const left = 40, right = 8, top = 8, bottom = 18;

export class SpeedCurve {
    /** @param {HTMLCanvasElement} canvas @param {HTMLElement} cursor @param {import("./timeline.js").AnyPage} page
     *  @param {(time: number) => void} seek */
    constructor(canvas, cursor, page, seek) {
        this.canvas = canvas;
        this.cursor = cursor;
        this.width = 0;
        this.page = page;
        /** @param {PointerEvent} event */
        const go = event => {
            if (event.buttons === 0) return;
            const width = canvas.clientWidth - left - right, {from, to} = page.span();
            seek(from + Math.min(Math.max((event.offsetX - left) / width, 0), 1) * (to - from));
        };
        canvas.addEventListener("pointerdown", go);
        canvas.addEventListener("pointermove", go);
    }
    /** @param {number} time */
    moveCursor(time) {
        const {from, to} = this.page.span(), along = (time - from) / (to - from);
        this.cursor.style.transform = `translateX(${(left + along * (this.width - left - right)).toFixed(1)}px)`;
    }
    /** @param {import("./data.js").Track} track */
    draw(track) {
        const {canvas, page} = this, ratio = devicePixelRatio || 1;
        const width = this.width = canvas.clientWidth, height = canvas.clientHeight;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", {willReadFrequently: true}));
        const style = getComputedStyle(canvas);
        context.scale(ratio, ratio);
        const speeds = Array.from(track.frames, (_, i) => track.speed(i));
        const most = speeds.reduce((largest, speed) => speed > largest ? speed : largest, 1), {from, to} = page.span();
        /** @param {number} t */
        const x = t => left + (t - from) / (to - from) * (width - left - right);
        /** @param {number} v */
        const y = v => height - bottom - v / most * (height - top - bottom);
        context.font = `${parseFloat(style.fontSize) * 0.79}px system-ui, sans-serif`;
        context.fillStyle = style.color;
        context.globalAlpha = 0.75;
        context.textAlign = "right";
        context.fillText(most.toFixed(1), left - 4, y(most) + 8);
        context.fillText("0", left - 4, y(0));
        context.textAlign = "left";
        context.fillText("speed [m/s]", left, height - 4);
        context.globalAlpha = 0.3;
        context.strokeStyle = style.color;
        for (const value of [0, most]) {
            context.beginPath();
            context.moveTo(left, y(value));
            context.lineTo(width - right, y(value));
            context.stroke();
        }
        context.globalAlpha = 1;
        context.strokeStyle = style.getPropertyValue("--accent");
        context.lineWidth = 1.5;
        context.beginPath();
        let last = NaN;
        speeds.forEach((speed, i) => {
            const frame = track.frames[i];
            if (!Number.isFinite(speed)) return void (last = NaN);
            if (frame - last === 1) context.lineTo(x(page.times[frame]), y(speed));
            else context.moveTo(x(page.times[frame]), y(speed));
            last = frame;
        });
        context.stroke();
    }
}
