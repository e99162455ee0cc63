// SPDX-License-Identifier: GPL-3.0-or-later
// Resources: a list, and for the chosen one its metrics, plots and who waits for whom.
import { certainty } from './cards.js';
import { el, perFrame, replace, tableOf } from './dom.js';
import * as format from './format.js';
import { blameGraph } from './graph.js';
import { plot } from './plot.js';
import { valueOf } from './series.js';
import { pretty, title } from './words.js';

// The metrics worth a plot, in the order in which they are looked for.
const FIRST = [
  'utilisation',
  'mean wait time',
  'peak outstanding',
  'outstanding at the end',
  'units acquired',
  'acquires',
];
// No resources, but what calls of the system wait for: told with the elapsed time.
const WAITS = new Set(['sleep', 'io', 'process']);
const RATIOS = new Set(['utilisation', 'failures per acquire']);

function shower(resource, metric) {
  if (metric.unit === 's') return format.seconds;
  if (RATIOS.has(metric.metric)) return format.percent;
  return metric.unit === 'units' && resource.unit === 'byte' ? format.bytes : format.count;
}

const curveOf = (study, metric) =>
  metric.curve.map(([value, low, high], i) => ({
    n: study.grid[i],
    value: value ?? Infinity,
    low: low ?? 0,
    high: high ?? Infinity,
  }));

function pointsOf({ points }) {
  return Array.from({ length: points.length / 2 }, (_, i) => ({ n: points[2 * i], y: points[2 * i + 1] }));
}

export class ResourcesPanel {
  constructor(app) {
    this.app = app;
    this.element = el('div', { class: 'panel resources' });
    app.state.on(['side', 'resource', 'metric'], () => this.paint());
    app.state.on(
      ['n'],
      perFrame(() => this.follow()),
    );
  }

  paint() {
    const { study } = this.app;
    this.rows = [];
    this.chart = null;
    if (!study.resources) {
      replace(this.element, el('p', { class: 'empty' }, 'The runs recorded nothing of resources.'));
      return;
    }
    const chosen = this.app.state.get('resource');
    const worst = new Map();
    for (const finding of study.resources.findings)
      if (!worst.has(finding.resource)) worst.set(finding.resource, finding);
    const order = study.resources.list
      .map((_, i) => i)
      .filter((i) => !WAITS.has(study.resources.list[i].class))
      .sort((a, b) => worst.has(b) - worst.has(a));
    replace(
      this.element,
      el(
        'ul',
        { class: 'resource-list' },
        order.map((i) => {
          const resource = study.resources.list[i];
          return el(
            'li',
            {},
            el(
              'button',
              {
                'aria-expanded': String(i === chosen),
                onclick: () => this.app.state.set({ resource: i === chosen ? -1 : i, metric: '' }),
              },
              el('span', { class: 'name' }, resource.name),
              resource.class === resource.name ? null : el('span', { class: 'quiet' }, resource.class),
              worst.has(i) ? certainty(worst.get(i).severity) : null,
            ),
            i === chosen ? this.detail(resource, worst.get(i)) : null,
          );
        }),
      ),
      this.scalability(),
    );
    this.follow();
  }

