// SPDX-License-Identifier: MPL-2.0
// The strip of time: where the page is, and what happens when.

const eventColours = ["#e8705a", "#e0a030", "#5aa9e8", "#9a7be0", "#4fb58a", "#d56aa8", "#8a9a3a", "#6a86c9"];

export class Timeline {
    /** @param {HTMLCanvasElement} canvas @param {HTMLElement} cursor @param {import("./data.js").Page} page
     *  @param {(time: number) => void} seek */
    constructor(canvas, cursor, page, seek) {
        this.canvas = canvas;
        this.cursor = cursor;
        this.width = 0;
        this.page = page;
        this.end = page.times[page.times.length - 1] || 1;
        this.kinds = [...new Set(page.events.map(event => event.kind))];
        /** @param {PointerEvent} event */
        const go = event => {
            if (event.buttons === 0) return;
            canvas.setPointerCapture(event.pointerId);
            seek(Math.min(Math.max(event.offsetX / canvas.clientWidth, 0), 1) * this.end);
        };
        canvas.addEventListener("pointerdown", go);
        canvas.addEventListener("pointermove", event => {
            canvas.title = this.eventsAt(event.offsetX).map(each => `${each.kind}: ${each.text}`).join("\n");
            go(event);
        });
    }
    /** @param {string} kind */
    colourOf(kind) {
        return eventColours[this.kinds.indexOf(kind) % eventColours.length];
    }
    /** @param {number} x pixels */
    eventsAt(x) {
        const near = 4 / this.canvas.clientWidth * this.end, time = x / this.canvas.clientWidth * this.end;
        return this.page.events.filter(event => event.from - near <= time && event.to + near >= time);
    }
    /** Only this moves while the page plays. @param {number} time */
    moveCursor(time) {
        this.cursor.style.transform = `translateX(${(time / this.end * this.width).toFixed(1)}px)`;
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
        /** @param {number} t */
        const x = t => t / this.end * width;
        context.font = "11px system-ui, sans-serif";
        context.fillStyle = context.strokeStyle = text;
        const step = niceStep(this.end * 80 / Math.max(width, 1));
        for (let t = 0; t <= this.end + 1e-9; t += step) {
            context.globalAlpha = 0.35;
            context.fillRect(x(t), height - 14, 1, 4);
            context.globalAlpha = 0.75;
            context.textAlign = t === 0 ? "left" : x(t) > width - 20 ? "right" : "center";
            context.fillText(String(Number(t.toFixed(3))), x(t), height - 1);
        }
        context.globalAlpha = 0.25;
        context.fillRect(0, height - 18, width, 3);
        context.globalAlpha = 1;
        for (const event of page.events) {
            context.fillStyle = this.colourOf(event.kind);
            context.fillRect(x(event.from), 2, Math.max(x(event.to) - x(event.from), 3), height - 22);
        }
    }
}

/** 1, 2, 5, 10 ... @param {number} least */
export function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}
