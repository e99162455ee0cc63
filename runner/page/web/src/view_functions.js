// SPDX-License-Identifier: GPL-3.0-or-later
// Functions as a flat table, and one of them between its callers and its callees.
import { el, later, replace, tableOf } from './dom.js';
import * as format from './format.js';
import { base, growthOf, orderOf } from './words.js';

const MOST = 200; // rows: more are found by searching, and would take longer to draw than the slider waits

const COLUMNS = [
  ['calls', 'calls', (row) => row.calls ?? -1],
  ['self', 'self', (row) => row.self.value],
  ['total', 'total', (row) => row.total.value],
];

export class FunctionsView {
  constructor(app) {
    this.app = app;
    this.by = 'self';
    this.element = el('div', { class: 'view functions', tabindex: 0, 'aria-label': 'Functions', role: 'region' });
    const draw = later(60, () => this.paint());
    app.state.on(['n', 'width', 'side', 'matches', 'fn', 'view'], draw);
  }

  name(fn) {
    const { study } = this.app;
    return fn < 0 ? 'process or thread' : study.strings[study.briefs[fn]] || '(unnamed)';
  }

  place(fn) {
    if (fn < 0) return '';
    const [kind, , file, line] = this.app.study.locations[fn];
    const why = { foreign: 'not instrumented', work: 'library function' }[this.app.study.kinds[kind]];
    if (why) return why;
    const path = this.app.study.strings[file];
    return path ? `${base(path)}${line ? `:${line}` : ''}` : '';
  }

  // The focus goes to the function's name, before its callers; back in the list, to the function that was left.
  open(fn) {
    const left = this.app.state.get('fn');
    this.app.state.set({ fn, view: 'functions' });
    this.paint();
    const next = this.element.querySelector(fn < 0 ? `[data-fn="${left}"]` : 'h2');
    (next ?? this.element).focus();
  }

  link(fn) {
    const place = el('small', {}, this.place(fn));
    if (fn < 0) return el('th', { scope: 'row' }, el('span', { class: 'quiet' }, this.name(fn)), place);
    return el(
      'th',
      { scope: 'row' },
      el('button', { class: 'link', 'data-fn': fn, onclick: () => this.open(fn) }, this.name(fn)),
      place,
    );
  }

  // A figure and, where it is predicted, its interval.
  cell(at, sums = true) {
    const [value, bounds] = this.app.figure(at);
    return el('td', {}, value, sums && this.app.predicted() ? el('small', {}, bounds) : null);
  }

  calls = (row) =>
    el(
      'td',
      {},
      row.unit ? `${format.count(row.units)} ${row.unit}` : row.calls === null ? '–' : format.count(row.calls),
    );
  share = (value) => el('td', {}, format.share(value, this.app.values().value[0], this.app.sampled));

  // Of the function, and below it of everything.
  part(other, row) {
    const { sampled } = this.app;
    const all = format.share(other.total.value, this.app.values().value[0], sampled);
    const text = format.share(other.total.value, row.total.value, sampled);
    return el('td', {}, text, text === format.NOT_SAMPLED ? null : el('small', {}, `${all} of all`));
  }

  order(row) {
    const { study } = this.app;
    const order = row.lead < 0 ? null : orderOf(study, row.lead);
    return el('td', {}, order ? el('small', { class: growthOf(study.growth[row.lead]).key }, order) : '–');
  }

  paint() {
    if (!this.element.isConnected || this.app.state.get('view') !== 'functions') return;
    const { state, study } = this.app;
    const fn = state.get('fn');
    const rows = study.functions.at(state.get('n'), state.get('width'));
    const chosen = rows.find((row) => row.fn === fn);
    const kept = this.keyOf(document.activeElement);
    replace(this.element, chosen ? this.one(chosen) : this.all(rows));
    if (kept)
      [...this.element.querySelectorAll('button, h2')]
        .find((node) => this.keyOf(node) === kept)
        ?.focus({ preventScroll: true });
  }

