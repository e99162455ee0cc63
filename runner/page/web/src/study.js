// SPDX-License-Identifier: GPL-3.0-or-later
// One study: its tree of contexts, and what every context costs at a size.
import { SURE, at, decode, place, widened } from './curves.js';
import { Functions } from './functions.js';
import { Lines } from './lines.js';

// Of a list of intervals over the grid; what is not known has no end.
function intervalAt(list, where) {
  const [value, low, high] = [0, 1, 2].map((i) =>
    at(
      list.map((interval) => interval[i] ?? Infinity),
      where,
    ),
  );
  return { value, low, high };
}

// What is asked for: a hundred thousand contexts take their time.
class Values {
  constructor(study, models, n) {
    Object.assign(this, { study, models, n, kept: {}, added: {} });
  }
  // Of the contexts themselves, and with what is below them: values, ends of intervals, squares of independent errors.
  sums(width) {
    return (this.added[width] ??= this.study.sums(this.study[width], this.models, this.n));
  }
  get cost() {
    return (this.kept.cost ??= this.study.blend(this.sums('cost'), this.study.doubtAt(this.n, 'cost')));
  }
  get count() {
    return (this.kept.count ??= this.study.blend(this.sums('count'), SURE));
  }
}

const COUNTED = new Set(['function', 'loop', 'work']);

export class Study {
  constructor(data, grid) {
    Object.assign(this, {
      grid,
      path: data.path,
      title: data.title,
      parameter: data.parameter,
      unit: data.unit,
      kind: data.kind,
      costUnit: data.cost_unit,
      level: data.level,
      asked: data.at ?? null,
      targets: [...data.targets].sort((a, b) => a - b),
      runs: data.runs,
      totals: data.totals,
      elapsed: data.elapsed ?? null,
      dearer: data.dearer,
      doubt: data.doubt,
      budgets: data.budgets ?? [],
      caveats: data.caveats,
      provenance: data.provenance,
      modelledShare: data.modelled_share,
      unbounded: data.unbounded,
      verdict: data.verdict,
      coverage: data.coverage,
      findings: data.findings,
      undecided: data.undecided,
      resources: data.resources ?? null,
      suppressed: data.suppressed,
      negligible: data.negligible,
      unexplained: data.unexplained,
      actual: data.actual,
      heldOut: data.held_out,
      ran: new Map(data.measured.map(([n, runs, count, cost, elapsed]) => [n, { runs, count, cost, elapsed }])),
      strings: data.strings,
      kinds: data.kinds,
      locations: data.locations,
      briefs: data.briefs,
      parts: data.parts,
      words: data.models.words,
      rivalData: data.models.rivals,
      counts: data.counts,
      sources: data.sources,
    });
    this.hasElapsed = Boolean(this.elapsed) || [...this.ran.values()].some((ran) => ran.elapsed > 0);
    this.sourceFiles = new Set(data.sources.map((source) => source.file));
    this.measured = [...new Set(data.runs)];
    this.low = this.measured[0];
    this.high = this.measured.at(-1);
    this.far = Math.max(this.high, ...this.targets);
    this.curves = data.models.curves.map((deltas) => decode(deltas, grid.length));
    this.readTree(data.contexts);
    this.costs = new Map(data.costs.map(([context, ...values]) => [context, values]));
    this.cache = new Map();
    this.order();
    this.classify();
  }

  // Made when it is first looked at.
  get functions() {
    return (this.functionList ??= new Functions(this));
  }

  get lines() {
    return (this.lineList ??= new Lines(this));
  }

  // Whether lines of the file that a context stands in are in the page.
  hasSource(context) {
    const [, , file] = this.locations[this.location[context]];
    return Boolean(file) && this.sourceFiles.has(file);
  }

  get timed() {
    return this.costUnit !== 'iterations' && this.costUnit !== 'calls';
  }

