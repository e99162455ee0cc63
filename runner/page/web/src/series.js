// SPDX-License-Identifier: GPL-3.0-or-later
// A context's curve over the grid and its measured points, for plots.
import { SURE, at, place, widened } from './curves.js';

const METRICS = { count: 'count', own: 'cost', total: 'cost' };

// Contexts at and below one.
export function subtree(study, context) {
  const list = [context];
  for (let i = 0; i < list.length; i++) for (const child of study.childrenOf(list[i])) list.push(child);
  return list;
}

function sumAt(study, contexts, partOf, doubt, i) {
  let [value, low, high, below, above] = [0, 0, 0, 0, 0];
  for (const context of contexts) {
    const part = partOf[context] ? study.parts[partOf[context] - 1] : null;
    const curve = part && study.curves[part[0]];
    if (!curve) continue;
    const sure = part.length === 2;
    value += part[1] * curve.value[i];
    low += (sure ? part[1] : part[2]) * curve.low[i];
    const top = sure ? part[1] : part[3];
    const open = study.open[context] && study.grid[i] > study.high && (study.unbounded || contexts.length === 1);
    high += open ? Infinity : top > 0 ? top * curve.high[i] : 0;
    if (!sure) {
      below += (part[4] * curve.value[i]) ** 2;
      above += (part[5] * curve.value[i]) ** 2;
    }
  }
  return {
    n: study.grid[i],
    value,
    ...widened(value, Math.hypot(value - low, Math.sqrt(below)), Math.hypot(high - value, Math.sqrt(above)), doubt),
  };
}

// metric: "count" executions, "own" cost, "total" cost with what is below.
export function curveOf(study, context, metric) {
  const contexts = metric === 'total' ? subtree(study, context) : [context];
  const partOf = study[METRICS[metric]];
  if (context === 0 && metric === 'total') {
    return study.totals.map(([value, low, high], i) => ({
      n: study.grid[i],
      value,
      low: low ?? 0,
      high: high ?? Infinity,
    }));
  }
  const curve = study.grid.map((_, i) => sumAt(study, contexts, partOf, metric === 'count' ? SURE : study.doubt[i], i));
  if (metric !== 'count') return curve;
  const weight = study.weightOf(context); // its count stands in its own unit
  return curve.map(({ n, value, low, high }) => ({ n, value: value / weight, low: low / weight, high: high / weight }));
}

export function valueOf(curve, n) {
  const where = place(
    curve.map((p) => p.n),
    n,
  );
  return {
    value: at(
      curve.map((p) => p.value),
      where,
    ),
    low: at(
      curve.map((p) => p.low),
      where,
    ),
    high: at(
      curve.map((p) => p.high),
      where,
    ),
  };
}

// Each run's sum over contexts; null where none was sampled.
function sumsOf(study, contexts, valuesOf) {
  const sums = study.runs.map(() => null);
  for (const context of contexts)
    valuesOf(context)?.forEach((y, run) => {
      if (y !== null) sums[run] = (sums[run] ?? 0) + y;
    });
  return sums;
}

// What was measured: {n, y} for each run, y null in a run without samples.
export function pointsOf(study, context, metric) {
  const list = [];
  const add = (values) => values?.forEach((y, run) => list.push({ n: study.runs[run], y }));
  const countsOf = (inner) => (study.model[inner] < 0 ? null : study.counts[study.model[inner]]);
  const executionsOf = (inner) => countsOf(inner)?.map((y) => y * study.weightOf(inner));
  const costsOf = (inner) => (study.timed ? study.costs.get(inner) : executionsOf(inner));
  if (metric === 'count') add(countsOf(context));
  else if (metric === 'own') add(costsOf(context));
  else add(sumsOf(study, subtree(study, context), costsOf));
  return list;
}

// The mean over the runs of exactly this size, or null.
export function measuredAt(study, context, metric, n) {
  if (!study.measured.includes(n)) return null;
  const values = pointsOf(study, context, metric).filter((p) => p.n === n && p.y !== null);
  return values.length ? values.reduce((sum, p) => sum + p.y, 0) / values.length : null;
}
