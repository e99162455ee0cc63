// SPDX-License-Identifier: GPL-3.0-or-later
import { el } from './dom.js';

const KEYS = [
  [
    'Size',
    [
      ['[ ]', 'previous, next measured or predicted size'],
      ['← →', 'in the slider: a little smaller, larger'],
      ['p', 'play from the measured sizes to the targets'],
    ],
  ],
  [
    'Flame graph',
    [
      ['f', 'go to it'],
      ['↑ ↓ ← →', 'caller, costliest callee, neighbours'],
      ['Enter', 'zoom in'],
      ['Esc', 'put the figures away, then zoom out'],
      ['Space', 'show the context’s plot'],
      ['w', 'width: cost or executions'],
    ],
  ],
  [
    'Two studies',
    [
      ['b', 'base or head'],
      ['c', 'colour: growth or change'],
    ],
  ],
  [
    'Several combinations of further parameters',
    [[', .', 'previous, next combination']],
  ],
  [
    'Elsewhere',
    [
      ['g l s', 'flame graph, list of functions, source'],
      ['/', 'search; Enter: next match, Esc: clear'],
      ['1 … 5', 'findings, context, resources, table, about'],
      ['n N', 'next, previous finding'],
      ['t', 'light or dark'],
      ['?', 'this list'],
    ],
  ],
];

export function helpDialog() {
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keys' },
    el(
      'header',
      {},
      el('h2', {}, 'Keys'),
      el('button', { class: 'plain', 'aria-label': 'Close', onclick: () => dialog.close() }, '✕'),
    ),
    el(
      'div',
      { class: 'keys' },
      KEYS.map(([group, rows]) =>
        el(
          'section',
          {},
          el('h3', {}, group),
          el(
            'dl',
            {},
            rows.map(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]),
          ),
        ),
      ),
    ),
    el(
      'p',
      { class: 'quiet' },
      'Frames are as wide as what they cost with everything they call. Solid: sizes that were measured. Hatched: predicted; the denser, the wider the interval. Colour: how fast executions grow.',
    ),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
