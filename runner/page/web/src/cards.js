// SPDX-License-Identifier: GPL-3.0-or-later
// What cards of findings, resources and changes have in common.
import { el } from './dom.js';
import * as format from './format.js';

const MARKS = { error: '◆', warning: '▲', note: '●' };
export const confidence = (value) => `${value >= 0.9 ? 'high' : value >= 0.6 ? 'medium' : 'low'} (${value.toFixed(2)})`;

export const severity = (name, label = name) =>
  el('span', { class: `severity ${name}`, title: name }, `${MARKS[name]} `, el('span', {}, label));
// Of findings about resources: notes are those that are as probably nothing (sc_resource_uncertain).
export const certainty = (name) => severity(name, name === 'note' ? 'uncertain' : name);

// Instead of a severity: what is accepted asks for nothing.
export const mark = (f) =>
  f.accepted ? el('span', { class: 'severity note accepted', title: f.severity ?? '' }, '✓ ', el('span', {}, 'accepted')) : null;
export const reason = (f) => (f.accepted ? el('p', { class: 'quiet' }, `Accepted until ${f.accepted.until}: ${f.accepted.reason}`) : null);
export const acceptedLast = (list) => [...list].sort((a, b) => !!a.accepted - !!b.accepted);

export const detail = (name, text) => (text ? [el('dt', {}, name), el('dd', {}, text)] : null);

// Where predictions of growth along a further parameter have that.
export const at = (f) => (f.along ? `, ${f.along.parameter} = ${format.size(f.along.at)}` : '');

export const section = (heading, list, card, kind = 'ol') =>
  list.length ? [el('h2', {}, heading), el(kind, { class: 'cards' }, list.map(card))] : null;
