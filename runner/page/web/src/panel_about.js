// SPDX-License-Identifier: GPL-3.0-or-later
// What is not known, and where the numbers come from.
import { el, replace } from './dom.js';
import * as format from './format.js';

const NAMES = {
  command: 'Command',
  workload_path: 'Workload',
  machine: 'Machine',
  versions: 'Measured by',
  build: 'Build',
  spent_seconds: 'Measuring took',
};

export class AboutPanel {
  constructor(app) {
    this.app = app;
    this.element = el('div', { class: 'panel about-study' });
    app.state.on(['side'], () => this.paint());
  }

  budgets(study) {
    if (!study.budgets.length) return null;
    const words = { kept: '✓ kept', broken: '✗ broken', cannot_tell: '? cannot tell' };
    return [
      el('h2', {}, 'Budgets'),
      el(
        'table',
        {},
        el(
          'tbody',
          {},
          study.budgets.map((b) =>
            el(
              'tr',
              { class: b.verdict },
              el('th', { scope: 'row' }, `${b.metric} at ${format.size(b.n)}`),
              el('td', {}, `≤ ${format.seconds(b.limit)}`),
              el('td', {}, words[b.verdict] ?? b.verdict),
            ),
          ),
        ),
      ),
    ];
  }

  paint() {
    const { study, generator } = this.app;
    const rows = Object.entries(study.provenance).map(([key, value]) => [
      NAMES[key] ?? key,
      key === 'spent_seconds' ? format.seconds(Number(value)) : value,
    ]);
    const sizes = study.measured.map(format.size).join(', ');
    replace(
      this.element,
      study.caveats.length
        ? [
            el('h2', {}, 'What is not known'),
            el(
              'ul',
              { class: 'caveats' },
              study.caveats.map((text) => el('li', {}, text)),
            ),
          ]
        : [el('h2', {}, 'What is not known'), el('p', {}, 'Nothing that would limit the answers was noticed.')],
      this.budgets(study),
      el('h2', {}, 'Where the numbers come from'),
      el(
        'dl',
        { class: 'provenance' },
        [
          ['Study', study.path],
          ...rows,
          [`Measured ${study.parameter}`, `${sizes} (${study.runs.length} runs)`],
          ...study.heldOut.map(([n, text]) => [`Held out ${study.parameter} = ${format.size(n)}`, text]),
          ['Contexts', format.count(study.size - 1)],
          ['Modelled', `${format.percent(study.modelledShare)} of the measured cost`],
          ['Intervals', `${format.percent(study.level)}`],
          ['Page by', generator],
        ].map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
      ),
    );
  }
}
