// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at. Views listen to the keys they show; the address keeps the rest, so that a link leads back.
export class State {
  constructor(initial) {
    this.values = { ...initial };
    this.listeners = [];
  }

  get(key) {
    return this.values[key];
  }

  on(keys, call) {
    this.listeners.push([keys, call]);
  }

  set(changes) {
    const changed = Object.keys(changes).filter((key) => this.values[key] !== changes[key]);
    if (!changed.length) return;
    Object.assign(this.values, changes);
    if (changed.includes('combination') && !changed.includes('side')) changed.push('side'); // another study is shown
    for (const [keys, call] of this.listeners) if (keys.some((key) => changed.includes(key))) call(changed);
  }
}

const KEPT = { n: Number, selected: Number, focus: Number, width: String, colour: String, side: String, combination: Number, tab: String, view: String, fn: Number };

export function fromAddress(hash) {
  const out = {};
  for (const [key, value] of new URLSearchParams(hash.slice(1))) {
    if (Object.hasOwn(KEPT, key)) out[key] = KEPT[key](value);
  }
  return out;
}

export function toAddress(values) {
  const kept = Object.keys(KEPT).filter((key) => values[key] !== undefined && values[key] !== null);
  return `#${new URLSearchParams(kept.map((key) => [key, key === 'n' ? Number(values[key].toPrecision(6)) : values[key]]))}`;
}
