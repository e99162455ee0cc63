// SPDX-License-Identifier: GPL-3.0-or-later
// Functions as a flat table, and one of them between its callers and its callees.
import { el, later, replace, tableOf } from './dom.js';
import * as format from './format.js';
import { base, brief, growthOf, orderOf } from './words.js';

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
    return fn < 0 ? 'process or thread' : brief(study.strings[study.locations[fn][1]]) || '(unnamed)';
  }

  place(fn) {
    if (fn < 0) return '';
    const [kind, , file, line] = this.app.study.locations[fn];
    const why = { foreign: 'not instrumented', work: 'library function' }[this.app.study.kinds[kind]];
    if (why) return why;
    const path = this.app.study.strings[file];
    return path ? `${base(path)}${line ? `:${line}` : ''}` : '';
  }

  open(fn) {
    this.app.state.set({ fn, view: 'functions' });
  }

  link(fn) {
    const place = el('small', {}, this.place(fn));
    if (fn < 0) return el('th', { scope: 'row' }, el('span', { class: 'quiet' }, this.name(fn)), place);
    return el(
      'th',
      { scope: 'row' },
      el('button', { class: 'link', onclick: () => this.open(fn) }, this.name(fn)),
      place,
    );
  }

  // A figure and, where it is predicted, its interval.
  cell(at, sums = true) {
    const [value, bounds] = this.app.figure(at);
    return el('td', {}, value, sums && this.app.predicted() ? el('small', {}, bounds) : null);
  }

  calls = (row) => el('td', {}, row.calls === null ? '–' : format.count(row.calls));
  share = (value) => el('td', {}, format.share(value, this.app.values().value[0], this.app.sampled));

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
    replace(this.element, chosen ? this.one(chosen) : this.all(rows));
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
    const side = (title, list, none) =>
      el(
        'section',
        {},
        el('h3', {}, title),
        list.length
          ? tableOf(
              ['function', 'calls', 'total', 'of it'],
              list
                .slice(0, MOST)
                .map((other) =>
                  el(
                    'tr',
                    {},
                    this.link(other.fn),
                    this.calls(other),
                    this.cell(other.total),
                    el('td', {}, format.share(other.total.value, row.total.value, app.sampled)),
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
        el('h2', {}, this.name(row.fn)),
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
