// SPDX-License-Identifier: GPL-3.0-or-later
// The ranked findings: changes first where two studies are compared.
import { el, perFrame, replace } from './dom.js';
import * as format from './format.js';
import { chip } from './panel_context.js';
import { place, pretty, title } from './words.js';

const MARKS = { error: '◆', warning: '▲', note: '●' };
const confidence = (value) => `${value >= 0.9 ? 'high' : value >= 0.6 ? 'medium' : 'low'} (${value.toFixed(2)})`;

export const severity = (name) => el('span', { class: `severity ${name}`, title: name }, `${MARKS[name]} `, el('span', {}, name));

const detail = (name, text) => (text ? [el('dt', {}, name), el('dd', {}, text)] : null);

// The contexts whose own cost the finding carries.
function membersOf(f) {
  let at = 0;
  return f.members.map((distance) => (at += distance));
}

export class FindingsPanel {
  constructor(app) {
    this.app = app;
    this.element = el('div', { class: 'panel findings' });
    this.bars = [];
    app.state.on(['n', 'width'], perFrame(() => this.follow()));
    app.state.on(['side'], () => this.paint());
    app.state.on(['selected'], () => this.mark());
  }

  paint() {
    const { study, comparison } = this.app;
    this.bars = [];
    this.cards = [];
    const resources = study.resources?.findings ?? [];
    const none = !study.findings.length && !resources.length && !comparison;
    replace(this.element,
      comparison ? this.changes(comparison) : null,
      none ? el('p', { class: 'empty' }, `No findings: nothing was seen to grow beyond its caller at a cost that matters.${study.suppressed ? ` ${format.count(study.suppressed)} places grow at a negligible cost.` : ''}`) : null,
      study.findings.length ? [el('h2', {}, 'What grows'), el('ol', { class: 'cards' }, study.findings.map((f) => this.finding(f)))] : null,
      resources.length ? [el('h2', {}, 'Resources'), el('ol', { class: 'cards' }, resources.map((f) => this.resource(f)))] : null,
      study.undecided.length ? [el('h2', {}, 'Undecided'), el('ul', { class: 'cards' }, study.undecided.map((u) => this.undecided(u)))] : null);
    this.follow();
    this.mark();
  }

  card(context, parts, open) {
    const card = el('li', { class: 'card', 'data-context': context });
    card.append(...parts.flat().filter(Boolean));
    card.addEventListener('click', (event) => { if (!event.target.closest('details, a')) open(); });
    this.cards.push(card);
    return card;
  }

  heading(text, open) { return el('h3', {}, el('button', { class: 'link name', onclick: open }, text)); }

  finding(f) {
    const { app } = this;
    const { study } = app;
    const open = (event) => { event?.stopPropagation(); app.open(f.context, { zoom: false, reveal: true, tab: true }); };
    const bar = el('span', {});
    const share = el('span', { class: 'share' });
    this.bars.push({ members: membersOf(f), bar, share });
    const last = f.predictions.at(-1);
    const kind = { implicit: 'callback', recursion: 'recursion', loop: 'loop' }[f.kind];
    return this.card(f.context, [
      el('div', { class: 'top' }, severity(f.severity), chip(f.class, `${f.from} → ${pretty(f.to)}`.replace('constant', '1')), share),
      this.heading(title(study, f.context), open),
      el('div', { class: 'quiet' }, `${kind} ${place(study, f.context)}`, f.site_count > 1 ? ` · in ${f.site_count} contexts` : ''),
      el('div', { class: 'bar', 'aria-hidden': 'true' }, bar),
      el('p', { class: 'formula small' }, pretty((f.cost_model ?? f.model)?.formula ?? 'no model')),
      last ? el('p', {}, `At ${study.parameter} = ${format.size(last.n)}: `, el('strong', {}, format.cost(last.cost[0], study.costUnit)),
        el('span', { class: 'quiet' }, ` (${this.bounds(last.cost)}), ${format.percent(last.share)} of all`)) : null,
      el('details', {}, el('summary', {}, 'Evidence and what to do'), el('dl', {},
        detail('Rule', f.title), detail('Matters from', f.emergence ? `${study.parameter} = ${format.size(Number(f.emergence.toPrecision(3)))} on, with half of the total` : 'never takes half of the total'),
        detail('Confidence', confidence(f.confidence)), detail('Evidence', f.evidence), detail('Do', f.advice))),
    ], open);
  }

  bounds([value, low, high]) { return format.interval({ value, low: low ?? 0, high: high ?? Infinity }, (x) => this.app.costText(x)); }

