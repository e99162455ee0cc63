// SPDX-License-Identifier: GPL-3.0-or-later
// The source, with what is known of each line beside it.
import { el, later, perFrame, plainTable, replace, tableOf } from './dom.js';
import * as format from './format.js';
import { base, counts, growthOf, label, orderOf, pretty } from './words.js';

const LONGEST = 18; // letters of a formula; of longer ones the order stands there

const LACKS = {
  file: 'The file was not found when the page was made.',
  limit: 'Not all of it is in the page: see --sources.',
};

export class SourceView {
  constructor(app) {
    this.app = app;
    this.element = el('div', { class: 'view source', tabindex: 0, 'aria-label': 'Source', role: 'region' });
    this.shown = null; // {side, tag, file}: tag names the study
    app.state.on(
      ['view', 'selected', 'side'],
      perFrame(() => this.paint()),
    );
    app.state.on(
      ['n', 'width'],
      later(60, () => this.follow()),
    );
  }

  // The file and line of a context; of what has no source here, of the nearest caller that has.
  placeOf(context) {
    const { study } = this.app;
    for (let i = context; i > 0; i = study.parent[i])
      if (study.hasSource(i)) return { file: study.locations[study.location[i]][2], line: study.lineOf(i), context: i };
    return null;
  }

  paint() {
    const { app } = this;
    const { study, state } = app;
    if (!this.element.isConnected || state.get('view') !== 'source') return;
    const side = state.get('side');
    if (this.shown?.side !== side) this.shown = null;
    const { sources } = study;
    const here = this.placeOf(state.get('selected'));
    const file = here?.file ?? this.shown?.file ?? sources.find((s) => s.pieces.length)?.file ?? sources[0]?.file;
    if (file === undefined) {
      this.shown = null;
      replace(
        this.element,
        el(
          'p',
          { class: 'empty' },
          side === 'base' ? 'Pages hold the source of the head only.' : 'No source is in this page: see --sources.',
        ),
      );
      return;
    }
    if (this.shown?.file !== file) this.paintFile(file, side);
    else if (this.shown.tag !== app.shownTag()) this.renew(file, side);
    this.mark(here);
  }

  // The same lines, with another study's figures.
  renew(file, side) {
    const { scrollTop } = this.element;
    this.paintFile(file, side);
    this.element.scrollTop = scrollTop;
  }

  paintFile(file, side) {
    const { study } = this.app;
    const source = study.sources.find((s) => s.file === file);
    this.shown = { side, tag: this.app.shownTag(), file };
    this.rows = new Map();
    this.entries = study.lines.of(file);
    replace(this.element, this.header(source), this.notes(source), this.table(source));
    this.element.scrollTop = 0;
    this.follow();
  }

  header(source) {
    const { study } = this.app;
    const name = (file) => study.strings[file];
    return el(
      'header',
      {},
      el(
        'select',
        {
          'aria-label': 'File',
          onchange: (event) => this.paintFile(Number(event.target.value), this.app.state.get('side')),
        },
        study.sources.map((s) =>
          el('option', { value: s.file, selected: s === source, title: name(s.file) }, base(name(s.file))),
        ),
      ),
      el('code', { class: 'quiet place' }, name(source.file)),
    );
  }

  notes(source) {
    return [
      source.newer ? 'The file is newer than the study: lines may have moved.' : null,
      source.lacks ? LACKS[source.lacks] : null,
    ].map((text) => text && el('p', { class: 'note' }, text));
  }

  // The pieces, or where there are none the lines alone that something is known of.
  table(source) {
    const rows = [];
    let next = 1;
    const gap = (first) => {
      if (first > next) rows.push(el('tr', { class: 'gap' }, el('td', { colspan: 6 }, `⋯`)));
    };
    for (const [first, text] of source.pieces) {
      gap(first);
      next = first;
      const lines = text.split('\n');
      lines.pop(); // behind the last line's end
      for (const line of lines) rows.push(this.row(next++, line));
    }
    const known = [...this.entries.keys()].filter((line) => !this.rows.has(line)).sort((a, b) => a - b);
    if (known.length) rows.push(el('tr', { class: 'gap' }, el('td', { colspan: 6 }, 'Lines without their text')));
    for (const line of known) rows.push(this.row(line, ''));
    return plainTable(['line', 'executed', 'model', 'own', 'in calls', ''], rows);
  }

  row(line, text) {
    const known = this.entries.has(line);
    const number = known
      ? el('button', { class: 'link', 'aria-expanded': 'false', onclick: () => this.toggle(line) }, String(line))
      : String(line);
    const cells = known
      ? ['executed', 'model', 'own', 'calls'].map((name) => el('td', { class: name }))
      : [el('td', { colspan: 4 })];
    const row = el(
      'tr',
      { class: known ? 'known' : '' },
      el('th', { scope: 'row' }, number),
      cells,
      el('td', { class: 'text' }, text),
    );
    this.rows.set(line, { row, cells, number });
    return row;
  }

