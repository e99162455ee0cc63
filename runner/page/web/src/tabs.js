// SPDX-License-Identifier: GPL-3.0-or-later
// The panels beside the graph.
import { el } from './dom.js';

export class Tabs {
  constructor(app, list) {
    this.app = app;
    this.list = list.map(([id, name, panel]) => {
      const button = el(
        'button',
        { role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => this.show(id) },
        name,
      );
      const body = el(
        'div',
        { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: 0, class: 'body' },
        panel.element,
      );
      return { id, button, body, panel };
    });
    this.element = el(
      'aside',
      { class: 'side', 'aria-label': 'Details' },
      el(
        'div',
        { class: 'tabs', role: 'tablist' },
        this.list.map((tab) => tab.button),
      ),
      this.list.map((tab) => tab.body),
    );
    this.element.querySelector('.tabs').addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const at = this.list.findIndex((tab) => tab.button === document.activeElement);
      const next = this.list[(at + step + this.list.length) % this.list.length];
      this.show(next.id);
      next.button.focus();
      event.preventDefault();
    });
  }

  show(id) {
    if (!this.list.some((tab) => tab.id === id)) id = this.list[0].id;
    for (const { id: other, button, body, panel } of this.list) {
      const chosen = other === id;
      button.setAttribute('aria-selected', String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      body.hidden = !chosen;
      if (chosen && other === 'table') panel.paint();
    }
    this.app.state.set({ tab: id });
  }

  showAt(number) {
    if (this.list[number]) this.show(this.list[number].id);
  }
}
