// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about one context.
import { modelOf, pathOf, predictionsOf } from './context_parts.js';
import { el, replace, perFrame } from './dom.js';
import * as format from './format.js';
import { key, plot } from './plot.js';
import { curveOf, measuredAt, pointsOf, valueOf } from './series.js';
import { counts, growthOf, orderOf, place, title } from './words.js';

export const chip = (growth, text) => el('span', { class: `chip ${growthOf(growth).key}` }, text);

export class ContextPanel {
  constructor(app) {
    this.app = app;
    this.element = el('div', { class: 'panel context' });
    this.metric = app.study.timed ? 'total' : 'count';
    this.draw = perFrame(() => this.paint());
    app.state.on(['selected', 'side'], this.draw);
    app.state.on(
      ['n'],
      perFrame(() => this.follow()),
    );
    new ResizeObserver(() => {
      if (Math.abs(this.element.clientWidth - (this.shown ?? 0)) > 8) this.draw();
    }).observe(this.element);
  }

  choices() {
    return [
      ['count', 'Executions'],
      ...(this.app.study.timed ? [['own', 'Own cost']] : []),
      ['total', this.app.study.timed ? 'With callees' : 'Executions with callees'],
    ];
  }

  show() {
    const { costUnit } = this.app.study;
    return this.metric === 'count' ? format.count : (v) => format.cost(v, costUnit);
  }

  paint() {
    const { app } = this;
    const { study } = app;
    const context = app.state.get('selected');
    this.shown = this.element.clientWidth;
    if (context < 0 || context >= study.size) {
      replace(
        this.element,
        el(
          'p',
          { class: 'empty' },
          'Choose a frame, a finding or a search result to see its plot, model, predictions and calling context.',
        ),
      );
      return;
    }
    const order = orderOf(study, context);
    const counted = study.growth[context] !== -2;
    this.figures = el('dl', { class: 'figures' });
    this.picture = el('div', { class: 'picture' });
    replace(
      this.element,
      el(
        'header',
        {},
        el(
          'div',
          { class: 'kind' },
          study.kindOf(context),
          order ? chip(study.growth[context], `executed ∝ ${order}`) : counted ? chip(-1, 'no model') : null,
        ),
        el('h2', {}, title(study, context)),
        study.fileOf(context) ? el('code', { class: 'place' }, place(study, context, true)) : null,
        this.acts(context),
      ),
      this.figures,
      el(
        'div',
        { class: 'switch', role: 'radiogroup', 'aria-label': 'What the plot shows' },
        this.choices().map(([metric, text]) =>
          el(
            'button',
            {
              role: 'radio',
              'aria-checked': String(metric === this.metric),
              onclick: () => {
                this.metric = metric;
                this.paint();
              },
            },
            text,
          ),
        ),
      ),
      this.picture,
      modelOf(study, context),
      predictionsOf(study, context, (metric) => this.curveOf(metric, context)),
      pathOf(app, context),
    );
    this.paintPlot(context);
    this.follow();
  }

  // Ways to other views of it.
  acts(context) {
    const { app } = this;
    const act = (text, onclick) => el('button', { class: 'link', onclick }, text);
    return el(
      'div',
      { class: 'acts' },
      app.study.functions.of(context) >= 0 ? act('callers and callees', () => app.openFunction(context)) : null,
      app.study.hasSource(context) ? act('source', () => app.showIn('source', context)) : null,
    );
  }

  counterpart(context) {
    const { app } = this;
    const other = app.counterpart(context);
    return other < 0
      ? null
      : { curve: curveOf(app.other, other, this.metric), points: pointsOf(app.other, other, this.metric) };
  }

  paintPlot(context) {
    const { app } = this;
    const { study } = app;
    const curve = curveOf(study, context, this.metric);
    const base = app.other ? this.counterpart(context) : null;
    const rivals = this.metric === 'count' ? study.rivalsOf(study.model[context]).map((rival) => rival.values) : [];
    const show = this.show();
    const limits =
      context === 0 && this.metric === 'total'
        ? study.budgets.filter((b) => b.metric === 'time').map((b) => b.limit)
        : [];
    this.curve = curve;
    this.chart = plot({
      curve,
      points: pointsOf(study, context, this.metric),
      rivals,
      base,
      high: study.high,
      at: app.state.get('n'),
      limits,
      show,
      width: Math.max(260, this.element.clientWidth - 8),
      height: 230,
      label: `${this.choices().find(([metric]) => metric === this.metric)[1]} of ${title(study, context)} over ${study.parameter}, both axes logarithmic`,
    });
    replace(this.picture, this.chart, key(Boolean(base), rivals.length > 0));
  }

  // What changes with the slider.
  follow() {
    const { app } = this;
    const context = app.state.get('selected');
    if (!this.figures?.isConnected || context < 0) return;
    const { study } = app;
    const n = app.state.get('n');
    const { count, cost } = study.at(n);
    const pick = (values) => ({ value: values.value[context], low: values.low[context], high: values.high[context] });
    const row = (name, value, bounds) => [
      el('dt', {}, name),
      el('dd', {}, el('strong', {}, value), bounds ? el('span', { class: 'quiet' }, ` ${bounds}`) : null),
    ];
    const showCost = (v) => format.cost(v, study.costUnit);
    const own = valueOf(this.curveOf('own', context), n);
    const times = valueOf(this.curveOf('count', context), n);
    const far = app.predicted();
    const factor = app.other ? app.factor(context) : NaN;
    // What was measured at this very size stands first, the model's figure behind it.
    const figure = (name, metric, at, show) => {
      const sampled = study.timed && show === showCost;
      const [model, bounds] = format.figure(at, show, sampled);
      const measured = measuredAt(study, context, metric, n);
      if (measured === null || (sampled && measured === 0)) return row(name, model, far ? bounds : '');
      return row(name, show(measured), `measured · ${model} by the model`);
    };
    const byModel = study.measured.includes(n) ? 'by the model' : '';
    replace(
      this.figures,
      study.growth[context] !== -2
        ? figure(counts(study, context), 'count', times, format.count)
        : null,
      study.timed ? figure('own cost', 'own', own, showCost) : null,
      study.timed && times.value > 0 && own.value > 0 ? row('of one', showCost(own.value / times.value), byModel) : null,
      study.timed
        ? figure('with callees', 'total', pick(cost), showCost)
        : figure('with callees', 'total', pick(count), format.count),
      row('share of all', format.share(cost.value[context], cost.value[0], study.timed), cost.value[context] > 0 ? byModel : ''),
      app.other
        ? row(
            'against base',
            Number.isNaN(factor) ? 'not comparable' : format.change(factor),
            app.alike(context) ? 'within the intervals: perhaps noise' : '',
          )
        : null,
    );
    this.chart?.moveTo(n);
  }

  curveOf(metric, context) {
    const shown = this.app.shownTag();
    if (this.kept?.context !== context || this.kept.shown !== shown) this.kept = { context, shown, map: new Map() };
    if (!this.kept.map.has(metric)) this.kept.map.set(metric, curveOf(this.app.study, context, metric));
    return this.kept.map.get(metric);
  }
}
