// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph (an icicle: callers above). The canvas shows it; the list of frames beside it is what screen readers
// and
// the keyboard walk through.
import { el, later, perFrame } from './dom.js';
import { doubt, frameAt, layout } from './flame_layout.js';
import { Painter } from './flame_paint.js';
import { attachKeys } from './flame_keys.js';
import { changeKey, changeSign } from './palette.js';
import * as format from './format.js';
import { growthOf, label, orderOf, place, title } from './words.js';

const MOST_ITEMS = 300;
const ROWS = { least: 24, most: 34, readable: 40 }; // pixels

export class Flame {
  constructor(app) {
    this.app = app;
    this.canvas = el('canvas', { 'aria-hidden': 'true' });
    this.items = el('div', { class: 'items' });
    this.space = el('div', { class: 'space' }, this.canvas, this.items);
    this.tip = el('div', { class: 'tip', role: 'tooltip', hidden: true });
    this.tipped = -1; // the context the tip is about
    this.byKey = false; // it stands at the selected frame, not at the mouse
    this.element = el(
      'div',
      { class: 'flame', role: 'tree', tabindex: 0, 'aria-label': 'Flame graph of calling contexts' },
      this.space,
    );
    this.holder = el('div', { class: 'flame-holder' }, this.element, this.tip);
    this.painter = new Painter(this.canvas);
    this.draw = perFrame(() => this.paint());
    this.describe = later(120, () => this.list());
    this.hovered = -1;
    this.row = ROWS.least;
    this.listen();
    attachKeys(this);
  }

  get state() {
    return this.app.state;
  }

  listen() {
    this.state.on(['focus', 'side', 'selected'], () => {
      if (!this.byKey || this.tipped !== this.state.get('selected')) this.hideTip();
    });
    this.state.on(['n', 'width', 'colour', 'side', 'focus', 'selected', 'matches'], (changed) => {
      const same = changed.includes('combination'); // frames stand where they stood
      if (!same && changed.some((key) => ['focus', 'side', 'width'].includes(key))) this.element.scrollTop = 0;
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener('scroll', this.draw);
    this.element.addEventListener('mousemove', (event) => this.hover(event));
    this.element.addEventListener('mouseleave', () => this.hover(null));
    this.element.addEventListener('click', (event) => {
      const frame = this.under(event);
      if (frame) this.app.open(frame.context, { zoom: true });
    });
  }

  under(event) {
    const box = this.element.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top + this.element.scrollTop) / this.row);
    return frameAt(this.frames ?? [], event.clientX - box.left - this.element.clientLeft, row);
  }

  hover(event) {
    if (event && event.clientX === this.mouse?.x && event.clientY === this.mouse?.y) return; // the frames moved, not it
    this.mouse = event && { x: event.clientX, y: event.clientY };
    const frame = event && this.under(event);
    const context = frame ? frame.context : -1;
    if (context !== this.hovered) {
      this.hovered = context;
      this.draw();
      if (frame) this.showTip(context, false);
      else if (!this.byKey) this.hideTip();
    }
    if (frame && !this.byKey) this.placeTip(event.clientX + 14, event.clientY - 8, event.clientY + 18);
  }

  // A tip that was put away with Escape comes back with the next frame.
  showTip(context, byKey) {
    this.tipped = context;
    this.byKey = byKey;
    this.tip.hidden = false;
    this.fillTip(context);
  }

  // Whether there was one.
  hideTip() {
    const shown = !this.tip.hidden;
    this.tip.hidden = true;
    this.byKey = false;
    return shown;
  }

  tipSelected() {
    this.showTip(this.state.get('selected'), true);
    this.draw();
  }

  // Below `bottom`, or above `top` where there is no room; in the window's coordinates.
  placeTip(left, top, bottom) {
    const box = this.holder.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.tip;
    const above = bottom - box.top + offsetHeight > box.height;
    this.tip.style.left = `${Math.max(0, Math.min(left - box.left, box.width - offsetWidth - 4))}px`;
    this.tip.style.top = `${(above ? top - offsetHeight : bottom) - box.top}px`;
  }

  // Follows what was drawn anew: other figures, a frame elsewhere or gone.
  renewTip() {
    if (this.tip.hidden) return;
    this.fillTip(this.tipped);
    if (!this.byKey) return;
    const frame = this.frames.find(({ context }) => context === this.tipped);
    if (!frame) this.hideTip();
    if (!frame) return;
    const box = this.element.getBoundingClientRect();
    const top = box.top + frame.row * this.row - this.element.scrollTop;
    this.placeTip(box.left + frame.x + 8, top - 4, top + this.row + 4);
  }

  fillTip(context) {
    const { study } = this.app;
    const order = orderOf(study, context);
    this.tip.replaceChildren(
      el('strong', {}, title(study, context)),
      el('span', { class: 'quiet' }, ` ${place(study, context)}`),
      el('br'),
      this.figures(context),
      order
        ? el(
            'span',
            { class: 'quiet' },
            ` · executed ${order === 'constant' ? 'a constant number of times' : `∝ ${order}`}`,
          )
        : '',
    );
  }