  detail(resource, finding) {
    const { app } = this;
    const { study } = app;
    const told = (m) => m.measured > 0 || m.curve.at(-1)[0] !== 0;
    const names = resource.metrics.filter(told).map((m) => m.metric);
    const wanted = app.state.get('metric');
    const metric =
      resource.metrics.find((m) => m.metric === wanted) ??
      resource.metrics.find((m) => m.metric === (finding?.metrics ?? []).find((name) => names.includes(name))) ??
      resource.metrics.find((m) => m.metric === FIRST.find((name) => names.includes(name))) ??
      resource.metrics[0];
    if (!metric) return el('p', { class: 'quiet' }, 'Nothing was measured.');
    const show = shower(resource, metric);
    const width = Math.max(260, this.element.clientWidth - 28);
    this.chart = plot({
      curve: curveOf(study, metric),
      points: pointsOf(metric),
      high: study.high,
      at: app.state.get('n'),
      show,
      width,
      height: 200,
      linear: RATIOS.has(metric.metric),
      label: `${metric.metric} of ${resource.name} over ${study.parameter}`,
    });
    const rows = resource.metrics
      .filter((m) => m === metric || told(m))
      .map((m) => {
        const value = el('td', {});
        this.rows.push({ value, metric: m, curve: curveOf(study, m), show: shower(resource, m) });
        return el(
          'tr',
          { class: m === metric ? 'chosen' : '' },
          el(
            'th',
            { scope: 'row' },
            el('button', { class: 'link', onclick: () => app.state.set({ metric: m.metric }) }, m.metric),
          ),
          el('td', {}, shower(resource, m)(m.measured)),
          value,
          el('td', { class: 'formula small' }, m.model?.order ? pretty(m.model.order) : ''),
        );
      });
    this.head = el('th', { scope: 'col' });
    return el(
      'div',
      { class: 'resource' },
      finding ? el('p', {}, el('strong', {}, finding.title), '.') : null,
      resource.hot ? el('p', {}, `${resource.hot}. Utilisation is that of the busiest.`) : null,
      el('h3', {}, metric.metric),
      this.chart,
      resource.blame ? [el('h3', {}, 'Who waits for whom'), blameGraph(app, study, resource.blame, width)] : null,
      tableOf(['metric', `measured at ${format.size(study.high)}`, this.head, 'grows'], rows),
      finding
        ? [
            this.sites(finding, resource),
            el('h3', {}, 'Evidence'),
            el('p', {}, finding.evidence),
            el('h3', {}, 'Do'),
            el('p', {}, finding.advice),
          ]
        : null,
    );
  }

  sites(finding, resource) {
    const { app } = this;
    const { study } = app;
    if (!finding.sites.length) return null;
    return [
      el('h3', {}, 'Where'),
      el(
        'table',
        {},
        el(
          'tbody',
          {},
          finding.sites.map((site) =>
            el(
              'tr',
              {},
              el('td', {}, site.role),
              el(
                'td',
                {},
                site.context >= 0
                  ? el(
                      'button',
                      { class: 'link', onclick: () => app.open(site.context, { reveal: true, tab: true }) },
                      title(study, site.context),
                    )
                  : 'not known',
                el('span', { class: 'quiet' }, site.line ? `:${site.line}${site.column ? `:${site.column}` : ''}` : ''),
              ),
              el(
                'td',
                {},
                site.role === 'holds' || site.role === 'waits'
                  ? format.seconds(site.amount)
                  : resource.unit === 'byte' && site.role === 'keeps'
                    ? format.bytes(site.amount)
                    : format.count(site.amount),
              ),
              el('td', {}, format.percent(site.share)),
            ),
          ),
        ),
      ),
    ];
  }

  scalability() {
    const { study } = this.app;
    const s = study.resources.scalability;
    if (!s) return null;
    return el(
      'section',
      {},
      el('h3', {}, 'Throughput'),
      el(
        'p',
        {},
        s.sigma[0] <= 1 ? `${format.percent(s.sigma[0])} of the work is serialised. ` : '',
        s.rise ? `It ${s.rise}.` : `Throughput is highest at ${study.parameter} = ${format.count(s.peak[0])}.`,
      ),
    );
  }

  follow() {
    const n = this.app.state.get('n');
    this.chart?.moveTo(n);
    if (this.head) this.head.textContent = `model at ${format.size(n)}`;
    for (const { value, curve, show } of this.rows ?? []) {
      const at = valueOf(curve, n);
      replace(value, show(at.value), this.app.predicted() ? el('small', {}, format.interval(at, show)) : null);
    }
  }
}
