// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around the graph: head, switches, legend.
import { el, perFrame, replace, svg } from './dom.js';
import { SURE } from './flame_layout.js';
import * as format from './format.js';
import { toggleTheme } from './theme.js';
import { GROWTH, NO_MODEL, STRUCTURE } from './words.js';

function logo() {
  return svg(
    'svg',
    { class: 'logo', viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': 'true' },
    svg('rect', { x: 1, y: 2, width: 22, height: 5, rx: 1.5, class: 'g1' }),
    svg('rect', { x: 1, y: 9, width: 15, height: 5, rx: 1.5, class: 'g3' }),
    svg('rect', { x: 1, y: 16, width: 9, height: 5, rx: 1.5, class: 'g4' }),
  );
}

export function header(app) {
  const { head, base } = app;
  return el(
    'header',
    { class: 'head' },
    logo(),
    el(
      'div',
      { class: 'titles' },
      el('h1', {}, head.title),
      el('div', { class: 'quiet' }, base ? `${base.path} → ${head.path}` : head.path),
    ),
    app.search.element,
    el(
      'button',
      { class: 'plain', 'aria-label': 'Light or dark', title: 'Light or dark (t)', onclick: () => toggleTheme(app) },
      '◐',
    ),
    el(
      'button',
      { class: 'plain', 'aria-label': 'Keys and help', title: 'Keys (?)', onclick: () => app.help.showModal() },
      '?',
    ),
  );
}

function choice(app, key, name, options) {
  const buttons = options.map(([value, text]) =>
    el(
      'button',
      {
        role: 'radio',
        onclick: () =>
          key === 'side' ? value !== app.state.get('side') && app.switchSide() : app.state.set({ [key]: value }),
      },
      text,
    ),
  );
  const show = () =>
    options.forEach(([value], i) => buttons[i].setAttribute('aria-checked', String(app.state.get(key) === value)));
  app.state.on([key], show);
  show();
  return el('div', { class: 'switch', role: 'radiogroup', 'aria-label': name }, buttons);
}

export function views(app) {
  return el(
    'div',
    { class: 'views' },
    choice(app, 'view', 'View', [
      ['graph', 'Flame graph'],
      ['functions', 'Functions'],
      ['source', 'Source'],
    ]),
    app.base
      ? choice(app, 'side', 'Study', [
          ['base', 'Base'],
          ['head', 'Head'],
        ])
      : null,
    app.base
      ? choice(app, 'colour', 'Colour', [
          ['growth', 'Growth'],
          ['change', 'Change'],
        ])
      : null,
    app.head.timed
      ? choice(app, 'width', 'Width', [
          ['cost', app.head.costUnit === 's' ? 'Time' : 'Cost'],
          ['count', 'Executions'],
        ])
      : null,
  );
}

const swatch = (key, text, title) => el('span', { title: title ?? text }, el('i', { class: key }), text);

// What hatches mean, and what they leave out: the factor by which all costs together may be higher.
function hatches(app) {
  const texts = ['sizes measured', ...SURE.map((limit) => `±${format.count(100 * limit)}%`), 'more'];
  const dearer = app.state.get('width') === 'cost' && app.predicted() ? app.study.dearerAt(app.state.get('n')) : 1;
  return el(
    'div',
    { class: 'group', title: 'Hatch: half width of the 95% interval of a frame, relative to its value' },
    el('b', {}, 'Interval'),
    texts.map((text, i) => el('span', {}, el('i', { class: `sure sure${i}` }), text)),
    dearer > 1.05
      ? el(
          'span',
          { class: 'together', title: 'The data may outgrow a cache, which makes every execution dearer. It is in all intervals but in no hatch.' },
          `all together up to ${Number(dearer.toPrecision(2))}× as much (caches)`,
        )
      : null,
  );
}

export function legend(app) {
  const element = el('div', { class: 'legend' });
  const paint = () => {
    const growth = app.state.get('colour') !== 'change';
    const { study } = app;
    const used = new Set(study.growth);
    const name = (g) => g.name.replace(/\bn\b/g, study.parameter).replace('n²', `${study.parameter}²`);
    replace(
      element,
      growth
        ? el(
            'div',
            { class: 'group' },
            el('b', {}, 'Executed'),
            GROWTH.map((g) => swatch(g.key, name(g), g.long)),
            used.has(-1) ? swatch(NO_MODEL.key, NO_MODEL.name) : null,
            used.has(-2) ? swatch(STRUCTURE.key, STRUCTURE.name) : null,
          )
        : el(
            'div',
            { class: 'group' },
            el('b', {}, 'Against base'),
            [
              ['d0', '▼ half'],
              ['d2', '▼ less'],
              ['d3', 'same'],
              ['d4', '▲ more'],
              ['d6', '▲ double, + new'],
            ].map(([key, text]) => swatch(key, text)),
          ),
      hatches(app),
    );
  };
  app.state.on(['colour', 'side'], paint);
  app.state.on(
    ['n', 'width'],
    perFrame(() => element.lastChild.replaceWith(hatches(app))),
  );
  paint();
  return element;
}
