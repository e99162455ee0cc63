// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of a context's panel.
import { el, tableOf } from './dom.js';
import * as format from './format.js';
import { valueOf } from './series.js';
import { counts, growthOf, label, orderOf, place, pretty } from './words.js';

// The formula, how well it fits, and what fits as well.
export function modelOf(study, context) {
  const words = study.wordsOf(study.model[context]);
  if (!words) return null;
  const rivals = study.rivalsOf(study.model[context]);
  if (words.growth < 0) {
    return el(
      'section',
      {},
      el('h3', {}, 'Model'),
      el(
        'p',
        {},
        'Its executions follow no model',
        words.why ? `: ${words.why}` : '',
        '. Predictions take it to grow like the code that calls it.',
      ),
    );
  }
  return el(
    'section',
    {},
    el('h3', {}, 'Model'),
    el('p', { class: 'formula' }, pretty(words.formula), el('span', { class: 'quiet' }, ` ${counts(study, context)}`)),
    el(
      'p',
      { class: 'quiet' },
      words.exact
        ? 'Exact: it reproduces every count measured.'
        : `Predictions of the largest sizes measured are ${words.error === null ? 'of unknown error' : `${format.percent(words.error)} off`}.`,
      ` ${words.points} sizes.`,
    ),
    rivals.length
      ? el(
          'p',
          {},
          'The points fit as well: ',
          rivals.map((rival, i) => [
            i ? ', ' : '',
            el('span', { class: 'formula small' }, pretty(rival.formula)),
            el('span', { class: 'quiet' }, ` (weight ${format.percent(rival.weight)})`),
          ]),
        )
      : null,
  );
}

// A table over the targets. `curveOf`: a metric's curve.
export function predictionsOf(study, context, curveOf) {
  if (!study.targets.length) return null;
  const curves = ['count', 'own', 'total'].map(curveOf);
  const showCost = (v) => format.cost(v, study.costUnit);
  const cell = (curve, n, show) => {
    const [value, bounds] = format.figure(valueOf(curve, n), show, study.timed && show === showCost);
    return el('td', {}, value, el('small', {}, bounds));
  };
  const counted = study.growth[context] !== -2;
  return el(
    'section',
    {},
    el('h3', {}, 'Predicted'),
    tableOf(
      [study.parameter, counted && counts(study, context), study.timed && 'own cost', 'with callees'].filter(Boolean),
      study.targets.map((n) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, format.size(n)),
          counted ? cell(curves[0], n, format.count) : null,
          study.timed ? cell(curves[1], n, showCost) : null,
          cell(curves[2], n, showCost),
        ),
      ),
    ),
  );
}

const WHOLE = 14; // steps of a path that is shown whole

// Of a long path the process and its root, where the order rises, and the last two, as reports print it.
function telling(study, path) {
  let above = -1;
  return path.map((step, i) => {
    const growth = study.growth[step];
    const rises = above >= 0 && growth > above;
    if (growth >= 0) above = growth;
    return rises || path.length <= WHOLE || i < 2 || i + 2 >= path.length;
  });
}

function stepOf(app, step, context) {
  const { study } = app;
  const order = orderOf(study, step);
  return el(
    'li',
    {},
    el(
      'button',
      { class: 'link', 'aria-current': step === context ? 'true' : false, onclick: () => app.open(step, {}) },
      label(study, step),
    ),
    study.kindOf(step) !== 'loop' ? el('span', { class: 'quiet' }, ` ${place(study, step)}`) : null,
    order ? el('span', { class: `order ${growthOf(study.growth[step]).key}` }, order) : null,
  );
}

// In place of steps that tell nothing; a click shows them.
function cutOf(app, steps, context) {
  const item = el('li', {});
  const show = () => {
    const shown = steps.map((step) => stepOf(app, step, context));
    item.replaceWith(...shown);
    shown[0].querySelector('button').focus();
  };
  item.append(el('button', { class: 'link', onclick: show }, `… ${steps.length} level${steps.length > 1 ? 's' : ''}`));
  return item;
}

// From the process down, each step with its order.
export function pathOf(app, context) {
  const path = app.study.pathOf(context);
  const tells = telling(app.study, path);
  const items = [];
  for (let i = 0; i < path.length; i++) {
    const first = i;
    while (!tells[i]) i++;
    if (i > first) items.push(cutOf(app, path.slice(first, i), context));
    items.push(stepOf(app, path[i], context));
  }
  return el('section', {}, el('h3', {}, 'Calling context'), el('ol', { class: 'path' }, items));
}
