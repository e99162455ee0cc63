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

const MOST_BUTTONS = 6; // more combinations are a list to choose from

// What tells each combination from the others: the label of all, and a text for each.
function namesOf(list) {
  const differ = Object.keys(list[0].data.further).filter((name) =>
    list.some(({ data }) => data.further[name] !== list[0].data.further[name]),
  );
  if (differ.length !== 1) return ['', list.map(({ name }) => name)];
  return [`${differ[0]} =`, list.map(({ data }) => format.size(data.further[differ[0]]))];
}

// Between the combinations of further parameters that the page has.
function combinations(app) {
  const list = app.combinations;
  if (list.length < 2) return null;
  const [label, texts] = namesOf(list);
  const name = 'Values of further parameters';
  const chosen = () => app.state.get('combination');
  const buttons = texts.map((text, i) =>
    el('button', { role: 'radio', 'aria-label': list[i].name, onclick: () => app.showCombination(i) }, text),
  );
  const options = texts.map((text, i) => el('option', { value: i }, text));
  const select = el(
    'select',
    { 'aria-label': name, onchange: (event) => app.showCombination(Number(event.target.value)) },
    options,
  );
  const show = () => {
    buttons.forEach((button, i) => button.setAttribute('aria-checked', String(i === chosen())));
    select.value = String(chosen());
  };
  app.state.on(['combination'], show);
  show();
  return el(
    'div',
    { class: 'combinations', title: `${name} (, .)` },
    label && el('span', { class: 'quiet' }, label),
    list.length > MOST_BUTTONS ? select : el('div', { class: 'switch', role: 'radiogroup', 'aria-label': name }, buttons),
  );
}

export function header(app) {
  const { head, base } = app;
  const title = el('h1', {}, head.title);
  app.state.on(['combination'], () => replace(title, app.head.title));
  return el(
    'header',
    { class: 'head' },
    logo(),
    el(
      'div',
      { class: 'titles' },
      title,
      el('div', { class: 'quiet' }, base ? `${base.path} → ${head.path}` : head.path),
    ),
    combinations(app),
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
          { class: 'together', title: 'Every execution may be dearer: the data may outgrow a cache, or their time was not checked. It is in all intervals but in no hatch.' },
          `all together up to ${Number(dearer.toPrecision(2))}× as much`,
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
