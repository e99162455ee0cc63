// SPDX-License-Identifier: GPL-3.0-or-later
// The visible data as a table: the costliest contexts below the present focus.
import { el, later, replace, tableOf } from './dom.js';
import * as format from './format.js';
import { curveOf, valueOf } from './series.js';
import { growthOf, orderOf, place, title } from './words.js';

const MOST = 100;

export class TablePanel {
  constructor(app) {
    this.app = app;
    this.element = el('div', { class: 'panel table' });
    this.by = 'value';
    const draw = later(80, () => {
      if (this.element.isConnected) this.paint();
    });
    app.state.on(['n', 'width', 'side', 'focus', 'matches', 'tab', 'selected'], draw);
  }

  rows() {
    const { study, state } = this.app;
    const values = this.app.values();
    const matches = state.get('matches');
    const below = [state.get('focus')];
    for (let i = 0; i < below.length; i++)
      for (const child of study.childrenOf(below[i])) if (values.value[child] > 0) below.push(child);
    const list = matches ? below.filter((context) => matches.has(context)) : below;
    return list.sort((a, b) => values[this.by][b] - values[this.by][a]);
  }

  // Nothing but a function or a loop has a cost of its own that could have gone without a sample.
  own(context, value) {
    const { app } = this;
    if (value > 0 || !app.sampled) return app.show(value);
    if (app.study.growth[context] === -2) return '–';
    return app.figure(valueOf(curveOf(app.study, context, 'own'), app.state.get('n')))[0];
  }

  paint() {
    const { app } = this;
    const { study } = app;
    const values = app.values();
    const n = app.state.get('n');
    const list = this.rows();
    const head = (key, text) =>
      el(
        'th',
        { scope: 'col', class: key, 'aria-sort': this.by === key ? 'descending' : 'none' },
        el(
          'button',
          {
            class: 'link',
            onclick: () => {
              this.by = key;
              this.paint();
            },
          },
          text,
        ),
      );
    const row = (context) => {
      const value = values.value[context];
      const [total, bounds] = app.figure({ value, low: values.low[context], high: values.high[context] });
      return el(
        'tr',
        { class: context === app.state.get('selected') ? 'chosen' : '' },
        el(
          'th',
          { scope: 'row' },
          el('button', { class: 'link', onclick: () => app.open(context, { reveal: true }) }, title(study, context)),
          el(
            'small',
            {},
            `${study.kindOf(context) === 'loop' ? 'loop ' : ''}${place(study, context) || study.kindOf(context)}`,
          ),
        ),
        el(
          'td',
          {},
          study.growth[context] === -2 ? '–' : format.count(study.timesAt(n, context)),
          el('small', { class: growthOf(study.growth[context]).key }, orderOf(study, context) ?? ''),
        ),
        el('td', {}, total, el('small', {}, app.predicted() ? bounds : '')),
        el('td', { class: 'own' }, this.own(context, values.own[context])),
        el(
          'td',
          {},
          app.share(context),
          app.other ? el('small', {}, format.change(app.factor(context))) : null,
        ),
      );
    };
    const first = list.length > MOST ? `The first ${MOST} of ` : '';
    const where = `${study.parameter} = ${format.size(app.state.get('n'))}`;
    replace(
      this.element,
      tableOf(
        ['context', 'executed', head('value', 'total'), head('own', 'own'), 'of all'],
        list.slice(0, MOST).map(row),
        `${first}${format.count(list.length)} contexts at ${where}, by the model`,
      ),
    );
  }
}