  readTree({ parent, location, model, count, cost, line, open, folded, library }) {
    const size = parent.length;
    this.size = size;
    this.parent = Int32Array.from(parent, (distance, i) => i - distance);
    this.location = Int32Array.from(location);
    this.model = Int32Array.from(model);
    this.count = Int32Array.from(count);
    this.cost = Int32Array.from(cost);
    this.line = Int32Array.from(line);
    this.open = new Uint8Array(size);
    for (const context of open) this.open[context] = 1;
    this.folded = new Uint8Array(size);
    for (const context of folded) this.folded[context] = 1;
    this.library = new Uint8Array(size);
    for (const context of library) this.library[context] = 1;
    this.up = new Int32Array(size); // the nearest context above that is a frame of the graph
    for (let i = 1; i < size; i++) this.up[i] = this.shown(this.parent[i]);
    this.depth = new Int32Array(size);
    for (let i = 1; i < size; i++) this.depth[i] = this.folded[i] ? this.depth[this.up[i]] : this.depth[this.up[i]] + 1;
  }

  // Children stand by what they cost at the largest target, so that the slider never reorders them.
  order() {
    const weight = this.at(this.far).cost.value;
    const list = (above, frames) => {
      const below = Array.from({ length: this.size }, () => []);
      for (let i = 1; i < this.size; i++) if (!frames || !this.folded[i]) below[above[i]].push(i);
      const [first, children] = [new Int32Array(this.size + 1), new Int32Array(this.size)];
      let next = 0;
      below.forEach((some, i) => {
        first[i] = next;
        some.sort((a, b) => weight[b] - weight[a] || a - b);
        for (const child of some) children[next++] = child;
      });
      first[this.size] = next;
      return { first, children };
    };
    Object.assign(this, list(this.parent, false));
    this.frames = list(this.up, true);
  }

  // How fast each context's executions, or the cost of one, grow: -1 no model, -2 not counted.
  classify() {
    this.growth = new Int8Array(this.size);
    for (let i = 0; i < this.size; i++) {
      const kind = this.kindOf(i);
      const own = this.model[i] < 0 ? -1 : this.words[this.model[i]][0];
      const cost = this.cost[i] ? this.words[this.parts[this.cost[i] - 1][0]][0] : -1;
      this.growth[i] = !COUNTED.has(kind) ? -2 : own < 0 ? -1 : Math.max(own, cost);
    }
    for (let i = 1; i < this.size; i++) {
      const call = this.shown(i); // a call grows as what is folded into it
      if (this.growth[call] > -2) this.growth[call] = Math.max(this.growth[call], this.growth[i]);
    }
  }

  // What is seen of a context: the call of a library whose own frames are folded into it, or the context itself.
  shown(context) {
    let i = context;
    while (i > 0 && this.folded[i]) i = this.parent[i];
    return i;
  }
  framesBelow(context) {
    return this.frames.children.subarray(this.frames.first[context], this.frames.first[context + 1]);
  }
  childrenOf(context) {
    return this.children.subarray(this.first[context], this.first[context + 1]);
  }
  kindOf(context) {
    return this.kinds[this.locations[this.location[context]][0]];
  }
  nameOf(context) {
    return this.strings[this.locations[this.location[context]][1]];
  }
  briefOf(context) {
    return this.strings[this.briefs[this.location[context]]];
  }
  fileOf(context) {
    return this.strings[this.locations[this.location[context]][2]];
  }
  lineOf(context) {
    return this.locations[this.location[context]][3];
  }
  columnOf(context) {
    return this.locations[this.location[context]][4];
  }

  // What its count is of: calls, iterations, or units of what a library's function works through.
  unitOf(context) {
    const kind = this.kindOf(context);
    return kind === 'work' ? this.locations[this.location[context]][5] : kind === 'loop' ? 'iterations' : 'calls';
  }
  // How many executions one of its count is.
  weightOf(context) {
    return this.locations[this.location[context]][6] ?? 1;
  }
  // Its count at n, in its own unit.
  timesAt(n, context) {
    return this.at(n).count.own[context] / this.weightOf(context);
  }

  pathOf(context) {
    const path = [];
    for (let i = context; i > 0; i = this.up[i]) path.unshift(i);
    return path;
  }

  wordsOf(model) {
    if (model < 0) return null;
    const [growth, formula, order, why, exact, error, points] = this.words[model];
    const text = (i) => this.strings[i];
    return { growth, formula: text(formula), order: text(order), why: text(why), exact: Boolean(exact), error, points };
  }

