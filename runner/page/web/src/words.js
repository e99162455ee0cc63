// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts in words.
export const GROWTH = [
  { key: 'g0', name: 'constant', long: 'does not grow' },
  { key: 'g1', name: 'below n', long: 'grows slower than the workload' },
  { key: 'g2', name: 'n', long: 'grows with the workload' },
  { key: 'g3', name: 'n log n', long: 'grows a little faster than the workload' },
  { key: 'g4', name: 'up to n²', long: 'grows superlinearly, up to quadratically' },
  { key: 'g5', name: 'above n²', long: 'grows faster than quadratically' },
];
export const NO_MODEL = { key: 'gn', name: 'no model', long: 'its counts follow no model' };
export const STRUCTURE = { key: 'gs', name: 'not counted', long: 'a process, or code without instrumentation' };

export const growthOf = (g) => (g === -2 ? STRUCTURE : g === -1 ? NO_MODEL : GROWTH[g]);

export const base = (file) => file.slice(file.lastIndexOf('/') + 1);

// Of a call into a library's header it is that of the call.
export function place(study, context, full = false) {
  const called = study.library[context];
  const file = study.fileOf(called ? study.parent[context] : context);
  if (!file) return '';
  const [line, column] = called ? [study.line[context], 0] : [study.lineOf(context), study.columnOf(context)];
  const exact = ['loop', 'work'].includes(study.kindOf(context)) && column;
  return `${full ? file : base(file)}${line ? `:${line}` : ''}${exact ? `:${column}` : ''}`;
}

export function label(study, context) {
  const kind = study.kindOf(context);
  if (kind === 'root') return 'whole workload';
  if (kind === 'process') return `process ${study.nameOf(context)}`;
  if (kind === 'loop') return `loop ${place(study, context)}`;
  if (kind === 'truncated') return '(cut off)';
  return study.briefOf(context) || '(unnamed)';
}

// A loop by its function.
export function title(study, context) {
  return study.kindOf(context) === 'loop' ? study.briefOf(context) : label(study, context);
}

export const counts = (study, context) => study.unitOf(context);

export function orderOf(study, context) {
  const words = study.wordsOf(study.model[context]);
  return words && words.growth >= 0 ? pretty(words.order) : null;
}

const RAISED = { 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹', '.': '·', '-': '⁻' };
const raise = (digits) => [...digits].map((d) => RAISED[d]).join('');

// "0.5 n^2 - 0.5 n" with raised exponents.
export function pretty(formula) {
  return formula
    .replace(/\^(-?\d+(\.\d+)?)/g, (_, digits) => raise(digits))
    .replaceAll('log2(', 'log₂(')
    .replaceAll(' - ', ' − ');
}
