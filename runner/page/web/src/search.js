// SPDX-License-Identifier: GPL-3.0-or-later
// Search by function or file, as text or /regular expression/: matches are marked, and the share of what is at or below
// them.
import { el, later } from './dom.js';
import * as format from './format.js';

function matcher(text) {
  const pattern = /^\/(.+?)\/?$/.exec(text);
  if (!pattern) {
    const wanted = text.toLowerCase();
    return (candidate) => candidate.toLowerCase().includes(wanted);
  }
  const expression = new RegExp(pattern[1], 'i');
  return (candidate) => expression.test(candidate);
}

export function find(study, text) {
  const match = matcher(text);
  const hits = study.locations.map(
    ([, name, file, line]) => match(study.strings[name]) || match(`${study.strings[file]}:${line}`),
  );
  const found = new Set();
  for (let i = 1; i < study.size; i++) if (hits[study.location[i]]) found.add(i);
  return found;
}

// Of matches inside matches only the outer ones count.
export function shareOf(study, values, found) {
  const inside = new Uint8Array(study.size);
  let sum = 0;
  for (let i = 1; i < study.size; i++) {
    inside[i] = inside[study.parent[i]] || found.has(i) ? 1 : 0;
    if (found.has(i) && !inside[study.parent[i]]) sum += values.value[i];
  }
  return sum / values.value[0];
}

export class Search {
  constructor(app) {
    this.app = app;
    this.input = el('input', {
      type: 'search',
      placeholder: 'Search, or /regexp/',
      'aria-label': 'Search functions and files; a regular expression between slashes',
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: later(90, () => this.run()),
    });
    this.result = el('span', { class: 'result', role: 'status', 'aria-live': 'polite' });
    this.element = el('div', { class: 'search', role: 'search' }, this.input, this.result);
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.step(event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') {
        this.clear();
        event.stopPropagation();
      } else return;
      event.preventDefault();
    });
    app.state.on(
      ['n', 'width'],
      later(60, () => this.tell()),
    );
    app.state.on(['side'], () => this.run());
  }

  run() {
    const text = this.input.value.trim();
    let matches = null;
    this.input.setCustomValidity('');
    try {
      matches = text ? find(this.app.study, text) : null;
    } catch {
      this.result.textContent = 'not a regular expression';
      this.input.setCustomValidity('not a regular expression');
      this.app.state.set({ matches: null });
      return;
    }
    this.app.state.set({ matches });
    this.tell();
  }

  tell() {
    const matches = this.app.state.get('matches');
    if (this.input.validity.customError) return;
    this.result.textContent = !matches
      ? ''
      : matches.size === 0
        ? 'no match'
        : `${format.count(matches.size)} match${matches.size === 1 ? '' : 'es'} · ${format.percent(shareOf(this.app.study, this.app.values(), matches))}`;
  }

  // From match to match, the costliest first.
  step(direction) {
    const matches = this.app.state.get('matches');
    if (!matches?.size) return;
    const values = this.app.values();
    const list = [...matches].sort((a, b) => values.value[b] - values.value[a]);
    const at = list.indexOf(this.app.state.get('selected'));
    this.app.open(list[(at + direction + list.length) % list.length], { reveal: true });
  }

  clear() {
    this.input.value = '';
    this.run();
    this.input.blur(); // the graph may be hidden
    this.app.flame.element.focus();
  }
}
