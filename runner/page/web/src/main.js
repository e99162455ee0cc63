// SPDX-License-Identifier: GPL-3.0-or-later
import { App } from './app.js';
import { load } from './data.js';
import { watchTheme } from './theme.js';

function fail(error) {
  const status = document.getElementById('loading');
  status.hidden = false;
  status.className = 'fatal';
  status.textContent = `The study cannot be shown: ${error.message}. A current browser is needed (Chromium 103, Firefox 113, Safari 16.4).`;
  console.error(error);
}

try {
  const app = new App(await load());
  const place = document.getElementById('app');
  place.append(app.element);
  place.hidden = false;
  document.getElementById('loading').hidden = true;
  app.start();
  watchTheme(app);
  document.documentElement.dataset.ready = 'yes';
} catch (error) {
  fail(error);
}
