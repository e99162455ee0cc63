// SPDX-License-Identifier: GPL-3.0-or-later
// Draws frames on a canvas.
import { hatch, palette } from './palette.js';

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.widths = new Map();
    this.refresh();
  }

  // After a change of theme.
  refresh() {
    this.colours = palette();
    this.patterns = new Map();
  }

  size(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.ratio = ratio;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.patterns.clear();
    }
    this.width = width;
    this.height = height;
  }

  begin() {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.context.font = FONT;
    this.context.textBaseline = 'middle';
  }

  pattern(level, colour) {
    const key = level + colour;
    if (!this.patterns.has(key)) this.patterns.set(key, hatch(this.context, level, colour, this.ratio));
    return this.patterns.get(key);
  }

  // {x, y, width, height, key, level, text, side, dim, selected, matched, hovered}
  frame(f) {
    const pen = this.context;
    const { fill, ink, lines } = this.colours[f.key];
    const wide = Math.max(f.width - (f.width > 3 ? 1 : 0), 0.5);
    const radius = wide > 8 ? 3 : 0;
    pen.globalAlpha = f.dim ? 0.35 : 1;
    pen.beginPath();
    pen.roundRect(f.x, f.y, wide, f.height - 1, radius);
    pen.fillStyle = fill;
    pen.fill();
    if (f.level && wide > 2) {
      pen.globalAlpha *= 0.17 + 0.02 * f.level;
      pen.fillStyle = this.pattern(f.level, lines);
      pen.fill();
      pen.globalAlpha = f.dim ? 0.35 : 1;
    }
    if (wide > 24) this.label(f, wide, fill, ink);
    pen.globalAlpha = 1;
    if (f.matched) this.outline(f, wide, radius, this.colours.match, 2);
    if (f.hovered) this.outline(f, wide, radius, this.colours.quiet, 1.5);
    if (f.selected) this.outline(f, wide, radius, this.colours.ink, 2);
  }

  outline(f, wide, radius, colour, thick) {
    const pen = this.context;
    pen.strokeStyle = colour;
    pen.lineWidth = thick;
    pen.beginPath();
    pen.roundRect(f.x + thick / 2, f.y + thick / 2, Math.max(wide - thick, 0.5), f.height - 1 - thick, radius);
    pen.stroke();
  }

  measure(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      this.widths.set(text, (width = this.context.measureText(text).width));
    }
    return width;
  }

  fit(text, room) {
    if (this.measure(text) <= room) return text;
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.measure(`${text.slice(0, middle)}…`) <= room) low = middle;
      else high = middle - 1;
    }
    return low > 1 ? `${text.slice(0, low)}…` : '';
  }

  // The label on a clean ground, so that a hatch does not run through letters.
  label(f, wide, fill, ink) {
    const pen = this.context;
    const inset = 6;
    const text = this.fit(f.text, wide - 2 * inset);
    if (!text) return;
    const used = this.measure(text);
    const side = f.side && wide > used + this.measure(f.side) + 4 * inset ? f.side : '';
    if (f.level) {
      const alpha = pen.globalAlpha;
      pen.globalAlpha = alpha * 0.82;
      pen.fillStyle = fill;
      pen.fillRect(f.x + inset - 3, f.y + f.height / 2 - 8, used + 6, 15);
      if (side)
        pen.fillRect(f.x + wide - inset - this.measure(side) - 3, f.y + f.height / 2 - 8, this.measure(side) + 6, 15);
      pen.globalAlpha = alpha;
    }
    pen.fillStyle = ink;
    pen.fillText(text, f.x + inset, f.y + f.height / 2);
    if (side) {
      pen.globalAlpha *= 0.85;
      pen.fillText(side, f.x + wide - inset - this.measure(side), f.y + f.height / 2);
    }
  }

  gap({ x, y, width, height }) {
    this.context.globalAlpha = 0.5;
    this.context.fillStyle = this.colours.gs.fill;
    this.context.fillRect(x, y, width, height - 1);
    this.context.globalAlpha = 1;
  }
}
