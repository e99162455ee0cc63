// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers for people, as scale-run prints them.
import { formatLocale } from 'd3-format';

const locale = formatLocale({ decimal: '.', thousands: ',', grouping: [3], currency: ['', ''], minus: '\u2212' });
const grouped = locale.format(',.0f');
const NAMES = [
  [1e15, null],
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
];

const three = (x) => (x >= 99.95 ? x.toFixed(0) : x >= 9.995 ? x.toFixed(1) : x.toFixed(2));

export function count(value) {
  if (value === null || Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return 'unbounded';
  if (value === 0) return '0';
  if (value < 999500) {
    if (Math.abs(value - Math.round(value)) < 1e-4 * value || value >= 1000) return grouped(value);
    return value >= 1 ? three(value) : Number(value.toPrecision(2)).toString();
  }
  for (const [size, name] of NAMES) {
    if (value < 0.9995 * size) continue;
    return name ? `${three(value / size)} ${name}` : value.toExponential(1).replace('e+', 'e');
  }
  return grouped(value);
}

export function short(value) {
  if (value >= 1e15) return value.toExponential(0).replace('e+', 'e');
  if (value >= 10000) return locale.format('.3~s')(value).replace('G', 'B');
  return value >= 1 ? locale.format(',.4~r')(value) : Number(value.toPrecision(2)).toString();
}

export function size(value) {
  return value < 1e15 && Math.abs(value - Math.round(value)) < 1e-6 * value ? grouped(value) : count(value);
}

export const NOT_SAMPLED = 'not sampled';

const UNITS = [
  [1e-6, 1e9, 'ns'],
  [1e-3, 1e6, 'µs'],
  [1, 1e3, 'ms'],
  [120, 1, 's'],
  [7200, 1 / 60, 'min'],
  [172800, 1 / 3600, 'h'],
  [63072000, 1 / 86400, 'days'],
  [Infinity, 1 / 31557600, 'years'],
];

export function seconds(value) {
  if (value === null || Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return 'unbounded';
  if (value === 0) return '0 s';
  if (value < 5e-11) return '<0.1 ns'; // sums of places that were not sampled: 0.0 ns is no time
  const [, factor, unit] = UNITS.find(([below]) => value < below);
  const scaled = value * factor;
  return `${scaled >= 1e4 ? count(scaled) : scaled >= 10 ? scaled.toFixed(0) : scaled.toFixed(1)} ${unit}`;
}

export function bytes(value) {
  if (!Number.isFinite(value ?? NaN)) return value === null ? '?' : 'unbounded';
  const names = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let i = 0;
  for (; value >= 1024 && i < 5; i++) value /= 1024;
  return `${i ? three(value) : grouped(value)} ${names[i]}`;
}

export function cost(value, unit) {
  return unit === 's' ? seconds(value) : unit === 'iterations' || unit === 'calls' ? count(value) : `${count(value)} ${unit}`;
}

export function percent(share) {
  if (!Number.isFinite(share)) return '?';
  const x = 100 * share;
  if (x > 0 && x < 0.1) return '<0.1%';
  if (x < 100 && x >= 99.95) return '>99.9%';
  if (x < 100 && x >= 99) return `${x.toFixed(1)}%`;
  return x >= 10 || x === 0 ? `${x.toFixed(0)}%` : `${x.toFixed(1)}%`;
}

export function interval({ value, low, high }, show) {
  if (low === value && high === value) return 'exactly';
  if (!Number.isFinite(high) && !(low > 0)) return 'nothing bounds it';
  if (!Number.isFinite(high)) return `at least ${show(low)}`;
  const [a, b] = [show(low), show(high)];
  if (a === b) return `about ${a}`;
  const [x, y] = [a.split(' '), b.split(' ')];
  return x.length === 2 && x[1] === y[1] ? `${x[0]} to ${b}` : `${a} to ${b}`;
}

// A figure and its interval. A cost that no sample fell on is unknown but for its upper end, where it has one: zero it is not.
export function figure(at, show, sampled = false) {
  if (!sampled || at.value > 0) return [show(at.value), interval(at, show)];
  return [at.high > 0 && Number.isFinite(at.high) ? `under ${show(at.high)}` : NOT_SAMPLED, ''];
}

// The share of a cost.
export const share = (value, whole, sampled) => (sampled && value === 0 ? NOT_SAMPLED : percent(value / whole));

// Head over base, with its sign.
export function change(factor) {
  if (factor === Infinity) return 'new';
  if (factor === 0) return 'gone';
  if (!Number.isFinite(factor)) return '?';
  if (factor >= 10) return `×${count(factor)}`;
  if (factor <= 0.1) return `÷${count(1 / factor)}`;
  const x = 100 * (factor - 1);
  return `${x < 0 ? '−' : '+'}${Math.abs(x) < 9.95 ? Math.abs(x).toFixed(1) : Math.abs(x).toFixed(0)}%`;
}
