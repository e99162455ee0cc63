// SPDX-License-Identifier: GPL-3.0-or-later
// The ranked findings: changes first where two studies are compared.
import { acceptedLast, at, certainty, confidence, detail, mark, reason, section, severity } from './cards.js';
import { el, perFrame, replace } from './dom.js';
import * as format from './format.js';
import { changesOf } from './panel_changes.js';
import { chip } from './panel_context.js';
import { place, pretty, title } from './words.js';

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
    app.state.on(
      ['n', 'width'],
      perFrame(() => this.follow()),
    );
    app.state.on(['side'], () => this.paint());
    app.state.on(['selected'], () => this.mark());
  }

  paint() {
    const { study, comparison } = this.app;
    this.bars = [];
    this.cards = [];
    const resources = study.resources?.findings ?? [];
    const linear = study.findings.filter((f) => f.linear);
    const found = study.findings.filter((f) => !f.linear);
    replace(
      this.element,
      comparison ? changesOf(this, comparison) : this.verdict(),
      section('What grows', acceptedLast(found), (f) => this.finding(f)),
      section('Resources', acceptedLast(resources), (f) => this.resource(f)),
      section('Linear growth', acceptedLast(linear), (f) => this.finding(f)),
      section('Undecided', study.undecided, (u) => this.undecided(u), 'ul'),
      comparison ? null : this.negligible(),
    );
    this.follow();
    this.mark();
  }

  card(context, parts, open) {
    const card = el('li', { class: 'card', 'data-context': context });
    card.append(...parts.flat().filter(Boolean));
    card.addEventListener('click', (event) => {
      if (!event.target.closest('details, a')) open();
    });
    this.cards.push(card);
    return card;
  }

  // The line that every report begins with, and how much of the total the findings explain.
  verdict() {
    const { verdict, coverage, suppressed } = this.app.study;
    const places = suppressed === 1 ? 'place grows' : 'places grow';
    const small = suppressed ? ` ${format.count(suppressed)} ${places} at a negligible cost.` : '';
    return [
      el('p', { class: `verdict ${verdict.outcome}` }, `${verdict.text}${small}`),
      verdict.remedy ? el('p', { class: 'quiet' }, verdict.remedy) : null,
      coverage ? el('p', { class: 'quiet' }, coverage) : null,
    ];
  }

  heading(text, open) {
    return el('h3', {}, el('button', { class: 'link name', onclick: open }, text));
  }

  finding(f) {
    const { app } = this;
    const { study } = app;
    const open = (event) => {
      event?.stopPropagation();
      app.open(f.context, { zoom: false, reveal: true, tab: true });
    };
    const bar = el('span', {});
    const share = el('span', { class: 'share' });
    if (!f.along) this.bars.push({ members: membersOf(f), bar, share });
    const last = f.predictions.at(-1);
    const [cost, bounds] = last ? this.cost(last.cost) : [];
    const kind = { implicit: 'callback', recursion: 'recursion', loop: 'loop', spread: 'most in', work: 'call' }[f.kind];
    return this.card(
      f.context,
      [
        el(
          'div',
          { class: 'top' },
          mark(f) ?? severity(f.severity),
          chip(f.class, `${f.from} → ${pretty(f.to)}`.replace('constant', '1')),
          f.along ? null : share,
        ),
        this.heading(f.spread?.title ?? f.subject ?? title(study, f.context), open),
        el(
          'div',
          { class: 'quiet' },
          `${kind} ${f.place?.split('/').pop() ?? place(study, f.context)}`,
          f.site_count > 1 ? ` · in ${f.site_count} contexts` : '',
        ),
        reason(f),
        this.groups(f),
        f.along ? null : el('div', { class: 'bar', 'aria-hidden': 'true' }, bar),
        el('p', { class: 'formula small' }, pretty(f.along?.formula ?? (f.cost_model ?? f.model)?.formula ?? 'no model')),
        last
          ? el(
              'p',
              {},
              `At ${study.parameter} = ${format.size(last.n)}${at(f)}: `,
              el('strong', {}, cost),
              el('span', { class: 'quiet' }, bounds ? ` (${bounds})` : '', this.ofAll(last, cost)),
            )
          : null,
        el(
          'details',
          {},
          el('summary', {}, 'Evidence and what to do'),
          el(
            'dl',
            {},
            detail('Rule', f.title),
            detail(
              'Emergence',
              f.emergence
                ? `takes half of the total from ${f.along?.parameter ?? study.parameter} = ${format.size(Number(f.emergence.toPrecision(3)))} on`
                : 'never takes half of the total',
            ),
            detail('Confidence', confidence(f.confidence)),
            detail('Evidence', f.evidence),
            detail('Do', f.advice),
          ),
        ),
      ],
      open,
    );
  }

  // Of a finding about many places: each of them, and what they have in common.
  groups(f) {
    if (!f.spread) return null;
    const { app } = this;
    const name = (group, key) =>
      key === 'orders' ? pretty(group.name) : (key === 'files' ? group.name.split('/').pop() : group.name) || 'unknown';
    const list = (key) =>
      f.spread[key].map((g) => `${name(g, key)} (${g.places}, ${format.percent(g.share)})`).join(', ');
    return el(
      'details',
      {},
      el('summary', {}, `The ${format.count(f.spread.places)} places`),
      el('dl', {}, detail('Files', list('files')), detail('Callers', list('callers')), detail('Orders', list('orders'))),
      el(
        'ul',
        {},
        f.sites.map((context) =>
          el(
            'li',
            {},
            el('button', { class: 'link', onclick: () => app.open(context, { reveal: true, tab: true }) }, title(app.study, context)),
            el('span', { class: 'quiet' }, ` ${place(app.study, context)}`),
          ),
        ),
      ),
      f.site_count > f.sites.length ? el('p', { class: 'quiet' }, `and ${f.site_count - f.sites.length} more`) : null,
    );
  }

  // What costs next to nothing, folded up: the switch is --all of report and ask.
  negligible() {
    const { app } = this;
    const { negligible, suppressed } = app.study;
    if (!suppressed) return null;
    const more = suppressed - negligible.length;
    return el(
      'details',
      { class: 'negligible' },
      el('summary', {}, `Negligible growth (${format.count(suppressed)}), below 1% of the total at every target: no findings`),
      el(
        'ul',
        {},
        negligible.map((f) =>
          el(
            'li',
            {},
            el('button', { class: 'link', onclick: () => app.open(f.context, { reveal: true, tab: true }) }, f.headline),
            el('span', { class: 'quiet' }, ` ${f.brief}`),
          ),
        ),
      ),
      more > 0 ? el('p', { class: 'quiet' }, `and ${format.count(more)} more: scale-run report --all`) : null,
    );
  }

  cost([value, low, high]) {
    const { app } = this;
    return format.figure({ value, low: low ?? 0, high: high ?? Infinity }, (x) => app.costText(x), app.study.timed);
  }

  // ", 12% of all", as the report for people says it.
  ofAll(last, cost) {
    const share = format.share(last.share, 1, last.cost[0] === 0 && this.app.study.timed);
    return share === cost ? '' : `, ${share}${share === format.NOT_SAMPLED ? '' : ' of all'}`;
  }

  resource(f) {
    const { app } = this;
    const { study } = app;
    const resource = study.resources.list[f.resource];
    const open = (event) => {
      event?.stopPropagation();
      app.openResource(f.resource);
    };
    const from = f.emergence[0];
    return this.card(
      f.context,
      [
        el('div', { class: 'top' }, mark(f) ?? certainty(f.severity), el('span', { class: 'chip rule' }, f.rule)),
        this.heading(f.context >= 0 ? `${resource.name} of ${title(study, f.context)}` : resource.name, open),
        el(
          'div',
          { class: 'quiet' },
          `${resource.class}${resource.file ? ` · ${resource.file.split('/').pop()}${resource.line ? `:${resource.line}` : ''}` : ''}`,
        ),
        reason(f),
        el(
          'p',
          {},
          f.title,
          resource.hot ? `: ${resource.hot}` : null,
          from && !f.servers
            ? el(
                'span',
                { class: 'quiet' },
                `, from ${f.along?.parameter ?? study.parameter} = ${format.size(Number(from.toPrecision(4)))} on`,
              )
            : null,
        ),
        el(
          'details',
          {},
          el('summary', {}, 'Evidence and what to do'),
          el(
            'dl',
            {},
            detail('Confidence', confidence(f.confidence)),
            detail('Also', f.also),
            detail('Evidence', f.evidence),
            detail('Do', f.advice),
          ),
        ),
      ],
      open,
    );
  }

  undecided(u) {
    const { app } = this;
    const open = (event) => {
      event?.stopPropagation();
      app.open(u.context, { reveal: true, tab: true });
    };
    return this.card(
      u.context,
      [
        el(
          'div',
          { class: 'top' },
          el('span', { class: 'chip gn' }, `perhaps ${pretty(u.to)}`),
          el('span', { class: 'share' }, format.percent(u.share)),
        ),
        this.heading(u.spread?.title ?? title(app.study, u.context), open),
        el(
          'p',
          { class: 'quiet' },
          u.reason,
          u.deciding && u.along ? ` ${u.along.parameter} = ${format.size(u.deciding)} would decide.` : '',
          u.deciding && !u.along ? ` A range up to ${format.size(u.deciding)} would decide.` : '',
        ),
      ],
      open,
    );
  }

  // Shares at the slider's size.
  follow() {
    const values = this.app.values();
    const n = format.size(this.app.state.get('n'));
    for (const { members, bar, share } of this.bars) {
      const part = members.reduce((sum, context) => sum + values.own[context], 0) / values.value[0];
      bar.style.width = `${100 * (Number.isFinite(part) ? part : 0)}%`;
      replace(share, format.percent(part), el('span', { class: 'quiet' }, ` of all at ${n}`));
    }
  }

  mark() {
    const selected = this.app.state.get('selected');
    for (const card of this.cards ?? [])
      card.classList.toggle('chosen', selected >= 0 && Number(card.dataset.context) === selected);
  }
}