  // What has the focus keeps it when figures change and rows change places.
  keyOf(node) {
    if (!this.element.contains(node) || node === this.element) return null;
    return `${node.closest('[data-side]')?.dataset.side} ${node.dataset.fn ?? node.textContent}`;
  }

  all(rows) {
    const { study, state } = this.app;
    const matches = state.get('matches');
    const hit = matches && new Set([...matches].map((context) => study.functions.of(context)));
    const list = hit ? rows.filter((row) => hit.has(row.fn)) : [...rows];
    const key = COLUMNS.find(([id]) => id === this.by)[2];
    list.sort((a, b) => key(b) - key(a) || b.total.value - a.total.value || a.fn - b.fn);
    const head = ([id, text]) =>
      el(
        'th',
        { scope: 'col', 'aria-sort': this.by === id ? 'descending' : 'none' },
        el('button', { class: 'link', onclick: () => this.sort(id) }, text),
      );
    const first = list.length > MOST ? `The first ${MOST} of ` : '';
    return tableOf(
      ['function', ...COLUMNS.map(head), 'of all', 'order'],
      list
        .slice(0, MOST)
        .map((row) =>
          el(
            'tr',
            {},
            this.link(row.fn),
            this.calls(row),
            this.cell(row.self),
            this.cell(row.total),
            this.share(row.total.value),
            this.order(row),
          ),
        ),
      `${first}${format.count(list.length)} functions at ${study.parameter} = ${format.size(state.get('n'))}, by the model. ` +
        'Self: with its own loops; total: with all it calls; order: of what makes most of it itself.',
    );
  }

  sort(id) {
    this.by = id;
    this.paint();
  }

  one(row) {
    const { app } = this;
    const { callers, callees } = app.study.functions.neighbours(row.fn, app.state.get('n'), app.state.get('width'));
    const apart = app.study.timed && app.state.get('width') === 'cost'; // else the total is the executions
    const side = (title, list, none) =>
      el(
        'section',
        { 'data-side': title },
        el('h3', {}, title),
        list.length
          ? tableOf(
              ['function', 'calls', apart && 'executions', 'total', 'of it', 'order'].filter(Boolean),
              list
                .slice(0, MOST)
                .map((other) =>
                  el(
                    'tr',
                    {},
                    this.link(other.fn),
                    this.calls(other),
                    apart && el('td', {}, format.count(other.executions.value)),
                    this.cell(other.total),
                    this.part(other, row),
                    this.order(other),
                  ),
                ),
              list.length > MOST ? `The first ${MOST} of ${format.count(list.length)}` : null,
            )
          : el('p', { class: 'empty' }, none),
      );
    return [
      el('p', {}, el('button', { class: 'link', onclick: () => this.open(-1) }, '‹ all functions')),
      el(
        'header',
        {},
        el('h2', { tabindex: -1 }, this.name(row.fn)),
        el('span', { class: 'quiet' }, this.place(row.fn)),
        el('span', { class: 'acts' }, this.acts(row)),
      ),
      tableOf(
        ['calls', 'self', 'total', 'of all', 'order', 'contexts'],
        [
          el(
            'tr',
            {},
            this.calls(row),
            this.cell(row.self),
            this.cell(row.total),
            this.share(row.total.value),
            this.order(row),
            el('td', {}, format.count(row.contexts)),
          ),
        ],
      ),
      el(
        'div',
        { class: 'two' },
        side('Called by', callers, 'Nothing that is known calls it.'),
        side('Calls', callees, 'It calls nothing that is known.'),
      ),
      el('p', { class: 'quiet note' }, 'Order: of what makes most of self; of callers and callees, most of their total.'),
    ];
  }

  // Ways to other views of it.
  acts(row) {
    const { app } = this;
    const values = app.values().value;
    const contexts = app.study.functions.contexts.get(row.fn);
    const widest = contexts.reduce((best, context) => (values[context] > values[best] ? context : best));
    return [
      el('button', { class: 'link', onclick: () => app.showIn('graph', widest) }, 'widest frame'),
      app.study.hasSource(widest)
        ? el('button', { class: 'link', onclick: () => app.showIn('source', widest) }, 'source')
        : null,
    ];
  }
}
