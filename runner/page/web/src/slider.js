// SPDX-License-Identifier: GPL-3.0-or-later
// The size: a range input over a picture of what the cost consists of at every size.
import { scaleLog } from 'd3-scale';
import { area, curveLinear } from 'd3-shape';
import { el, svg, perFrame, replace } from './dom.js';
import * as format from './format.js';
import { sharesOf, STACK } from './shares.js';

const STEPS = 2000;
const HEIGHT = 84;
const BAND = 46;
const EDGE = 10;

export class Slider {
  constructor(app) {
    this.app = app;
    const { study } = app;
    this.span();
    this.input = el('input', {
      type: 'range',
      min: 0,
      max: STEPS,
      step: 1,
      'aria-label': `Size: ${study.parameter}`,
      class: 'size',
      id: 'size',
      oninput: () => this.choose(this.sizeAt(Number(this.input.value))),
    });
    this.chart = svg('svg', { class: 'shares', height: HEIGHT, 'aria-hidden': 'true' });
    this.track = el('div', { class: 'track' }, this.chart, this.input);
    this.number = el('output', { class: 'number', for: 'size' });
    this.about = el('div', { class: 'about' });
    this.total = el('div', { class: 'total' });
    this.bounds = el('div', { class: 'bounds quiet' });
    this.elapsed = el('div', { class: 'elapsed quiet' });
    this.spoken = el('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
    this.play = el(
      'button',
      {
        class: 'play',
        'aria-label': 'Play from the measured sizes to the targets',
        title: 'Play (p)',
        onclick: () => this.toggle(),
      },
      '▶',
    );
    this.element = el(
      'section',
      { class: 'sizebar', 'aria-label': 'Size' },
      el('div', { class: 'reading' }, this.number, this.about, this.total, this.bounds, this.elapsed),
      this.play,
      this.track,
      this.spoken,
    );
    this.draw = perFrame(() => this.paint());
    app.state.on(['n', 'width', 'side'], (changed) => {
      if (changed.includes('combination')) this.span();
      if (changed.includes('n')) this.move();
      if (changed.includes('width') || changed.includes('side')) this.draw();
    });
    new ResizeObserver(this.draw).observe(this.track);
  }

  // From where to where it goes, and the sizes it catches on.
  span() {
    const { study } = this.app;
    [this.low, this.high] = [Math.min(study.grid[0], study.low), Math.max(study.grid.at(-1), study.far)];
    this.whole = [...study.measured, ...study.targets].every(Number.isInteger);
    this.named = [...new Set([...study.measured, ...study.targets])].sort((a, b) => a - b);
  }

  sizeAt(step) {
    const near = this.low * (this.high / this.low) ** (step / STEPS);
    const close = this.named.find((n) => Math.abs(Math.log(n / near)) < (0.6 * Math.log(this.high / this.low)) / STEPS);
    if (close) return close;
    return this.whole ? Math.round(near) : Number(near.toPrecision(6));
  }

  stepOf(n) {
    return (STEPS * Math.log(n / this.low)) / Math.log(this.high / this.low);
  }

  choose(n) {
    this.app.state.set({ n });
  }

  // The named size before or after the present one.
  jump(direction) {
    const n = this.app.state.get('n');
    const list =
      direction > 0 ? this.named.filter((x) => x > n * 1.000001) : this.named.filter((x) => x < n * 0.999999).reverse();
    if (list.length) this.choose(list[0]);
  }

  toggle() {
    if (this.playing) {
      this.playing = false;
      this.play.textContent = '▶';
      return;
    }
    this.playing = true;
    this.play.textContent = '❚❚';
    const from =
      this.app.state.get('n') < this.high * 0.999
        ? this.stepOf(this.app.state.get('n'))
        : this.stepOf(this.app.study.low);
    const start = performance.now();
    const duration = (6000 * (STEPS - from)) / STEPS;
    const step = (now) => {
      if (!this.playing) return;
      const share = Math.min(1, (now - start) / duration);
      this.choose(this.sizeAt(from + share * (STEPS - from)));
      if (share < 1) requestAnimationFrame(step);
      else this.toggle();
    };
    requestAnimationFrame(step);
  }

  paint() {
    const width = this.track.clientWidth;
    if (!width) return;
    const { study } = this.app;
    this.x = scaleLog([this.low, this.high], [EDGE, width - EDGE]);
    const shares = sharesOf(study, study[this.app.state.get('width')]);
    const shape = (i) =>
      area()
        .x((d) => this.x(d.n))
        .y0((d) => 4 + BAND * (1 - d.bands[i][0]))
        .y1((d) => 4 + BAND * (1 - d.bands[i][1]))
        .curve(curveLinear)(shares);
    const edge = this.x(study.high);
    const axis = BAND + 14;
    this.chart.setAttribute('width', width);
    this.chart.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    this.mark = svg('g', { class: 'mark' }, svg('line', { y1: 0, y2: axis + 6 }), svg('circle', { cy: axis, r: 7 }));
    replace(
      this.chart,
      STACK.map((growth, i) => svg('path', { d: shape(i), class: `band ${growth.key}` })),
      svg('rect', { x: edge, y: 4, width: Math.max(0, width - EDGE - edge), height: BAND, class: 'beyond' }),
      svg('line', { x1: EDGE, x2: width - EDGE, y1: axis, y2: axis, class: 'axis' }),
      svg('line', { x1: EDGE, x2: edge, y1: axis, y2: axis, class: 'axis measured' }),
      study.measured.map((n) => svg('circle', { cx: this.x(n), cy: axis, r: 2.5, class: 'dot' })),
      study.targets.map((n) => svg('path', { d: `M${this.x(n)},${axis - 5}l5,5l-5,5l-5,-5z`, class: 'target' })),
      this.labels(width),
      edge > 90 ? svg('text', { x: edge - 5, y: 4 + BAND - 6, 'text-anchor': 'end', class: 'word' }, 'measured') : null,
      width - edge > 90 ? svg('text', { x: edge + 6, y: 4 + BAND - 6, class: 'word' }, 'predicted') : null,
      this.mark,
    );
    this.move();
  }

  // Targets first, then the end of what was measured, then round numbers where there is room.
  labels(width) {
    const { study } = this.app;
    const round = this.x
      .ticks(40)
      .filter((t) => [1, 2, 5].includes(Number(t.toExponential(6).split('e')[0])))
      .sort((a, b) => (Math.abs(Math.log10(a) % 1) < 1e-9 ? 0 : 1) - (Math.abs(Math.log10(b) % 1) < 1e-9 ? 0 : 1));
    const taken = [];
    const put = (n, kind) => {
      const text = format.short(n);
      const half = text.length * 3.6 + 5;
      const x = Math.min(Math.max(this.x(n), half - 4), width - half + 4);
      if (taken.some((t) => Math.abs(t.x - x) < t.half + half + (kind === 'round' ? 22 : 0))) return null;
      taken.push({ x, half });
      return svg('text', { x, y: HEIGHT - 3, 'text-anchor': 'middle', class: kind }, text);
    };
    return [
      ...[...study.targets].reverse().map((n) => put(n, 'goal')),
      put(study.high, 'seen'),
      put(study.low, 'seen'),
      ...round.map((n) => put(n, 'round')),
    ];
  }

  // What has no room is cut, and can be read by pointing at it.
  line(element, texts) {
    element.textContent = texts.filter(Boolean).join(' · ');
    element.title = element.textContent;
  }

  elapsedText(n, predicted) {
    const at = this.app.study.elapsedAt(n);
    if (!at) return '';
    const bounds = predicted && !at.measured ? `, ${format.interval(at, format.seconds)}` : '';
    return `${format.seconds(at.value)} elapsed${bounds}`;
  }

  move() {
    const { study, state } = this.app;
    const n = state.get('n');
    if (this.x) this.mark?.setAttribute('transform', `translate(${this.x(n)},0)`);
    this.input.value = this.stepOf(n);
    const total = this.app.total();
    const predicted = this.app.predicted();
    const times = n / study.high;
    const measured = this.app.measured();
    const known = measured !== null && measured.value !== null;
    const runs = measured && `${format.count(measured.runs)} run${measured.runs === 1 ? '' : 's'}`;
    const outside = times < 1 ? 'below the sizes measured' : `${format.count(times)} × the largest measured`;
    const where = known
      ? `${predicted ? 'run to check the prediction' : 'measured'}: mean of ${runs}`
      : predicted
        ? `predicted, ${outside}`
        : 'within the sizes measured, by the model';
    replace(
      this.number,
      el('span', { class: 'variable' }, `${study.parameter} = `),
      format.size(n),
      study.unit ? el('span', { class: 'unit' }, ` ${study.unit}`) : null,
    );
    replace(this.about, where);
    const [predictedTotal, bounds] = this.app.figure(total);
    const shown = known ? this.app.show(measured.value) : predictedTotal;
    replace(this.total, el('strong', {}, shown), el('span', { class: 'of' }, ` ${this.app.what()}`), known ? ', measured' : null);
    const model = known ? `${predictedTotal} by the model` : '';
    this.line(this.bounds, [model, predicted && bounds ? `95% interval: ${bounds}` : '']);
    const elapsed = this.elapsedText(n, predicted);
    this.line(this.elapsed, [elapsed]);
    this.elapsed.hidden = !study.hasElapsed;
    const spoken = [`${study.parameter} = ${format.size(n)}, ${where}; ${shown} ${this.app.what()}`, model, elapsed]
      .filter(Boolean)
      .join(', ');
    this.input.setAttribute('aria-valuetext', spoken);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.spoken.textContent = spoken;
    }, 400);
  }
}
