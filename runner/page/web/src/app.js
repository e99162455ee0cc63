// SPDX-License-Identifier: GPL-3.0-or-later
// The studies, what is looked at, and what follows from both.
import { Combination } from './combination.js';
import { el, replace } from './dom.js';
import { Flame } from './flame.js';
import * as format from './format.js';
import { attachKeys } from './keys.js';
import { header, legend, views } from './frame.js';
import { helpDialog } from './help.js';
import { AboutPanel } from './panel_about.js';
import { ContextPanel } from './panel_context.js';
import { FindingsPanel } from './panel_findings.js';
import { ResourcesPanel } from './panel_resources.js';
import { TablePanel } from './panel_table.js';
import { Search } from './search.js';
import { Slider } from './slider.js';
import { fromAddress, State, toAddress } from './state.js';
import { Tabs } from './tabs.js';
import { FunctionsView } from './view_functions.js';
import { SourceView } from './view_source.js';
import { label } from './words.js';

const VIEWS = ['graph', 'functions', 'source'];

export class App {
  constructor(data) {
    this.generator = data.generator;
    this.combinations = data.combinations.map((combination) => new Combination(combination, data));
    const kept = fromAddress(location.hash);
    this.state = new State({ combination: this.combinations[kept.combination] ? kept.combination : 0 });
    const context = (value) => (Number.isInteger(value) && value >= 0 && value < this.head.size ? value : undefined);
    const comparable = this.base && (this.comparison.same_machine || !this.head.timed);
    this.state.set({
      n: kept.n > 0 ? this.within(kept.n) : (this.head.asked ?? this.head.high),
      focus: context(kept.focus) ?? 0,
      selected: context(kept.selected) ?? -1,
      width: kept.width === 'count' || (this.base && !comparable) ? 'count' : 'cost',
      colour: this.base && kept.colour !== 'growth' ? 'change' : 'growth',
      side: this.base && kept.side === 'base' ? 'base' : 'head',
      tab: kept.tab ?? 'findings',
      view: VIEWS.includes(kept.view) ? kept.view : 'graph',
      fn: Number.isInteger(kept.fn) ? kept.fn : -1,
      matches: null,
      resource: -1,
      metric: '',
    });
    this.build();
  }

  get combination() {
    return this.combinations[this.state.get('combination')];
  }
  get head() {
    return this.combination.head;
  }
  get base() {
    return this.combination.base;
  }
  get comparison() {
    return this.combination.comparison;
  }
  get study() {
    return this.state.get('side') === 'base' ? this.base : this.head;
  }
  // Names the study that is shown.
  shownTag() {
    return `${this.state.get('combination')} ${this.state.get('side')}`;
  }
  get other() {
    return this.base && (this.state.get('side') === 'base' ? this.head : this.base);
  }

  // The size nearest to n that the slider reaches at a combination.
  within(n, at = this.state.get('combination')) {
    const { grid } = this.combinations[at];
    return Math.min(Math.max(n, grid[0]), grid.at(-1));
  }

  values() {
    return this.study.at(this.state.get('n'))[this.state.get('width')];
  }

  predicted() {
    const n = this.state.get('n');
    return n > this.study.high * 1.0000001 || n < this.study.low * 0.9999999;
  }

  costText(value) {
    return format.cost(value, this.study.costUnit);
  }
  show(value) {
    return this.state.get('width') === 'count' ? format.count(value) : this.costText(value);
  }

  // Whether values at the present width are sampled costs: then 0 only says that no sample fell there.
  get sampled() {
    return this.study.timed && this.state.get('width') === 'cost';
  }
  // [value, interval] in words.
  figure(at) {
    return format.figure(at, (value) => this.show(value), this.sampled);
  }
  // Of the whole, in words.
  share(context) {
    const { value } = this.values();
    return format.share(value[context], value[0], this.sampled);
  }

  what() {
    if (this.state.get('width') === 'count' || !this.study.timed) return 'executions in all';
    return this.study.costUnit === 's' ? 'of processor time' : 'in all';
  }

  total() {
    if (this.state.get('width') === 'cost') return this.study.totalAt(this.state.get('n'));
    const { value, low, high } = this.values();
    return { value: value[0], low: low[0], high: high[0] };
  }

  // The mean over the runs of the very size looked at, or null: {runs, value}, the value null where nothing was sampled.
  measured() {
    const ran = this.study.ran.get(this.state.get('n'));
    if (!ran) return null;
    return { runs: ran.runs, value: this.sampled ? ran.cost || null : ran.count };
  }

  // The same context in the other study, or -1.
  counterpart(context) {
    if (!this.other) return -1;
    if (context === 0) return 0;
    return (this.state.get('side') === 'base' ? this.combination.headOf : this.combination.baseOf)[context];
  }

  // Whether intervals of both sides have a size in common: then what differs may be noise.
  alike(context) {
    const other = this.counterpart(context);
    if (other < 0) return false;
    const [a, b] = [this.values(), this.other.at(this.state.get('n'))[this.state.get('width')]];
    return a.low[context] <= b.high[other] && b.low[other] <= a.high[context];
  }

  // Head over base of a context with what is below it; infinite: new; 0: gone; 1 where nobody can tell them apart.
  change(context) {
    return this.alike(context) ? 1 : this.factor(context);
  }

  factor(context) {
    if (!this.other) return NaN;
    const other = this.counterpart(context);
    const here = this.values().value[context];
    const there = other < 0 ? 0 : this.other.at(this.state.get('n'))[this.state.get('width')].value[other];
    const [head, base] = this.state.get('side') === 'base' ? [there, here] : [here, there];
    return head === 0 && base === 0 ? NaN : head / base;
  }

