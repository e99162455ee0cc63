// SPDX-License-Identifier: GPL-3.0-or-later
// Functions without their contexts: what each costs itself (its loops included) and with all it calls, who calls it, and
// what it calls.
import { SURE, widened } from './curves.js';

const FUNCTION = new Set(['function', 'foreign', 'work']);

// Errors of counts go together, those of costs are independent, as where contexts are added up (Study.blend).
export class Sum {
  value = 0;
  low = 0;
  high = 0;
  below = 0;
  above = 0;

  add(from, i) {
    this.value += from.value[i];
    this.low += from.low[i];
    this.high += from.high[i];
    this.below += from.below[i];
    this.above += from.above[i];
  }

  interval(doubt) {
    const { value, low, high, below, above } = this;
    const down = Math.hypot(value - low, Math.sqrt(below));
    return { value, ...widened(value, down, Math.hypot(high - value, Math.sqrt(above)), doubt) };
  }
}

export class Functions {
  constructor(study) {
    this.study = study;
    const { size, parent, location } = study;
    // The function that each context is written in, and whether that stands below itself.
    this.owner = new Int32Array(size);
    this.fn = new Int32Array(size).fill(-1);
    this.inner = new Uint8Array(size);
    this.contexts = new Map();
    const libraries = new Map(); // work stands for the library's function, wherever it is called
    for (let i = 1; i < size; i++) {
      const inside = study.kindOf(i) === 'loop' || study.folded[i]; // of the user's call of a library
      if (inside || !FUNCTION.has(study.kindOf(i))) {
        this.owner[i] = inside ? this.owner[parent[i]] : 0;
        continue;
      }
      this.owner[i] = i;
      let fn = location[i];
      if (study.kindOf(i) === 'work') {
        if (!libraries.has(study.nameOf(i))) libraries.set(study.nameOf(i), fn);
        fn = libraries.get(study.nameOf(i));
      }
      this.fn[i] = fn;
      for (let up = this.owner[parent[i]]; up; up = this.owner[parent[up]]) if (this.fn[up] === fn) this.inner[i] = 1;
      if (!this.contexts.has(fn)) this.contexts.set(fn, []);
      this.contexts.get(fn).push(i);
    }
  }

  // The function's number (that of its location) that a context belongs to; -1: none.
  of(context) {
    return context > 0 ? this.fn[this.owner[context]] : -1;
  }

  // Contexts of the function itself, of the loops in it and of what is folded into it, outer ones first.
  body(fn) {
    const list = [...(this.contexts.get(fn) ?? [])];
    for (let i = 0; i < list.length; i++)
      for (const child of this.study.childrenOf(list[i])) if (this.owner[child] === this.owner[list[i]]) list.push(child);
    return list;
  }

  sums(n, width) {
    const { study } = this;
    return study.at(n).sums(width);
  }

  // {fn, calls, self, total, lead}: calls null where nothing counts them; `lead`, the context of the function's own that
  // makes most of it, whose order is the function's.
  at(n, width) {
    if (this.kept?.n === n && this.kept.width === width) return this.kept.rows;
    const { study, owner, inner } = this;
    const { own, all } = this.sums(n, width);
    const times = study.at(n).count.own;
    const rows = new Map();
    for (const fn of this.contexts.keys())
      rows.set(fn, {
        fn,
        calls: null,
        self: new Sum(),
        total: new Sum(),
        lead: -1,
        contexts: this.contexts.get(fn).length,
      });
    for (let i = 1; i < study.size; i++) {
      if (!owner[i]) continue;
      const row = rows.get(this.fn[owner[i]]);
      row.self.add(own, i);
      if (row.lead < 0 || own.value[i] > own.value[row.lead]) row.lead = i;
      if (owner[i] !== i) continue;
      if (!inner[i]) row.total.add(all, i);
      if (study.growth[i] !== -2 && study.kindOf(i) !== 'work') row.calls = (row.calls ?? 0) + times[i];
    }
    const doubt = study.doubtAt(n, width);
    const list = [...rows.values()].map((row) => ({
      ...row,
      self: row.self.interval(doubt),
      total: row.total.interval(doubt),
    }));
    this.kept = { n, width, rows: list };
    return list;
  }

  // Of each context, the one of it and those below it whose own value is largest: its order is that of the whole.
  leads(n, width) {
    const { own } = this.sums(n, width);
    const leads = Int32Array.from({ length: this.study.size }, (_, i) => i);
    for (let i = this.study.size - 1; i > 0; i--) {
      const up = this.study.parent[i];
      if (own.value[leads[i]] > own.value[leads[up]]) leads[up] = leads[i];
    }
    return leads;
  }

  // {callers, callees} of a function, each [{fn, calls, executions, total, lead, contexts}], the costliest first; fn -1: a
  // process or thread. A caller's figures are those of the function there, a callee's those of the calls from the
  // function; `lead` is the context that makes most of the total. Work has no calls, but `units` and their `unit`.
  neighbours(fn, n, width) {
    const { study } = this;
    const { own, all } = this.sums(n, width);
    const counts = this.sums(n, 'count').all;
    const leads = this.leads(n, width);
    const times = study.at(n).count.own;
    const doubt = study.doubtAt(n, width);
    const callers = new Map();
    const callees = new Map();
    const fresh = (other, context) => ({
      fn: other,
      calls: null,
      units: 0,
      unit: study.kindOf(context) === 'work' ? study.unitOf(context) : null,
      executions: new Sum(),
      total: new Sum(),
      lead: leads[context],
      contexts: 0,
    });
    const add = (map, other, context, nested) => {
      if (!map.has(other)) map.set(other, fresh(other, context));
      const row = map.get(other);
      row.contexts++;
      if (study.kindOf(context) === 'work') row.units += study.timesAt(n, context);
      else if (study.growth[context] !== -2) row.calls = (row.calls ?? 0) + times[context];
      if (own.value[leads[context]] > own.value[row.lead]) row.lead = leads[context];
      if (nested) return;
      row.total.add(all, context);
      row.executions.add(counts, context);
    };
    for (const context of this.contexts.get(fn) ?? [])
      add(callers, this.of(study.parent[context]), context, this.inner[context]);
    for (const context of this.body(fn))
      for (const child of study.childrenOf(context))
        if (this.owner[child] === child) add(callees, this.fn[child], child, false);
    const listed = (map) =>
      [...map.values()]
        .map((row) => ({ ...row, total: row.total.interval(doubt), executions: row.executions.interval(SURE) }))
        .sort((a, b) => b.total.value - a.total.value || (b.calls ?? 0) - (a.calls ?? 0));
    return { callers: listed(callers), callees: listed(callees) };
  }
}
