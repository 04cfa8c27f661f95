// SPDX-License-Identifier: MPL-2.0
// The strip of time: where the page is, and what happens when.

const eventColours = ["#e8705a", "#e0a030", "#5aa9e8", "#9a7be0", "#4fb58a", "#d56aa8", "#8a9a3a", "#6a86c9"];
const nearPixels = 4, leastPixels = 3, scalePixels = 18;

/** @typedef {import("./data.js").Page | import("./live.js").LivePage} AnyPage */
/** @typedef {import("./data.js").Event} Event */

export class Timeline {
    /** @param {HTMLCanvasElement} canvas @param {HTMLElement} cursor @param {HTMLElement} hint says what is under the pointer
     *  @param {AnyPage} page @param {(time: number) => void} seek @param {(event: Event) => void} go to an event */
    constructor(canvas, cursor, hint, page, seek, go) {
        this.canvas = canvas;
        this.cursor = cursor;
        this.hint = hint;
        this.width = 0;
        this.page = page;
        this.kinds = [...new Set(page.events.map(event => event.kind))];
        /** @param {PointerEvent} event */
        const seekTo = event => seek(this.timeAt(Math.min(Math.max(event.offsetX, 0), canvas.clientWidth)));
        canvas.addEventListener("pointerdown", event => {
            canvas.setPointerCapture(event.pointerId);
            const [under] = this.eventsAt(event.offsetX, event.offsetY);
            if (under) go(under); else seekTo(event);
        });
        canvas.addEventListener("pointermove", event => {
            this.showHint(event);
            if (event.buttons !== 0) seekTo(event);
        });
        canvas.addEventListener("pointerleave", () => hint.hidden = true);
    }
    /** @param {PointerEvent} event */
    showHint(event) {
        const under = this.eventsAt(event.offsetX, event.offsetY), {hint} = this;
        hint.hidden = under.length === 0;
        if (hint.hidden) return;
        hint.textContent = under.slice(0, 8).map(each => `${each.from.toFixed(2)} s  ${each.kind}: ${each.text}`).join("\n");
        const left = Math.min(event.clientX, innerWidth - hint.offsetWidth - 4);
        hint.style.left = `${Math.max(left, 4)}px`;
        hint.style.bottom = `${innerHeight - this.canvas.getBoundingClientRect().top + 4}px`;
    }
    /** @param {string} kind */
    colourOf(kind) {
        return eventColours[this.kinds.indexOf(kind) % eventColours.length];
    }
    /** @param {number} x pixels */
    timeAt(x) {
        const {from, to} = this.page.span();
        return from + x / this.canvas.clientWidth * (to - from);
    }
    /** The shortest first: a long one does not hide it. @param {number} x @param {number} y pixels */
    eventsAt(x, y) {
        if (y > this.canvas.clientHeight - scalePixels) return [];
        const time = this.timeAt(x), near = this.timeAt(x + nearPixels) - time;
        return this.page.events.filter(event => event.from - near <= time && event.to + near >= time)
            .sort((a, b) => (a.to - a.from) - (b.to - b.from));
    }
    /** Only this moves while the page plays. @param {number} time */
    moveCursor(time) {
        const {from, to} = this.page.span();
        this.cursor.style.transform = `translateX(${((time - from) / (to - from) * this.width).toFixed(1)}px)`;
    }
    /** The scale and the events: again when the size or the colours change. */
    draw() {
        const {canvas, page} = this, ratio = devicePixelRatio || 1;
        const width = this.width = canvas.clientWidth, height = canvas.clientHeight;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", {willReadFrequently: true}));
        const style = getComputedStyle(canvas), text = style.color;
        context.scale(ratio, ratio);
        const {from, to, zero} = page.span();
        /** @param {number} t */
        const x = t => (t - from) / (to - from) * width;
        context.font = `${parseFloat(style.fontSize) * 0.79}px system-ui, sans-serif`;
        context.fillStyle = context.strokeStyle = text;
        const step = niceStep((to - from) * 80 / Math.max(width, 1));
        for (let t = Math.ceil((from - zero) / step - 1e-9) * step; t <= to - zero + 1e-9; t += step) {
            const at = x(zero + t);
            context.globalAlpha = 0.35;
            context.fillRect(at, height - 14, 1, 4);
            context.globalAlpha = 0.75;
            context.textAlign = at < 20 ? "left" : at > width - 20 ? "right" : "center";
            context.fillText(String(Number(t.toFixed(3))), at, height - 1);
        }
        context.globalAlpha = 0.25;
        context.fillRect(0, height - scalePixels, width, 3);
        context.globalAlpha = 1;
        for (const event of page.events) {
            context.fillStyle = this.colourOf(event.kind);
            context.fillRect(x(event.from), 2, Math.max(x(event.to) - x(event.from), leastPixels), height - scalePixels - 4);
        }
    }
}

/** 1, 2, 5, 10 ... @param {number} least */
export function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}