  // "98% · 2.2 s (1.9 to 4.5 s)"
  figures(context) {
    const values = this.app.values();
    const at = { value: values.value[context], low: values.low[context], high: values.high[context] };
    const [value] = this.app.figure(at);
    const [, bounds] = this.app.figure(context === 0 ? this.app.total() : at);
    return `${this.app.share(context)} · ${value}${this.app.predicted() && bounds ? ` (${bounds})` : ''}`;
  }

  key(context) {
    if (this.state.get('colour') === 'change') return changeKey(this.app.change(context));
    return growthOf(this.app.study.growth[context]).key;
  }

  // Rows as high as there is room for all that can be read at either end of the slider, so that sliding changes no
  // height.
  chooseRow(width) {
    const { study } = this.app;
    const [focus, side] = [this.state.get('focus'), this.state.get('width')];
    const tag = `${width} ${this.element.clientHeight} ${focus} ${side} ${this.app.shownTag()}`;
    if (tag === this.rowTag) return;
    this.rowTag = tag;
    const deep = [study.low, study.high, study.far]
      .flatMap((n) => layout(study, study.at(n)[side], focus, width).frames)
      .reduce((most, frame) => (frame.width >= ROWS.readable ? Math.max(most, frame.row + 1) : most), 1);
    this.row = Math.round(Math.min(ROWS.most, Math.max(ROWS.least, this.element.clientHeight / (deep + 1))));
  }

  paint() {
    const width = this.element.clientWidth;
    const { study } = this.app;
    if (!width || !study) return;
    const values = this.app.values();
    this.chooseRow(width);
    const { frames, small, rows } = layout(study, values, this.state.get('focus'), width);
    this.frames = frames;
    const height = Math.min(this.element.clientHeight, rows * this.row + 2);
    this.space.style.height = `${rows * this.row + 2}px`;
    this.painter.size(width, height);
    this.painter.begin();
    const top = this.element.scrollTop;
    this.canvas.style.cssText = `width:${width}px;height:${height}px;top:${top}px`;
    const shown = ({ row }) => row * this.row < top + height && (row + 1) * this.row > top;
    for (const gap of small)
      if (shown(gap)) this.painter.gap({ ...gap, y: gap.row * this.row - top, height: this.row });
    for (const frame of frames) if (shown(frame)) this.paintFrame(frame, values, top);
    this.renewTip();
    this.describe();
  }

  paintFrame(frame, values, top) {
    const { app } = this;
    const { context, x, width, row } = frame;
    const matches = this.state.get('matches');
    const change = this.state.get('colour') === 'change';
    const sign = change ? changeSign(app.change(context)) : '';
    const share = values.value[0] > 0 ? app.share(context) : '';
    this.painter.frame({
      x,
      y: row * this.row - top,
      width,
      height: this.row,
      key: this.key(context),
      level: doubt(values, context, app.predicted()),
      text: width > 24 ? `${sign ? `${sign} ` : ''}${label(app.study, context)}` : '',
      side: width > 120 ? (change && sign ? `${format.change(app.change(context))}  ${share}` : share) : '',
      dim: frame.above || (matches && !matches.has(context)),
      matched: matches?.has(context),
      selected: context === this.selected(),
      hovered: context === this.hovered,
    });
  }

  name(context) {
    const { study } = this.app;
    const order = orderOf(study, context);
    const change = this.app.base
      ? `, ${this.app.alike(context) ? 'as in the base' : `${format.change(this.app.change(context))} against the base`}`
      : '';
    return (
      `${title(study, context)}, ${study.kindOf(context)} ${place(study, context)}: ${this.figures(context)}` +
      `${order ? `, executions grow as ${order}` : ''}${change}`
    );
  }

  // The frame that the selected context is in.
  selected() {
    const selected = this.state.get('selected');
    return selected < 0 ? selected : this.app.study.shown(selected);
  }

  // The widest frames as elements.
  list() {
    const selected = this.selected();
    const values = this.app.values();
    const seen = new Set();
    const kept = [...this.frames].sort((a, b) => b.width - a.width).slice(0, MOST_ITEMS);
    const chosen = this.frames.find((frame) => frame.context === selected);
    if (chosen && !kept.includes(chosen)) kept.push(chosen);
    kept.sort((a, b) => a.row - b.row || a.x - b.x);
    this.items.replaceChildren(
      ...kept
        .filter(({ context }) => !seen.has(context) && seen.add(context))
        .map((frame) =>
          el('div', {
            role: 'treeitem',
            id: `frame-${frame.context}`,
            'data-context': frame.context,
            'data-sure': doubt(values, frame.context, this.app.predicted()),
            'aria-level': frame.row + 1,
            'aria-selected': frame.context === selected ? 'true' : 'false',
            'aria-label': this.name(frame.context),
            style: {
              left: `${frame.x}px`,
              top: `${frame.row * this.row}px`,
              width: `${frame.width}px`,
              height: `${this.row}px`,
            },
          }),
        ),
    );
    if (seen.has(selected)) this.element.setAttribute('aria-activedescendant', `frame-${selected}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  reveal(context) {
    const { row: ROW } = this;
    const row = this.app.study.depth[context];
    const { scrollTop, clientHeight } = this.element;
    if (row * ROW < scrollTop || (row + 1) * ROW > scrollTop + clientHeight)
      this.element.scrollTop = row * ROW - clientHeight / 2;
  }

  refresh() {
    this.painter.refresh();
    this.draw();
  }
}
