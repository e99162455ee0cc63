// SPDX-License-Identifier: GPL-3.0-or-later
// The study, or both studies of a change, at one combination of further parameters.
import * as format from './format.js';
import { Study } from './study.js';

// What all combinations have in common is in the data once.
function merged(common, own, grid) {
  return new Study({ ...common, ...own, contexts: { ...common.contexts, ...own.contexts } }, grid);
}

function inverse(list, size) {
  const out = new Int32Array(size).fill(-1);
  list.forEach((other, i) => {
    if (other >= 0) out[other] = i;
  });
  return out;
}

export class Combination {
  constructor(data, common) {
    Object.assign(this, { data, common });
    this.grid = data.grid;
    this.comparison = data.comparison ?? null;
    this.name = Object.entries(data.further)
      .map(([name, value]) => `${name} = ${format.size(value)}`)
      .join(', ');
  }

  // Made when they are first looked at.
  get head() {
    return (this.headStudy ??= merged(this.common.head, this.data.head, this.grid));
  }
  get base() {
    if (!this.data.base) return null;
    return (this.baseStudy ??= merged(this.common.base, this.data.base, this.grid));
  }
  get baseOf() {
    return (this.forward ??= Int32Array.from(this.comparison.base_of));
  }
  get headOf() {
    return (this.backward ??= inverse(this.comparison.base_of, this.base.size));
  }
}