  resource(f) {
    const { app } = this;
    const { study } = app;
    const resource = study.resources.list[f.resource];
    const open = (event) => { event?.stopPropagation(); app.openResource(f.resource); };
    const from = f.emergence[0];
    return this.card(f.context, [
      el('div', { class: 'top' }, severity(f.severity), el('span', { class: 'chip rule' }, f.rule)),
      this.heading(f.context >= 0 ? `${resource.name} of ${title(study, f.context)}` : resource.name, open),
      el('div', { class: 'quiet' }, `${resource.class}${resource.file ? ` · ${resource.file.split('/').pop()}${resource.line ? `:${resource.line}` : ''}` : ''}`),
      el('p', {}, f.title, from ? el('span', { class: 'quiet' }, `, from ${study.parameter} = ${format.size(Number(from.toPrecision(4)))} on`) : null),
      el('details', {}, el('summary', {}, 'Evidence and what to do'), el('dl', {},
        detail('Confidence', confidence(f.confidence)), detail('Evidence', f.evidence), detail('Do', f.advice))),
    ], open);
  }

  undecided(u) {
    const { app } = this;
    const open = (event) => { event?.stopPropagation(); app.open(u.context, { reveal: true, tab: true }); };
    return this.card(u.context, [
      el('div', { class: 'top' }, el('span', { class: 'chip gn' }, `perhaps ${pretty(u.to)}`), el('span', { class: 'share' }, format.percent(u.share))),
      this.heading(title(app.study, u.context), open),
      el('p', { class: 'quiet' }, u.reason, u.deciding ? ` A range up to ${format.size(u.deciding)} would decide.` : ''),
    ], open);
  }

  changes(comparison) {
    const { app } = this;
    const list = comparison.changes;
    return [el('h2', {}, 'Changes against the base'),
      list.length ? el('ol', { class: 'cards' }, list.map((c) => this.change(c)))
        : el('p', { class: 'empty' }, `No difference beyond noise: ${format.count(comparison.matched)} contexts compared.`),
      comparison.same_machine || !app.study.timed ? null : el('p', { class: 'quiet' }, 'The studies were measured on different machines: executions are compared, times are not.')];
  }

  change(c) {
    const { app } = this;
    const gone = c.rule === 'gone';
    const study = gone ? app.base : app.head;
    const state = gone ? c.base : c.head;
    const named = state.resource >= 0 ? study.resources.list[state.resource].name : state.context >= 0 ? title(study, state.context) : 'whole workload';
    const open = (event) => {
      event?.stopPropagation();
      app.state.set({ side: gone ? 'base' : 'head' });
      if (state.resource >= 0) app.openResource(state.resource);
      else if (state.context >= 0) app.open(state.context, { reveal: true, tab: true });
    };
    const sign = { 'worse-order': '▲', 'worse-cost': '▲', 'new-cost': '+', better: '▼', gone: '−', 'change-unknown': '?' }[c.rule] ?? '';
    const tone = c.rule === 'better' || gone ? 'better' : c.rule === 'change-unknown' ? 'unknown' : 'worse';
    const order = (s) => (s.model?.order ? pretty(s.model.order) : '-');
    return this.card(gone ? -1 : state.context, [
      el('div', { class: 'top' }, el('span', { class: `change ${tone}` }, `${sign} ${c.title}`)),
      this.heading(named, open),
      state.context >= 0 && state.resource < 0 ? el('div', { class: 'quiet' }, `${place(study, state.context)}${c.context_count > 1 ? ` · in ${c.context_count} contexts` : ''}`) : null,
      el('p', {}, c.metric ? `${c.metric}: ` : `${c.of === 'cost' ? 'cost of one' : 'executions'}: `, el('span', { class: 'formula small' }, `${order(c.base)} → ${order(c.head)}`),
        c.factor !== null && c.factor > 0 && !gone ? ` · ${format.change(c.factor)} at ${format.size(app.comparison.targets.at(-1) ?? study.far)}` : ''),
      el('details', {}, el('summary', {}, 'Evidence'), el('dl', {}, detail('Confidence', confidence(c.confidence)),
        detail('Exceeds base', c.emergence ? `from ${app.study.parameter} = ${format.size(Number(c.emergence.toPrecision(3)))} on` : null), detail('Evidence', c.evidence), detail('About', c.help))),
    ], open);
  }

  // Shares at the slider's size.
  follow() {
    const values = this.app.values();
    for (const { members, bar, share } of this.bars) {
      const part = members.reduce((sum, context) => sum + values.own[context], 0) / values.value[0];
      bar.style.width = `${100 * (Number.isFinite(part) ? part : 0)}%`;
      replace(share, format.percent(part), el('span', { class: 'quiet' }, ' of all'));
    }
  }

  mark() {
    const selected = this.app.state.get('selected');
    for (const card of this.cards ?? []) card.classList.toggle('chosen', selected >= 0 && Number(card.dataset.context) === selected);
  }
}
