// SPDX-License-Identifier: GPL-3.0-or-later
// A plot over sizes, both axes logarithmic: measured points, the model, its rivals and its interval.
import { axisBottom, axisLeft } from 'd3-axis';
import { scaleLinear, scaleLog } from 'd3-scale';
import { select } from 'd3-selection';
import { area, line } from 'd3-shape';
import { el, svg } from './dom.js';
import * as format from './format.js';

const MARGIN = { top: 10, right: 14, bottom: 26, left: 58 };

function extent(values) {
  const positive = values.filter((v) => v > 0 && Number.isFinite(v));
  return positive.length ? [Math.min(...positive), Math.max(...positive)] : [1, 10];
}

function scales({ curve, points, others, width, height, linear, show }) {
  const sizes = curve.map((p) => p.n);
  const top = Math.max(...curve.map((p) => p.value));
  const [low, high] = extent([
    ...curve.map((p) => p.value),
    ...points.map((p) => p.y),
    ...others,
    ...curve.map((p) => (Number.isFinite(p.high) ? Math.min(p.high, top > 0 ? 30 * top : Infinity) : p.value)),
  ]);
  const x = scaleLog([sizes[0], sizes.at(-1)], [MARGIN.left, width - MARGIN.right]);
  const room = [height - MARGIN.bottom, MARGIN.top];
  const y = linear
    ? scaleLinear([0, high || 1], room).nice(4)
    : scaleLog(high / low < 3 ? [low / 2, high * 2] : [low / 1.4, high * 1.6], room);
  return { x, y: y.clamp(true) };
}

// Bytes go by powers of 2: of those whose exponents are multiples of a step, 1024 the first choice; where the axis has less
// than three, multiples of one power.
export function binaryTicks([low, high], most) {
  const [from, to] = [Math.log2(Math.max(low, 1)), Math.log2(Math.max(high, 2))];
  const every = (step) => {
    const list = [];
    for (let e = Math.ceil(from / step) * step; e <= to; e += step) list.push(2 ** e);
    return list;
  };
  for (const step of [10, 5, 2, 1]) {
    const list = every(step);
    if (list.length >= 3) return list.filter((_, i) => i % Math.ceil(list.length / most) === 0);
  }
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((high - low) / most)));
  const list = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) list.push(value);
  return list;
}

// What fits beside an axis: "1M", "32 MiB".
const tickText = (show) => (show === format.count ? format.short : (v) => show(v).replace(/\.0+(?=\D|$)/, ''));

function axes({ x, y }, width, height, show) {
  const decades = (scale, count) => {
    const ticks = scale.ticks(count);
    if (ticks.length <= count + 1 || !scale.base) return ticks;
    const whole = ticks.filter((t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
    return whole.filter((_, i) => i % Math.ceil(whole.length / count) === 0);
  };
  const bottom = select(svg('g', { class: 'axis', transform: `translate(0,${height - MARGIN.bottom})` }));
  bottom.call(axisBottom(x).tickValues(decades(x, 6)).tickFormat(format.short).tickSizeOuter(0));
  const left = select(svg('g', { class: 'axis', transform: `translate(${MARGIN.left},0)` }));
  left.call(
    axisLeft(y)
      .tickValues(show === format.bytes ? binaryTicks(y.domain(), 5) : decades(y, 5))
      .tickFormat(tickText(show))
      .tickSize(-(width - MARGIN.left - MARGIN.right))
      .tickSizeOuter(0),
  );
  return [left.node(), bottom.node()];
}

// {curve: [{n, value, low, high}], points: [{n, y}], rivals: [[values]], base: {curve, points}, high: the largest size
// measured, at: the present size, limits: [y], show: how to print y, label, linear}
export function plot({
  curve,
  points,
  rivals = [],
  base = null,
  high,
  at,
  limits = [],
  show,
  label,
  linear = false,
  width = 380,
  height = 220,
}) {
  const all = scales({
    curve,
    points,
    width,
    height,
    linear,
    show,
    others: [...(base ? base.curve.map((p) => p.value) : []), ...limits],
  });
  const { x, y } = all;
  const fits = (v) => Number.isFinite(v) && (linear || v > 0);
  const floor = linear ? 0 : y.domain()[0];
  const path = (pick) =>
    line()
      .defined((d) => fits(pick(d)))
      .x((d) => x(d.n))
      .y((d) => y(pick(d)));
  const band = area()
    .defined((d) => fits(d.high))
    .x((d) => x(d.n))
    .y0((d) => y(Math.max(d.low, floor)))
    .y1((d) => y(d.high));
  const seen = curve.filter((p) => p.n <= high);
  const beyond = curve.filter((p) => p.n >= high);
  const rivalLine = (values) => path((d) => d.value)(curve.map((p, i) => ({ n: p.n, value: values[i] })));
  const picture = svg(
    'svg',
    { class: 'plot', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label },
    svg('rect', {
      x: x(curve[0].n),
      y: MARGIN.top,
      width: Math.max(0, x(high) - x(curve[0].n)),
      height: height - MARGIN.top - MARGIN.bottom,
      class: 'seen',
    }),
    axes(all, width, height, show),
    svg('path', { d: band(curve), class: 'interval' }),
    limits.map((limit) =>
      svg('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: y(limit), y2: y(limit), class: 'limit' }),
    ),
    rivals.map((values) => svg('path', { d: rivalLine(values), class: 'rival' })),
    base
      ? [
          svg('path', { d: path((d) => d.value)(base.curve), class: 'model base' }),
          base.points
            .filter((p) => fits(p.y))
            .map((p) => svg('path', { d: `M${x(p.n) - 3},${y(p.y)}h6m-3,-3v6`, class: 'point base' })),
        ]
      : null,
    svg('path', { d: path((d) => d.value)(seen), class: 'model' }),
    svg('path', { d: path((d) => d.value)(beyond), class: 'model beyond' }),
    points.filter((p) => fits(p.y)).map((p) => svg('circle', { cx: x(p.n), cy: y(p.y), r: 3, class: 'point' })),
    svg('line', { x1: x(at), x2: x(at), y1: MARGIN.top, y2: height - MARGIN.bottom, class: 'now' }),
  );
  picture.moveTo = (n) => {
    const now = picture.querySelector('.now');
    now.setAttribute('x1', x(n));
    now.setAttribute('x2', x(n));
  };
  return picture;
}

export function key(base, rivals) {
  const entry = (kind, text) =>
    el(
      'span',
      {},
      svg(
        'svg',
        { width: 18, height: 10, class: 'plot', 'aria-hidden': 'true' },
        kind === 'point'
          ? svg('circle', { cx: 9, cy: 5, r: 3, class: 'point' })
          : kind === 'interval'
            ? svg('rect', { x: 1, y: 1, width: 16, height: 8, class: 'interval' })
            : svg('line', { x1: 1, x2: 17, y1: 5, y2: 5, class: kind }),
      ),
      text,
    );
  return el(
    'div',
    { class: 'key' },
    entry('point', 'measured'),
    entry('model', 'model'),
    entry('interval', '95% interval'),
    rivals ? entry('rival', 'fits as well') : null,
    base ? entry('model base', 'base') : null,
  );
}
