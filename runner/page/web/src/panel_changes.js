// SPDX-License-Identifier: GPL-3.0-or-later
// What a change did, as cards of the findings' panel.
import { acceptedLast, at, confidence, detail, mark, reason } from './cards.js';
import { el, plainTable } from './dom.js';
import * as format from './format.js';
import { place, pretty, title } from './words.js';

export function changesOf(panel, comparison) {
  const { app } = panel;
  const list = comparison.changes;
  return [
    el('h2', {}, 'Changes against the base'),
    list.length
      ? el(
          'ol',
          { class: 'cards' },
          acceptedLast(list).map((c) => change(panel, c)),
        )
      : el(
          'p',
          { class: 'empty' },
          `No difference beyond noise: ${format.count(comparison.matched)} contexts compared.`,
        ),
    comparison.same_machine || !app.study.timed
      ? null
      : el(
          'p',
          { class: 'quiet' },
          'The studies were measured on different machines: executions are compared, times are not.',
        ),
  ];
}

// What is predicted on both sides; along a further parameter at one of its values.
function table(panel, c) {
  const targets = c.along ? [c.along.n] : panel.app.comparison.targets;
  const show = (interval) => {
    if (!interval) return '–';
    return c.of === 'cost' ? panel.cost(interval)[0] : format.count(interval[0]);
  };
  if (!targets.length || c.of === 'resource') return null;
  const row = (n, i) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, `${format.size(n)}${at(c)}`),
      el('td', {}, show(c.base.predictions[i])),
      el('td', {}, show(c.head.predictions[i])),
    );
  return plainTable([panel.app.study.parameter, 'base', 'head'], targets.map(row));
}

function change(panel, c) {
  const { app } = panel;
  const gone = c.rule === 'gone';
  const study = gone ? app.base : app.head;
  const state = gone ? c.base : c.head;
  const named =
    state.resource >= 0
      ? study.resources.list[state.resource].name
      : state.context >= 0
        ? title(study, state.context)
        : 'whole workload';
  const open = (event) => {
    event?.stopPropagation();
    app.state.set({ side: gone ? 'base' : 'head' });
    if (state.resource >= 0) app.openResource(state.resource);
    else if (state.context >= 0) app.open(state.context, { reveal: true, tab: true });
  };
  const sign =
    { 'worse-order': '▲', 'worse-cost': '▲', 'new-cost': '+', better: '▼', gone: '−', 'change-unknown': '?' }[c.rule] ??
    '';
  const tone = c.rule === 'better' || gone ? 'better' : c.rule === 'change-unknown' ? 'unknown' : 'worse';
  const order = (s) => (s.model?.order ? pretty(s.model.order) : '-');
  return panel.card(
    gone ? -1 : state.context,
    [
      el('div', { class: 'top' }, el('span', { class: `change ${tone}` }, `${sign} ${c.title}`), mark(c)),
      panel.heading(named, open),
      reason(c),
      state.context >= 0 && state.resource < 0
        ? el(
            'div',
            { class: 'quiet' },
            `${place(study, state.context)}${c.context_count > 1 ? ` · in ${c.context_count} contexts` : ''}`,
          )
        : null,
      el(
        'p',
        {},
        c.metric ? `${c.metric}: ` : `${c.of === 'cost' ? 'cost of one' : 'executions'}: `,
        el('span', { class: 'formula small' }, `${order(c.base)} → ${order(c.head)}`),
        c.factor !== null && c.factor > 0 && !gone
          ? ` · ${format.change(c.factor)} at ${format.size(c.along?.n ?? app.comparison.targets.at(-1) ?? study.far)}${at(c)}`
          : '',
      ),
      table(panel, c),
      el(
        'details',
        {},
        el('summary', {}, 'Evidence'),
        el(
          'dl',
          {},
          detail('Confidence', confidence(c.confidence)),
          detail(
            'Exceeds base',
            c.emergence ? `from ${c.along?.parameter ?? app.study.parameter} = ${format.size(Number(c.emergence.toPrecision(3)))} on` : null,
          ),
          detail('Evidence', c.evidence),
          detail('About', c.help),
        ),
      ),
    ],
    open,
  );
}