  rivalsOf(model) {
    if (model < 0) return [];
    return this.rivalData[model].map(([formula, weight, error, deltas]) => ({
      formula,
      weight,
      error,
      values: decode(deltas, this.grid.length).value,
    }));
  }

  // What contexts cost and how often they are executed at n, with those below them: `count` and `cost`, each with
  // value,
  // low and high; `own` has the contexts' own values. The last few sizes are kept.
  at(n) {
    let found = this.cache.get(n);
    if (!found) {
      const where = place(this.grid, n);
      const models = this.curves.map(
        (curve) => curve && [at(curve.value, where), at(curve.low, where), at(curve.high, where)],
      );
      found = new Values(this, models, n);
      this.cache.set(n, found);
      if (this.cache.size > 6) this.cache.delete(this.cache.keys().next().value);
    }
    return found;
  }

  // By which factor all costs together may be dearer than predicted at n.
  dearerAt(n) {
    return at(this.dearer, place(this.grid, n));
  }
  doubtAt(n, width) {
    if (width !== 'cost') return SURE;
    const where = place(this.grid, n);
    return SURE.map((_, k) =>
      at(
        this.doubt.map((all) => all[k]),
        where,
      ),
    );
  }

  // As the engine adds up contexts: errors of counts go together, those of costs are independent; what grows without a
  // model takes the upper end away where there is enough of it.
  sums(partOf, models, n) {
    const { size, parent, parts, open } = this;
    const fresh = () => ({
      value: new Float64Array(size),
      low: new Float64Array(size),
      high: new Float64Array(size),
      below: new Float64Array(size),
      above: new Float64Array(size),
    });
    const [own, all] = [fresh(), fresh()];
    const endless = this.unbounded && n > this.high;
    for (let i = size - 1; i >= 0; i--) {
      const part = partOf[i] ? parts[partOf[i] - 1] : null;
      const model = part && models[part[0]];
      if (model) {
        const weight = part[1];
        const sure = part.length === 2;
        own.value[i] = weight > 0 ? weight * model[0] : 0;
        own.low[i] = (sure ? weight : part[2]) * model[1];
        const top = sure ? weight : part[3];
        own.high[i] = endless && open[i] ? Infinity : top > 0 ? top * model[2] : 0;
        if (!sure) {
          own.below[i] = (part[4] * model[0]) ** 2;
          own.above[i] = (part[5] * model[0]) ** 2;
        }
      }
      all.value[i] += own.value[i];
      all.low[i] += own.low[i];
      all.high[i] += own.high[i];
      all.below[i] += own.below[i];
      all.above[i] += own.above[i];
      if (i > 0) {
        const up = parent[i];
        all.value[up] += all.value[i];
        all.low[up] += all.low[i];
        all.high[up] += all.high[i];
        all.below[up] += all.below[i];
        all.above[up] += all.above[i];
      }
    }
    return { own, all };
  }

  // Intervals of contexts with what is below them; `alone` are the upper ends without what is not known of all costs
  // together.
  blend({ own, all }, doubt) {
    const { size } = this;
    const [low, high, alone] = Array.from({ length: 3 }, () => new Float64Array(size));
    const { value } = all;
    for (let i = 0; i < size; i++) {
      const down = Math.hypot(value[i] - all.low[i], Math.sqrt(all.below[i]));
      const up = Math.hypot(all.high[i] - value[i], Math.sqrt(all.above[i]));
      alone[i] = value[i] + up;
      ({ low: low[i], high: high[i] } = widened(value[i], down, up, doubt));
    }
    return { value, low, high, own: own.value, alone };
  }

  // Seconds that a run takes: measured where it was run, else predicted with their interval; null where they are not
  // known.
  elapsedAt(n) {
    const measured = this.ran.get(n)?.elapsed;
    if (measured) return { value: measured, low: measured, high: measured, measured: true };
    return this.elapsed && intervalAt(this.elapsed, place(this.grid, n));
  }

  // The engine's own total, which knows more than the sum of contexts.
  totalAt(n) {
    return intervalAt(this.totals, place(this.grid, n));
  }
}