  figures(entry) {
    const { state, study } = this.app;
    return study.lines.figures(entry, state.get('n'), state.get('width'));
  }

  // What changes with the slider.
  follow() {
    if (!this.shown || this.app.state.get('view') !== 'source' || !this.element.isConnected) return;
    const whole = this.app.values().value[0];
    for (const [line, entries] of this.entries) this.fill(this.rows.get(line), entries, whole);
  }

  fill({ cells, row }, entries, whole) {
    const { study } = this.app;
    const [executed, model, own, calls] = cells;
    const all = entries.map((entry) => ({ entry, ...this.figures(entry) }));
    const inside = ({ entry }) => entry.kind === 'call' || entry.kind === 'work';
    const written = all.filter((figures) => !inside(figures));
    const called = all.filter(inside);
    const first = (written.length ? written : called).reduce((a, b) => ((b.count ?? 0) > (a.count ?? 0) ? b : a));
    const unit = first.entry.kind === 'work' ? ` ${study.unitOf(first.lead)}` : '';
    executed.textContent = first.count === null ? '–' : `${format.count(first.count)}${unit}`;
    executed.classList.toggle('quiet', !written.length);
    const [words, key] = this.model(first);
    replace(model, words ? el('span', { class: `order ${key}` }, words) : '');
    this.cost(own, written, whole);
    this.cost(calls, called, whole);
    if (row.nextSibling?.classList.contains('details')) row.nextSibling.replaceWith(this.details(all));
  }

  model({ entry, lead }) {
    const { study } = this.app;
    const { formula, growth } = study.wordsOf(study.model[lead]) ?? {};
    const key = growthOf(study.growth[lead]).key;
    if (growth === undefined || growth < 0) return [study.growth[lead] === -2 ? '' : 'no model', key];
    const short = entry.contexts.length === 1 && formula.length <= LONGEST ? pretty(formula) : orderOf(study, lead);
    return [short, key];
  }

  // With a bar behind it: its share of all.
  cost(cell, list, whole) {
    const sum = list.reduce((total, { at }) => total + at.value, 0);
    const shown = list.length === 1 ? this.app.figure(list[0].at)[0] : this.app.show(sum);
    cell.textContent = !list.length ? '' : sum > 0 ? shown : this.app.sampled ? '·' : '0';
    cell.title = list.length === 1 && sum > 0 ? this.app.figure(list[0].at)[1] : '';
    cell.style.setProperty('--share', `${Math.min(100, (100 * sum) / whole || 0)}%`);
  }

  toggle(line) {
    const { row, number } = this.rows.get(line);
    const open = row.nextSibling?.classList.contains('details');
    number.setAttribute('aria-expanded', String(!open));
    if (open) row.nextSibling.remove();
    else row.after(this.details(this.entries.get(line).map((entry) => ({ entry, ...this.figures(entry) }))));
  }

  // Every entry of a line, with intervals.
  details(all) {
    const { app } = this;
    const { study } = app;
    const what = ({ entry, lead }) =>
      entry.kind === 'call' || entry.kind === 'work'
        ? `call of ${study.briefOf(lead)}`
        : entry.kind === 'loop'
          ? label(study, lead)
          : study.nameOf(lead);
    const rows = all.map((figures) => {
      const { entry, count, at, lead } = figures;
      const [value, bounds] = app.figure(at);
      const words = study.wordsOf(study.model[lead]);
      return el(
        'tr',
        {},
        el(
          'th',
          { scope: 'row' },
          el('button', { class: 'link', onclick: () => app.showIn('graph', lead) }, what(figures)),
        ),
        el('td', {}, count === null ? '–' : `${format.count(count)} ${counts(study, lead)}`),
        el(
          'td',
          { class: 'formula small' },
          words && words.growth >= 0 ? pretty(entry.contexts.length > 1 ? words.order : words.formula) : '–',
        ),
        el('td', {}, value, el('small', {}, app.predicted() ? bounds : '')),
        el('td', {}, format.count(entry.contexts.length)),
      );
    });
    return el(
      'tr',
      { class: 'details' },
      el('td', { colspan: 6 }, tableOf(['', 'executed', 'model', 'cost', 'contexts'], rows)),
    );
  }

  // Into the middle of the view; the page around it stays where it is.
  scrollTo(row) {
    const [view, line] = [this.element.getBoundingClientRect(), row.getBoundingClientRect()];
    this.element.scrollTop += line.top - view.top - view.height / 2;
  }

  // The line of the context looked at.
  mark(here) {
    for (const { row } of this.rows.values()) row.classList.remove('chosen');
    if (!here || here.file !== this.shown.file) return;
    const found = this.rows.get(here.line);
    found?.row.classList.add('chosen');
    if (found && this.marked !== here.context) this.scrollTo(found.row);
    this.marked = here.context;
  }
}
