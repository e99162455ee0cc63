// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that work everywhere but in a text field.
import { toggleTheme } from './theme.js';

export function attachKeys(app) {
  const actions = {
    '?': () => app.help.showModal(),
    '/': () => app.search.input.select(),
    f: () => {
      app.state.set({ view: 'graph' });
      app.flame.element.focus();
    },
    g: () => app.state.set({ view: 'graph' }),
    l: () => app.state.set({ view: 'functions', fn: -1 }),
    s: () => app.state.set({ view: 'source' }),
    '[': () => app.slider.jump(-1),
    ']': () => app.slider.jump(1),
    ',': () => app.nextCombination(-1),
    '.': () => app.nextCombination(1),
    p: () => app.slider.toggle(),
    t: () => toggleTheme(app),
    w: () => {
      if (app.head.timed) app.state.set({ width: app.state.get('width') === 'cost' ? 'count' : 'cost' });
    },
    b: () => app.switchSide(),
    c: () => {
      if (app.base) app.state.set({ colour: app.state.get('colour') === 'change' ? 'growth' : 'change' });
    },
    n: () => app.nextFinding(1),
    N: () => app.nextFinding(-1),
    Escape: () => app.flame.hideTip() || app.leaveFunction() || app.zoomOut(),
  };
  for (let i = 1; i <= 5; i++) actions[i] = () => app.tabs.showAt(i - 1);
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || app.help.open) return;
    if (target.matches('input[type=search], textarea')) return;
    const action = actions[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  });
}
