// SPDX-License-Identifier: GPL-3.0-or-later
// As the system says, until somebody chooses.
const dark = matchMedia('(prefers-color-scheme: dark)');

export function toggleTheme(app) {
  const root = document.documentElement;
  const now = root.dataset.theme ?? (dark.matches ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
  app.refreshColours();
}

// Paper is light.
export function watchTheme(app) {
  const root = document.documentElement;
  dark.addEventListener('change', () => app.refreshColours());
  let before;
  addEventListener('beforeprint', () => {
    before = root.dataset.theme;
    root.dataset.theme = 'light';
    app.flame.painter.refresh();
    app.flame.paint();
  });
  addEventListener('afterprint', () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    app.refreshColours();
  });
}