  build() {
    this.flame = new Flame(this);
    this.slider = new Slider(this);
    this.search = new Search(this);
    this.findings = new FindingsPanel(this);
    this.context = new ContextPanel(this);
    this.resources = new ResourcesPanel(this);
    this.table = new TablePanel(this);
    this.about = new AboutPanel(this);
    this.functions = new FunctionsView(this);
    this.source = new SourceView(this);
    this.tabs = new Tabs(this, [
      ['findings', this.comparison ? 'Changes' : 'Findings', this.findings],
      ['context', 'Context', this.context],
      ...(this.combinations.some(({ data }) => data.head.resources) ? [['resources', 'Resources', this.resources]] : []),
      ['table', 'Table', this.table],
      ['about', 'About', this.about],
    ]);
    this.help = helpDialog();
    this.crumbs = el('nav', { class: 'crumbs', 'aria-label': 'Zoom' });
    this.element = el(
      'div',
      { class: 'page' },
      header(this),
      this.slider.element,
      el(
        'main',
        {},
        el(
          'section',
          { class: 'graph', 'aria-label': 'Where' },
          el('div', { class: 'bar-top' }, this.crumbs, views(this)),
          this.flame.holder,
          this.functions.element,
          this.source.element,
          (this.legend = legend(this)),
        ),
        this.tabs.element,
      ),
      this.help,
    );
    this.state.on(['focus', 'side'], () => this.showCrumbs());
    this.state.on(['view'], () => this.showView());
    let timer = 0;
    this.state.on(['n', 'combination', 'selected', 'focus', 'width', 'colour', 'side', 'tab', 'view', 'fn'], () => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(null, '', toAddress(this.state.values)), 250);
    });
    attachKeys(this);
  }

  start() {
    this.findings.paint();
    this.context.paint();
    this.resources.paint();
    this.about.paint();
    this.tabs.show(this.state.get('tab'));
    this.showCrumbs();
    this.showView();
    this.slider.draw();
  }

  showCrumbs() {
    const focus = this.state.get('focus');
    const path = [0, ...this.study.pathOf(focus)];
    const shown = path.length > 4 ? [path[0], -1, ...path.slice(-2)] : path;
    replace(
      this.crumbs,
      shown.map((step, i) => [
        i ? el('span', { class: 'quiet', 'aria-hidden': 'true' }, '›') : null,
        step < 0
          ? el('span', { class: 'quiet' }, '…')
          : el(
              'button',
              {
                class: 'link',
                'aria-current': step === focus ? 'true' : false,
                onclick: () => this.open(step, { zoom: true }),
              },
              step === 0 ? 'whole workload' : label(this.study, step),
            ),
      ]),
    );
  }

  // Selects a context; zoom: makes it the widest frame; reveal: zooms out as far as it takes to see it; tab: shows its
  // panel.
  open(context, { zoom = false, reveal = false, tab = false, quiet = false } = {}) {
    const changes = { selected: context };
    const below = (inner, outer) => {
      for (let i = inner; ; i = this.study.parent[i]) {
        if (i === outer) return true;
        if (i === 0) return false;
      }
    };
    if (zoom) changes.focus = this.study.shown(context);
    else if (!below(context, this.state.get('focus'))) changes.focus = reveal ? 0 : this.study.up[context];
    this.state.set(changes);
    if (tab || (zoom && !quiet) || reveal) this.flame.reveal(context);
    if (tab || (zoom && this.state.get('tab') !== 'table')) this.showTab('context');
  }

  // One of the views of the whole program.
  showView() {
    const view = this.state.get('view');
    const views = { graph: this.flame.holder, functions: this.functions.element, source: this.source.element };
    for (const [name, element] of Object.entries(views)) element.hidden = name !== view;
    this.legend.hidden = this.crumbs.hidden = view !== 'graph';
    this.functions.paint();
    this.source.paint();
  }

  // A context in one of them.
  showIn(view, context) {
    this.open(context, { reveal: true });
    this.state.set({ view });
  }

  openFunction(context) {
    const fn = this.study.functions.of(context);
    if (fn >= 0) this.state.set({ view: 'functions', fn });
  }

  // From a function back to all of them; whether there was one.
  leaveFunction() {
    if (this.state.get('view') !== 'functions' || this.state.get('fn') < 0) return false;
    this.functions.open(-1);
    return true;
  }

  openResource(resource) {
    this.state.set({ resource, metric: '' });
    this.showTab('resources');
  }

  showTab(tab) {
    this.tabs.show(tab);
  }

  zoomOut() {
    const focus = this.state.get('focus');
    if (focus !== 0) this.state.set({ focus: this.study.up[focus] });
    else this.state.set({ selected: -1 });
  }

  switchSide() {
    if (!this.base) return;
    const move = (context) => (context > 0 ? this.counterpart(context) : context);
    const [selected, focus] = [move(this.state.get('selected')), move(this.state.get('focus'))];
    this.state.set({ side: this.state.get('side') === 'base' ? 'head' : 'base', selected, focus: Math.max(0, focus), fn: -1 });
  }

  // Another combination: contexts are the same there, the sizes may not be.
  showCombination(at) {
    this.state.set({ combination: at, n: this.within(this.state.get('n'), at) });
  }

  nextCombination(direction) {
    const { length } = this.combinations;
    this.showCombination((this.state.get('combination') + direction + length) % length);
  }

  nextFinding(direction) {
    const list = this.study.findings.map((f) => f.context);
    if (!list.length) return;
    const at = list.indexOf(this.state.get('selected'));
    this.open(list[at < 0 ? (direction > 0 ? 0 : list.length - 1) : (at + direction + list.length) % list.length], {
      reveal: true,
      tab: true,
    });
  }

  refreshColours() {
    this.flame.refresh();
  }
}
