// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of each line of the source: functions and loops that begin there, and calls made from it.
import { Sum } from './functions.js';

export class Lines {
  constructor(study) {
    this.study = study;
    this.files = new Map(); // file (number of its path) -> line -> entries
    const { functions } = study;
    for (let i = 1; i < study.size; i++) {
      const [, , file, line] = study.locations[study.location[i]];
      const kind = study.kindOf(i);
      if (['function', 'loop', 'work'].includes(kind)) this.add(file, line, kind, study.location[i], i);
      if (kind !== 'work' && functions.owner[i] === i && study.line[i])
        this.add(study.locations[study.location[study.parent[i]]][2], study.line[i], 'call', study.location[i], i);
    }
  }

  add(file, line, kind, location, context) {
    if (!file || !line) return;
    if (!this.files.has(file)) this.files.set(file, new Map());
    const lines = this.files.get(file);
    if (!lines.has(line)) lines.set(line, []);
    const list = lines.get(line);
    const known = list.find((entry) => entry.kind === kind && entry.location === location);
    if (known) known.contexts.push(context);
    else list.push({ kind, location, contexts: [context] });
  }

  of(file) {
    return this.files.get(file) ?? new Map();
  }

  // Of one entry at a size: {count, at, lead}. `at` is what the function or loop costs itself, of calls what they take with
  // all that is in them; `lead` the context that makes most of it.
  figures(entry, n, width) {
    const { study } = this;
    const { own, all } = study.at(n).sums(width);
    const times = (context) => study.timesAt(n, context);
    const from = entry.kind === 'call' ? all : own;
    const sum = new Sum();
    let count = null;
    let [lead] = entry.contexts;
    for (const context of entry.contexts) {
      if (study.growth[context] !== -2) count = (count ?? 0) + times(context);
      if (entry.kind !== 'call' || !study.functions.inner[context]) sum.add(from, context);
      if (
        from.value[context] > from.value[lead] ||
        (from.value[context] === from.value[lead] && times(context) > times(lead))
      )
        lead = context;
    }
    return { count, at: sum.interval(study.doubtAt(n, width)), lead };
  }
}
