// SPDX-License-Identifier: GPL-3.0-or-later
// el('button', {class: 'x', onclick}, 'text', child): texts never become markup.
const NS = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') Object.entries(value).forEach(([name, v]) => node.style.setProperty(name, v));
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(NS, tag), attributes, children);

// heads: th elements, or texts of columns; rows: tr elements.
export const plainTable = (heads, rows, caption = null) =>
  el(
    'table',
    {},
    caption && el('caption', {}, caption),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        heads.map((head) => (typeof head === 'string' ? el('th', { scope: 'col' }, head) : head)),
      ),
    ),
    el('tbody', {}, rows),
  );
export const tableOf = (heads, rows, caption = null) => el('div', { class: 'scroll' }, plainTable(heads, rows, caption));

export function replace(node, ...children) {
  node.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

// Calls no more often than the screen shows.
export function perFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}

export function later(milliseconds, call) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}
